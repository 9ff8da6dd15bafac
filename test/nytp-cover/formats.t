# What other programs read: lcov, Cobertura and JSON have the numbers of the table.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use CoverRun qw(covered recordings);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use NpmPackage qw(npm_package);
use Test::More;

preloaded();

my $dir = scratch_dir();
mkdir "$dir/$_" or die for qw(lib lib/Foo);
spew("$dir/lib/Foo.pm", <<'END');
package Foo; use Foo::Bar;
sub sign { my ($n) = @_;
  if ($n < 0) {
    return -1 }
  return $n ? 1 : 0 }
my $same = sub { $_[0] }; my $other = sub { eval "$_[0]" }; $other->(3);
sub never { $_[0] && $_[1] or
  return 2 }
1;
END
spew("$dir/lib/Foo/Bar.pm", "package Foo::Bar;\n1;\n");
spew("$dir/a & \"b\" <c>\xe9.pl", "use lib 'lib'; use Foo;\nprint Foo::sign(3);\n");
is(covered($dir, ["a & \"b\" <c>\xe9.pl"])->{out}, '1', 'a program has run');

sub cover {
    my (@options) = @_;
    my $got = run([build_dir() . '/bin/nytp-cover', @options, recordings($dir)], dir => $dir);
    is("$got->{status} $got->{err}", '0 ', "@options");
    return $got->{out};
}

# Of the total, and of files by name: seen and all of lines, branches, conditions and subs.
sub counts { my ($line) = @_; return [$line =~ m{(\d+)/(\d+)}g] }
my $table = cover('--lcov=lcov.info', '--cobertura=cobertura.xml', '--json=cover.json');
my ($total) = $table =~ /^(.*) total$/m;
is("@{ counts($total) }", '9 11 2 8 0 2 2 4', 'the table, beside files for others') or diag($table);

subtest 'lcov' => sub {
    my $lcov = slurp("$dir/lcov.info");
    my %sum;
    $sum{$1} += $2 while $lcov =~ /^(\w+):(\d+)$/mg;
    is_deeply([@sum{qw(LH LF BRH BRF)}], [@{ counts($total) }[0 .. 3]], 'the same numbers');
  SKIP: {
        my $version = run(['lcov', '--version']);
        skip 'lcov is not installed', 5 if ($version->{status} // 0) == 127;
        my $key     = $version->{out} =~ /version 1\./ ? 'lcov_branch_coverage' : 'branch_coverage';
        my $summary = run(['lcov', '--rc', "$key=1", '--summary', 'lcov.info'], dir => $dir);
        is($summary->{status}, 0, 'lcov --summary reads it') or diag($summary->{err});
        my $said = "$summary->{out}$summary->{err}";
        like($said, qr/^ *$_->[0]\.*: .*\($_->[1] of $_->[2] /m, "... and says the same of $_->[0]")
            for ['lines', @{ counts($total) }[0, 1]], ['branches', @{ counts($total) }[2, 3]];
        my $pages = run(['genhtml', '--branch-coverage', '-o', 'html', 'lcov.info'], dir => $dir);
        is($pages->{status}, 0, 'genhtml reads it, too') or diag($pages->{err});
        ok(grep({ -s } glob("$dir/html/*/lib/Foo.pm.gcov.html $dir/html/lib/Foo.pm.gcov.html")), '... and makes pages of the source');
    }
};

# A parser of tags that is strict enough for what may be written: [NAME, { ATTRIBUTES }, CHILDREN].
sub tree_of {
    my ($xml) = @_;
    my @open = ([]);
    $xml =~ s/\A<\?xml [^>]*\?>\n<!DOCTYPE [^>]*>\n// or return;
    while ($xml =~ /\G([^<]*)<(\/?)(\w+)((?: [\w-]+="[^"<]*")*)(\/?)>\s*/gc) {
        my ($before, $ends, $name, $attributes, $empty) = ($1, $2, $3, $4, $5);
        return if $before =~ /&(?!amp;|lt;|gt;|quot;|apos;|#x?\w+;)/ || $attributes =~ /&(?!amp;|lt;|gt;|quot;|apos;|#)/;
        if ($ends) {
            my $closed = pop @open;
            return if $closed->[0] ne $name;
            push @$closed, $before if length $before;
            next;
        }
        my $tag = [$name, { $attributes =~ / ([\w-]+)="([^"]*)"/g }];
        push @{ $open[-1] }, $tag;
        push @open, $tag if !$empty;
    }
    return @open == 1 && (pos($xml) // 0) == length $xml ? $open[0][0] : undef;
}

sub below { my ($tag, $name) = @_; return map { ($_->[0] eq $name ? $_ : ()), below($_, $name) } grep { ref eq 'ARRAY' } @$tag }

# What coverage-04.dtd requires: attributes, and which tags may be in which.
my $rates = 'line-rate branch-rate complexity';
my %attributes = (coverage => "$rates lines-covered lines-valid branches-covered branches-valid version timestamp", sources => '', source => '',
    packages => '', package => "$rates name", classes => '', class => "$rates name filename", methods => '', method => "$rates name signature",
    lines => '', line => 'number hits branch condition-coverage');
my %optional = map { $_ => 1 } qw(branch condition-coverage);
my %inside = (coverage => 'sources packages', sources => 'source', source => '', packages => 'package', package => 'classes', classes => 'class',
    class => 'methods lines', methods => 'method', method => 'lines', lines => 'line', line => '');

sub wrong {
    my ($tag) = @_;
    my ($name, $has, @children) = @$tag;
    my @tags = map { $_->[0] } grep { ref } @children;
    my @known = split ' ', $attributes{$name} // return "no tag $name";
    my @missing = grep { !exists $has->{$_} && !$optional{$_} } @known;
    my $order = join ' ', map { "(?:$_ )" . (/s$/ || $name eq 'sources' ? '' : '*') } split ' ', $inside{$name};
    my $pattern = $order =~ s/\) \(/)(/gr;
    return ((map { "$name lacks $_" } @missing), (map { my $a = $_; grep({ $_ eq $a } @known) ? () : "$name has $a" } keys %$has),
        (join('', map { "$_ " } @tags) =~ /\A$pattern\z/ ? () : "in $name: @tags"), map { wrong($_) } grep { ref } @children);
}

subtest 'Cobertura' => sub {
    my $tree = tree_of(slurp("$dir/cobertura.xml"));
    ok($tree, 'it is XML') or return;
    is_deeply([wrong($tree)], [], '... with what its DTD requires');
    is_deeply([@{ $tree->[1] }{qw(lines-covered lines-valid branches-covered branches-valid)}], [@{ counts($total) }[0 .. 3]],
        'the same numbers');
    is((below($tree, 'source'))[0][2], $dir, 'names are below a directory');
    my %file = map { $_->[1]{filename} => $_ } below($tree, 'class');
    is_deeply([sort keys %file], ["a &amp; &quot;b&quot; &lt;c&gt;\xc3\xa9.pl", 'lib/Foo.pm', 'lib/Foo/Bar.pm'], 'the files, without string evals');
    is_deeply([map { $_->[1]{name} } below($tree, 'package')], ['.', 'lib', 'lib/Foo'], '... by directory');
    my ($lines) = grep { $_->[0] eq 'lines' } @{ $file{'lib/Foo.pm'} }[2 .. $#{ $file{'lib/Foo.pm'} }];
    my %line = map { $_->[1]{number} => "$_->[1]{hits} " . ($_->[1]{'condition-coverage'} // '') } below($lines, 'line');
    is(join(', ', map { "$_: $line{$_}" } 2 .. 5, 7), '2: 1 , 3: 1 50% (1/2), 4: 0 , 5: 1 50% (1/2), 7: 0 0% (0/4)', 'lines and conditions');
};

subtest 'cobertura-parse, which services use' => sub {
    plan skip_all => 'no node' if run(['node', '--version'])->{status};
    mkdir "$dir/node_modules" or die;
    for my $name (qw(cobertura-parse xml2js sax xmlbuilder)) {
        my ($package, $missing) = npm_package($name);
        plan skip_all => $missing if $missing;
        symlink $package, "$dir/node_modules/$name" or die;
    }
    my $script = 'require("cobertura-parse").parseFile("cobertura.xml", (error, files) => console.log(JSON.stringify(files)))';
    my $files  = decode_json(run(['node', '--preserve-symlinks', '-e', $script], dir => $dir, env => { NODE_PATH => "$dir/node_modules" })->{out});
    my %sum;
    for my $file (@$files) { $sum{$_} += $file->{lines}{$_}, $sum{"branches $_"} += $file->{branches}{$_} for qw(hit found) }
    is_deeply([@sum{ 'hit', 'found', 'branches hit', 'branches found' }], [@{ counts($total) }[0 .. 3]], 'the same numbers');
};

subtest 'JSON' => sub {
    my $json = decode_json(slurp("$dir/cover.json"));
    is_deeply([map { @{ $json->{total}{$_} }{qw(seen all)} } qw(lines branches conditions subs)], counts($total), 'the same numbers');
    my ($foo) = grep { $_->{name} eq 'lib/Foo.pm' } @{ $json->{files} };
    is_deeply($foo->{line_list}, [[1, 1], [2, 1], [3, 1], [4, 0], [5, 1], [6, 1], [7, 0], [9, 1]], 'lines') or diag(explain($foo));
    is_deeply($foo->{branch_list}, [[3, 0, 1], [5, 1, 0], [7, 0, 0], [7, 0, 0, 0, 0]], 'branches: ran, and was skipped; values of right operands');
    is_deeply([grep { $_->[2] =~ /::(?:sign|never)$/ } @{ $foo->{sub_list} }], [[2, 1, 'Foo::sign'], [7, 0, 'Foo::never']], 'subs');
    is_deeply([map { $_->{name} } grep { $_->{eval} } @{ $json->{files} }], ['lib/Foo.pm:6'], 'string evals, too');
};

is(cover('--cobertura=-'), slurp("$dir/cobertura.xml"), 'standard output has nothing else, and the same bytes');
is(cover('--json=-'), slurp("$dir/cover.json"), '... for JSON, too');

done_testing();
