# The script of a report, without a browser: node can parse each of its files and what make joins of them, and it has no
# names outside of its function. Skipped where there is no node.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Glob qw(bsd_glob);
use NYTPTest qw(build_dir run scratch_dir spew top_dir valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;
use WebDriver;

plan skip_all => 'no node' if !WebDriver::in_path('node');
plan skip_all => 'node is no matter of memcheck' if valgrind();

my $dir  = scratch_dir();
my $page = top_dir() . '/converters/nytprofhtml/page';

my $profile = spew("$dir/empty.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [PID_END => 7, 2.5]));
my $html    = run([build_dir() . '/bin/nytprofhtml', '-o', '-', $profile])->{out};
my ($script) = $html =~ m{<script>([^<]*(?:<(?!/script>)[^<]*)*)</script>\s*</body>};
ok($script, 'a report has a script');
my $joined = spew("$dir/joined.js", $script);

# Prints the files that cannot be parsed as the body of a function, and why.
my $parse = spew("$dir/parse.js", <<'JS');
    const {readFileSync} = require('fs'), {compileFunction} = require('vm');
    for (const file of process.argv.slice(2)) {
        try {
            compileFunction(readFileSync(file, 'utf8'), [], {filename: file});
        } catch (error) {
            console.log(error.stack);
        }
    }
JS
my $parsed = run(['node', $parse, $joined, bsd_glob("$page/*/*.js"), "$page/main.js"]);
is("$parsed->{status} $parsed->{out}", '0 ', 'all files can be parsed') or diag($parsed->{err});
like($script, qr/\A\(function \(\) \{\n'use strict';\n.*^\}\)\(\);\n\z/ms, 'the script is one function');

# A name that a file leaves out of its own function would be a global.
my $globals = spew("$dir/globals.js", <<'JS');
    const scope = {document: {getElementById: () => ({replaceChildren() {}, prepend() {}}), createElement: () => ({append() {}, setAttribute() {}})}};
    scope.window = scope;
    const before = Object.keys(scope), vm = require('vm');
    vm.runInNewContext(require('fs').readFileSync(process.argv[2], 'utf8'), scope);
    console.log(Object.keys(scope).filter(name => !before.includes(name)).join(' '));
JS
my $got = run(['node', $globals, $joined]);
is($got->{out}, "report\n", 'which declares one global name') or diag($got->{err});

done_testing();
