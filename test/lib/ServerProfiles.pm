package ServerProfiles;

# What must hold of the profiles that a server's workers leave. The server answers "PID TEXT\n".
#
#   my %answered = ask_workers($server, '/site?n=3', 400, '12');    # { PID => how many }
#   check_worker('a worker', [files], handler => 'Site::handler', handled => 400, step => 'Site::step', steps => 3,
#       waited_s => 1);
#   check_merged([files], 'Site::step' => 3600);

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir);
use ProfileCompare qw(count_of read_profile);
use Test::More;

our @EXPORT_OK = qw(ask_workers check_merged check_worker made_by);

my $CLIENTS = 4;

my %read;

# Each file is read when it is complete.
sub made_by {
    my ($path) = @_;
    return $read{$path} if $read{$path};
    my $profile = read_profile($path);
    $read{$path} = $profile if $profile->{complete};
    return $profile;
}

# Tests that each of so many requests is answered with that text. Returns the workers that answered.
sub ask_workers {
    my ($server, $path, $count, $want) = @_;
    my %got = $server->ask($path, $count, $CLIENTS);
    my ($right, %of) = (0);
    for my $answer (keys %got) {
        my ($pid, $text) = $answer =~ /^(\d+) (.*)\n/ or next;
        $right += $got{$answer} if $text eq $want;
        $of{$pid} += $got{$answer};
    }
    is $right, $count, "$path: right answers" or diag explain \%got;
    return %of;
}

# The calls of a sub that take time, and all statements.
sub _measured_s {
    my ($profile, $handler) = @_;
    my $ticks = sum0(values %{ $profile->{line_ticks} });
    return ($ticks / $profile->{attributes}{ticks_per_sec},
        sum0(map { $_->{incl_s} } grep { $_->{called} eq $handler } values %{ $profile->{arcs} }));
}

# Tests the files of one process, in order: they have so many calls of the handler, and so many of a sub that it
# calls; `under_way` of them may be in two files.
sub check_worker {
    my ($name, $files, %want) = @_;
    my @profiles = map { made_by($_) } @$files;
    ok @profiles && !(grep { !$_->{complete} } @profiles), "$name: whole" or diag "@$files";
    my ($handled, $stepped) = map { my $sub = $_; sum0(map { count_of($_, $sub) } @profiles) } @want{qw(handler step)};
    my $twice = $want{under_way} // 0;
    ok $handled >= $want{handled} && $handled <= $want{handled} + $twice,
        "$name: every request" or diag "$handled calls, not $want{handled}";
    is $stepped, $want{handled} * $want{steps}, "$name: what they call";

    my $lived_s = sum0(map { $_->{end_s} - $_->{starts}[0]{time} } grep { $_->{complete} } @profiles);
    my ($statements_s, $subs_s) = (0, 0);
    for my $profile (@profiles) {
        my ($s, $sub_s) = _measured_s($profile, $want{handler});
        $statements_s += $s;
        $subs_s       += $sub_s;
    }
    my $most_s = $lived_s - 0.9 * $want{waited_s};
    cmp_ok $statements_s, '<', $most_s, "$name: no statement has the time of waiting";
    cmp_ok $subs_s, '<', $most_s, "$name: nor has the handler";
    return;
}

# Tests that all of them, merged, have so many calls of each sub.
sub check_merged {
    my ($files, %calls) = @_;
    my $dir = scratch_dir();
    my $got = run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/all.out", @$files]);
    is $got->{status}, 0, 'nytprofmerge puts them together' or diag $got->{err};
    my $profile = made_by("$dir/all.out");
    ok !defined $profile->{error}, '... into a file that can be read' or diag $profile->{error};
    is count_of($profile, $_), $calls{$_}, "... with the calls of $_" for sort keys %calls;
    return;
}

1;
