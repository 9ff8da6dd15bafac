# The rules of the house: who includes what, and what the library shows.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use File::Basename qw(basename dirname);
use File::Glob qw(bsd_glob);
use NYTPTest qw(build_dir run slurp top_dir);
use Test::More;

my $top = top_dir();

# Files by their names below the top.
sub files { return map { s{^\Q$top\E/}{}r } map { bsd_glob("$top/$_") } @_ }

# The names in a file's own #include lines.
my %included;
sub included {
    my ($file) = @_;
    return @{ $included{$file} //= [slurp("$top/$file") =~ /^\s*#\s*include\s*[<"]([^>"]+)[>"]/mg] };
}

# Ours are found beside the file or in lib/.
sub ours {
    my ($file, $name) = @_;
    return (grep { -e "$top/$_" } dirname($file) . "/$name", "lib/$name", $name)[0];
}

# All names that a file includes, also through others of ours.
sub reached {
    my ($file) = @_;
    my (%names, %done);
    my @todo = ($file);
    while (defined(my $next = shift @todo)) {
        next if $done{$next}++;
        for my $name (included($next)) {
            $names{$name} = 1;
            push @todo, grep { defined } ours($next, $name);
        }
    }
    return sort keys %names;
}

# Fails for each of the files that reaches a header which the pattern matches.
sub none_reaches {
    my ($rule, $pattern, @files) = @_;
    my @broken;
    for my $file (@files) {
        push @broken, map { "$file: $_" } grep { $_ =~ $pattern } reached($file);
    }
    ok(@files && !@broken, $rule) or diag(join "\n", @broken);
    return;
}

my $glib   = qr{^(glib|gio|gmodule|gobject)};
my $perl   = qr{^(perl|EXTERN|XSUB|ppport)\.h$};
my $squash = qr{^(zlib\.h|isa-l)};

my @wire   = files(map { "lib/$_/*.[ch]" } qw(base bytes format format/dprof));
my @lib    = (files('lib/*.h', 'lib/model/*.[ch]', 'lib/cli/*.[ch]'), @wire);
my @tools  = grep { -d "$top/$_" } files('nytprof*', 'converters/*');
my @tool_files = files(map { "$_/*.[ch]" } @tools);
push @tool_files, files('converters/*.[ch]');

cmp_ok(scalar @wire, '>=', 40, 'the folders of the stream are found');

none_reaches('the wire tier reaches neither GLib nor perl', qr/$glib|$perl/, 'lib/nytprof.h', @wire);
none_reaches('nobody in lib/ or the programs reaches perl', $perl, @lib, @tool_files);
none_reaches('the compression libraries are known to three files only', $squash,
    grep { !m{^lib/bytes/(inflate|codec|adler)\.c$} } @lib, @tool_files, files('xs/*.[ch]', 'xs/read/*.[ch]'));
none_reaches('graphviz is known to nytp-dot only', qr/cgraph\.h/, @lib, grep { !/nytp-dot/ } @tool_files);
none_reaches('what perl loads does not reach GLib', $glib, files('xs/*.{c,h,xs}', 'xs/read/*.{c,h,xs}'));
none_reaches('the modules that read do not reach the collector', qr/^(prof|context|output)\.h$/, files('xs/read/*.{c,h,xs}'));

# A program includes its own headers, the library's and the system's.
my @strangers;
for my $file (@tool_files) {
    my $allowed = dirname($file);
    for my $name (included($file)) {
        my $path = ours($file, $name) // next;
        push @strangers, "$file: $name" if $path !~ m{^lib/} && dirname($path) ne $allowed;
    }
}
is_deeply(\@strangers, [], 'programs do not include one another');

# ---- the public header and what the shared library exports ----

my $header = slurp("$top/lib/nytprof.h");
my $code   = $header =~ s{/\*.*?\*/}{}gsr;
is_deeply([grep { !/^std(bool|def|int|io)\.h$/ } included('lib/nytprof.h')], [], 'the public header includes the C library only');
unlike($code, qr/\b(off_t|off64_t|ssize_t|SV|HV|AV|PerlInterpreter|pTHX_?|g(boolean|u?int\d*|char|pointer|size)|G[A-Z][a-z]\w*)\b/,
    'no types of perl, GLib or large files in it');
like($header, qr/\A\/\*.*\n \*\n \* How a profile is read:\n \*\n \*   1\. /, 'it opens with an outline');

my $nm = run(['nm', '-D', '--defined-only', build_dir() . '/lib/libnytprof.so']);
is($nm->{status}, 0, 'the shared library can be listed') or diag($nm->{err});
my %exported = map { (split)[2] =~ s/@.*//r => 1 } grep { !/ A / } split /\n/, $nm->{out};
is_deeply([grep { !/^nytp_/ } sort keys %exported], [], 'it exports nytp_* only');
my @declared = $code =~ /^[^#\n(]*?\b(nytp_\w+)\s*\([^;{]*\)\s*;/mg;
@declared = grep { $code !~ /typedef[^;]*\b$_\s*\(/ } @declared;
cmp_ok(scalar @declared, '>', 30, 'the header declares functions');
is_deeply([sort grep { !$exported{$_} } @declared], [], 'and all of them are exported');
is_deeply([sort grep { my $name = $_; !grep { $name eq $_ } @declared } keys %exported], [], 'and nothing else is');

done_testing();
