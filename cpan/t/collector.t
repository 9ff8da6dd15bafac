# The collector records what a program does, and the modules read it. Needs nothing but perl.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Glob qw(bsd_glob);
use File::Temp qw(tempdir);
use Test::More;

use Devel::NYTProf::Data;
use Devel::NYTProf::ReadStream qw(for_chunks);

my $dir  = tempdir(CLEANUP => 1);
my @perl = ($^X, map { '-I' . abs_path($_) } 'blib/lib', 'blib/arch');

# Runs a program under the collector. Returns its output.
sub profile {
    my ($name, $program, %option) = @_;
    my $path = "$dir/$name";
    open my $out, '>', "$path.pl" or die "$path.pl: $!";
    print {$out} $program;
    close $out or die "$path.pl: $!";
    local $ENV{NYTPROF} = join ':', "file=$path.out", map { "$_=$option{$_}" } sort keys %option;
    delete local @ENV{qw(PERL5OPT PERL5DB)};
    open my $in, '-|', @perl, '-d:NYTProf', "$path.pl" or die "$^X: $!";
    my $said = join '', readline $in;
    close $in;
    is($?, 0, "$name: runs");
    return $said;
}

sub calls_of {
    my ($name) = @_;
    my $subs = Devel::NYTProf::Data->new({ filename => "$dir/$name.out", quiet => 1 })->subname_subinfo_map;
    return { map { $_ => $subs->{$_}->calls } grep { /^main::[a-z]/ } keys %$subs };
}

my $program = <<'END';
sub leaf { my ($n) = @_; return $n * 2 }
sub middle { return leaf($_[0]) + leaf($_[0]) }
my $sum = 0;
$sum += middle($_) for 1 .. 10;
eval { die "x\n" };
my @sorted = sort { $a <=> $b } map { leaf($_) } 1 .. 3;
print "$sum $@";
END

is(profile('defaults', $program), "220 x\n", 'prints the same');
is_deeply(calls_of('defaults'), { 'main::leaf' => 23, 'main::middle' => 10 }, 'and calls are counted');

my (%count, %attribute);
for_chunks {
    my ($tag, @values) = @_;
    $count{$tag}++;
    $attribute{ $values[0] } = $values[1] if $tag eq 'ATTRIBUTE';
} filename => "$dir/defaults.out", quiet => 1;
is($count{PID_START}, 1, 'a process begins');
is($count{PID_END}, 1, 'and ends');
is($attribute{nv_size}, 8, 'numbers have 8 bytes, whatever perl has');
like($attribute{collector}, qr/^Devel::NYTProf \S+ of nytprof-tools /, 'it says what has recorded it');
is($attribute{perl_version}, sprintf('%vd', $^V), 'with which perl');

my %changes = (calls => 2, compress => 0, blocks => 1, stmts => 0, leave => 0, slowops => 0);
for my $option (sort keys %changes) {
    profile("with-$option", $program, $option => $changes{$option});
    is_deeply(calls_of("with-$option"), { 'main::leaf' => 23, 'main::middle' => 10 },
        "the same calls with $option=$changes{$option}");
}

is(profile('fork', 'sub f { } f(); my $pid = fork; f() for 1 .. 3; if ($pid) { waitpid $pid, 0; print "child $?\n" }'),
    "child 0\n", 'forks');
my ($child) = bsd_glob("$dir/fork.out.*"); # glob() splits at blanks
rename $child // 'none', "$dir/child.out";
is_deeply(calls_of('child'), { 'main::f' => 3 }, 'the child has a profile of its own calls');

is(profile('part', 'sub f { } f(); DB::enable_profile(); f() for 1 .. 4; DB::finish_profile(); f()', start => 'no'), '',
    'a part');
is_deeply(calls_of('part'), { 'main::f' => 4 }, '... is what is recorded');

done_testing;
