# The architecture: what each folder may include and call, that calls make no circle, whose names are whose, and
# what the library shows. CONTRIBUTING.md has the picture.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Encode ();
use File::Basename qw(basename dirname);
use File::Find qw(find);
use File::Glob qw(bsd_glob);
use NYTPTest qw(build_dir run slurp top_dir);
use Test::More;

my ($top, $build) = (top_dir(), build_dir());

# Sources below a folder, by their names below the top.
sub sources {
    my @found;
    find({ no_chdir => 1, wanted => sub { push @found, s{^\Q$top\E/}{}r if /\.(?:[ch]|xs)$/ } }, map { "$top/$_" } @_);
    return sort @found;
}

my @programs = sort map { s{^\Q$top\E/}{}r } map { dirname($_) } bsd_glob("$top/nytp*/main.c"),
    bsd_glob("$top/converters/*/main.c");
my @lib      = sources('lib');
my @xs       = sources('xs');
my @of_programs = sources(@programs);
my @sampler  = grep { m{^sampler/\w+/} && !m{^sampler/offsets/} } sources('sampler');
cmp_ok(scalar @programs, '>=', 6, 'the programs are found');

# make runs no test that lies elsewhere.
my @folders = ((map { basename($_) } grep { -d } bsd_glob("$top/lib/*"), @programs), qw(sampler xs));
is_deeply([bsd_glob("$top/test/*.t"), bsd_glob("$top/test/*/*/*.t")], [], 'tests are in folders of test/');
is_deeply([grep { slurp($_) =~ /^int main\(/m } bsd_glob("$top/test/unit/*.c")], [], 'test/unit/ itself has no test');
is_deeply([grep { my $folder = basename($_);
    !grep { $_ eq $folder } @folders } grep { -d } bsd_glob("$top/test/unit/*")], [],
    'unit tests are in folders that are named after a layer, the sampler, xs or a program');

# Two small files are often one idea.
cmp_ok(scalar(() = bsd_glob("$top/xs/{,*/}*.c")), '<=', 77, 'xs/ has at most 77 .c files');

# ---- includes ------------------------------------------------------------------------------------

# The names in a file's own #include lines.
my %included;
sub included {
    my ($file) = @_;
    return @{ $included{$file} //= [slurp("$top/$file") =~ /^\s*#\s*include\s*[<"]([^>"]+)[>"]/mg] };
}

# Ours are found beside the file, in its program's folder or in lib/.
sub ours {
    my ($file, $name) = @_;
    my $program = program_of($file);
    my @beside = (dirname($file) . "/$name", $program ? "$program/$name" : (), $file =~ m{^xs/} ? "xs/$name" : ());
    return (grep { -e "$top/$_" } @beside, "lib/$name", $name)[0];
}

sub program_of { my ($file) = @_; return (grep { index($file, "$_/") == 0 } @programs)[0] }

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

# The layer of a file of lib/: base 0, bytes 1 and so on. nytprof.h, which all may include, has none.
# nytprof-model.h is for model and those above.
my @layers = qw(base bytes format model events calls memory merge compare export findings cover cli);
my %rank   = map { $layers[$_] => $_ } 0 .. $#layers;
sub layer { my ($file) = @_; return $file =~ m{^lib/(\w+)/} ? $1 : undef }

is_deeply([sort map { basename($_) } grep { -d } bsd_glob("$top/lib/*")], [sort @layers],
    'the folders of lib/ are its layers');

sub includes_of {
    my ($file) = @_;
    return grep { defined } map { ours($file, $_) } included($file);
}

# Fails for each include that allowed() says no to.
sub includes_ok {
    my ($rule, $allowed, @files) = @_;
    my @broken;
    for my $file (@files) {
        push @broken, map { "$file: $_" } grep { !$allowed->($file, $_) } includes_of($file);
    }
    ok(@files && !@broken, $rule) or diag(join "\n", @broken);
    return;
}

my $wire = qr/^(?:base|bytes|format)$/;
sub is_public {
    my ($header, $file) = @_;
    return $header eq 'lib/nytprof.h' || $header eq 'lib/nytprof-model.h' && (layer($file) // '') !~ $wire
        && $file !~ m{^xs/};
}

includes_ok('a layer of lib/ includes itself and those below it', sub {
    my ($file, $header) = @_;
    my ($own, $other) = (layer($file), layer($header));
    return is_public($header, $file) || defined $own && defined $other && $rank{$other} <= $rank{$own};
}, @lib);

# nytprofmerge copies compressed bytes and writes a stream, so it alone needs the layers below.
my %lower = (nytprofmerge => qr/^(?:bytes|format)$/);
includes_ok('programs include their own headers, nytprof.h, base, what is computed from profiles, and cli', sub {
    my ($file, $header) = @_;
    my $program = program_of($file);
    return 1 if is_public($header, $file) || index($header, "$program/") == 0;
    return 1 if $program eq 'converters/nytprofhtml' && $header eq 'lib/bytes/raw_deflate_mt.h';    # packs a page
    return 1 if $program =~ /^nytp-(?:record|top)$/ && $header eq 'sampler/sampler.h';    # both read other processes
    my $layer = layer($header) // return 0;
    return $layer =~ /^(?:base|model|events|calls|memory|merge|compare|export|findings|cover|cli)$/
        || $layer =~ ($lower{$program} // qr/^$/);
}, @of_programs);

# The folders of the sampler and of the collector, in this order. (What xs/ itself has uses all of them.)
my @rooms = ((map { "sampler/$_" } qw(process perl sample)),
    (map { "xs/$_" } qw(basics output cover labels state names record heap session ops)));
my %room  = map { $rooms[$_] => $_ } 0 .. $#rooms;
sub room { my ($file) = @_; return $file =~ m{^((?:sampler|xs)/\w+)/} && defined $room{$1} ? $1 : undef }

includes_ok('a folder of sampler/ includes itself, those before it, nytprof.h, base and model', sub {
    my ($file, $header) = @_;
    my $other = room($header);
    return $room{$other} <= $room{ room($file) } if defined $other;
    return is_public($header, $file) || (layer($header) // '') =~ /^(?:base|model)$/;
}, @sampler);

includes_ok('xs/ includes its own headers, nytprof.h, base, bytes and format', sub {
    my ($file, $header) = @_;
    return is_public($header, $file) || $header =~ m{^xs/} || (layer($header) // '') =~ /^(?:base|bytes|format)$/;
}, @xs);

my $glib = qr{^(glib|gio|gmodule|gobject)};
my $perl = qr{^(perl|EXTERN|XSUB|ppport)\.h$};

none_reaches('base, bytes and format reach neither GLib nor perl', qr/$glib|$perl/,
    grep { m{^lib/(?:base|bytes|format)/} } @lib);
none_reaches('what perl loads does not reach GLib', $glib, @xs);
none_reaches('lib/, the sampler and the programs do not reach perl', $perl, @lib, @sampler, @of_programs);
none_reaches('zlib, isa-l and libdeflate are known to lib/bytes only', qr{^(zlib\.h|isa-l|libdeflate)}, grep { !m{^lib/bytes/} } @lib,
    @sampler, @of_programs, @xs);
none_reaches('Graphviz is known to nytp-dot only', qr/cgraph\.h/, grep { !/nytp-dot/ } @lib, @of_programs);
none_reaches('libcurl is known to one file only', qr{^curl/}, grep { $_ ne 'nytp-record/push/http.c' } @lib,
    @of_programs);
none_reaches('the modules that read do not reach the collector', qr/^(prof|context|output)\.h$/,
    grep { m{^xs/read/} } @xs);

# ---- calls, as the object files have them ------------------------------------------------------------

my (%defined_in, %calls);    # name => file; file => { file that it calls => name }

sub object { my ($source) = @_; return "$build/obj/" . $source =~ s/\.\w+$/.o/r }

sub read_symbols {
    my %source_of = map { object($_) => $_ } grep { /\.(?:c|xs)$/ && -e object($_) } @_;
    my %wants;
    for (grep { !/ __/ } split /\n/, run(['nm', '-A', sort keys %source_of])->{out}) {
        my ($object, $kind, $name) = /^(.+?):.*([A-Za-z]) (\S+)$/ or next;
        $wants{ $source_of{$object} }{$name} = 1 if $kind eq 'U';
        push @{ $defined_in{$name} }, $source_of{$object} if $kind =~ /[TDBRCVW]/;
    }
    for my $from (sort keys %wants) {
        for my $name (sort keys %{ $wants{$from} }) {
            $calls{$from}{$_} //= $name
                for grep { $_ ne $from && linked_with($from, $_) } @{ $defined_in{$name} // [] };
        }
    }
    return;
}

# Programs are linked with the library, and not with one another.
sub whose { my ($file) = @_; return $file =~ m{^(lib|xs/read|xs|sampler)/} ? $1 : program_of($file) }
sub linked_with { my ($from, $to) = @_; return whose($to) =~ /^(?:lib|sampler)$/ || whose($to) eq whose($from) }

read_symbols(@lib, @xs, @sampler, @of_programs);
for my $whose (qw(lib xs xs/read sampler), @programs) {
    my @of_it = grep { whose($_) eq $whose && /\.(?:c|xs)$/ } @lib, @xs, @sampler, @of_programs;
    my @built = grep { -e object($_) } @of_it;
    ok(@of_it > 1 && @built == @of_it, @built . ' of ' . @of_it . " object files of $whose are there");
    my $calls = grep { $calls{$_} } @of_it;
    cmp_ok($calls, '>=', 1, "$calls of them call others");
}

# One circle of calls from file to file below these, or nothing: a way back to a file that is still on the path.
my %visited;
sub circle {
    my ($file, @path) = @_;
    for my $at (0 .. $#path) {
        return (@path[$at .. $#path], $file) if $path[$at] eq $file;
    }
    return if $visited{$file}++;
    for my $next (sort keys %{ $calls{$file} // {} }) {
        my @found = circle($next, @path, $file);
        return @found if @found;
    }
    return;
}

sub has_no_circle {
    my ($rule, @files) = @_;
    for my $file (@files) {
        my @found = circle($file) or next;
        fail($rule);
        diag(join "\n",
            map { "$found[$_] calls $calls{ $found[$_] }{ $found[$_ + 1] } of $found[$_ + 1]" } 0 .. $#found - 1);
        return;
    }
    pass($rule);
    return;
}

has_no_circle('lib/ has no circle of calls', grep { /\.c$/ } @lib);
has_no_circle('the sampler has none',         grep { /\.c$/ } @sampler);
for my $program (@programs) {
    has_no_circle("$program has none", grep { m{^\Q$program\E/.*\.c$} } @of_programs);
}
# What begins a probe interval must at times run a checkpoint, which needs all of the collector: it is called by a
# pointer in the context (xs/state/probe.h). Nothing else goes up.
has_no_circle('the collector has none', grep { m{\.(?:c|xs)$} && !m{^xs/read/} } @xs);
has_no_circle('the modules that read have none', grep { m{^xs/read/.*\.(?:c|xs)$} } @xs);

my @to_later = map {
    my $from = $_;
    map { "$from: $calls{$from}{$_} of $_" } grep { defined room($_)
        && $room{ room($_) } > $room{ room($from) } } sort keys %{ $calls{$from} }
} grep { defined room($_) } sort keys %calls;
is_deeply(\@to_later, [], 'no folder of the sampler or the collector calls a later one');

my @upward = map {
    my $from = $_;
    map { "$from: $calls{$from}{$_} of $_" } grep { $rank{ layer($_) } > $rank{ layer($from) } } sort keys %{
        $calls{$from} }
} grep { defined layer($_) } sort keys %calls;
is_deeply(\@upward, [], 'no layer of lib/ calls one above it');

my $collector = run(['nm', '--defined-only', "$build/perl5/auto/Devel/NYTProf/NYTProf.so"]);
like($collector->{out}, qr/ nytp_writer_chunk$/m, 'the collector has the writer');
unlike($collector->{out}, qr/ nytp_(?:reader|source|tmon|gzip|json|proto|profile)_/,
    'and nothing that reads or shows profiles');

# ---- whose names are whose -------------------------------------------------------------------------------

# lib/ has nytp_, the collector prof_, nytprofcg cg_, nytp-tree tree_ and so on, and nytp, which has verbs, verb_.
sub prefix {
    my ($file) = @_;
    my $whose = whose($file);
    return { lib => 'nytp_', xs => 'prof_', 'xs/read' => 'read_', nytp => 'verb_' }->{$whose}
        // basename($whose) =~ s/^nytp(?:rof|-)//r . '_';
}
my (@misnamed, @shared);
for my $name (grep { !/^(?:main|boot_Devel__\w+)$/ } sort keys %defined_in) {
    my %whose = map { whose($_) => 1 } @{ $defined_in{$name} };
    push @shared,   "$name: @{ $defined_in{$name} }" if keys %whose > 1;
    push @misnamed, map { "$_: $name" } grep { index($name, prefix($_)) != 0 } @{ $defined_in{$name} };
}
is_deeply(\@misnamed, [], 'global names have the prefix of their program');
is_deeply(\@shared,   [], 'and no two programs share one');

# ---- the script of reports ----------------------------------------------------------------------------------

# What page/views/ declares in the scope that all files share.
my $page = "$top/converters/nytprofhtml/page";
my %view_of;
for my $file (bsd_glob("$page/views/*.js")) {
    $view_of{$_} = basename($file) for slurp($file) =~ /^(?:async )?(?:function|class|const|let) (\w+)/mg;
}
cmp_ok(scalar keys %view_of, '>', 30, 'views declare names');

# The files that name what a view declares, apart from the view itself.
my @names_views = map {
    my $file = $_;
    my %word = map { $_ => 1 } slurp($file) =~ s{/\*.*?\*/}{}gsr =~ /(?<![.\w])\w+/g;
    map { basename($file) . ": $_ of $view_of{$_}" } grep { $word{$_}
        && basename($file) ne $view_of{$_} } sort keys %view_of;
} bsd_glob("$page/app/*.js"), bsd_glob("$page/views/*.js");
is_deeply(\@names_views, [], 'neither what views share nor another view names anything of a view');

my @wide = map { my $file = basename($_);
    map { "$file: $_" } grep { length > 110 } split /\n/,
        Encode::decode('UTF-8', slurp($_)) } bsd_glob("$page/{*,*/*}.{js,css}");
is_deeply(\@wide, [], 'no line of the script and the styles has more than 110 columns');

# ---- hash tables -----------------------------------------------------------------------------------

is_deeply([grep { slurp("$top/$_") =~
    /\bg_(?:str|bytes|int|int64|direct|double)_hash\b|\bg_hash_table_new(?:_full)?\(NULL/ } @lib, @xs, @of_programs,
    @sampler], [],
    'hash tables of GLib are keyed by model/hashes.h: nobody can choose keys that have the same hash');

# ---- what is said in one place ---------------------------------------------------------------------

my @by_kind = qw(lib/format/tags.c lib/format/writer.c lib/format/reader.c lib/model/fold.c lib/events/events.c
    nytprofmerge/merge.c xs/read/values.c xs/read/load.c);
my $takes_all = qr/switch \((?:\(nytp_tag\)|chunk->)tag\) \{(?:(?!\bdefault:|\n    \}).)*\n    \}/s;
is_deeply([grep { slurp("$top/$_") !~ $takes_all } @by_kind], [],
    'who takes all kinds of chunks has no default, so that a new kind does not compile without it');
my $writes = sub { slurp("$top/$_[0]") =~ s/\bcase NYTP_START_DEFLATE://gr =~ /NYTP_START_DEFLATE\b/ };
is_deeply([grep { $writes->($_) } grep { !m{^lib/format/|^lib/nytprof\.h$} } @lib, @xs,
    @of_programs], [map { "nytprofmerge/$_" } qw(inputs.c merge.c)],
    'nytp_writer_compress() alone writes what begins the compressed part; nytprofmerge looks for it in what it reads');
is_deeply([grep { slurp("$top/$_") =~
    /nytp_str_is\([^,]*, "(?:unit|sampled_hz|sampled_bytes)"\)/ } grep {
        !m{^lib/(?:model/measure|format/text)\.c$} } @lib, @of_programs], [],
    'what a tick is, is read from attributes by model/measure.c, and by the reader for the message that refuses it');
my %js = map { basename($_) => slurp($_) } bsd_glob("$page/{*,*/*}.js");
is_deeply([sort grep { $js{$_} =~
    /^\s+(?:Object\.assign\(profile|profile\.\w+ = |recorded\.[\w.]+ = )/m } grep {
        $_ !~ /^(?:data|labels)\.js$/ } keys %js], [],
    'nothing of the profile that a report shows is changed after it was unpacked');

# ---- the public headers and what the shared library exports ------------------------------------------------

my @public = map { slurp("$top/lib/$_") } qw(nytprof.h nytprof-model.h);
my $code   = join('', @public) =~ s{/\*.*?\*/}{}gsr;
is_deeply([grep { !/^std(bool|def|int|io)\.h$/ } included('lib/nytprof.h')], [],
    'nytprof.h includes the C library only');
is_deeply([included('lib/nytprof-model.h')], ['nytprof.h'], 'nytprof-model.h includes nytprof.h only');
unlike($code,
    qr/\b(off_t|off64_t|ssize_t|SV|HV|AV|PerlInterpreter|pTHX_?|g(boolean|u?int\d*|char|pointer|size)|G[A-Z][a-z]\w*)\b/,
    'no types of perl, GLib or large files in them');
like($_, qr/\A\/\*[^\n]*\n(?: \*[^\n]*\n)? \*\n \* [^\n]*:\n \*\n \*   1\. /, 'a public header opens with an outline')
    for @public;

my $nm = run(['nm', '-D', '--defined-only', "$build/lib/libnytprof.so"]);
is($nm->{status}, 0, 'the shared library can be listed') or diag($nm->{err});
my %exported = map { (split)[2] =~ s/@.*//r => 1 } grep { !/ A / } split /\n/, $nm->{out};
is_deeply([grep { !/^nytp_/ } sort keys %exported], [], 'it exports nytp_* only');
my @declared = $code =~ /^[^#\n(]*?\b(nytp_\w+)\s*\([^;{]*\)\s*;/mg;
@declared = grep { $code !~ /typedef[^;]*\b$_\s*\(/ } @declared;
cmp_ok(scalar @declared, '>', 30, 'the header declares functions');
is_deeply([sort grep { !$exported{$_} } @declared], [], 'and all of them are exported');
is_deeply([sort grep { my $name = $_; !grep { $name eq $_ } @declared } keys %exported], [], 'and nothing else is');

done_testing();
