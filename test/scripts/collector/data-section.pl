# The program's own text after its end, read with built-ins of all kinds.
use strict;
use warnings;

sub parse { my ($line) = @_; return split /\s*=\s*/, $line, 2 }
my %value;
while (my $line = <DATA>) {
    chomp $line;
    next if $line =~ /^\s*(?:#|$)/;
    my ($key, $value) = parse($line);
    $value{$key} = $value;
}
print "$_: $value{$_}\n" for sort keys %value;
seek DATA, 0, 0;
my $lines = () = <DATA>;
print "$lines\n";
open my $memory, '<', \"one\ntwo\nthree" or die;
local $/ = '';
my @paragraphs = <$memory>;
print scalar(@paragraphs), eof($memory) ? 'end' : 'more', "\n";
print join(',', map { sprintf '%s', $_ } unpack 'A1 x1 A1', 'a b'), ' ', pack('N', 65) eq "\0\0\0A" ? 'packed' : '', "\n";
print -e $0 ? 'e' : '', -d '.' ? 'd' : '', -f -r $0 ? 'fr' : '', (stat $0)[7] > 100 ? 's' : '', "\n";
opendir my $dir, '.' or die;
my @names = readdir $dir;
closedir $dir;
print @names >= 2 ? "dir\n" : '';
print scalar(my @found = glob '/et[c]'), join(' ', lc 'A', uc 'b', ucfirst 'c'), "\n";
mkdir 'made' or die;
open my $out, '>', 'made/file' or die;
print {$out} "text\n";
printf {$out} "%d\n", 5;
syswrite $out, '';
close $out;
rename 'made/file', 'made/other';
print -s 'made/other', "\n";
unlink 'made/other';
rmdir 'made';
select undef, undef, undef, 0.001;
my @passwd = getpwnam 'root';
print "$passwd[0]\n", defined getpwuid(0) ? "uid\n" : '';
my @stat = lstat '/';
print crypt('a', 'bb') ? "crypt\n" : '', time > 1 ? '' : '', scalar(@stat), "\n";
__DATA__
# comment
one = 1
two=deux

three = 3 = drei
