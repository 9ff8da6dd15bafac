# Built-ins that are timed, called from several packages and lines, by way of references and with defaults.
use strict;
use warnings;
use Socket;
use Fcntl;

package A { sub run { my @r; push @r, join '', sort split //, $_[0]; push @r, $_[0] =~ /b/ ? 'b' : '-'; return "@r" } }
package B { sub run { my $x = $_[0]; $x =~ s/(.)/<$1>/g; return sprintf '%s', $x } }

package main;
print A::run('cab'), B::run('xy'), "\n" for 1 .. 20;
socketpair my $one, my $two, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
syswrite $one, "hello\n";
sysread $two, my $got, 100;
print $got;
send $two, 'x', 0;
recv $one, $got, 10, 0;
print "$got\n";
shutdown $one, 2;
pipe my $reader, my $writer or die;
binmode $writer;
print {$writer} "line\n" x 3;
close $writer;
print scalar(() = <$reader>), "\n";
open my $file, '+>', 'scratch' or die;
print {$file} join ',', 1 .. 50;
truncate $file, 10;
seek $file, 0, 0;
read $file, my $bytes, 5, 2;
print tell $file, eof $file ? 'end' : ' more', ' ', getc $file, ' ', fileno $file > 2 ? 'fd' : '', "\n";
flock $file, 2 or die;
fcntl $file, F_GETFD, 0;
utime 1, 1, 'scratch';
chmod 0600, 'scratch';
link 'scratch', 'linked';
symlink 'scratch', 'soft';
print readlink 'soft', (-l 'soft') ? 'l' : '', -s _, -M 'scratch' > 1 ? 'old' : '', "\n";
print -w 'scratch' ? 'w' : '', -x _ ? 'x' : '', -z _ ? 'z' : '', "\n";
unlink qw(scratch linked soft);
print join ' ', map { sprintf '%02x', $_ } unpack 'C*', pack 'n v a3', 1, 2, 'abc';
print "\n", join('|', unpack '(A2)*', 'aabbcc'), "\n";
my @sorted = reverse sort map { lc } qw(C a B);
print "@sorted ", umask() >= 0 ? 'umask' : '', ' ', getppid() > 0 ? 'ppid' : '', "\n";
print scalar(my @h = gethostbyname 'localhost') ? 'host' : '', scalar(getprotobyname 'tcp') // '', "\n";
sleep 0;
select STDERR;
select STDOUT;
$| = 1;
kill 0, $$;
wait;
print "$?\n" if waitpid(-1, 0) == -1;
say_it();
sub say_it { use feature 'say'; say for 1 .. 3; return }
warn "to stderr\n";
