# nytp-record sees xsubs however they are called, and nothing where it cannot be sure: xsubs that wait say their names.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir compiler run scratch_dir slurp spew top_dir);
use Sampled qw(frames_of may_sample recorder sampled_perl start);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my $scratch = scratch_dir();
my $object  = "$scratch/waiting.so";
chdir top_dir() . '/test/scripts/record' or die;
{
    my @flags = split ' ',
        run([sampled_perl(), '-MConfig', '-e', 'print "$Config{ccflags} -I$Config{archlibexp}/CORE"'])->{out};
    my @cc    = grep { !/sanitize/ } compiler();    # the perl that is sampled has no sanitizer
    my $got   = run([@cc, '-w', '-shared', '-fPIC', @flags, '-o', $object, 'Waiting.c']);
    plan skip_all => "no xsub can be compiled (Debian: libperl-dev): $got->{err}" if $got->{status} != 0;
}
my @forms = split /\n/, run([sampled_perl(), 'xsubs.pl', 'list'])->{out};
cmp_ok(scalar @forms, '>', 30, 'there are forms of calls');

# What perl called is not where it was: results are there, or a sub that the xsub called, or arguments. An alias in
# another package is not sure, and a goto is not a call.
my %is_not_sure = map { $_ => 1 }
    qw(after_call after_call_xsub after_results after_results_name alias_elsewhere jump reference_amp_args reference_symbolic);

sub innermost {
    my ($pid, @options) = @_;
    my ($frame) = frames_of($pid, 1, @options);
    return (split /\t/, $frame // q())[0];
}

for my $form (@forms) {
    my $program = start(sampled_perl(), 'xsubs.pl', $object, $form);
    my ($xsub) = @{ $program->{said} };
    my $got = innermost($program->{pid});
    if ($is_not_sure{$form}) {
        like($got, qr/^(?:main::__ANON__|main::RUNTIME|main program|)\z/, "$form: nothing");
    } else {
        is($got, $xsub, "$form: the xsub that waits");
    }
    $program->{go}->();
    is($program->{wait}->(), 0, "$form: the program goes on");
}

# ---- a database ----

SKIP: {
    skip 'needs DBD::SQLite, and the perl that it is for', 2
        if defined $ENV{NYTP_OTHER_PERL} || !eval { require DBD::SQLite };
    my $got = run([recorder(), '-r', 500, '-o', "$scratch/queries.out", $^X, 'queries.pl', 100]);
    is($got->{status}, 0, 'a program that asks a database') or diag($got->{err});
    my $folded = run([build_dir() . '/bin/nytprofcalls', "$scratch/queries.out"])->{out};
    like($folded, qr/^main::slow_query;DBI::st::execute \d/m, 'a slow query is a call of DBI');
}

# ---- a table that was made before ----

{
    my ($newer) = map { slurp($_) } grep { slurp($_) =~ /^op_meth_sv/m } glob build_dir()
        . '/share/nytprof/offsets/own-*.txt';
  SKIP: {
        skip 'not the table of the perl that is sampled', 2 if defined $ENV{NYTP_OTHER_PERL};
        my $older = spew("$scratch/older.txt", $newer =~ s/^(?:interp_stack_sp|op_targ|op_meth_sv|he_\w+) .*\n//mgr);
        for my $form (qw(method function)) {
            my $program = start(sampled_perl(), 'xsubs.pl', $object, $form);
            my $got     = innermost($program->{pid}, "--offsets=$older");
            is($got, $form eq 'function' ? 'Waiting::waits' : 'main::__ANON__', "an older table: $form");
            $program->{end}->();
        }
    }
}

done_testing();
