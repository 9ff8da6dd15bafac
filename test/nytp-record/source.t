# The source in a recording is that of the process: below its root, from the directory in which it was started, as far
# as its user may read it, and only if it is what the program runs.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library preload);
use NYTPTest qw(build_dir run sanitized scratch_dir slurp spew valgrind);
use Sampled qw(may_sample recorder recording sampled_perl start);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $out    = "$scratch/nytprof.out";
my $html   = "$scratch/report.html";
my $kernel = sanitized() || valgrind() ? undef : clock_library('other-kernel');
chmod 0755, $scratch;

# Records a program for a moment: what was said, and the text of each file by its name.
sub recorded {
    my ($program, @options) = @_;
    my $got = run([recorder(), '-o', $out, '-d', 0.2, '-p', $program->{pid}, @options]);
    my (%name, %text);
    for (run(["$build/test/dump-chunks", $out])->{out} =~ /^((?:NEW_FID|SRC_LINE)\t.*)$/mg) {
        my @fields = split /\t/;
        my $text   = $fields[-1] =~ s/^['"]//r =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
        $name{ $fields[1] } = $text if $fields[0] eq 'NEW_FID';
        $text{ $name{ $fields[1] } } .= $text if $fields[0] eq 'SRC_LINE';
        $text{$text} //= undef if $fields[0] eq 'NEW_FID';
    }
    return (\%text, $got);
}

# A program that waits in the sub of a module.
my $module = "package Waits;\nsub wait_here {\n    sysread STDIN, my \$x, 1;\n}\n1;\n";
my $script = "use lib 'lib';\nuse Waits;\n\$| = 1;\nchdir \$ENV{TO};\n\$0 = 'worker: idle';\nprint "
    . "\"ready\\n\";\nWaits::wait_here();\n";
my ($app, $other) = map { mkdir "$scratch/$_" or die; mkdir "$scratch/$_/lib" or die; "$scratch/$_" } qw(app other);
spew("$app/app.pl", $script);
spew("$app/lib/Waits.pm", $module);
spew("$other/lib/Waits.pm", "package Waits;\n# another file of that name\n1;\n");

sub program {
    my ($directory, $to, @command) = @_;
    local $ENV{TO}  = $to;
    local $ENV{PWD} = $directory;
    return start('env', '-C', $directory, @command);
}

# ---- relative names ----

for my $to ('.', '/', $other) {
    my $program = program($app, $to, sampled_perl(), 'app.pl');
    my ($text, $got) = recorded($program);
    is($text->{"$app/app.pl"}, $script, "chdir $to: the script");
    is($text->{"$app/lib/Waits.pm"}, $module, '... and the module that it has loaded');
    is(scalar keys %$text, 2, '... and no other file');
    unlike($got->{err}, qr/source file/, '... without a word');
    $program->{end}->();
    next if $to ne '/';
    unlink $html;
    is(run(["$build/bin/nytprofhtml", '-o', $html, $out], dir => $other)->{status}, 0,
        '... for the report, which has the source');
}

# Where it was started is not known: no PWD, or one in which other files are.
for my $pwd (undef, $app) {
    local $ENV{TO} = $other;
    my $program = start('env', '-C', $app, '-u', 'PWD', (defined $pwd ? "PWD=$pwd" : ()), sampled_perl(),
        "$app/app.pl");
    my ($text) = recorded($program);
    is_deeply([sort keys %$text], ["$app/app.pl", 'lib/Waits.pm'],
        'a name that may be that of several files stays relative');
    is($text->{'lib/Waits.pm'}, undef, '... without source');
    like(run(["$build/bin/nytprofhtml", '--verbose', '-o', $html, $out], dir => $other)->{err},
        qr/\A(?!.*source from)/s, '... which the report does not take from elsewhere');
    $program->{end}->();
}

# ---- another root, and what leads out of it ----

SKIP: {
    my @alone = ('unshare', '--mount', '--kill-child', '--fork');
    skip 'needs root and namespaces', 16 if $> != 0 || system("@alone true 2>/dev/null") != 0;
    my $inside = "$scratch/inside.pl";
    spew("$scratch/host.pl", "# the host's\n");
    spew($inside, $script =~ s/use lib 'lib';\nuse Waits;\n/sub Waits::wait_here { sysread STDIN, my \$x, 1 }\n/r);
    my $program = program($scratch, '/', @alone, 'sh', '-c',
        "mount --bind $inside $scratch/host.pl && exec " . sampled_perl() . " $scratch/host.pl");
    my ($pid) = map { m{(\d+)/stat} } grep { (eval { slurp($_) } // '') =~
        /\) \S $program->{pid} / } glob '/proc/[0-9]*/stat';
    my $contained = { pid => $pid };
    my ($text) = recorded($contained);
    is($text->{"$scratch/host.pl"}, slurp($inside), 'a container: its own file of a name that the host has, too');
    ($text) = recorded($contained, '--no-source');
    is($text->{"$scratch/host.pl"}, undef, '--no-source');
    unlike(run(["$build/bin/nytprofhtml", '--verbose', '-o', $html, $out])->{err}, qr/source from/,
        '... so the report has none');
    $program->{end}->();

    # Names that a program gives to its code lead to links, to devices and to files that only root may read.
    my $root = "$scratch/root";
    for my $file (sampled_perl(), run(['ldd', sampled_perl()])->{out} =~ m{(/\S+) \(0x}g) {
        my ($directory) = $file =~ m{(.*)/};
        system('mkdir', '-p', "$root$directory") == 0 && system('cp', '-L', $file, "$root$file") == 0 or die;
    }
    mkdir "$root/$_" or die for qw(dev etc);
    spew("$root/dev/null", '');
    my $secret = spew("$scratch/secret.pl", "a secret of the host\n");
    spew("$root/etc/real.pl", "what is in the root\n");
    spew("$root/private.pl", "what only root may read\n");
    spew("$root/not-perl", "a file of the system\n");
    chmod 0600, "$root/private.pl";
    symlink $secret, "$root/absolute.pl" or die;
    symlink '../../../../../../../../..' . $secret, "$root/dots.pl" or die;
    symlink '/etc/real.pl', "$root/within.pl" or die;
    symlink 'circle.pl', "$root/circle.pl" or die;
    system('mkfifo', "$root/fifo.pl") == 0 && system('mknod', "$root/device.pl", 'c', 1, 5) == 0 or die;
    my @named = ('/absolute.pl', '/dots.pl', '/within.pl', '/circle.pl', '/fifo.pl', '/device.pl', '/private.pl',
        '/not-perl', '/proc/self/root/within.pl', '/etc/../etc/./real.pl');
    my $nested = join '',
        map { "#line 1 \"$_\"\nsub s$_\{ " . ($_ ? 's' . ($_ - 1) . '(@_)' : 'sysread STDIN, my $x, 1')
            . " }\n" =~ s/"\d+"/"$named[$_]"/r } 0 .. $#named;
    $nested =~ s/#line 1 "(\d+)"/#line 1 "$named[$1]"/g;
    my @as_nobody = ('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups');
    skip 'no setpriv', 13 if system("@as_nobody true 2>/dev/null") != 0;
    $program = start(@alone, '--mount-proc', '--pid', 'sh', '-c',
        "mkdir -p $root/proc && mount -t proc proc $root/proc && LC_ALL=C exec chroot --userspec=65534:65534 $root "
        . sampled_perl() . ' -e "$0"', "\$| = 1;\n${nested}print qq(ready\\n);\ns$#named()");
    ($pid) = map { m{(\d+)/stat} } grep { (eval { slurp($_) } // '') =~
    /\) \S $program->{pid} / } glob '/proc/[0-9]*/stat';
    for my $without ('', 'openat2') {
        next if $without && !$kernel;
        local @ENV{qw(LD_PRELOAD REFUSED)} = (preload($kernel), $without) if $without;
        ($text) = recorded({ pid => $pid });
        my $how = $without ? ', without openat2()' : '';
        is($text->{'/within.pl'}, "what is in the root\n", "a link leads to a file within the root$how");
        is($text->{'/etc/../etc/./real.pl'}, "what is in the root\n", '... so do dots');
        is($text->{$_}, undef, "$_ has no source") for grep { !/within.pl\z|real/ } @named;
        unlike(join('', map { $_ // '' } values %$text), qr/secret|only root|of the system/,
            '... and nothing of the host, or of another user, is in the profile');
    }
    $program->{end}->();
    system('umount', "$root/proc") if -e "$root/proc/self";
}

# ---- a file that was changed ----

{
    my $path = spew("$scratch/changes.pl",
        "\$| = 1;\nsub first {\n    second();\n}\nsub second {\n    sysread STDIN, my \$x, 1;\n}\nprint "
        . "qq(ready\\n);\nfirst();\n");
    my $program = start(sampled_perl(), $path);
    spew($path, slurp($path) . "# a comment\n");
    utime time + 100, time + 100, $path;
    my ($text, $got) = recorded($program);
    is($text->{$path}, slurp($path), 'a file that was changed after the program began, and fits what is sampled');
    like($got->{err}, qr/^nytp-record: 1 source file changed after the program began, so that lines may not match$/m,
        '... and it is said');
    like(run(["$build/bin/nytprofhtml", '-o', $html, $out])->{err} . slurp($html),
        qr/1 source file changed after the program began/, '... by the report, too');
    spew($path, "# three\n# more\n# lines\nsub other {\n}\n" . slurp($path));
    utime time + 100, time + 100, $path;
    ($text, $got) = recorded($program);
    is($text->{$path}, undef, 'one in which a sub begins elsewhere is left out');
    like($got->{err}, qr/^nytp-record: the text of one of them is left out, since a sub does not begin/m,
        '... and that is said');
    $program->{end}->();
}

# ---- limits, and several processes ----

{
    my $large = spew("$scratch/large.pl",
        "\$| = 1;\nprint qq(ready\\n);\nsysread STDIN, my \$x, 1;\n__END__\n" . 'x' x (1 << 20));
    my $program = start(sampled_perl(), $large);
    my ($text) = recorded($program);
    ok(exists $text->{$large} && !defined $text->{$large}, 'a file of more than 1 MiB has no source');
    $program->{end}->();

    my $family = spew("$scratch/family.pl",
        "\$| = 1;\nif (!fork) {\n    sleep 1000;\n}\nprint qq(ready\\n);\nsysread STDIN, my \$x, 1;\n");
    $program = start(sampled_perl(), $family);
    my $recording = recording($out, ['--children', '-p', $program->{pid}],
        until => sub { glob("$out.[0-9]*") && -s $out });
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, 'two processes of one file');
    is(() = run(["$build/test/dump-chunks", $out])->{out} =~ /^SRC_LINE\t\d+\t1\t/mg, 1,
        '... which is once in what they become');
    $program->{end}->();
}

# A process that writes a program, longer after its own begin than what the system may be wrong by, and executes it.
{
    my $path    = "$scratch/entered.pl";
    my $program = start($^X, '-MTime::HiRes=time', '-e', <<'PERL', sampled_perl(), $path);
my ($perl, $path) = @ARGV;
my $begun = time;
select undef, undef, undef, 0.01 until time > $begun + 0.2;
open my $to, '>', $path or die;
print {$to} '$| = 1; sub waits { print "ready\n"; sysread STDIN, my $x, 1 } waits()';
close $to;
exec $perl, $path;
PERL
    my ($text, $got) = recorded($program);
    is($text->{$path}, slurp($path), 'a file that was written before its process executed it');
    unlike($got->{err}, qr/after the program began/, '... has not changed');
    $program->{end}->();
}

done_testing();
