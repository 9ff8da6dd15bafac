# The attributes that name perl's directories: readers of stock's take them, and the report finds out whose code a file
# is, wherever the program's modules are.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CollectorRun qw(clean_env need_collector profiled);
use File::Path qw(make_path);
use File::Spec;
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ReportPage;
use StockModules ();
use Test::More;

need_collector();

my $dir = File::Spec->rel2abs(scratch_dir());

# A program with a module in each of these directories, in which it finds itself with FindBin, at -I and in PERL5LIB.
my %ORIGIN = (    # 0: own, 1: installed, 2: core
    "app\\x:y/lib"    => 0,
    'else where'      => 0,
    "new\nline"       => 0,
    'kept/lib/perl5'  => 1,
    'shared/perl/5.36.0' => 1,
);
my @places = sort keys %ORIGIN;
for my $i (0 .. $#places) {
    make_path("$dir/$places[$i]");
    spew("$dir/$places[$i]/At$i.pm", "package At$i;\nsub f { return 1 }\nf();\n1;\n");
}
my ($found) = grep { $places[$_] =~ /^app/ } 0 .. $#places;
my $program = spew("$dir/app\\x:y/prog.pl", join "\n", 'use strict;', 'use FindBin;', 'use lib "$FindBin::Bin/lib";',
    (map { "use At$_;" } 0 .. $#places),
    'use Text::Wrap;', 'At0::f();', '');
my $got = profiled('ours', ['-I', $places[1], '-I', "./$places[$#places]/", '-I', "$dir/new\nline", $program],
    dir => $dir, env => { PERL5LIB => "$dir/kept/lib/perl5" });
is("$got->{status} $got->{err}", '0 ', 'the program runs');
my ($profile) = @{ $got->{files} };

sub attributes_for {
    my ($reader) = @_;
    my $read = run([@$reader, '-MDevel::NYTProf::Data', '-e',
        'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 }); print "$_=", $p->attributes->{$_} // '
        . '"none", "\n" for @ARGV', $profile,
        qw(privlib archlib sitelib sitearch vendorlib vendorarch inc)], env => { clean_env() });
    is("$read->{status} $read->{err}", '0 ', "@$reader[1 .. $#$reader]: no warning");
    return { map { split /=/, $_, 2 } split /\n/, $read->{out} };
}

my $read = attributes_for([StockModules::command()]);
is($read->{"${_}lib"}, $Config{"${_}libexp"}, "${_}lib") for qw(priv arch site);
is($read->{vendorarch}, $Config{vendorarchexp} || 'none', 'vendorarch');
my @inc = split /(?<!\\):/, $read->{inc};
is_deeply([grep { m{^\Q$dir\E/} } @inc],
    ["$dir/$places[1]", "$dir/$places[$#places]", "$dir/new\\nline", "$dir/kept/lib/perl5"],
    '@INC, with absolute names and without a newline');
is($inc[-1], (grep { !ref } @INC)[-1], 'up to its end');
is_deeply(attributes_for([$^X, '-I' . build_dir() . '/perl5']), $read, 'our Devel::NYTProf::Data reads the same');

my $stock_bin = '/usr/bin';
for my $tool (grep { -x "$stock_bin/$_" } qw(nytprofhtml nytprofcsv nytprofcalls)) {
    my @to  = $tool eq 'nytprofcalls' ? ()
        : ('-f', $profile, '-o', "$dir/$tool", $tool eq 'nytprofhtml' ? '--no-flame' : ());
    my $ran = run(["$stock_bin/$tool", @to, $tool eq 'nytprofcalls' ? $profile : ()], env => { PERL5LIB => undef });
    is($ran->{status}, 0, "stock's $tool reads it");
    unlike($ran->{err}, qr/attribute|malformed|privlib|inc=/i, 'without a warning about attributes');
}

sub origins {
    my ($path) = @_;
    my $html = run([build_dir() . '/bin/nytprofhtml', '-o', '-', $path]);
    is("$html->{status} $html->{err}", '0 ', 'a report');
    my $page  = ReportPage->new($html->{out});
    my $files = $page->{core}{files};
    return { map { $files->{name}[$_] => $files->{origin}[$_] } 0 .. $#{ $files->{name} } };
}

my $origin = origins($profile);
for my $i (0 .. $#places) {
    my $name = "$dir/$places[$i]/At$i.pm" =~ s/\n/\\n/r;
    my ($shown) = grep { m{/At$i\.pm\z} } keys %$origin;
    is($origin->{ $shown // '' }, $ORIGIN{ $places[$i] }, "whose code $name is") or diag(join "\n", sort keys %$origin);
}
is($origin->{$program}, 0, 'the program is its own');
is($origin->{ (grep { m{/Text/Wrap\.pm\z} } keys %$origin)[0] }, 2, "and Text::Wrap is perl's");

# Code of the program that is behind @INC must not run.
my $tied = profiled('ours', ['-e', <<'END'], load => ['-MDevel::NYTProf']);
package Counts;
require Tie::Array;
our @ISA = 'Tie::StdArray';
sub FETCH { $main::fetched++; return $_[0]->SUPER::FETCH($_[1]) }
package main;
my @was = @INC;
tie @INC, 'Counts';
@INC = @was;
$fetched = 0;
DB::enable_profile("again.out");
print "$fetched\n";
untie @INC;
DB::enable_profile("hooked.out");
@INC = (sub { die }, bless([], 'Odd'), undef, '', @was);
DB::finish_profile();
END
is($tied->{out}, "0\n", 'a tied @INC is left alone');
is("$tied->{status} $tied->{err}", '0 ', 'and hooks are');

done_testing();
