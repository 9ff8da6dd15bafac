# A debugger that prints the stack of each statement that is executed, as caller() has it: "SUB PLACE;...;PLACE",
# outermost first, each sub with the place where it was called, and the place of the statement. It begins with the
# statement that sends the program SIGUSR1, and ends with the next one that does.

package Devel::TrueStacks;

use strict;
use warnings;

package DB;    # whose own statements perl does not debug

BEGIN { $^P = 2 }    # have perl call DB() for statements, and compile the program as it does otherwise

my ($stack, $prints) = ('', 0);
$SIG{USR1}  = sub { $prints = !$prints; print "$stack\n" if $prints };
$DB::single = 1;

sub DB {
    my (undef, @place) = caller 0;
    my @stack = "$place[0]:$place[1]";
    for (my $up = 1; my @call = caller $up; $up++) {
        my (undef, $file, $line, $sub, undef, undef, $text, $is_require) = @call;
        $sub = $is_require ? '(require)' : defined $text ? '(string)' : '(block)' if $sub eq '(eval)';
        unshift @stack, "$sub $file:$line";
    }
    $stack = join ';', @stack;
    print "$stack\n" if $prints;
    return;
}

1;
