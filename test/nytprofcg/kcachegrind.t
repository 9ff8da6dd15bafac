# What KCachegrind itself shows of nytprofcg's files, read from its windows: what it computes of cycles, and groups of objects.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints kcachegrind_inclusive);
use CallgrindFile;
use CollectorRun qw(profiled);
use List::Util qw(sum0);
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir);
use Sampled qw(may_sample recorder sampled_perl);
use Test::More;

plan(skip_all => 'takes long; EXHAUSTIVE=1') if !$ENV{EXHAUSTIVE};
for my $command (qw(kcachegrind Xvfb xdotool dbus-run-session gdbus)) {
    plan(skip_all => "needs EXHAUSTIVE=1 and $command") if !grep { -x "$_/$command" } split /:/, $ENV{PATH};
}
plan(skip_all => 'needs EXHAUSTIVE=1 and gir1.2-atspi-2.0')
    if run(['/usr/bin/python3', '-c', 'import gi; gi.require_version("Atspi", "2.0"); from gi.repository import Atspi'])->{status};

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

sub shown {
    my @arguments = @_;
    my $got = run([top_dir() . '/test/tools/kcachegrind-lists', @arguments]);
    is($got->{status}, 0, "KCachegrind shows @arguments") or diag($got->{err});
    return map { [split /\t/] } split /\n/, $got->{out};
}

sub number { my ($shown) = @_; return $shown =~ tr/0-9//cdr }

# Our computation of inclusive times is KCachegrind's, and so is that of self times, of all functions that it lists.
sub shows_functions {
    my ($name, $path) = @_;
    my $file      = CallgrindFile->parse(slurp($path));
    my $inclusive = kcachegrind_inclusive($file);
    my (@wrong, %seen);
    for my $row (grep { $_->[4] !~ /^<cycle|function\(s\) skipped\)$/ } shown($path)) {
        my (undef, $incl, $self, $called, $shown, $location) = @$row;
        my $function = $shown =~ s/ <cycle \d+>\z//r;
        my $of       = $file->{functions}{$function};
        my $own      = $of ? sum0(map { $_->[0] } values %{ $of->{self} }) : 'nothing';
        $seen{$function} = 1;
        push @wrong, "$function: $incl and $self, not " . ($inclusive->{$function} // 'nothing') . " and $own"
            if number($incl) ne ($inclusive->{$function} // '') || number($self) ne $own;
        push @wrong, "$function is in $location" if $of && $location !~ /^\Q$of->{object}\E(?::|$)/;
    }
    is(join("\n", @wrong), '', "$name: inclusive and own costs are what we compute");
    cmp_ok(scalar keys %seen, '>=', (keys %{ $file->{functions} } > 20 ? 20 : 2), "$name: of many functions");
    return $file;
}

sub shows_groups {
    my ($name, $path, $file) = @_;
    my %own;
    for my $function (values %{ $file->{functions} }) {
        $own{ $function->{object} } += sum0(map { $_->[0] } values %{ $function->{self} });
    }
    my %groups = map { $_->[2] => number($_->[1]) } shown($path, 'ELF Object');
    is_deeply(\%groups, \%own, "$name: grouped by ELF object, it says whose code takes how long");
    return;
}

sub converted {
    my ($name, $profile, @options) = @_;
    my $path = "$scratch/$name.callgrind";
    is(run(["$bin/nytprofcg", @options, '-o', $path, $profile])->{status}, 0, "$name: converted");
    return $path;
}

my %programs = (
    Mojolicious => ['-e', 'use Mojolicious::Lite; get "/" => { text => 1 }; get "/w" => sub { my $c = shift; '
        . 'Mojo::IOLoop->timer(0.01 => sub { $c->render(text => 2) }); $c->render_later }; use Test::Mojo; '
        . 'my $t = Test::Mojo->new; $t->get_ok("/")->get_ok("/w") for 1 .. 40'],
    Moose => ['-e', 'package P; use Moose; has n => (is => "rw", isa => "Int"); sub f { $_[0]->n(7) } '
        . 'package Q; use Moose; extends "P"; around f => sub { my ($o, $s) = @_; $s->$o }; package main; Q->new(n => $_)->f for 1 .. 900'],
    (-x '/usr/bin/perlcritic' ? (perlcritic => ['/usr/bin/perlcritic', '--brutal', '/usr/bin/prove']) : ()),
);
my %profiles;
for my $name (sort keys %programs) {
    subtest $name => sub {
        $profiles{$name} = record("kcachegrind-$name", $programs{$name});
        my $path = converted($name, $profiles{$name});
        my $file = shows_functions($name, $path);
        shows_groups($name, $path, $file);
    };
}

subtest 'a merged batch' => sub {
    my @batch = map { record("kcachegrind-batch-$_", ['-e', "sub f { my \$x = 0; \$x += \$_ for 1 .. $_; \$x } f() for 1 .. 9"]) } 3000, 5000;
    my $merged = "$scratch/merged.out";
    is(run(["$bin/nytprofmerge", '-o', $merged, @batch])->{status}, 0, 'merged');
    shows_functions('merged', converted('merged', $merged));
    my %shown = map { $_ => { map { $_->[4] => [number($_->[1]), number($_->[2])] } shown($_) } } converted('parts', $merged, '--parts'),
        "$scratch/merged.callgrind";
    ok(-e "$scratch/parts.callgrind.2", 'parts are files of their own');
    is_deeply($shown{"$scratch/parts.callgrind"}, $shown{"$scratch/merged.callgrind"}, 'KCachegrind adds them up');
};

subtest 'samples' => sub {
    my $why_not = may_sample();
    plan(skip_all => $why_not) if $why_not;
    my $sampled = "$scratch/sampled.out";
    run([recorder(), '-r', 1000, '-o', $sampled, '--', sampled_perl(), '-e',
        'sub f { my $x = 0; $x += $_ for 1 .. 9999 } sub g { f() } for (1 .. 2000) { f(); g() }']);
    shows_functions('sampled', converted('sampled', $sampled));
};

subtest 'memory' => sub {
    my $got = profiled('ours', ['-e', 'our @kept; sub keep { push @kept, "x" x 5000 } sub keeps { keep() for 1 .. 99 } keeps() for 1 .. 40; keep()'],
        options => { heap => 1 });
    my $file = shows_functions('memory', converted('memory', $got->{files}[0], '--memory=live,alloc'));
    is("@{ $file->{events} }[-6 .. -1]", 'LiveBytes LiveBlocks LiveStmtBytes AllocBytes AllocBlocks AllocStmtBytes',
        'it has memory beside time');
};

done_testing();
