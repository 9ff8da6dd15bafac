# Samples of a perl that is stopped after each machine instruction are true, and so are nearly all samples of one that
# goes on while it is read. What is true is what perl's caller() says. test/programs/sample-steps.c takes the samples.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(max min);
use NYTPTest qw(build_dir run slurp top_dir valgrind);
use Sampled qw(may_sample sampled_perl);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden                                       if defined $forbidden;
plan skip_all => 'valgrind executes other instructions than perl' if valgrind();

my $SCRIPT     = 'steps.pl';
my $MOST_SHOWN = 10;
my @arguments  = $ENV{EXHAUSTIVE} ? 'all' : ();
my %in         = (dir => top_dir() . '/test/scripts/record');

# ---- what is true ----

# The stack at each statement, as caller() has it: { calls, place, is_entry }. A statement is the first one of its call if
# it is the one that its sub began with at first. What has no name of its own may be called again and again.
my (@truth, %first);
my @debugger = ('-I', top_dir() . '/test/lib', '-d:TrueStacks');
for (split /\n/, run([sampled_perl(), @debugger, $SCRIPT, @arguments], %in)->{out}) {
    my @calls = split /;/;
    my $place = pop @calls;
    my $sub   = @calls ? $calls[-1] =~ s/ .*//r : '';
    my $is_entry = @calls && ($sub =~ /\A\(|__ANON__/ || ($first{$sub} //= $place) eq $place);
    push @truth, { calls => \@calls, place => $place, is_entry => $is_entry };
}

sub stack { my ($truth, $depth, $place) = @_; return join ';', @{ $truth->{calls} }[0 .. $depth - 1], $place }

# When perl leaves a block, it goes on from the statement that entered it: the places of those.
my @lines = split /\n/, slurp("$in{dir}/$SCRIPT"), -1;

sub entered_by {
    my ($file, $line) = $_[0] =~ /\A(.*):(\d+)\z/;
    return if $file ne $SCRIPT;
    my ($indent, @places) = $lines[$line - 1] =~ /\A( *)/;
    for my $above (reverse 1 .. $line - 1) {
        my ($less) = $lines[$above - 1] =~ /\A( *)\S/ or next;
        next if length $less >= length $indent;
        $indent = $less;
        push @places, "$file:$above";
    }
    return @places;
}

# Perl's compiler goes through the lines of a string eval, from 0 to the one after the last. No eval here has more than 3.
sub compiled { my ($place) = @_; return $place =~ /\A(\(eval \d+\)):1\z/ ? map { "$1:$_" } 0 .. 4 : () }

# For each number of calls of a stack: the places where the innermost of them may be. That of an outer one is where it
# calls.
sub places {
    my ($truth) = @_;
    return [(map { [s/\A\S+ //r] } @{ $truth->{calls} }), [$truth->{place}]];
}

# The stacks that are true from one statement to the next. Calls of the old one end as far as the new one does not have
# them, and then those of the new one begin. As a call begins or ends, its frame and the statement change, one after the
# other.
sub true_between {
    my ($old, $new) = @_;
    my $most   = min(scalar @{ $old->{calls} }, scalar @{ $new->{calls} });
    my $common = 0;
    $common++ while $common < $most && $old->{calls}[$common] eq $new->{calls}[$common];
    $common-- if $new->{is_entry} && $common == @{ $new->{calls} };
    my ($before, $after) = (places($old), places($new));
    $_ = [map { ($_, entered_by($_)) } @$_] for @$before;
    push @{ $after->[-1] }, compiled($new->{place});
    my %is_true;
    for ([$old, $before], [$new, $after]) {
        my ($truth, $at) = @$_;
        for my $depth ($common .. $#$at) {
            my @near = map { @{ $at->[$_] } } max($common, $depth - 1) .. min($#$at, $depth + 1);
            $is_true{ stack($truth, $depth, $_) } = 1 for @near;
        }
    }
    return \%is_true;
}

my @true = map { true_between(@truth[$_, min($_ + 1, $#truth)]) } 0 .. $#truth;

# ---- samples ----

# While an observer reads, perl goes on: it executes at most DELAY instructions between two pieces of memory that the
# observer reads. The longer the delay, the fewer samples one observer takes, so there are more of them: for each delay
# there are at least 400 samples. At which moments depends on the environment, which moves perl's memory: OBSERVERS=50
# has that many times as many observers, to look for moments with a sample that is not true.
my $times     = $ENV{OBSERVERS} // 1;
my %OBSERVERS = map { ($_->[0] => $times * $_->[1]) } [20, 8], [100, 8], [500, 80];
my @DELAYS    = sort { $a <=> $b } keys %OBSERVERS;
my $got    = run([build_dir() . '/test/sample-steps', build_dir() . '/share/nytprof/offsets',
    join(',', 0, map { ($_) x $OBSERVERS{$_} } @DELAYS), sampled_perl(), $SCRIPT, @arguments], %in);
is($got->{status}, 0, 'a perl executes one instruction after another') or die $got->{err};

my (%samples, @statement_at);
my $statement = 0;
for (split /\n/, $got->{out}) {
    my ($delay, $begin, $read, $end, $stack) = split /\t/;
    if ($delay eq 'statement') { $statement++; next }
    $statement_at[$end] = $statement;
    push @{ $samples{$delay} }, { begin => $begin, read => $read, end => $end, stack => $stack };
}
is($statement, $#truth, 'the sampled perl began as many statements as the one that printed its stacks');

sub is_true {
    my ($sample, $stack) = @_;
    return grep { $true[$_]{$stack} } $statement_at[ $sample->{begin} ] .. $statement_at[ $sample->{end} ];
}

# Passes if those that are wrong are at most this share of all.
sub at_most {
    my ($share, $name, $all, @wrong) = @_;
    note(sprintf '%s: %d of %d', $name, scalar @wrong, scalar @$all);
    return ok(@$all && @wrong <= $share * @$all, $name) || diag(
        join "\n",
        map { "after $_->{read} instructions: $_->{stack}\n  beside $truth[ $statement_at[ $_->{read} ] ]{place}" }
            @wrong[0 .. min($#wrong, $MOST_SHOWN)]
    );
}

# ---- a perl that is stopped ----

# Perl fills in the context of an eval when that is the innermost one already: until then it says which call it was of.
sub without_new_eval { my ($stack) = @_; return $stack =~ s/\((?:string|block|require)\) [^;]*;([^;]*)\z/$1/r }

my @stopped = @{ $samples{0} };
my @taken   = grep { $_->{stack} ne 'torn' } @stopped;
my @other   = grep { !is_true($_, $_->{stack}) } @taken;
at_most(0.01, 'stopped after each instruction: torn', \@stopped, grep { $_->{stack} eq 'torn' } @stopped);
at_most(0.005, '... evals that perl has not filled in', \@taken, @other);
at_most(0, '... other stacks that are not true', \@taken, grep { !is_true($_, without_new_eval($_->{stack})) } @other);

# ---- a perl that goes on ----

# Eval blocks are not among the calls of a profile.
sub calls { my ($stack) = @_; return $stack =~ s/\(block\) [^;]*;//gr }

# Each call of a stack with the sub that makes it, where the place of that is known.
sub pairs {
    my ($stack) = @_;
    my @calls = ('', split /;/, $stack);
    return grep { !/ \?:0\z/ } map { ($calls[$_ - 1] =~ s/ .*//r) . " $calls[$_]" } 1 .. $#calls - 1;
}

for my $stacks (@true) { $stacks->{ calls($_) } = 1 for keys %$stacks }
my %is_made = map { $_ => 1 } map { pairs($_) } map { keys %$_ } @true;
for my $delay (@DELAYS) {
    my @all   = grep { $_->{stack} ne 'torn' } @{ $samples{$delay} };
    my @other = grep { !is_true($_, calls($_->{stack})) } @all;
    # Torn is what changed so often that no try fits together. What is not true is the caller of a sub that ended
    # meanwhile, by the calls that were seen last. No false call is allowed at all.
    at_most(0.02, "up to $delay instructions between reads: torn", $samples{$delay},
        grep { $_->{stack} eq 'torn' } @{ $samples{$delay} });
    at_most(0.05, '... stacks that are not true', \@all, @other);
    at_most(0, '... calls that are never made', \@all,
        grep { grep { !$is_made{$_} } pairs(calls(without_new_eval($_->{stack}))) } @other);
    next if $delay == $DELAYS[-1];    # callers of subs that end meanwhile are not known yet
    at_most(0.1, '... stacks of another moment than that when what runs was read', \@all,
        grep { calls($_->{stack}) ne calls($stopped[ $_->{read} - 1 ]{stack}) } @all);
}
done_testing();
