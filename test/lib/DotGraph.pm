package DotGraph;

# A graph as Graphviz draws it: the real dot draws it, and the SVG is read back.
#
#   use DotGraph qw(drawn);
#   my $graph = drawn($dot_text);
#   $graph->{complaint};                    # what dot said, '' when all was well
#   $graph->{nodes}{'main::f'}{lines};      # texts; also tip, url, fill, pen, size (of the font)
#   $graph->{edges}[0];                     # from, to, lines, tip, pen, dashed
#   $graph->{clusters}{'Pkg'};              # names of nodes in it; the keys are tips
#   $graph->{lines};                        # of the title
#
# The note on what is not shown is the node 'not shown '.

use strict;
use warnings;

use Encode qw(decode);
use Exporter 'import';
use NYTPTest qw(run);

our @EXPORT_OK = qw(drawn);

my %entity = (amp => '&', lt => '<', gt => '>', quot => '"', apos => "'");

sub _text {
    my ($xml) = @_;
    $xml =~ s/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/defined $1 ? chr $1 : defined $2 ? chr hex $2 : $entity{$3}/egi;
    return $xml;
}

# Elements nest, attributes are quoted, and every ampersand begins an entity.
sub _is_xml {
    my ($svg) = @_;
    my @open;
    $svg =~ s/\A<\?xml.*?\?>\s*<!DOCTYPE.*?>//s;
    $svg =~ s/<!--.*?-->//gs;
    return 0 if $svg =~ /&(?!(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos);)/i || $svg =~ /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
    while ($svg =~ /\G[^<]*<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/gc) {
        if    ($1)  { return 0 if (pop @open // '') ne $2 }
        elsif (!$4) { push @open, $2 }
    }
    return !@open && $svg =~ /\G\s*\z/;
}

sub _element {
    my ($xml) = @_;
    my ($title) = $xml =~ /<title>(.*?)<\/title>/s;
    my ($tip)   = $xml =~ /xlink:title="(.*?)"/s;
    my ($url)   = $xml =~ /xlink:href="(.*?)"/s;
    my ($size)  = $xml =~ /font-size="([\d.]+)"/;
    my ($fill)  = $xml =~ /<(?:path|polygon)[^>]* fill="(.*?)"/;
    my ($pen)   = $xml =~ /stroke-width="([\d.]+)"/;
    return {
        title  => _text($title),
        lines  => [ map { s/^\s+|\s+$//gr } map { _text(s/&#160;/ /gr) } $xml =~ /<text[^>]*>(.*?)<\/text>/gs ],
        tip    => _text($tip // ''),
        url    => defined $url ? _text($url) : undef,
        fill   => $fill,
        pen    => $pen // 1,
        size   => $size,
        dashed => $xml =~ /stroke-dasharray/ ? 1 : 0,
    };
}

# If dot cannot draw a graph within a minute, the drawing is cut off, which is a complaint.
sub drawn {
    my ($dot) = @_;
    my $got = run(['timeout', 60, 'dot', '-Tsvg'], stdin => $dot);
    my $graph = { complaint => $got->{err}, nodes => {}, edges => [], clusters => {}, dot => $dot };
    $graph->{complaint} .= "exit status @{[$got->{status} // 'none']}\n"
        if !defined $got->{status} || $got->{status} != 0;
    my $svg = decode('UTF-8', $got->{out}, Encode::FB_DEFAULT);
    $graph->{complaint} .= "not UTF-8\n" if $svg =~ /\x{fffd}/ && $dot !~ /\xef\xbf\xbd/;
    $graph->{complaint} .= "the drawing is not XML\n" if !_is_xml($svg);
    my ($head, @groups) = split /(?=<g id="(?:node|edge|clust)\d+" class=")/, $svg;
    for my $xml (@groups) {
        my $element = _element($xml);
        my ($class) = $xml =~ /class="(\w+)"/;
        $graph->{nodes}{ $element->{title} } = $element if $class eq 'node';
        $graph->{clusters}{ $element->{tip} } = $element if $class eq 'cluster';
        if ($class eq 'edge') {
            @$element{qw(from to)} = $element->{title} =~ /\A(.*)->(.*)\z/s;
            push @{ $graph->{edges} }, $element;
        }
    }
    $graph->{lines} = _element($head)->{lines};
    return $graph;
}

1;
