# labels=: calls are recorded as those of a sub for each text that they had. Without them nothing differs. No code of the program
# is run to find a text, and no literal, user or password gets into a profile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector optional_module plain profiled same_behaviour tool);
use NYTPTest qw(build_dir run slurp spew top_dir);
use Test::More;

need_collector();

# Calls by sub: { name => calls }, and attributes.
sub calls {
    my ($path) = @_;
    my $got = run([build_dir() . '/test/dump-chunks', $path]);
    is("$got->{status} $got->{err}", '0 ', 'a whole profile');
    my (%calls, %attribute);
    for (map { [map { s/\A['"]//r =~ s/%([0-9a-f]{2})/chr hex $1/gier } split /\t/] } split /\n/, $got->{out}) {
        $attribute{ $_->[1] } = $_->[2] if $_->[0] eq 'ATTRIBUTE';
        my ($count, $called) = @$_[3, 8];
        $calls{$called} += $count if $_->[0] eq 'SUB_CALLERS' && $count;
    }
    return (\%calls, \%attribute);
}

# The labels of some subs: { "BASE LABEL" => calls } without those whose base does not match.
sub labels_of {
    my ($bases, $calls) = @_;
    return { map { $_ => $calls->{$_} } grep { /^(?:$bases) / } keys %$calls };
}

# Calls by sub as nytp-tree counts them.
sub table {
    my ($path, @options) = @_;
    my $got = run([tool('nytp-tree'), '--table', '-q', '-O', -1, @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytp-tree reads it');
    return { map { my @cell = split ' ', $_, 7; ($cell[6] => $cell[3]) } split /\n/, $got->{out} };
}

# Runs a program with labels and without; both must behave and count the same, after --no-labels. Returns calls and attributes.
sub labelled {
    my ($name, $labels, $arguments, %run) = @_;
    my $plain = plain($arguments, %run);
    my ($with, $without) = map { profiled('ours', $arguments, %run, options => { %{ $run{options} // {} }, %$_ }) } { labels => $labels }, {};
    same_behaviour($plain, $with, $name);
    is_deeply(table($with->{files}[0], '--no-labels'), table($without->{files}[0]), "$name: --no-labels counts as without labels");
    return (calls($with->{files}[0]), $with);
}

subtest 'patterns' => sub {
    my ($calls, $attributes) = labelled('patterns', 'regex', ['-e', <<'END']);
sub f { my ($word) = @_; return grep { $_ } "abc" =~ /b/i, "abc" =~ /\Q$word\E/, "abc" =~ s/(.)/<$1>/r, qr/x  y/x }
f("w$_") for 1 .. 3;
"a;b" =~ /a;b <script> My::Class/;
"\x{e9}" =~ /\x{e9}/ for 1, 2;
eval { my $bad = '('; "x" =~ /$bad/ };
split /b$_/, "abc" for 1, 1;
END
    is_deeply(labels_of('main::CORE:\w+', $calls), {
        'main::CORE:match /b/i' => 3, (map { ("main::CORE:match /w$_/" => 1, "main::CORE:regcomp /w$_/" => 1) } 1 .. 3),
        'main::CORE:subst /(.)/' => 3, 'main::CORE:substcont /(.)/' => 6, 'main::CORE:qr /x y/x' => 3,
        'main::CORE:match /a,b < script> My:Class/' => 1, 'main::CORE:match /\x{e9}/' => 2, 'main::CORE:regcomp /b1/' => 2,
    }, 'each pattern is a sub') or diag(explain($calls));
    is($calls->{'main::CORE:regcomp'}, 1, 'a pattern that is not valid has no label');
    is($attributes->{labels}, 'regex', 'the profile says which labels there are');
};

subtest 'limits' => sub {
    my ($calls, $attributes) = labelled('limits', 'regex', ['-e', '"x" =~ /y$_/ for 1 .. 5; "x" =~ /1/; "x" =~ /' . ('long ' x 20) . '/;'],
        options => { labelmax => 2, labellen => 30 });
    my %labels = %{ labels_of('main::CORE:match', $calls) };
    my ($long) = grep { /~/ } keys %labels;
    is_deeply([sort values %labels], [1, 1, 1, 1, 3], 'labelmax counts patterns of run time') or diag(explain(\%labels));
    is($labels{'main::CORE:match (others)'}, 3, 'further ones share a sub');
    my ($label, $hash) = $long =~ /^main::CORE:match (.* ~([0-9a-f]{8}))$/;
    is(length $label, 30, 'labellen');
    is($attributes->{"label_$hash"}, '/' . ('long ' x 20) . '/', 'the whole text is an attribute');
};

subtest 'bad input' => sub {
    my %warns = (
        'regex,foo' => qr/'foo' is ignored/,
    );
    for my $labels (sort keys %warns) {
        my $got = profiled('ours', ['-e', '"x" =~ /y/'], options => { labels => $labels });
        like($got->{err}, $warns{$labels}, "labels=$labels is warned of");
        my ($calls) = calls($got->{files}[0]);
        is($calls->{'main::CORE:match /y/'}, 1, '... and the rest works');
    }
    my $got = profiled('ours', ['-e', 'DB::set_option("labels", "sql")'], options => { labels => 'regex', labelmax => -1, labellen => 5000 });
    like($got->{err}, qr/labellen=5000: .*\n.*labelmax=-1: .*\n.*labels: no labels begin/, 'limits, and what comes too late');
};

subtest 'programs that read labels' => sub {
    my $got = profiled('ours', ['-e', 'sub f { "x" =~ /y/ } f() for 1 .. 3; "x" =~ /z/'], options => { labels => 'regex' });
    my $path = $got->{files}[0];
    is_deeply(table($path, '--labels=regex'), { '/y/' => 3, '/z/' => 1 }, 'nytp-tree --labels');
    my $none = run([tool('nytp-tree'), '--labels=sql', $path]);
    like($none->{err}, qr/no labels of that kind/, '... without any of the kind');
    like(run([tool('nytp-tree'), '--labels=regex', '-S', $path])->{err}, qr/--labels is a table/, '... and no tree');
};

done_testing();
