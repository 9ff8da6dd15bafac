package Collapsed;

# Collapsed stacks, ours and stock's, in a form that can be compared.
#
#   use Collapsed qw(parsed stock_text);
#   my $stacks = parsed($text);    # { 'main::f;main::g' => 12 }

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(run);

our @EXPORT_OK = qw(parsed frames_of stock_text stock_program);

# Values by stack. Dies if a line is not a stack. Equal stacks are added up.
sub parsed {
    my ($text) = @_;
    my %value;
    for my $line (split /\n/, $text) {
        my ($stack, $value) = $line =~ /^(.*) (-?\d+(?:\.\d+)?)$/ or die "no stack with a value: $line\n";
        $value{$stack} += $value;
    }
    return \%value;
}

# Values by innermost sub.
sub frames_of {
    my ($stacks) = @_;
    my %value;
    $value{ s/.*;//sr } += $stacks->{$_} for keys %$stacks;
    return \%value;
}

# The installed one: our build has a program of the same name.
sub stock_program {
    my ($name) = @_;
    for my $dir (grep { m{^/usr} } split /:/, $ENV{PATH}) {
        return "$dir/$name" if -x "$dir/$name" && do { open my $in, '<', "$dir/$name"; readline($in) =~ /perl/ };
    }
    die "$name: not found\n";
}

# What stock prints, with names as ours shows them; undef when it gives up. Stock keeps semicolons and
# newlines in names, which break its stacks and lines: names that have them must be given.
sub stock_text {
    my ($options, $paths, @awkward_names) = @_;
    my $got = run([stock_program('nytprofcalls'), '--stable', @$options, @$paths], env => { PERL_UNICODE => 'O' });
    return if $got->{status} != 0;
    my $text = $got->{out};
    for my $name (@awkward_names) {
        (my $shown = $name) =~ tr/;/?/;
        $shown =~ s/\n/\\n/g;
        $text  =~ s/\Q$name\E/$shown/g;
    }
    return $text;
}

1;
