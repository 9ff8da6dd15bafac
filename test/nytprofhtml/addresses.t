# Addresses within a report, in Chromium: each draws a view, in bounded time, and none makes the page's script fail.
# Those that failed before, and random ones: some hundred; with EXHAUSTIVE=1 or FUZZ_SECONDS (make fuzz) as many as that
# time has. SEED repeats a run.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPTest qw(sanitized scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck and sanitizers' if valgrind() || sanitized();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new(script_s => 60), $dir);
my $seed    = srand($ENV{SEED} // int(time ^ $$ << 8));
my $seconds = $ENV{FUZZ_SECONDS} // ($ENV{EXHAUSTIVE} ? 120 : 0);

# Two processes, evals, source, labels, BEGIN blocks and require, recursion, and names that addresses have to escape.
my $odd  = "main::odd,100%&a=b#c/d?e+f";
my $long = 'main::' . 'a' x 300 . 'b';
sub profile {
    my ($name, $factor) = @_;
    my $sql   = 'SELECT a FROM t WHERE id = ?';
    my @calls = ([2, 30, 30, "DBI::st::execute $sql"], [1, 80, 50, 'Shop::page'], [2, 9, 9, $odd],
        [1, 19, 10, 'main::BEGIN@2'], [3, 5, 5, 'main::rec'], [2, 9, 4, 'main::rec'], [1, 12, 3, 'main::rec'],
        [2, 7, 7, 'Foo::CORE:require'], [1, 9, 2, 'main::BEGIN'], [1, 100, 100, 'main::CORE:sleep'],
        [1, 20, 20, 'main::__ANON__[(eval 1)[/srv/shop.pl:7]:1]'], [1, 1, 1, $long]);
    my %info  = ('Shop::page' => [2, 5], $odd => [6, 8], 'main::BEGIN@2' => [2, 2], 'main::rec' => [10, 14],
        'main::BEGIN' => [1, 1]);
    return spew("$dir/$name.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'application', 'shop.pl'],
            [ATTRIBUTE => 'labels', 'sql,sql=DBI::st::execute'],
        [ATTRIBUTE => 'inc', '/srv/lib'], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [NEW_FID => 2, 1, 7, 0x102, 0, 0, '(eval 1)[/srv/shop.pl:7]'],
        [NEW_FID => 3, 0, 0, 0x12, 0, 0, '/srv/lib/Foo.pm'],
        (map { [TIME_LINE => 10 * $factor, 1 + $_ % 3, 1 + $_] } 0 .. 19),
        (map { [SUB_RETURN => $_->[0], $factor * $_->[1], $factor * $_->[2], $_->[3]] } @calls),
        [PID_START => 8, 7, 1.6], [TIME_LINE => 50, 1, 4], (map { [SUB_RETURN => @$_] } @calls[0, 1]),
        [PID_END => 8, 1.7], [PID_END => 7, 2.9],
        (map { [SUB_INFO => 1, $_, @{ $info{$_} // [0, 0] }] } map { $_->[3] } @calls),
        (map { [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1, map({ $factor * $_ / 1000 } @$_[1, 2]), 0, 0,
            $_->[3]] } @calls),
        (map { [SRC_LINE => 1, $_, "my \$line = $_; # some text\n"] } 1 .. 20), [SRC_LINE => 2, 1, "sub { 1 }\n"]));
}
my @pages = (page_of(plain => profile(new => 1)),
    page_of(compared => profile(newer => 2), '--diff', profile(old => 1)));

my @views  = ('', qw(subs sub flame files file map time modules labels label nonsense __proto__));
my @names  = ($odd, $long, 'Shop::page', 'main::rec', 'main::BEGIN@2', '/srv/shop.pl:7', 'Foo.pm', 'shop.pl',
    '(eval 0)[shop.pl:7]:1', 'sql:SELECT a FROM t WHERE id = ?', 'sql', 'span', 0 .. 5, 99, -1, '1e9', 'no such thing',
    'constructor', "\x{1F42A}\x{202E}", '', '/', ':', '1:' . '9' x 30);
my @words  = ('Shop', 'kind:x', 'kind:', 'pkg:Shop', 'pkg:', 'file:shop', 'self>1%', 'calls>=', 'incl<1e5', 'depth=1',
    'toString>3', '-', '-pkg:main', '(', '[', '\\', '*', '.*', '(a+)+$', '(a|aa)*b', '.*.*.*.*b', 'a*a*a*a*a*a*b',
    '((a*)*)*c', '(?=a*)*', '\\1(a)', '(a{1,50}){1,50}c', '[^]*[^]*x', '(?<n>a)\\k<n>', '$^', ('a ' x 500) . 'b');
my @views_of_time = ('0-100', '50-50', '100-0', '50-50.0000005', '-5-10', '1-2', '0-' . '9' x 40, 'a-b',
    '2089044-2089044.0000000005', '0-0', '1e3-1e4', '5', '-', '0-1-2');
my @ranges = ('0s..1s', '..5ms', '10us..', '..', '5s..3s', '1ms..1ms', '0.001..0.0010001', '1h..2h', '1m2s3ms..', '1e3..', '3s', '-1s..1s',
    '..' . '9' x 40, '.5..' . '1' x 400 . 'x', '0...5s', '10%..20%', '14:03..');
my %values = (
    q       => sub { join ' ', map { any(@words, @names) } 0 .. rand 3 },
    sort    => sub { any('-', '')
        . any(qw(self incl calls each name where kind time share old change percent constructor), '') },
    range   => sub { any(@ranges, int(rand 400) . 'us..' . int(rand 400) . 'us') },
    zoom    => sub { rand() < 0.3 ? any(@views_of_time, int(rand 400) . '-' . int rand 400) : join any(',', ',', "\t", '.'), map { any(@names) } 0 .. rand 4 },
    fold    => sub { join ',', map { any(@names) } 0 .. rand 4 },
    only    => sub { any(qw(pkg: file: sub: label:), '') . any(@names, 'Shop', 'main') },
    out     => sub { join ',',
        map { any('pkg:main', 'pkg:Shop', 'sub:main::rec', 'sub:' . any(@names),
            'label:' . any(@names)) } 0 .. rand 3 },
    process => sub { any(7, 8, 9, '7.0', 'x') },
    (map { my ($key, @of) = @$_; ($key => sub { any(@of, any(@names)) }) } ['by', qw(time calls path package)],
    ['order', qw(weight name first)], ['dir', qw(top bottom)], ['way', qw(callers callees)],
        ['color', qw(namespace difference)], ['side', qw(old new)], ['packages', 0, 1],
        ['recursion', 0, 1], ['what', qw(self incl calls)], ['group', 'package'], ['level', qw(line block sub)],
        ['all', 1],
        ['hot', 0, 1], ['notes', 0, 1], ['compare', 0, 1], ['evals', 0, 1], ['__proto__', 1]),
);

sub any { return $_[rand @_] }

# Some are not escaped as they should be.
sub escaped {
    my ($text) = @_;
    return $text if rand() < 0.1;
    utf8::encode($text);
    return $text =~ s/([^A-Za-z0-9_.:\/-])/sprintf '%%%02X', ord $1/ger;
}

sub random_address {
    return '#' . join '', map { any('/', '?', '&', '=', '%', '%F', '%2F', '#', 'a', "\x{FFFD}", ' ', '+') } 0 .. rand 30
        if rand() < 0.05;
    my @pairs = map { my $key = $_;
        escaped($key) . '=' . escaped($values{$key}->()) } map { any(sort keys %values) } 1 .. rand 5;
    return '#/' . any(@views) . (rand() < 0.5 ? '/' . escaped(any(@names)) : '')
        . (@pairs ? '?' . join '&', @pairs : '');
}

# Pictures are drawn at once, not with the next frame.
sub draw_at_once {
    $browser->command('Emulation.setEmulatedMedia',
        features => [{ name => 'prefers-reduced-motion', value => 'reduce' }]);
    $browser->run(<<'JS');
        window.requestAnimationFrame = draw => Promise.resolve().then(draw);
        window.ResizeObserver = class {
            constructor(act) {
                this.observe = () => Promise.resolve().then(act);
                this.disconnect = () => {};
            }
        };
JS
    return;
}

# Shows each address, and returns what is wrong with some. The event that a new address makes is sent at once.
sub problems {
    my @addresses = @_;
    my $found = eval { $browser->run(<<'JS', \@addresses) };
        const found = [], on_error = event => found.push('error: ' + (event.message || event.reason)), {error} = console;
        window.addEventListener('error', on_error);
        window.addEventListener('unhandledrejection', on_error);
        console.error = wrong => found.push('failed: ' + wrong);
        return (async () => {
            const problems = [];
            for (const address of arguments[0]) {
                sessionStorage.address = address;
                history.replaceState(history.state, '', address);
                window.dispatchEvent(new Event('hashchange'));
                await new Promise(done => setTimeout(done));
                await (report.view && report.view.ready);
                const heading = [...document.querySelectorAll('#view h1')].find(one => one.offsetParent);
                if (!heading || !heading.textContent)
                    found.push('there is no heading');
                if (found.length)
                    problems.push(address + ': ' + found.splice(0).join(', '));
            }
            console.error = error;
            window.removeEventListener('error', on_error);
            window.removeEventListener('unhandledrejection', on_error);
            return problems;
        })();
JS
    return $found ? @$found : "one of these takes too long:\n" . join("\n", @addresses) . "\n$@";
}

sub all_are_fine {
    my ($what, @addresses) = @_;
    my @wrong = problems(@addresses);
    is_deeply(\@wrong, [], $what) or diag("SEED=$seed");
    return !@wrong;
}

for my $page (@pages) {
    my ($name) = $page =~ m{([^/]+)\.html$};
    ok(shown($page), "$name: the page begins");
    draw_at_once();
    my @known = ((map { '#/time?zoom=' . escaped($_) } @views_of_time), (map { '#/subs?range=' . escaped($_) } @ranges), (map { '#/subs?q=' . escaped($_) } @words),
        (map { "#/$_?q=(a%2B)%2B\$" } qw(flame labels/sql files)), map { ("#/$_", "#/$_/x") } @views);
    my $fine = all_are_fine("$name: what hung or failed", @known) or last;    # a page that hangs does nothing more
    go('#/time', 'canvas.timeline');
    $browser->run(
        'const canvas = document.querySelector("canvas.timeline"); for (let i = 0; i < 100; i++) '
            . 'canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true, cancelable: true}))');
    ok($browser->wait_for('/zoom=\d+-\d+$/.test(location.hash)'), "$name: no number of + hangs the time line");
    my $end = time + $seconds / @pages;
    do { $fine = all_are_fine("$name: random ones", map { random_address() } 1 .. 40) } while $fine && time < $end;
    last if !$fine;
}

$browser->quit;
done_testing();
