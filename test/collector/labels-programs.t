# Programs of others with labels=all: they run as without the collector, and --no-labels counts what a recording without
# labels does. EXHAUSTIVE=1 takes all programs and scripts.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorPrograms qw(framework_programs programs scripts);
use CollectorRun qw(exhaustive need_collector optional_module plain profiled same_behaviour same_files);
use File::Path qw(remove_tree);
use NYTPTest qw(build_dir);
use StockReaders qw(read_by_stock);
use SubTable qw(calls_of);
use Test::More;

need_collector();

my $PLACK = <<'END';
use Plack::Builder; use Plack::Test; use HTTP::Request::Common;
my $app = builder {
    enable 'ContentLength'; enable '+NYTProf::Span::Plack';
    mount '/files' => builder { enable 'Static', path => sub { 1 }, root => '/usr/share/common-licenses'; sub { [404, [], ['none']] } };
    mount '/' => sub { my ($env) = @_; $env->{PATH_INFO} =~ m{^/(\w+)/(\d+)$} ? [200, ['Content-Type' => 'text/plain'], ["$1 $2\n"]] : die "no page" };
};
test_psgi $app, sub {
    my ($get) = @_;
    for my $path ('/users/1', '/users/2', '/files/BSD', '/none') { my $r = $get->(GET $path); print $r->code, ' ', length $r->content, "\n" }
};
END

# Those that are run each time take a few seconds.
sub all_programs {
    my %is_quick = map { $_ => 1 } 'ack', 'Plack';
    my @all = (
        { name => 'perlcritic',
        arguments => ['/usr/bin/perlcritic', '--noprofile', '--brutal', "$FindBin::Bin/../lib/SubTable.pm"],
        needs => '/usr/bin/perlcritic' },
        { name => 'Plack', module => 'Plack', package => 'libplack-perl',
        arguments => ['-I' . build_dir() . '/perl5', '-e', $PLACK] },
        programs(), framework_programs(), exhaustive() ? scripts() : (),
    );
    return grep { exhaustive() || $is_quick{ $_->{name} } } @all;
}

sub of_run {
    my ($program) = @_;
    return map { $_ => $program->{$_} } grep { exists $program->{$_} } qw(stdin prepare env dir);
}

# Calls by sub. Mojolicious names packages after a hash of an address.
sub counts {
    my ($paths) = @_;
    my $calls = calls_of($paths, '--no-labels');
    my %sum;
    $sum{ s/::[0-9a-f]{32}\b/::HASH/r } += $calls->{$_} for keys %$calls;
    return \%sum;
}

sub check {
    my ($program) = @_;
    my $name = $program->{name};
    return note("not tested: $program->{needs} is missing") if $program->{needs} && !-x $program->{needs};
    return if $program->{module} && !optional_module($program->{module}, $program->{package});
    my @run = ($program->{arguments}, of_run($program));
    my $plain = plain(@run);
    my ($with, $without) = map { profiled('ours', @run, options => $_, timeout_s => 600) } { labels => 'all' }, {};
    same_behaviour($plain, $with, $name, $program->{varies});
    same_files($plain, $with, $name, $program->{varies}) if !$program->{dir};
    is(scalar @{ $with->{files} }, scalar @{ $without->{files} }, "$name: as many profiles");
    if (@{ $without->{files} }) {
        my ($have, $want) = map { counts($_->{files}) } $with, $without;
        is_deeply($have, $want, "$name: --no-labels counts as without labels")
            or diag(map { "$_: " . ($have->{$_} // 0) . ' in the place of ' . ($want->{$_} // 0)
                . "\n" } grep { ($have->{$_} // 0) != ($want->{$_} // 0) } sort keys %{ { %$have, %$want } });
    }
    read_by_stock($name, $with->{files}, html => exhaustive())
        if grep { /^[\w:]+ ./ } map { keys %{ calls_of([$_]) } } @{ $with->{files} };
    remove_tree(map { ($_->{profiles}, $program->{dir} ? () : $_->{dir}) } $with, $without);
    return;
}

check($_) for all_programs();

done_testing();
