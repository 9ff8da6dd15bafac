# Modules loaded while the program runs, with import and unimport, some of them twice, one that fails.
use strict;
use warnings;

require Text::Wrap;
Text::Wrap->import('wrap');
{ no warnings 'once'; $Text::Wrap::columns = 20 }
print wrap('', '  ', 'some words that are wrapped by a module'), "\n";
eval "use Text::ParseWords qw(shellwords); 1" or die;
print join('|', shellwords(q(a "b c" d))), "\n";
for my $module (qw(Text::Tabs Text::Abbrev Text::Tabs)) {
    (my $file = "$module.pm") =~ s{::}{/}g;
    require $file;
    $module->import;
}
print expand("a\tb"), "\n";
eval { require Does::Not::Exist } or print "not there\n";
unshift @INC, sub {
    my ($self, $file) = @_;
    return if $file !~ /^Made\/(\w+)\.pm$/;
    my $text = "package Made::$1;\nsub import { \$main::imported{'$1'}++ }\nsub name { return '$1' }\n1;\n";
    open my $in, '<', \$text or die;
    return $in;
};
eval "use Made::$_; 1" or die $@ for qw(One Two One);
our %imported;
print Made::One->name, Made::Two::name(), $imported{One}, "\n";
require Tie::Hash;
print do { local @ARGV = $0; scalar <> } =~ /^(# Modules)/, "\n";
my $value = do './none.pl';
print defined $value ? 'found' : 'no file', "\n";
