# Recursion that fills perl's savestack, with 0 to 12 entries of lexicals between those of the collector. Each case is a child with a
# small savestack: `perl savestack.pl DEPTH [LEXICALS ...]`. Prints the cases that a signal ended, and how many there were.
use strict;
use warnings;

use Cwd qw(abs_path);
no warnings 'recursion';

my ($depth, @lexicals) = @ARGV;
my $file = '/dev/null';
my $loads = abs_path(__FILE__) =~ s/[^\/]*\z/nothing.pl/r;

sub other    { return $_[0] }
sub Rule::of { return $_[1] }
{ package Guard; sub DESTROY { main::other(1) } }
{ package Tied; sub TIESCALAR { return bless [], shift } sub FETCH { return utf8::is_utf8('x') } }
tie my $tied, 'Tied';
my $undefined = 'not_defined';
format NOTHING =
@<<
other(1)
.

# What a call does before it calls itself, and after.
my %does = (
    'nothing'            => ['',                                              ''],
    'a perl sub'         => ['other(1);',                                     'other(2);'],
    'a method'           => ['Rule->of("x");',                                ''],
    'a label'            => ['Rule->of("label $n");',                         ''],
    'an xsub'            => ['utf8::is_utf8("x");',                           'utf8::is_utf8("y");'],
    'a match'            => ['$n =~ /1/;',                                    '$n =~ /(2)/;'],
    'a made pattern'     => ['my $p = $n % 7; $n =~ /$p/;',                   ''],
    'a substitution'     => ['(my $t = $n) =~ s/(\d)/other($1)/e;',           ''],
    'sort'               => ['my @s = sort { other($a) <=> $b } 2, 1;',       ''],
    'pack'               => ['pack "N", $n;',                                 'unpack "N", "abcd";'],
    'a file'             => ['-e $file;',                                     'open my $h, "<", $file; close $h;'],
    'a format'           => ['open my $h, ">", $file; format_to($h);',        ''],
    'do FILE'            => ['do $loads;',                                    ''],
    'require'            => ['delete $INC{$loads}; require $loads;',          ''],
    'a string eval'      => ['eval "1";',                                     'eval "other(1)";'],
    'die'                => ['eval { die "x" };',                             'eval { other(die "y") };'],
    'an undefined sub'   => ['no strict "refs"; eval { &$undefined() };',     ''],
    'a guard'            => ['my $g = bless [], "Guard";',                    ''],
    'a tied value'       => ['my $t = $tied . "";',                           ''],
    'local'              => ['local $_ = $n; local $/ = $n;',             '-e $file;'],
    'a span'             => ['my $s = DB::begin_span("s"); ',                 ''],
    'goto a sub'         => ['',                                              '@_ = ($n); goto &other;'],
    'goto an xsub'       => ['',                                              '@_ = ("x"); goto &utf8::is_utf8;'],
);
$does{'a span'}[0] = '' if !defined &DB::begin_span;

sub format_to { my ($h) = @_; select((select($h), $~ = 'NOTHING')[0]); write $h; return }

my ($cases, $broken) = (0, 0);
for my $kind (sort keys %does) {
    for my $count (@lexicals ? @lexicals : 0 .. 12) {
        my ($before, $after) = @{ $does{$kind} };
        my $lexicals = join '', map { "my \$v$_ = \$n;" } 1 .. $count;
        my $recurse  = eval "no warnings; sub { my (\$n, \$self) = \@_; $lexicals $before \$self->(\$n - 1, \$self) if \$n; $after }" or die $@;
        $cases++;
        defined(my $pid = fork) or die "fork: $!\n";
        if (!$pid) { $recurse->($depth, $recurse); exit 0 }
        waitpid $pid, 0;
        next if $? == 0;
        print "$kind with $count lexicals: status $?\n";
        $broken++;
    }
}
print "$cases cases, $broken failed\n";
