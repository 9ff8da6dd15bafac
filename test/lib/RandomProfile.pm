package RandomProfile;

# Random profiles, the same ones for the same seed: files, nested string evals, subs that several evals
# define, statements, calls, source.
#
#   use RandomProfile qw(random_profile);
#   my $bytes = random_profile($seed, ticks_per_sec => [1e6, 1e9], redefined => 1);

use strict;
use warnings;

use Exporter 'import';
use ProfileBytes qw(profile_bytes);

our @EXPORT_OK = qw(random_profile);

my @FILES = map { "/srv/lib/File$_.pm" } 1 .. 5;
my @NAMES = map { "Pkg::sub$_" } 1 .. 6;
my @LINES = 1 .. 6;

my $state;
sub _below { my ($n) = @_; $state = ($state * 1103515245 + 12345) & 0x7FFFFFFF; return int($state / 65536) % $n }
sub _one_of { return $_[_below(scalar @_)] }

# Files and evals in some order, each with a fid of this profile.
sub _files {
    my @files;
    for my $name (grep { _below(3) } @FILES) {
        push @files, { name => $name, eval_fid => 0, eval_line => 0, flags => 0x12 };
    }
    push @files, { name => $FILES[0], eval_fid => 0, eval_line => 0, flags => 0x12 } if !@files;
    for my $number (1 .. _below(9)) {
        my $parent = _below(scalar @files);
        my $line   = _one_of(1, 2);
        push @files, { name => "(eval $number)[$files[$parent]{name}:$line]", eval_fid => $parent + 1,
            eval_line => $line,
            flags => 0x102 };
    }
    return @files;
}

# A sub has the same range everywhere, unless it may be redefined.
sub _range {
    my ($name, $redefined) = @_;
    my ($number) = $name =~ /(\d+)\z/;
    my $first = 1 + ($redefined ? _below(3) : $number % 3);
    return ($first, $first + ($redefined ? _below(2) : $number % 2));
}

sub _subs {
    my ($redefined, @files) = @_;
    my @subs;
    for my $fid (1 .. @files) {
        my $file = $files[ $fid - 1 ];
        my %done;
        for my $name (map { _one_of(@NAMES) } 1 .. _below(3)) {
            next if $done{$name}++;
            my $own = $file->{eval_fid} ? $name : "$name\_$file->{name}" =~ s/\W/_/gr . '1';
            push @subs, [SUB_INFO => $fid, $own, _range($own, $redefined && $file->{eval_fid})];
        }
        push @subs, [SUB_INFO => $fid, "Pkg::__ANON__[$file->{name}:3]", 3, 3] if !_below(3);
    }
    return @subs;
}

sub _event {
    my ($fids) = @_;
    my ($fid, $line, $kind) = (1 + _below($fids), _one_of(@LINES), _below(10));
    return ([TIME_LINE => _below(1 << _below(28)), $fid, $line]) if $kind < 4;
    return ([DISCOUNT => ], [TIME_LINE => _below(500), $fid, $line]) if $kind < 5;
    return ([TIME_BLOCK => _below(500), $fid, $line, _one_of(@LINES), 1]) if $kind < 7;
    return ([SUB_ENTRY => $fid, $line]) if $kind < 8;
    return ([SUB_RETURN => 1 + _below(4), _below(90_000), _below(50_000), _one_of(@NAMES)]);
}

sub _arc {
    my ($fids, $ticks_per_sec) = @_;
    return [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'Pkg::CORE:print'] if !_below(5);
    return [SUB_CALLERS => 1 + _below($fids), _one_of(@LINES), _one_of('main::RUNTIME', @NAMES), 1 + _below(9),
        (map { _below(1 << 20) / $ticks_per_sec } 1 .. 3), _below(4), _one_of(@NAMES)];
}

sub _source {
    my ($fids) = @_;
    my ($fid, $line) = (1 + _below($fids), _one_of(@LINES));
    return [SRC_LINE => $fid, $line, 'line ' . _below(3) . " of it\n"];
}

# Options: ticks_per_sec, a list to choose from; redefined: subs of evals get other line ranges; compress; pid
# of the process, by default the seed.
sub random_profile {
    my ($seed, %option) = @_;
    $state = $seed * 7919 + 17;
    _below(2) for 1 .. 5;
    my $ticks_per_sec = _one_of(@{ $option{ticks_per_sec} // [1e7] });
    my @files         = _files();
    my @new           = map {
        my $f = $files[$_];
        [NEW_FID => $_ + 1, @$f{qw(eval_fid eval_line flags)}, 0, 0, $f->{name}]
    } 0 .. $#files;
    return profile_bytes(
        [VERSION   => 5, 0],
        [ATTRIBUTE => 'basetime', 1000 + _below(50)],
        [ATTRIBUTE => 'application', _one_of('one.pl', 'two.pl', 'three.pl')],
        [ATTRIBUTE => 'perl_version', '5.36.0'],
        [ATTRIBUTE => 'ticks_per_sec', $ticks_per_sec],
        [OPTION    => 'calls', 2],
        [OPTION    => 'forkdepth', 2],
        ($option{compress} ? ['START_DEFLATE'] : ()),
        [PID_START => $option{pid} // $seed, 1, 1000 + _below(1000) / 8],
        @new,
        (map { _event(scalar @files) } 1 .. 40),
        [TIME_LINE => 7, 1, 1],
        [PID_END   => $option{pid} // $seed, 2000 + _below(1000) / 8],
        _subs($option{redefined}, @files),
        (map { _arc(scalar @files, $ticks_per_sec) } 1 .. 12),
        (map { _source(scalar @files) } 1 .. 10),
        [ATTRIBUTE => 'cumulative_overhead_ticks', _below(1000)],
    );
}

1;
