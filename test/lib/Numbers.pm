package Numbers;

# What programs say of a profile: the time that is 100 %, and calls, own and inclusive seconds of each sub. What a
# program does not say is not there.
#
#   my $said = said_by($program, @paths);    # { whole => s, subs => { name => { calls, own, incl } }, digits => 3 }
#
# digits: the program rounds to so many. By default the numbers are exact to the tick. is_part: it does not show all subs.

use strict;
use warnings;

use CallgrindFile;
use Collapsed qw(parsed);
use Exporter 'import';
use Exports qw(cpuprofile perfetto_calls pprof_calls speedscope_profiles);
use JSON::PP qw(decode_json);
use List::Util qw(min sum0 uniq);
use NYTPTest qw(build_dir run);
use ReportPage;

our @EXPORT_OK = qw(said_by saying);

sub _output {
    my ($program, @arguments) = @_;
    my $got = run([build_dir() . "/bin/$program", @arguments]);
    die "$program: exit $got->{status}: $got->{err}\n" if $got->{status} != 0;
    return $got->{out};
}

# Adds up stacks, "outer;inner" => value.
sub _by_sub {
    my ($stacks, $own, $incl, $unit) = @_;
    my %subs;
    for my $stack (keys %$stacks) {
        my @names = split /;/, $stack;
        $subs{ $names[-1] }{$own} += $stacks->{$stack} * $unit;
        $subs{$_}{$incl} += $stacks->{$stack} * $unit for uniq @names;
    }
    return \%subs;
}

# Statements and calls are measured separately. Where calls take more, what is outside of them is less than 0, and not in
# the whole.
sub _below_nought { my ($stacks) = @_; return min(0, $stacks->{'main::RUNTIME'} // 0) }
sub _whole { my ($stacks, $unit) = @_; return (sum0(values %$stacks) - _below_nought($stacks)) * $unit }

sub _from_times {
    my ($stacks, $unit) = @_;
    return { whole => _whole($stacks, $unit), subs => _by_sub($stacks, 'own', 'incl', $unit) };
}

sub _csv {
    my (@paths) = @_;
    my ($head, @rows) = map { [split /,/] } split /\r?\n/, _output('nytprofcsv', '--table=subs', '-o', '-', @paths);
    my %at = map { $head->[$_] => $_ } 0 .. $#$head;
    return { subs =>
        { map { ($_->[$at{sub}] => { calls => $_->[ $at{calls} // $at{samples} ], incl => $_->[$at{inclusive_s}],
            own => $_->[$at{exclusive_s}] }) } @rows } };
}

sub _html {
    my (@paths) = @_;
    my $page = ReportPage->new(_output('nytprofhtml', '--no-source', '-o', '-', @paths));
    my ($core, $subs) = ($page->{core}, $page->subs);
    my $per_s = $core->{about}{ticks_per_s};
    return {
        whole => $core->{totals}{ticks} / $per_s,
        subs  => { map { ($_ => { calls => $subs->{$_}{calls}, incl => $subs->{$_}{incl} / $per_s,
            own => $subs->{$_}{excl} / $per_s }) } keys %$subs },
    };
}

# The same from the stacks of the report, which flame graphs show.
sub _html_stacks {
    my (@paths) = @_;
    my $core = ReportPage->new(_output('nytprofhtml', '--no-source', '-o', '-', @paths))->{core};
    my ($stacks, @path, %time, %calls) = ($core->{stacks});
    for my $i (0 .. $#{ $stacks->{sub} }) {
        $#path = $stacks->{depth}[$i] - 1;
        push @path, $core->{subs}{name}[$stacks->{sub}[$i]];
        $time{ join ';', @path } += $stacks->{excl}[$i];
        $calls{ $path[-1] } += $stacks->{calls}[$i];
    }
    my $subs = _by_sub(\%time, 'own', 'incl', 1 / $core->{about}{ticks_per_s});
    $subs->{$_}{calls} = $calls{$_} for keys %calls;
    return { subs => $subs };
}

# A sub's parts in other files are functions of their own. Inclusive times of recursive subs are those of a cycle.
sub _callgrind {
    my ($path) = @_;
    my $file = CallgrindFile->parse(_output('nytprofcg', '-o', '-', $path));
    my %subs;
    for my $name (grep { !/ \(/ } keys %{ $file->{functions} }) {
        $subs{$name}{own} = 1e-9 * sum0(map { $_->[0] } values %{ $file->{functions}{$name}{self} });
    }
    for my $call (map { @{ $_->{calls} } } values %{ $file->{functions} }) {
        $subs{ $call->{to} }{calls} += $call->{count} if exists $subs{ $call->{to} };
    }
    return { whole => $file->{totals}[0] * 1e-9, subs => \%subs };
}

sub _collapsed {
    my (@paths) = @_;
    my $said = _from_times(parsed(_output('nytprofcalls', '--root', '--unit=ns', @paths)), 1e-9);
    my $calls = _by_sub(parsed(_output('nytprofcalls', '--root', '--calls', @paths)), 'calls', 'with_callees', 1);
    $said->{subs}{$_}{calls} = $calls->{$_}{calls} for keys %$calls;
    return $said;
}

# dot breaks long strings with a backslash.
sub _dot {
    my (@paths) = @_;
    my $dot = _output('nytp-dot', '--url={sub}', '--begin', '--min=0', '--min-edge=0', '--max-nodes=100000', @paths) =~ s/\\\n//gr;
    my (%unit, %subs) = (s => 1, ms => 1e-3, us => 1e-6, ns => 1e-9, min => 60);
    my $time = qr/([\d.]+) (s|ms|us|ns)/;
    my ($whole, $unit) = $dot =~ /label="(?:[^"]*(?:\\n|100 % are ))?$time, /;
    while ($dot =~ /[\t ]tooltip="([^"]*)"/g) {
        my ($name, $rest) = split /(?: \([^)]*\))?\\n/, $1, 2;
        next if $name =~ / → / || $rest !~ /inclusive $time .*self (?:$time|(0))/;
        my %said = (incl => $1 * $unit{$2}, own => defined $5 ? 0 : $3 * $unit{$4});
        $said{calls} = $1 =~ tr/,//dr if $rest =~ /calls: ([\d,]+)/;
        $subs{$name} = \%said;
    }
    return { whole => $whole * $unit{$unit}, subs => \%subs, digits => 3 };
}

sub _walk_tree {
    my ($nodes, $path, $rows) = @_;
    for my $node (@$nodes) {
        push @$rows, [[@$path, $node->{name}], $node];
        _walk_tree($node->{children}, [@$path, $node->{name}], $rows);
    }
    return $rows;
}

sub _tree {
    my (@paths) = @_;
    no warnings 'recursion';
    my $said = JSON::PP->new->max_depth(100_000)->decode(_output('nytp-tree', '-R', '--root', '--json', @paths));
    my (%time, %calls);
    for my $row (@{ _walk_tree($said->{tree}, [], []) }) {
        my ($path, $node) = @$row;
        $time{ join ';', @$path } += $node->{exclusive_ticks};
        $calls{ $path->[-1] } += $node->{calls} // 0;
    }
    my $subs = _by_sub(\%time, 'own', 'incl', 1 / $said->{ticks_per_second});
    $subs->{$_}{calls} = $calls{$_} for keys %calls;
    return { whole => $said->{total_ticks} / $said->{ticks_per_second}, subs => $subs };
}

sub _speedscope {
    my (@paths) = @_;
    my @profiles =
        grep { $_->{name} =~ /, time \(merged\)\z/ } @{ speedscope_profiles(_output('nytp-speedscope', '--root',
            @paths))->{profiles} };
    my %stacks;
    for my $profile (@profiles) {
        $stacks{$_} += $profile->{stacks}{$_} for keys %{ $profile->{stacks} };
    }
    return _from_times(\%stacks, 1e-9);
}

sub _cpuprofile {
    return _from_times(cpuprofile(_output('nytp-speedscope', '--cpuprofile', '--root', @_))->{stacks}, 1e-9);
}

sub _pprof {
    my (@paths) = @_;
    my $bytes = _output('nytp-pprof', '--root', @paths);
    my $said  = _from_times(pprof_calls($bytes, 1), 1e-9);
    my $calls = _by_sub(pprof_calls($bytes), 'calls', 'with_callees', 1);
    $said->{subs}{$_}{calls} = $calls->{$_}{calls} for keys %$calls;
    return $said;
}

sub _trace {
    my (@paths) = @_;
    my $calls = _by_sub(perfetto_calls(_output('nytp-trace', @paths))->{stacks}, 'calls', 'with_callees', 1);
    return { subs => { map { ($_ => { calls => $calls->{$_}{calls} }) } grep { $calls->{$_}{calls} } keys %$calls } };
}

# From a profile without calls to this one, everything has changed.
sub _diff {
    my ($path, %options) = @_;
    my %subs;
    my $whole;
    for my $by (['exclusive', 'own'], ['inclusive', 'incl']) {
        my $said = decode_json(_output('nytp-diff', '--json', "--value=$by->[0]", $options{empty}, $path));
        $whole = $said->{whole}{value}{new};
        my $unit = $said->{times} eq 'seconds' ? 1 : $whole;
        for my $row (@{ $said->{rows} }) {
            $subs{ $row->{name} }{ $by->[1] } = $row->{value}{new} * $unit;
            $subs{ $row->{name} }{calls} = $row->{calls}{new};
        }
    }
    return { whole => $whole, subs => \%subs };
}

# Shares of the time, in percent, and seconds with two decimals.
sub _top {
    my ($path) = @_;
    my %subs;
    for (split /\n/, _output('nytp-top', '--batch=1', '--delay=60', '--rows=100000', $path)) {
        my (undef, undef, $own, $incl, undef, $name) = split ' ', $_, 6;
        $subs{$name} = { own_percent => $own, incl_percent => $incl } if defined $name && $own =~ /^[\d.]+\z/;
    }
    return { subs => \%subs };
}

# The ten subs with the most time, and shares of the whole of its headline.
sub _markdown {
    my (@paths) = @_;
    my %unit = (s => 1, ms => 1e-3, us => 1e-6, ns => 1e-9);
    my $time = qr/([\d,.]+) (s|ms|us|ns)/;
    my $page = _output('nytp-tree', '--markdown', @paths);
    my (%subs, $whole);
    $whole = ($1 =~ tr/,//dr) * $unit{$2} if $page =~ /\A[^\n]*: $time \(100 %\)/;
    while ($page =~ /^\| ([\d,]+) \| $time \| ([\d.]+) % \| $time \| ([\d.]+) % \| `([\w:]+)` \|$/mg) {
        my ($calls, $own, $own_unit, $own_percent, $incl, $incl_unit, $incl_percent, $name) = ($1, $2, $3, $4, $5, $6, $7, $8);
        $subs{$name} = { calls => $calls =~ tr/,//dr, own => ($own =~ tr/,//dr) * $unit{$own_unit}, own_percent => $own_percent,
            incl => ($incl =~ tr/,//dr) * $unit{$incl_unit}, incl_percent => $incl_percent };
    }
    return { whole => $whole, subs => \%subs, digits => 3, is_part => 1 };
}

# All time, as in other programs.
sub _table {
    my (@paths) = @_;
    my $rows = decode_json(_output('nytp-table', '--by=subs', '--format=json', '--wait', @paths));
    return { is_part => 1, subs => { map { ($_->{sub} => { own => $_->{self_s}, incl => $_->{total_s}, own_percent => $_->{percent},
        defined $_->{calls} ? (calls => $_->{calls}) : () }) } grep { defined $_->{self_s} } @$rows } };
}

my %by = (
    'nytp-table'      => \&_table,
    nytprofcsv        => \&_csv,
    nytprofhtml       => \&_html,
    'report\'s stacks' => \&_html_stacks,
    nytprofcg         => \&_callgrind,
    nytprofcalls      => \&_collapsed,
    'nytp-dot'        => \&_dot,
    'nytp-tree'       => \&_tree,
    'nytp-tree --markdown' => \&_markdown,
    'nytp-speedscope' => \&_speedscope,
    'nytp-speedscope --cpuprofile' => \&_cpuprofile,
    'nytp-pprof'      => \&_pprof,
    'nytp-trace'      => \&_trace,
    'nytp-diff'       => \&_diff,
    'nytp-top'        => \&_top,
);

# The programs that said_by() knows.
sub saying { return sort keys %by }

sub said_by {
    my ($program, @arguments) = @_;
    return $by{$program}->(@arguments);
}

1;
