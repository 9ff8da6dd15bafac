# Handles with layers, objects, in-memory files, dup, local $/, tied STDOUT of a callee, print through select.
use strict;
use warnings;
use IO::File;
use IO::Handle;

my $file = IO::File->new('lines', 'w') or die;
$file->print("line $_\n") for 1 .. 50;
$file->printf("%03d\n", 7);
$file->close;
open my $in, '<:encoding(UTF-8)', 'lines' or die;
my $count = 0;
while (<$in>) { chomp; $count += length }
close $in;
print "$count\n";
my $memory = '';
{ open my $out, '>', \$memory or die; my $old = select $out; print 'to memory'; select $old }
print "$memory\n";
open my $dup, '>&', \*STDOUT or die;
$dup->autoflush(1);
print {$dup} "dup\n";
{ local $/ = \7; open my $records, '<', 'lines' or die; my @records = <$records>; print scalar(@records), "\n" }
{ local @ARGV = ('lines'); my $n = 0; while (<>) { $n++ if /7/ } print "$n\n" }
STDOUT->flush;
print STDOUT->opened ? "open\n" : '';
unlink 'lines';
