# The source of a sub in the report: code that never ran is folded, and notes are shown in full length. Needs chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);

subtest 'the lines of a sub that never ran' => sub {
    my @lines = ('sub f {', '    my $x = 1;', (map { "    # rare $_" } 3 .. 8), '    $x++;', '=pod', '=cut', '    $x--;', (map { "    # few $_" } 13 .. 17), '    return $x;', '}', 'f();');
    my $code = spew("$dir/folds.pl", join '', map { "$_\n" } @lines);
    my $made = spew("$dir/folds.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, $code],
        (map { [TIME_LINE => 10, 1, $_] } 2, 9, 12, 18), [SUB_RETURN => 1, 40, 40, 'main::f'], [SUB_INFO => 1, 'main::f', 1, 19],
        [SUB_CALLERS => 1, 20, 'main::RUNTIME', 1, 0.004, 0.004, 0, 0, 'main::f'], [PID_END => 7, 2.5]));
    my $rows = sub { $browser->run('return [...document.querySelectorAll(".source .block tr")].map(row => row.classList.contains("gap") ? row.querySelector("button").textContent : row.cells[0].textContent)') };
    my @few = (1, 2, '6 lines without time', 9, '2 lines without time', 12 .. 19);
    shown(page_of(folds => $made));
    go('#/sub/main::f', '.source .gap');
    is_deeply($rows->(), \@few, 'POD and more than five of them are one row');
    $browser->run('document.querySelector(".gap button").focus()');
    $browser->keys('Enter');
    is_deeply($rows->(), [1 .. 9, @few[4 .. $#few]], '... which Enter opens');
    is($browser->run('return document.activeElement.textContent'), 3, '... and is at the first of them');
    like(text_of('.strip-where'), qr/folds\.pl:1 in main::f/, '... below the same heading');
    $browser->run('[...document.querySelectorAll(".gap [hidden=until-found]")].find(one => one.textContent === "=cut").dispatchEvent(new Event("beforematch"))');
    is_deeply($rows->(), [1 .. 19], 'and so does what the browser finds in it');
    is(text_of('tr.here .line'), 11, '... at its line');
    go('#/subs', '.data-table');
    $browser->run('history.back()');
    ok($browser->wait_for('document.querySelectorAll(".source .block tr").length === 19'), 'Back has them open again');
    go("#/file/$code:5", '.source tr.here');
    is(text_of('tr.here .line'), 5, 'a link to a line leads to it');
    go("#/file/$code:5?hot=1", '.source tr.here');
    is(text_of('tr.here .line'), 5, '... also where the hot lines alone are shown');
    quiet('folds');
};

subtest 'notes below lines' => sub {
    my $name = 'Some::Long::Package::Name::sub_with_a_name';
    my $code = spew("$dir/notes.pl", "sub f {\n    $name(" . '$x, ' x 60 . "1);\n}\n");
    my $made = spew("$dir/notes.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, $code],
        [TIME_LINE => 40, 1, 2], [SUB_RETURN => 2, 20, 20, $name], [SUB_RETURN => 1, 40, 20, 'main::f'], [SUB_INFO => 1, 'main::f', 1, 3], [SUB_INFO => 1, $name, 9, 9],
        [SUB_CALLERS => 1, 20, 'main::RUNTIME', 1, 0.004, 0.002, 0, 0, 'main::f'], [SUB_CALLERS => 1, 2, 'main::f', 2, 0.002, 0.002, 0, 0, $name], [PID_END => 7, 2.5]));
    shown(page_of(notes => $made));
    for my $width (1200, 1600) {
        $browser->size($width, 900);
        go('#/sub/main::f', '.source .callee');
        is_deeply($browser->run(<<'JS'), [0, 1], "$width pixels: a long one is whole, and within what is shown");
            const note = document.querySelector('.callee span'), box = document.querySelector('.source-scroll').getBoundingClientRect();
            return [note.scrollWidth - note.clientWidth, Number(note.getBoundingClientRect().right <= box.right)];
JS
        go('#/', '#overview h1');
    }
    quiet('notes');
};

$browser->quit;
done_testing();
