package HardCase;

# Runs a program without and with the collector. Checks what must hold for any program, and what the caller
# checks for this one.

use strict;
use warnings;

use CollectorRun qw(collector plain profiled same_behaviour tool);
use Exporter 'import';
use NYTPTest qw(run spew);
use ProfileCompare qw(calls_of count_of read_profile);
use Test::More;

our @EXPORT_OK = qw(hard_case profile_with readable);

# The one of several profiles that calls a sub.
sub profile_with {
    my ($profiles, $sub) = @_;
    my ($profile) = grep { count_of($_, $sub) || calls_of($_, $sub) } @$profiles;
    return $profile // { arcs => {}, returns => {} };
}

# Tests that a profile is complete, and that our programs read it, if they are to try. Returns their results by
# name.
sub readable {
    my ($path, $name, $try) = @_;
    my $profile = read_profile($path);
    ok $profile->{complete}, "$name: Debian's reader finds a whole profile" or diag "$path: ",
        $profile->{error} // 'no end of process';
    is $profile->{negative}, 0, "$name: no negative times";
    my %made;
    for my $want (['nytprofcalls', 'collapsed', '--strict', $path],
        ['nytprofcg', 'callgrind', '-f', $path, '-o', '-']) {
        my ($tool, $kind, @arguments) = @$want;
        my $program = $try ? tool($tool) : undef;
        next if !$program;
        my $got = run([$program, @arguments]);
        is $got->{status}, 0, "$name: $tool reads it" or diag $got->{err};
        $made{$kind} = $got->{out};
    }
    return ($profile, %made);
}

# Options: options (of NYTPROF; a file that is undef is left out), files (the number of profiles, by default at
# least one), check (called with the run, which also has the results of our programs for the first profile, and
# with the profiles), readable_only (there need not be any), script (the name of the file with the code), arguments
# (instead of a file with the code), load, env, timeout_s, tools (0: our programs do not read it).
sub hard_case {
    my ($name, $code, %case) = @_;
    my $script    = $case{script} // 'case.pl';
    my $arguments = $case{arguments} // [$script];
    my $prepare   = sub { spew("$_[0]/$script", $code) };
    my %options   = %{ $case{options} // {} };
    my $relative  = defined $options{file};
    delete $options{file} if exists $options{file} && !$relative;
    my $plain     = plain($arguments, prepare => $prepare, env => { %{ $case{env} // {} }, PERL5OPT => undef });
    my %load      = map { $_ => $case{$_} } grep { exists $case{$_} } qw(load env timeout_s);
    my $got       = profiled(collector(), $arguments, prepare => $prepare, options => \%options, %load);
    same_behaviour($plain, $got, $name);
    my @files = $relative ? glob("$got->{dir}/$options{file}*") : @{ $got->{files} };
    if (!$case{readable_only}) {
        defined $case{files}
            ? is(scalar @files, $case{files}, "$name: $case{files} profiles")
            : ok(scalar @files, "$name: there is a profile");
    }
    my @profiles;
    for my $file (reverse @files) {
        my ($profile, %made) = readable($file, $name, $case{tools} // 1);
        unshift @profiles, $profile;
        $got->{$_} = $made{$_} for keys %made;
    }
    $case{check}->($got, @profiles) if $case{check} && @profiles;
    return;
}

1;
