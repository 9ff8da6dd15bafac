# Pids that come again: the process that has one is another process. In a pid namespace, where root says which pid is
# next.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir patience run scratch_dir slurp spew);
use Sampled qw(may_sample recorder);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;
my @namespace = qw(unshare --pid --fork --mount-proc);
plan skip_all => 'needs root and namespaces of pids'
    if $> != 0 || system("@namespace sh -c 'echo 99 > /proc/sys/kernel/ns_last_pid' 2>/dev/null") != 0;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $out      = "$scratch/nytprof.out";
my $patience = patience(30);

# What the scripts in the namespace share.
my $library = spew("$scratch/Pids.pm", <<"PERL");
package Pids;
use Time::HiRes qw(sleep time);
our \$pid = 4000;
sub until_true { my (\$what, \$is) = \@_; my \$end = time + $patience; until (\$is->()) { die "no \$what\\n" if time > \$end; sleep 0.01 } }
# A child with that pid.
sub start_as {
    my (\$code) = \@_;
    for (1 .. 1000) {
        open my \$last, '>', '/proc/sys/kernel/ns_last_pid' or die; print \$last \$pid - 1; close \$last;
        my \$child = fork // die;
        if (\$child == 0) { exit if \$\$ != \$pid; \$code->(); exit }
        return if \$child == \$pid;
        waitpid \$child, 0;
    }
    die "another process has the pid\\n";
}
sub end { kill KILL => \$pid; waitpid \$pid, 0 }
# Waits until a recorder has samples of a sub in a file.
sub until_seen {
    my (\$recorder, \$file, \$sub) = \@_;
    until_true("\$sub in \$file", sub { die "the recorder has ended\n" if waitpid(\$recorder, 1) == \$recorder; -e \$file && kill(USR1 => \$recorder) && `'$build/bin/nytprofcalls' '\$file' 2>/dev/null` =~ /main::\$sub/ });
}
1;
PERL

sub in_namespace {
    my ($script, @arguments) = @_;
    my $got = run([@namespace, $^X, "-I$scratch", '-MPids', spew("$scratch/script.pl", $script), recorder(), $out,
        @arguments], dir => $scratch);
    is($got->{status}, 0, '... is done') or diag($got->{err});
    return $got->{out};
}

sub folded { my ($file) = @_; return run(["$build/bin/nytprofcalls", $file])->{out} }

# Two children of one process have the same layout of memory, so that one can be read as the other.
for my $program ([recorder(), '-o', $out, '-r', 5], ["$build/bin/nytp-top", '-r', 5, '--batch=1000', '--delay=0.2']) {
    my $name = $program->[0] =~ s{.*/}{}r;
    my $said = in_namespace(<<'PERL', @$program);
my ($recorder, $out, @program) = @ARGV;
sub one { sleep 1000 } sub two { sleep 1000 }
unlink $out;
Pids::start_as(\&one);
my $pid = fork // die;
if ($pid == 0) { open STDOUT, '>', "$out.top" or die; exec @program, '-p', $Pids::pid or die }
my $is_shown = sub { open my $in, '<', "$out.top" or return 0; local $/; return <$in> =~ /main::one/ };
$program[0] =~ /nytp-top/ ? Pids::until_true('sample', $is_shown) : Pids::until_seen($pid, $out, 'one');
Pids::end();
Pids::start_as(\&two);
Pids::until_true('end', sub { waitpid($pid, 1) == $pid });
print "ended\n";
Pids::end();
PERL
    is($said, "ended\n", "$name: another process that has the pid is not sampled");
    my $shown = $name eq 'nytp-top' ? slurp("$out.top") : folded($out);
    like($shown, qr/main::one/, '... the first one is');
    unlike($shown, qr/main::two/, '... and no sample is of the other');
}

# The recorder is stopped while one ends and the next begins, so that it finds the next one first. Looks follow one another
# every tenth of a second.
for my $option ("--separate", "--children") {
    my $said = in_namespace(<<'PERL', $option);
my ($recorder, $out, $option) = @ARGV;
sub one { sleep 1000 } sub two { sleep 1000 } sub three { sleep 1000 }
unlink $out;
my $parent = $$;
my $pid = fork // die;
if ($pid == 0) { exec $recorder, '-o', $out, '--children', $option, '-p', $parent or die }
Pids::until_true('profile', sub { -e $out });
my $file = "$out.$Pids::pid";
for (['one', $file], ['two', "$file.2"], ['three', "$file.3"]) {
    my ($sub, $name) = @$_;
    Pids::start_as(\&$sub);
    Time::HiRes::sleep(0.2);
    kill CONT => $pid;
    Pids::until_seen($pid, $name, $sub);
    Time::HiRes::sleep(0.2);
    kill STOP => $pid;
    Pids::end();
}
kill CONT => $pid;
kill INT => $pid;
waitpid $pid, 0;
print $? >> 8;
PERL
    is($said, '0', "$option: children that have the same pid, one after the other");
    my $file = "$out.4000";
    my %in = (one => $file, two => "$file.2", three => "$file.3");
    for my $sub (sort keys %in) {
        like(folded($option eq '--separate' ? $in{$sub} : $out), qr/;main::$sub;main::CORE:sleep \d/,
            "... the stacks of $sub");
    }
    unlike(folded("$file.2"), qr/main::one|main::three/, '... and nothing else') if $option eq '--separate';
    ok(!-e $_, '... in one file') for $option eq '--separate' ? () : values %in;
    unlink values %in;
}

done_testing();
