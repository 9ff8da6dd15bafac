package ReportPage;

# What is in a report that nytprofhtml wrote, read as converters/nytprofhtml/DATA.md describes it.
#
#   use ReportPage;
#   my $page = ReportPage->new($html);
#   $page->{core}{subs}{name}[0];
#   $page->source_of('/usr/bin/prog');    # the text, or undef
#   $page->block('requests');             # another block of JSON, or undef
#   $page->static;                        # the page without its data

use strict;
use warnings;

use Compress::Raw::Zlib;
use FastJSON ();

my $block_bytes = 262_144;

# "(" to "~" are the digits, without "<" and "\\".
sub _from_base85 {
    my ($text) = @_;
    my $missing = -length($text) % 5;
    $text .= '~' x $missing;
    $text =~ tr/(-;=-[]-~/\000-\124/;
    my $bytes = '';
    while ($text =~ /(.{5})/gs) {
        my $group = 0;
        $group = $group * 85 + $_ for unpack 'C5', $1;
        $bytes .= pack 'N', $group & 0xFFFF_FFFF;
    }
    return substr $bytes, 0, length($bytes) - $missing;
}

sub _inflated {
    my ($text) = @_;
    my $inflate = Compress::Raw::Zlib::Inflate->new(-WindowBits => -15);
    my $bytes   = _from_base85($text);
    my $status  = $inflate->inflate($bytes, my $out);
    die "a block that cannot be inflated: $status\n" if $status != Z_STREAM_END;
    die "something follows the deflated data\n"      if length $bytes;
    return $out;
}

sub new {
    my ($class, $html) = @_;
    my %block = $html =~ m{<script type="text/plain" id="([^"]+)">([^<]*)</script>}g;
    my $self = bless { html => $html, block => \%block, core => FastJSON::new()->utf8->decode(_inflated($block{core})) },
        $class;
    _add_up($self->{core}{lines}{line});
    _add_up($self->{core}{calls}{begin});
    _unpack_subs($self->{core});
    _unpack_arcs(@{ $self->{core} }{qw(arcs subs)});
    my @source = map { $block{"source-$_"} } grep { exists $block{"source-$_"} } 0 .. keys %block;
    $self->{source} = [map { _inflated($_) } @source];
    die "a block of another size\n" if grep { length != $block_bytes } @{ $self->{source} }[0 .. $#source - 1];
    return $self;
}

sub _add_up {
    my ($column) = @_;
    $column->[$_] += $column->[$_ - 1] for 1 .. $#$column;
    return;
}

sub _unpack_subs {
    my ($core) = @_;
    my ($names, $of) = @{ $core->{subs} }{qw(name package)};
    $names->[$_] = $core->{packages}{name}[$of->[$_]] . $names->[$_] for 0 .. $#$names;
    return;
}

sub _unpack_arcs {
    my ($arcs, $subs) = @_;
    _add_up($arcs->{$_}) for qw(callee caller);
    my @line_before = @{ $subs->{first} };
    for my $arc (0 .. $#{ $arcs->{caller} }) {
        my $caller = $arcs->{caller}[$arc];
        $arcs->{file}[$arc] += $subs->{file}[$caller];
        $line_before[$caller] += $arcs->{line}[$arc];
        $arcs->{line}[$arc] = $line_before[$caller];
        $arcs->{incl}[$arc] = $arcs->{inner}[$arc] + $arcs->{excl}[$arc];
    }
    return;
}

# The stacks of a process, with a row for each of the report: {calls, excl}. undef: it has no block.
sub process {
    my ($self, $number) = @_;
    my $text = $self->{block}{"process-$number"} // return;
    my ($block, $stacks) = (FastJSON::new()->utf8->decode(_inflated($text)), $self->{core}{stacks});
    my %column = map { $_ => [(0) x @{ $stacks->{sub} }] } qw(calls excl asleep queued);
    _add_up($block->{stack});
    for my $i (0 .. $#{ $block->{stack} }) {
        my $row = $block->{stack}[$i];
        my $all = $block->{calls}[$i] < 0;
        $column{calls}[$row] = $all ? $stacks->{calls}[$row] : $block->{calls}[$i];
        $column{$_}[$row] = $all ? $stacks->{$_}[$row] : shift @{ $block->{$_} } for qw(excl asleep queued);
    }
    return \%column;
}

sub file_number {
    my ($self, $name) = @_;
    my $names = $self->{core}{files}{name};
    return (grep { $names->[$_] eq $name } 0 .. $#$names)[0];
}

sub source_of {
    my ($self, $name) = @_;
    my $number = $self->file_number($name) // return;
    my ($from, $bytes) = map { $self->{core}{files}{$_}[$number] } qw(from bytes);
    return $from < 0 ? undef : substr join('', @{ $self->{source} }), $from, $bytes;
}

# Rows of the lines of a file: [line, statements, ticks].
sub lines_of {
    my ($self, $number) = @_;
    my $lines = $self->{core}{lines};
    my $first = 0;
    $first += $lines->{count}[$_] for 0 .. $number - 1;
    return map { my $row = $_; [map { $lines->{$_}[$row] } qw(line calls ticks)] } $first .. $first
        + $lines->{count}[$number] - 1;
}

# By the name of a sub: calls, inclusive, exclusive ticks, values kept, summed over its arcs.
sub subs {
    my ($self) = @_;
    my ($subs, $arcs) = @{ $self->{core} }{qw(subs arcs)};
    my %sum;
    for my $i (0 .. $#{ $arcs->{callee} }) {
        my $sum = $sum{ $subs->{name}[$arcs->{callee}[$i]] } //= { calls => 0, incl => 0, excl => 0, reci => 0, kept => 0 };
        $sum->{$_} += $arcs->{$_}[$i] for keys %$sum;
    }
    return \%sum;
}

sub block {
    my ($self, $name) = @_;
    my $text = $self->{block}{$name};
    return defined $text ? FastJSON::new()->utf8->decode(_inflated($text)) : undef;
}

sub static {
    my ($self) = @_;
    return $self->{html} =~ s{<script.*?</script>}{}gsr =~ s{<style>.*?</style>}{}sr;
}

1;
