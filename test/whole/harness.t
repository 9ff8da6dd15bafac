# What the tests themselves rely on: what hangs is ended, skips are listed, and with CI=true those that should not be
# are failures.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(run scratch_dir spew top_dir valgrind);
use Test::More;

plan skip_all => 'tests of tests are no matter of memcheck' if valgrind();

my $dir = scratch_dir();
my $run = top_dir() . '/test/tools/run';

# ---- limits ----

ok(!eval { run(['sh', '-c', "sleep 1000 & echo \$! >$dir/child; wait"], limit_s => 1); 1 },
    'a command that hangs ends the test');
like($@, qr/\Ash -c sleep 1000 .*: was still running after \d+ seconds$/, 'which names it');
my $child = do { open my $in, '<', "$dir/child" or die; readline $in };
chomp $child;
for (1 .. 600) {
    last if !kill 0, $child;
    select undef, undef, undef, 0.1;
}
ok(!kill(0, $child), 'what it has started is ended, too');
is(run(['sh', '-c', 'kill -9 $$'])->{signal}, 9, 'a command that ends itself is no such case');

# ---- skips ----

my $begin = "use Test::More tests => 2;\nSKIP: { skip 'REASON', 1; fail('skipped') }\npass('runs');\n";
my %path  = map { $_->[0] => spew("$dir/$_->[0].t", $begin =~ s/REASON/$_->[1]/r) } ['root', 'needs root'],
    ['browser', 'no chromium'];
spew("$dir/all.t", "use Test::More skip_all => 'no chromium';\n");
spew("$dir/none.t", "use Test::More tests => 1;\npass('runs');\n");

sub result {
    my ($ci, @tests) = @_;
    return run([$run, '-Q', @tests], env => { CI => $ci });
}
my $got = result(undef, "$dir/none.t");
is($got->{status}, 0, 'tests that pass');
like($got->{out}, qr/^Skipped: 0$/m, 'none was skipped');
$got = result(undef, @path{qw(root browser)}, "$dir/all.t");
is($got->{status}, 0, 'tests that skip pass');
like($got->{out},
    qr{^Skipped: 3\n  \S+/all\.t: no chromium\n  \S+/browser\.t: no chromium\n  \S+/root\.t: needs root$}m,
    'and are listed')
    or diag($got->{out});
is(result('true', $path{root})->{status}, 0, 'with CI=true, those that the machine may be the reason of');
for my $path ($path{browser}, "$dir/all.t") {
    $got = result('true', $path);
    is($got->{status}, 1, 'with CI=true, one that should run fails');
    like($got->{out}, qr/no chromium - which must not be skipped here/, 'and is named');
}

# ---- unit tests ----

my $program = spew("$dir/unit.c", <<'END');
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
static void good(void **state) { (void)state; }
static void bad(void **state) { assert_ptr_equal(state, NULL); }
static void skipped(void **state) { (void)state; print_message("skipped: needs root\n"); skip(); }
static void crashes(void **state) { (void)state; *(volatile int *)1 = 0; }
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good), cmocka_unit_test(skipped),
#ifdef FAILS
        cmocka_unit_test(bad), cmocka_unit_test(crashes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
for my $way (['passes'], ['fails', '-DFAILS']) {
    my ($name, @options) = @$way;
    is(run(['cc', '-Wno-unused-function', @options, '-o', "$dir/$name", $program, '-lcmocka'])->{status}, 0,
        "a unit test that $name");
}
$got = run([$run, '-v', "$dir/passes"]);
is($got->{status}, 0, 'passes');
like($got->{out}, qr/^ok 1 - good\nok 2 - skipped # SKIP needs root\nok 3 - exit status$/m,
    'with a result for each test');
like($got->{out}, qr/^Skipped: 1\n  \S+: needs root$/m, 'and its skips');
$got = run([$run, "$dir/fails"]);
is($got->{status}, 1, 'fails');
like($got->{out}, qr/Failed tests:  3-5$/m, 'each of them') or diag($got->{out});
like($got->{err}, qr/unit\.c:7: error: Failure!/, 'what cmocka said is shown');

done_testing();
