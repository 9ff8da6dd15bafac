# Calls of all kinds, for sample-steps. With an argument also those that take many instructions. A block that a
# statement enters is indented further than it, by which steps.t knows the statement.

use strict;
use warnings;

package Number {
    use overload '+' => sub {
        my ($number, $more) = @_;
        my $sum = $number->[0] + $more;
        return $sum;
    };
}

package Tied {
    sub TIESCALAR { return bless [1], shift }
    sub FETCH {
        my ($tied) = @_;
        return $tied->[0];
    }
}

package Object {
    my $last;
    sub DESTROY {
        my ($object) = @_;
        $last = $object->[0];
        return;
    }
}

package main;

sub leaf { return $_[0] * 2 }

sub middle {
    my ($number) = @_;
    my $double = leaf($number);
    return leaf($double);
}

sub outer {
    my ($number) = @_;
    leaf($number);
    return middle($number);
}

sub deep {
    my ($number) = @_;
    for my $once (1) {
        return deep($number - 1) if $number;
    }
    return leaf($number);
}

sub by_value {
    my $first = $a;
    return $first <=> $b;
}

sub dies {
    my $object = bless [1], 'Object';
    leaf(1);
    die "so\n";
}

sub jumps { goto &middle }

sub many_instructions {
    my ($round) = @_;
    my $value = eval "leaf($round);\nmiddle(2)";
    (my $text = 'xy') =~ s{x(.)}{ my $y = $1; leaf(1); $y }e;
    local $SIG{__WARN__} = sub { leaf(3) };
    warn "so\n";
    deep(20);
    my @mapped = map { leaf($_) } 1, 2;
    for my $kept (1 .. 2) {
        sub { leaf($kept) }->();
        sub { my $copy = $kept; middle($copy) }->();
    }
    no warnings 'redefine';
    eval 'leaf(1);' . "\n" x $round . 'sub made { ' . ('leaf(1)', 'middle(1)')[$round - 1] . ' }';
    made();
    return;
}

my ($all)  = @ARGV;
my $number = bless [1], 'Number';
tie my $tied, 'Tied';
for my $round (1 .. 2) {
    kill USR1 => $$ if $all ? $round == 1 : $round == 2;    # at first perl takes many instructions for all
    leaf($round);
    outer($round);
    my $sum    = $number + $round;
    my $value  = $tied;
    my @sorted = sort by_value 3, 1;
    my @again  = sort { my $first = leaf($a); $first <=> $b } 2, 1;
    eval {
        dies();
    };
    eval { leaf(1) };
    deep(1);
    jumps($round);
    my $closure = sub {
        my $inner = sub { return $round };
        return $inner->();
    };
    $closure->();
    'x' =~ /x(?{ leaf(2) })/;
    {
        my $gone = bless [2], 'Object';
    }
    many_instructions($round) if $all;
}
kill USR1 => $$;
