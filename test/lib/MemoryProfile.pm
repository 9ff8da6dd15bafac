package MemoryProfile;

# Reads profiles of memory, with Devel::NYTProf::ReadStream of this build.
#
#   my $memory = memory_view('nytprof.out', 'live');
#   # { attributes, bytes, blocks, complete, sites => [{ bytes, blocks, kind, file, line, stack => [subs] }], arcs,
# files }
#   bytes_of($memory, 'main::leak'); blocks_of(...); bytes_of_kind($memory, 'strings')

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum0);
use NYTPTest qw(build_dir run);

our @EXPORT_OK = qw(blocks_of bytes_in bytes_of bytes_of_kind heap_files memory_view read_memory);

# Statements wait at their depth until the call that they are in returns, which has its name.
my %on = (
    ATTRIBUTE => sub {
        my ($m, $key, $value) = @_;
        return $m->{attributes}{$key} = $value if $key ne 'memory';
        @$m{qw(next_blocks next_samples next_error next_kind)} = $value =~ /\A(\d+) (?:(\d+) (\d+) )?(\D.*)\z/ or die "memory=$value\n";
        return;
    },
    NEW_FID   => sub { my ($m, $fid, $eval, $line, $flags, $size, $time, $name) = @_; $m->{files}{$fid} = $name },
    SUB_ENTRY => sub { my ($m) = @_; push @{ $m->{open} }, [] },
    DISCOUNT  => sub { my ($m) = @_; $m->{goes_on} = 1 },
    TIME_LINE => sub {
        my ($m, $ticks, $fid, $line) = @_;
        my $kind = $m->{next_kind} // 'other';
        if ($m->{goes_on}) {
            $m->{sites}[-1]{bytes} += $ticks;
        } else {
            my $site = { bytes => $ticks, blocks => $m->{next_blocks} // 1, samples => $m->{next_samples},
                error => $m->{next_error}, kind => $kind, fid => $fid, line => $line,
                stack => [] };
            push @{ $m->{sites} }, $site;
            push @{ $m->{open}[-1] }, $site;
        }
        $m->{goes_on} = $m->{next_blocks} = 0;
        $m->{next_kind} = undef;
    },
    SUB_RETURN => sub {
        my ($m, $depth, $inclusive, $exclusive, $name) = @_;
        die "depth $depth\n" if $depth != $#{ $m->{open} };
        my $sites = pop @{ $m->{open} };
        unshift @{ $_->{stack} }, $name for @$sites;
        push @{ $m->{open}[-1] }, @$sites;
        $m->{returned}{$name} += $exclusive;
    },
    SUB_CALLERS => sub {
        my ($m, $fid, $line, $count, $inclusive, $exclusive, $recursive, $depth, $called, $caller) = @_;
        $m->{arcs}{"$caller -> $called"} += $inclusive * 2**20 if $count;
    },
    PID_START => sub { my ($m, $pid) = @_; $m->{pid} = $pid },
    PID_END => sub { my ($m) = @_; $m->{complete} = 1 },
);

sub read_memory {
    my ($file) = @_;
    require lib;
    lib->import(build_dir() . '/perl5');
    require Devel::NYTProf::ReadStream;
    my %m = (open => [[]], sites => [], files => {}, attributes => {});
    Devel::NYTProf::ReadStream::for_chunks(sub { my $tag = shift; $on{$tag}->(\%m, @_) if $on{$tag} },
        filename => $file, quiet => 1);
    $_->{file} = $m{files}{ $_->{fid} } for @{ $m{sites} };
    $m{bytes}  = sum0(map { $_->{bytes} } @{ $m{sites} });
    $m{blocks} = sum0(map { $_->{blocks} } @{ $m{sites} });
    return \%m;
}

# What was allocated while the sub ran, also by others that it called.
sub _sum { my ($m, $what, $is) = @_; return sum0(map { $_->{$what} } grep { $is->($_) } @{ $m->{sites} }) }
sub bytes_of  { my ($m, $sub) = @_; return _sum($m, 'bytes', sub { grep { $_ eq $sub } @{ $_[0]{stack} } }) }
sub blocks_of { my ($m, $sub) = @_; return _sum($m, 'blocks', sub { grep { $_ eq $sub } @{ $_[0]{stack} } }) }
sub bytes_of_kind { my ($m, $kind) = @_; return _sum($m, 'bytes', sub { $_[0]{kind} eq $kind }) }

# What belongs to lines of a file, by a pattern of its name; of one kind, if that is given.
sub bytes_in {
    my ($m, $file, $kind) = @_;
    return _sum($m, 'bytes', sub { $_[0]{file} =~ $file && $_[0]{kind} eq ($kind // $_[0]{kind}) });
}

# A view of a profile, as --memory says it; undef if there is none.
sub memory_view {
    my ($file, $view, @options) = @_;
    my $ran = run([build_dir() . '/bin/nytprofmerge', "--memory=$view", @options, '-o', "$file.view", $file]);
    my $memory = ($ran->{status} // 1) == 0 ? read_memory("$file.view") : undef;
    unlink "$file.view";
    return $memory;
}

# { peak, live, alloc }; without samples of memory, {}.
sub heap_files {
    my ($file) = @_;
    my %views = map { $_ => memory_view($file, $_) } qw(peak live alloc);
    return { map { $_ => $views{$_} } grep { $views{$_} } keys %views };
}

1;
