package CollectorPrograms;

# The scripts and programs on which the collectors are compared.
#
#   use CollectorPrograms qw(scripts programs framework_programs);
#   for my $program (scripts(), programs()) { $program->{name}, $program->{arguments}, $program->{stdin} }

use strict;
use warnings;

use Config;
use Exporter 'import';
use File::Basename qw(basename);
use File::Path qw(make_path);
use NYTPTest qw(build_dir record slurp spew top_dir valgrind);

our @EXPORT_OK = qw(framework_programs programs scripts);

my $top = top_dir();
my $pod = "$Config{privlib}/pod";

# Debian's collector: a child that ends within the statement that forked it ends its parent's profile, and an overloaded
# &{} is called twice.
my %DEBIAN_LOSES = ('ended-by-child' => 1, 'overloaded-code' => 1);

# A process that is replaced or ends in C leaves calls open, which Debian's collector forgets.
my %LEFT_OPEN = map { $_ => 1 } qw(forks open-frames);

# The scripts in test/scripts/ that this perl can compile, and small ones given as -e. Further fields:
#   crashes      a sub that says whether Debian's collector crashes with these options
#   disturbs     Debian's collector changes the exit status
#   evals_alike  with leave=0, which use_db_sub=1 implies, it takes a string eval for an earlier one of the same line
#   ends_in_c    a process calls POSIX::_exit
#   may_be_none  there need not be a profile, as with start=end
sub scripts {
    my @all;
    for my $path (glob "$top/test/scripts/*.pl $top/test/scripts/collector/*.pl") {
        my $text = slurp($path);
        my ($needs) = $text =~ /^use v5\.(\d+)/m;
        next if ($needs // 0) > $^V->{version}[1];
        my %script = (name => basename($path, '.pl'), arguments => [$path]);
        $script{arguments} = reads_profile($path) if $text =~ /^use Devel::NYTProf/m;
        $script{dir}     = $top if $path !~ m{/collector/[^/]*\z};
        my ($with) = $text =~ /^# Debian's collector crashes on this with (.*)/m;
        $script{crashes} = sub { my ($options) = @_;
            return scalar grep { /(.*)=(.*)/ && ($options->{$1} // '') eq $2 } $with =~ /\w+=\w+/g }
            if defined $with;
        $script{left_open} = $LEFT_OPEN{ $script{name} };
        $script{ends_in_c} = $text =~ /\bPOSIX::_exit\b/;
        $script{evals_alike} = $script{name} eq 'string-evals' || ($] >= 5.038 && $script{name} eq 'runtime-require');
        $script{crashes} = sub { 1 } if $DEBIAN_LOSES{ $script{name} };
        push @all, \%script;
    }
    return @all, odd_ones();
}

# The modules that read profiles are always those of this build, whichever the collector.
sub reads_profile {
    my ($path) = @_;
    return ['-Mlib=' . build_dir() . '/perl5', $path, scalar record('for-scripts', ['test/scripts/tiny.pl'])];
}

# Writes files into the directory that the program starts in.
sub writes {
    my (%text_of) = @_;
    return sub {
        my ($dir) = @_;
        for my $name (sort keys %text_of) {
            my ($parent) = "$dir/$name" =~ m{(.*)/};
            make_path($parent);
            spew("$dir/$name", $text_of{$name});
        }
    };
}

# perl runs Foo.pmc if there is one that is not older than Foo.pm, so the first one written must be older.
sub writes_pmc {
    my ($dir) = @_;
    writes('lib/Both.pm' => "package Both;\nsub f { return 'pm' }\n1;\n",
        'lib/Both.pmc' => "package Both;\n\nsub f { return g() }\nsub g { return 'pmc' }\n1;\n")->($dir);
    utime 1e9, 1e9, "$dir/lib/Both.pm";
    return;
}

sub splits {
    my ($dir) = @_;
    writes('lib/Parted.pm' => <<'END')->($dir);
package Parted;
use AutoLoader 'AUTOLOAD';
sub kept { return split_off(@_) . 'kept' }
sub DESTROY { }
1;
__END__
sub split_off { my ($n) = @_; return $n ? twice($n) : 'none' }
sub twice {
    my ($n) = @_;
    return $n * eval 'my $two = 2; eval "\$two"';
}
END
    system($^X, '-MAutoSplit', '-e', 'local $AutoSplit::Verbose = 0;
        AutoSplit::autosplit(@ARGV, 0, 0, 0)', "$dir/lib/Parted.pm", "$dir/lib/auto") == 0
        or die "AutoSplit failed\n";
    return;
}

sub odd_ones {
    my $calls = 'sub f { my ($n) = @_; return $n ? f($n - 1) : eval "g()" } sub g { print "g\n" } f(5); f(2);';
    return (
        { name => '-e',     arguments => ['-e', $calls] },
        { name => '-e -e',  arguments => ['-we', 'sub f { 1 }', '-e', 'f() for 1 .. 3;', '-e', 'print f()'] },
        { name => '-ne',    arguments => ['-ne', 'sub f { return uc $_[0] } print f($_) if /a/'],
        stdin => "ab\ncd\nea\n" },
        { name => 'stdin',  arguments => ['-', 'argument'], stdin => "$calls\nprint \"\@ARGV\\n\";\n" },
        { name => 'evals that perl gives no place', arguments => ['-e', 'BEGIN { $^P &= ~0x100 } ' . $calls] },
        { name => 'nothing', arguments => ['-e', '1'] },
        { name => 'empty', arguments => ['empty.pl'], prepare => writes('empty.pl' => '') },
        { name => 'does not compile', disturbs => 1, may_be_none => 1,
        arguments => ['-e', 'sub f { 1 } END { f() } f(; BEGIN { f() }'] },
        { name => 'dies early', disturbs => 1, may_be_none => 1,
        arguments => ['-e', 'END { print "end" } BEGIN { sub f { die "early\n" } f() } print 1'] },
        {
            name      => 'relative',
            arguments => ['-Ilib', './run.pl'],
            prepare   => writes(
                'run.pl'       => 'use Rel; print Rel::f(), "\n"; chdir "lib"; do "./other.pl";',
                'lib/Rel.pm'   => "package Rel;\nsub f { return __FILE__ }\n1;\n",
                'lib/other.pl' => "sub o { 1 }\no();\n",
            ),
        },
        { name => 'pmc', arguments => ['-Ilib', '-MBoth', '-e', 'print Both::f(), "\n" for 1 .. 3'],
        prepare => \&writes_pmc },
        { name => 'autosplit', arguments => ['-Ilib', '-MParted', '-e', 'print Parted::kept($_), "\n" for 0 .. 3'],
        prepare => \&splits },
        { name => 'autosplit, installed',
        arguments => ['-Iinstalled', '-MParted', '-e', 'print Parted::kept($_), "\n" for 0 .. 3'],
            prepare => sub { splits(@_); rename "$_[0]/lib", "$_[0]/installed" or die "rename: $!\n" } },
        { name => 'CRLF', arguments => ['crlf.pl'],
        prepare => writes('crlf.pl' => "sub f { 1 }\r\nf();\r\n\r\nprint qq(x\\n);\r\n") },
        { name => 'no newline at the end', arguments => ['last.pl'],
        prepare => writes('last.pl' => "sub f { 1 }\nprint f()") },
        { name => '__END__', arguments => ['end.pl'],
            prepare => writes('end.pl' => "sub f { 1 }\nprint f();\n__END__\nmore\n\n=pod\n\nText\n") },
        { name => '-c', may_be_none => 1,
        arguments => ['-c', '-e', 'use Text::Tabs; BEGIN { print "begun\n" } sub f { 1 } f();'] },
        { name => '-x', arguments => ['-x', 'mail.txt'],
            prepare => writes('mail.txt' =>
                "text\nmore\n#!perl -w\nsub f { return __LINE__ }\nprint f(), \"\\n\";\n__END__\n") },
    );
}

my $MINI_XS = <<'END';
#include <perl.h>
MODULE = Mini PACKAGE = Mini

int
add(a, b)
    int a
    int b
  CODE:
    RETVAL = a + b;
  OUTPUT:
    RETVAL

void
nothing(SV *sv)
  PPCODE:
    XSRETURN_EMPTY;
END

# Programs that Debian ships, on small tasks.
sub programs {
    my @all = (
        # It walks through %ENV, to which valgrind adds.
        { name => 'ack',        crashes => \&valgrind,
        arguments => ['/usr/bin/ack', '--noenv', '--sort-files', 'nytp_error', "$top/lib/base"] },
        { name => 'cloc',
        arguments => ['/usr/bin/cloc', '--quiet', '--hide-rate', "$top/lib/format/tags.c", "$top/lint.mk"] },
        { name => 'pod2man',    arguments => ['/usr/bin/pod2man', '--release=x', '--date=x', "$pod/perlnewmod.pod"] },
        { name => 'pod2text',   arguments => ['/usr/bin/pod2text', "$pod/perlcheat.pod"] },
        { name => 'pod2usage',  arguments => ['/usr/bin/pod2usage', '-verbose', 1, '/usr/bin/podchecker'] },
        { name => 'pod2html',   arguments => ['/usr/bin/pod2html', '--cachedir=.', "--infile=$pod/perlstyle.pod"] },
        { name => 'podchecker', arguments => ['/usr/bin/podchecker', "$pod/perlstyle.pod"] },
        { name => 'perldoc',    arguments => ['/usr/bin/perldoc', '-U', '-T', '-otext', "$pod/perlcheat.pod"] },
        { name => 'prove',
        arguments => ['/usr/bin/prove', '--norc', '-v', '--source', 'File', '--file-option', 'extensions=.tap', 't'],
            varies => qr/\d+ wallclock secs.*/,
            prepare => writes(
                map { ("t/$_.tap" => "1..3\nok 1 - one\n# note\nok 2\nnot ok 3 # TODO later\n") } 1 .. 3) },
        { name => 'json_pp',    arguments => ['/usr/bin/json_pp', '-json_opt', 'pretty,canonical'],
            stdin => '[{"a":[1,2,{"b":null}],"c":"\u00e4"},' . join(',', 1 .. 300) . ']' },
        { name => 'corelist',   arguments => ['/usr/bin/corelist', '-a', 'strict'] },
        { name => 'xsubpp',
        arguments => ['/usr/bin/xsubpp', '-typemap', "$Config{privlib}/ExtUtils/typemap", 'Mini.xs'],
            prepare => writes('Mini.xs' => $MINI_XS) },
        { name => 'pl2pm',      arguments => ['/usr/bin/pl2pm', 'old.pl'],
            prepare => writes('old.pl' => ";# old\npackage old;\nsub old'f { local(\$x) = \@_; \$x; }\n1;\n") },
        { name => 'ptar',
        arguments => ['/usr/bin/ptar', '-cf', 'x.tar', "$top/lib/format/tags.c", "$top/lib/format/reader.c"] },
        { name => 'shasum',     arguments => ['/usr/bin/shasum', '-a', 256, "$top/lib/format/reader.c"] },
        { name => 'splain',     arguments => ['/usr/bin/splain'],
        stdin => "Use of uninitialized value in addition (+) at x line 1.\n" },
        { name => 'h2xs',       varies => qr/\w{3} \w{3} [ \d]\d [\d:]+ \d{4}/,
        arguments => ['/usr/bin/h2xs', '-X', '-n', 'Some::Thing', '--skip-warnings', '-b', '5.8.0'] },
        { name => 'piconv',     arguments => ['/usr/bin/piconv', '-f', 'latin1', '-t', 'utf8'],
        stdin => "caf\xe9\n" x 20 },
        { name => 'deparse',    arguments => ['-MB::Deparse', '-e', 'require shift;
            print B::Deparse->new->coderef2text(\&fib)', "$top/test/scripts/calls.pl"] },
        { name => 'bigint',     arguments => ['-Mbigint', '-e', 'print 2 ** 100 + $_, "\n" for 1 .. 5'] },
    );
    return grep { $_->{arguments}[0] !~ m{^/} || -e $_->{arguments}[0] } @all;
}

# With modules that may be missing: each names the module, and Debian's package.
sub framework_programs {
    my $moose = 'package P; use Moose; has n => (is => "rw", isa => "Int", default => 3);
        has l => (is => "ro", lazy => 1, builder => "_l");'
        . ' sub _l { [1 .. $_[0]->n] } around n => sub { my ($o, $s, @a) = @_; return $s->$o(@a) }; '
        . '__PACKAGE__->meta->make_immutable;'
        . ' package main; for (1 .. 5) { my $p = P->new(n => $_); print scalar @{ $p->l }, "\n" } eval { P->new(n => "x") };
            print $@ ? "no\n" : ""; eval { 1 }'; # what is in $@ at the end Debian's collector destroys too early
    my $mojo = <<'END';
use Mojolicious::Lite -signatures;
app->log->level('fatal');
get '/' => sub ($c) { $c->stash(x => 1)->render(template => 't') };
get '/json/:n' => sub ($c) { $c->render(json => { n => $c->param('n') }) };
for my $path ('/', '/json/5', '/none', '/') {
    my $tx = Mojo::Transaction::HTTP->new;
    $tx->req->method('GET');
    $tx->req->url->parse($path);
    app->handler($tx);
    print $tx->res->code, $tx->res->code == 200 ? $tx->res->body : '', "\n";
}
__DATA__
@@ t.html.ep
<p><%= $x + 1 %></p>
% for my $i (1 .. 3) {
<i><%= $i %></i>
% }
END
    my $template = 'use Template; my $t = Template->new;
        $t->process(\"[% FOREACH i IN l %]<[% i FILTER upper %]>[% END %]\n", {l => [qw(a b c)]}) or die $t->error for 1 .. 3';
    return (
        { name => 'Moose', module => 'Moose', package => 'libmoose-perl', arguments => ['moose.pl'],
            prepare => writes('moose.pl' => $moose) },
        { name => 'Mojolicious', module => 'Mojolicious', package => 'libmojolicious-perl', arguments => ['mojo.pl'],
            prepare => writes('mojo.pl' => $mojo) },
        { name => 'Template', module => 'Template', package => 'libtemplate-perl', arguments => ['-e', $template] },
    );
}

1;
