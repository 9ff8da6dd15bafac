# What nytp-cover makes of several recordings, of some that are made up, and of damaged ones.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use CoverRun qw(branches_in_json branches_of covered lcov lines_of recordings);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

preloaded();

my $dir = scratch_dir();

# ---- many recordings ----

spew("$dir/two.pl", "if (\$ARGV[0]) {\n  print 1 }\nelse {\n  print 2 }\nprint 3;\n");
covered($dir, ['two.pl', $_], nytprof => "cover_file=nytcover.out:cover_addpid=1") for 0, 0, 1;
my @three = recordings($dir);
is(scalar @three, 3, 'cover_addpid=1: none takes the place of another');
my $sum = lcov(@three);
is_deeply(branches_of(@three)->{'two.pl'}{1}, [[1, 1]], 'all went both ways together');
is(lcov(reverse(@three), @three), $sum, 'neither the order of recordings matters nor that one is read twice');
like(run([build_dir() . '/bin/nytp-cover', '--missing', $three[0]])->{out}, qr/^two\.pl  75 %  1->T, 2\n\z/, 'what is missing of the first');
is(run([build_dir() . '/bin/nytp-cover', '--missing', @three])->{out}, '', 'and of all');
utime 1, 1, "$dir/two.pl";
covered($dir, ['two.pl'], nytprof => "cover_file=nytcover.out:cover_addpid=1");
my $changed = run([build_dir() . '/bin/nytp-cover', recordings($dir)]);
is($changed->{status}, 1, 'a file that was changed between the recordings');
like($changed->{err}, qr/two\.pl was changed between the recordings/, 'is named');

# ---- where the checkout lies ----

# Two checkouts, or one that was copied to blib/: each runs another part of the same file.
sub checkout {
    my ($to, $text) = @_;
    mkdir "$dir/$_" or die "$_: $!\n" for $to, "$to/lib", "$to/blib", "$to/blib/lib";
    spew("$dir/$to/lib/Foo.pm", $text);
    return "$dir/$to";
}
my $foo = "package Foo;\nsub f {\n  return \$_[0] ? 1 : 2 }\nsub g {\n  return 3 }\n1;\n";
my ($here, $there, $changed_there) = (checkout(here => $foo), checkout(there => $foo), checkout(changed => "$foo#\n"));
spew("$here/blib/lib/Foo.pm", $foo);
spew("$there/blib/lib/Foo.pm", "$foo#\n");
utime 1, 1, "$here/blib/lib/Foo.pm";
sub foo { my ($in, $lib, $code) = @_; covered($in, ['-e', "use Foo; $code"], perl => ["-I$lib"], nytprof => 'cover_addpid=1'); return recordings($in) }
my @both = (foo($here, 'lib', 'Foo::f(1)'), foo($there, 'lib', 'Foo::f(0); Foo::g()'));
is_deeply(lines_of(@both), { 'lib/Foo.pm' => { map { $_ => 1 } 3, 5, 6 } }, 'a file of two checkouts is one');
is_deeply(branches_of(@both), { 'lib/Foo.pm' => { 3 => [[1, 1]] } }, '... which went both ways');
is(lcov(@both), lcov(reverse @both), '... in any order');
is_deeply([sort keys %{ lines_of(foo($here, 'blib/lib', 'Foo::g()')) }], ['lib/Foo.pm'], 'what was copied to blib/ is the original');
is(run([build_dir() . '/bin/nytp-cover', reverse recordings($here)])->{err}, '', '... though the copy has another time');
is_deeply([sort keys %{ lines_of(foo($there, 'blib/lib', 'Foo::g()')) }], ['blib/lib/Foo.pm', 'lib/Foo.pm'], '... if it is the same');
my $other_text = run([build_dir() . '/bin/nytp-cover', $both[0], foo($changed_there, 'lib', 'Foo::g()')]);
is($other_text->{status}, 1, 'with another text in another checkout it is an error');
like($other_text->{err}, qr{\Q$changed_there\E/lib/Foo\.pm was changed between the recordings}, '... with its name');

# The copy in blib/ is recorded first, then lib/Foo.pm twice. Between these two recordings its time changes, not its size.
my $thrice = checkout(thrice => $foo);
spew("$thrice/blib/lib/Foo.pm", $foo);
my %recorded = map { $_ => 1 } foo($thrice, 'blib/lib', 'Foo::g()');
my @copy = keys %recorded;
for my $time (1, 2) {
    utime $time, $time, "$thrice/lib/Foo.pm";
    foo($thrice, 'lib', 'Foo::g()');
}
my @times = grep { !$recorded{$_} } recordings($thrice);
is(scalar @times, 2, 'two more recordings');
for ([@copy, @times], [@times, @copy], [$times[1], @copy, $times[0]]) {
    like(run([build_dir() . '/bin/nytp-cover', @$_])->{err}, qr{lib/Foo\.pm was changed between the recordings}, 'a change between two of them is seen, wherever the copy\'s comes');
}

# ---- recordings that are made up ----

# Points: a byte for what they are, and one for the line less that before; 0x11 is &&, whose value nobody uses.
sub recording {
    return profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'cover', 1], [ATTRIBUTE => 'cover_dir', '/p'], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0, 10, 20, '/p/a.pl'], @_, [PID_END => 7, 2.5]);
}

sub unit { my ($list, $count, $twin) = @_; return [COVER_UNIT => 3, 1, 1, 0, $twin // 0, '', $count, $list] }

my $one   = spew("$dir/one",   recording(unit("\0\0\x11\0\0\1", 3), [COVER_HIT => 3, 0, 1], [COVER_HIT => 3, 1, 1]));
my $other = spew("$dir/other", recording(unit("\0\0\x11\0\0\2\x11\0", 4), [COVER_HIT => 3, 0, 1], [COVER_HIT => 3, 1, 2]));
my $third = spew("$dir/third", recording(unit("\0\0\x11\0\x11\0", 3), [COVER_HIT => 3, 0, 1]));
is_deeply(branches_of($one, $other)->{'a.pl'}, { 1 => [[1, 1]], 3 => [[0, 0]] }, 'constants made two forms of a file: lines that agree are one');
is_deeply(branches_of($one, $other, $third)->{'a.pl'}{1}, [[1, 1], [0, 0], [0, 0]], 'and those that do not are apart');
is(lcov($third, $one, $other), lcov($other, $third, $one), 'in any order');
my $twins = spew("$dir/twins", recording((map { unit("\x11\0", 1, $_) } 0, 1), [COVER_HIT => 3, 0, 1]));
is_deeply(branches_of($twins)->{'a.pl'}{1}, [[0, 0], [1, 0]], 'equal subs of a line are two');
my $alias = spew("$dir/alias", recording(unit("\0\0\x40\1\0", 2), [COVER_HIT => 3, 0, 1]));
is_deeply(lines_of($alias)->{'a.pl'}, { 1 => 1, 2 => 1 }, 'what runs with another point has run with it');
# `if ($a && ($b || $c)) {}`: what the operands did says what the outer one did, and values of right operands.
sub nested { return branches_in_json($dir, spew("$dir/nested", recording(unit("\x11\0\x81\x61\0\0\x81\xe2\0\1", 3), map { [COVER_HIT => 3, @$_] } @_)))->{'a.pl'}{1} }
is_deeply(nested([1, 2]), [[0, 1], [0, 1, 0, 0], [0, 0, 0, 0]], 'nested operators: $a is false');
is_deeply(nested([1, 1], [2, 2]), [[1, 0], [1, 0, 1, 0], [0, 1, 0, 0]], '... $b is true');
is_deeply(nested([1, 1], [2, 1], [0, 2]), [[0, 1], [1, 0, 0, 1], [1, 0, 0, 1]], '... $c is false');

for (['too few points', unit("\0\0", 2)], ['too many', unit("\0\0\0\1", 1)], ['none', unit('', 0)], ['a kind that is none', unit("\x0f\0", 1)],
    ['one that runs with itself', unit("\x40\0\0", 1)], ['an operand of itself', unit("\x61\0\0", 1)], ['of a later one', unit("\x61\0\1\x21\0", 2)],
    ['of a statement', unit("\0\0\x61\0\0", 2)], ['with one that is not there', unit("\0\0\x40\0\7", 2)],
    ['a hit of no unit', [COVER_HIT => 4, 0, 1]], ['a file that is none', [COVER_UNIT => 3, 9, 1, 0, 0, '', 1, "\0\0"]]) {
    my ($what, $chunk) = @$_;
    my $got = run([build_dir() . '/bin/nytp-cover', spew("$dir/wrong", recording($chunk))]);
    is($got->{status}, 1, "$what: an error");
    like($got->{err}, qr/wrong: offset \d+: a COVER_\w+ makes no sense$/m, '... which says where');
}
my $merged = run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged", $one, $other]);
is($merged->{status}, 1, 'nytprofmerge refuses recordings of coverage');
like($merged->{err}, qr/nytp cover reads many/, '... and says what reads them');

# ---- files that were cut ----

sub cut_at {
    my ($whole, $bytes) = @_;
    my $got = run([build_dir() . '/bin/nytp-cover', '--lcov=-', spew("$dir/cut", substr $whole, 0, $bytes)]);
    return 'signal' if $got->{signal};
    return $got->{status} == 1 ? ($got->{err} =~ /^nytp-cover: / && $got->{out} eq '' ? 0 : 'wrong') : $got->{out} =~ tr/1//;
}
my $whole = slurp($three[0]);
my @seen = map { cut_at($whole, $_) } $ENV{EXHAUSTIVE} ? 0 .. length $whole : grep { $_ % 9 == 0 || $_ == length $whole } 0 .. length $whole;
is(join(' ', grep { /\D/ } @seen), '', 'cut anywhere, a recording is an error or a part');
is(join(' ', @seen), join(' ', sort { $a <=> $b } @seen), 'with more bytes it has no less');

# With any bit flipped it is an error or something else, but no crash: the fuzz target says the same of itself.
my $n = 0;
my @flipped = map { my $at = $_;
    map { my $bytes = $whole; vec($bytes, 8 * $at + $_, 1) ^= 1; spew("$dir/flipped" . $n++, $bytes) } 0 .. 7
} grep { $ENV{EXHAUSTIVE} || $_ % 3 == 0 } 0 .. length($whole) - 1;
my $replayed = run([build_dir() . '/test/fuzz-nytp-cover', @flipped]);
is("$replayed->{status}$replayed->{err}", '0', scalar(@flipped) . ' recordings with a wrong bit');

done_testing();
