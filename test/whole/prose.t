# No sentence stands twice in a manual or a page, as after a merge or an edit that went wrong, and no word stands twice
# in a row.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir slurp top_dir);
use Test::More;

my ($build, $top) = (build_dir(), top_dir());

# The paragraphs of mdoc, Markdown or POD. What is not prose ends a paragraph: code, tables, headings, items of lists.
sub paragraphs {
    my ($text) = @_;
    $text =~ s/^```.*?^```$/\n/gms;
    $text =~ s/^\.Bd.*?^\.Ed$/\n/gms;
    $text =~ s/^(?:\||#|    ).*$/\n/gm;
    $text =~ s/^[-*] /\n\n/gm;
    $text =~ s/^\.(?:Sh|Ss|It|Bl|El|Pp|D[dt]|Os)\b.*$/\n/gm;
    $text =~ s/^\.[A-Z][a-z] //gm;
    return map { s/\s+/ /gr } split /\n\s*\n/, $text;
}

sub doubled {
    my ($text) = @_;
    my (%seen, @found);
    for my $paragraph (paragraphs($text)) {
        push @found, grep { tr/ // >= 4 && $seen{$_}++ } split /(?<=[.!?:;])\s+/, $paragraph;
        push @found, $1 while $paragraph =~ /(?<![\w-])(([a-z]+) \2)(?![\w-])/gi;
    }
    return @found;
}

is_deeply([doubled("It is read once a second. More.\n\n- It is read\n  once a second. And and so on.\n")],
    ['It is read once a second.', 'And and'], 'both are found');
is_deeply([doubled(".It Fl a\nIt is read once a\n.Ar DAY .\n.It Fl b\nIt is read once a\n.Ar DAY .\n")],
    ['It is read once a DAY .'], '... in a manual');

my @pages = (glob("$build/man/*.1"), map { glob "$top/$_" } qw(*.md doc/*.md xs/lib/Devel/*.pm));
cmp_ok(scalar @pages, '>', 25, 'there are pages');
for my $page (@pages) {
    is_deeply([doubled($page =~ /\.pm$/ ? slurp($page) =~ s/^.*?^(?==head1)//msr : slurp($page))], [],
        $page =~ s{^\Q$top/}{}r);
}

done_testing;
