# Our collector and Debian's record the same about the same program, except times, under many options, and the program
# runs as it does without either. EXHAUSTIVE=1 runs every program under every option, which takes long.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorPrograms qw(framework_programs programs scripts);
use CollectorRun qw(collector command exhaustive need_collector optional_module plain profiled same_behaviour
    same_files);
use File::Path qw(remove_tree);
use NYTPTest qw(run scratch_dir valgrind);
use ProfileCompare qw(compare_runs read_profile);
use StockModules;
use Test::More;

need_collector();

# Without nameevals and nameanonsubs: Debian's collector clears all flags but the one that it should clear.
# Single options, and mixtures such that every two values of two options occur together in one of them.
my %VALUES = (
    addpid       => [0, 1],
    blocks       => [0, 1],
    calls        => [1, 0, 2],
    compress     => [6, 0, 1, 9],
    findcaller   => [0, 1],
    forkdepth    => [-1, 0, 1, 2],
    leave        => [1, 0],
    optimize     => [1, 0],
    savesrc      => [1, 0],
    slowops      => [2, 0, 1],
    start        => ['begin', 'init', 'end'],
    stmts        => [1, 0],
    subs         => [1, 0],
    use_db_sub   => [0, 1],
);

sub single_options {
    return map {
        my $option = $_;
        map { { $option => $_ } } @{ $VALUES{$option} }[1 .. $#{ $VALUES{$option} }];
    } sort keys %VALUES;
}

# Greedy: of some random mixtures, takes the one with the most pairs that are not in an earlier one.
sub mixtures {
    my (%met, @mixtures);
    srand 20;
    my @options = sort keys %VALUES;
    my $pairs   = sub {
        my ($mix) = @_;
        return map { my $i = $_;
            map { "$options[$i]$mix->{$options[$i]} $options[$_]$mix->{$options[$_]}" } 0 .. $i - 1 } 1 .. $#options;
    };
    while (1) {
        my ($best, $most) = (undef, 0);
        for (1 .. 60) {
            my %mix = map { $_ => $VALUES{$_}[rand @{ $VALUES{$_} }] } @options;
            my $new = grep { !$met{$_} } $pairs->(\%mix);
            ($best, $most) = (\%mix, $new) if $new > $most;
        }
        return @mixtures if !$best || $most < 2;
        $met{$_} = 1 for $pairs->($best);
        push @mixtures, $best;
    }
}

my @single = (single_options(), { start => 'no' });
my @mixed  = mixtures();
srand; # for names of directories: tests that run at the same time must not use the same ones

# Modules that only one of the collectors loads for itself are loaded before both. BuiltFor.pm is only ours, and our
# modules load it, too: nobody loads it.
sub load_alike {
    my %loaded;
    my $dir = scratch_dir(); # not /dev/null, because the stock collector removes the file before it opens it
    for my $which ('stock', collector()) {
        my $got = run([command($which), '-d:NYTProf', '-e', 'print "$_\n" for keys %INC'],
            env => { NYTPROF => "file=$dir/nytprof.out" });
        $loaded{$_}++ for grep { !m{^Devel/NYTProf} } split /\n/, $got->{out};
    }
    my @uneven = sort grep { $loaded{$_} == 1 } keys %loaded;
    note "loaded before both collectors: @uneven" if @uneven;
    return join ' ', 'BEGIN { $^P = 0x310; $INC{"Devel/NYTProf/BuiltFor.pm"} = "" }', (map { "require '$_';" } @uneven),
        'use Devel::NYTProf;';
}
my $perl5db = load_alike();

sub of_run {
    my ($program) = @_;
    return map { $_ => $program->{$_} } grep { exists $program->{$_} } qw(stdin prepare env dir);
}

# What compare_runs must know about the program and the options.
sub how {
    my ($program, $options) = @_;
    return (
        same_collector  => collector() eq 'stock',
        left_open       => $program->{left_open},
        evals_alike     => $program->{evals_alike} && ($options->{use_db_sub} || !($options->{leave} // 1)),
        ends_in_c       => $program->{ends_in_c} && !($options->{subs} // 1),
        compiled_before => ($options->{start} // 'begin') ne 'begin',
        overwritten     => ($options->{start} // '') eq 'end' && !$options->{addpid},
    );
}

sub compare {
    my ($program, $options, $plain) = @_;
    my $name = "$program->{name} with " . (join(':', map { "$_=$options->{$_}" } sort keys %$options) || 'no options');

    my $crashes = $program->{crashes} && $program->{crashes}->($options);
    my $none_ok = $program->{may_be_none} || ($options->{start} // '') eq 'no';
    local $TODO = "this is what Debian's collector fails at"
        if collector() eq 'stock' && ($crashes || $program->{disturbs});

    my @runs = map { profiled($_, $program->{arguments}, of_run($program), options => $options, perl5db => $perl5db,
        async => 1) }
        $crashes ? () : 'stock', collector();
    my @got = map { $_->() } @runs;
    same_behaviour($plain, $got[-1], $name, $program->{varies});
    same_files($plain, $got[-1], $name, $program->{varies}) if !$program->{dir};
    my @found = $crashes ? grep { !read_profile($_)->{complete} } @{ $got[-1]{files} }
        : compare_runs(@got, how($program, $options));
    # otherwise there would be thousands
    remove_tree(map { ($_->{profiles}, $program->{dir} ? () : $_->{dir}) } @got);
    return ok(($none_ok || @{ $got[-1]{files} }) && !@found,
        "$name: " . ($crashes ? 'complete profile' : 'same profile'))
        || diag(join "\n", @found[0 .. ($#found < 30 ? $#found : 30)]);
}

my $turn = 0;

sub some_of { my ($count, @all) = @_; return map { $all[$turn++ % @all] } 1 .. $count }

sub compare_program {
    my ($program, $is_script) = @_;
    my @options = { calls => 2, blocks => 1 };
    if (exhaustive() && !valgrind()) { push @options, {},
        $is_script ? (@single, @mixed) : (some_of(6, @single), some_of(6, @mixed)) }
    elsif ($is_script && !valgrind()) { push @options, some_of(1, @single, @mixed) }
    my $plain = plain($program->{arguments}, of_run($program));
    compare($program, $_, $plain) for @options;
    return;
}

$ENV{LD_LIBRARY_PATH} //= '' if valgrind();    # valgrind sets it for the programs that it runs, and DynaLoader reads it

my @scripts = scripts();
cmp_ok(scalar @scripts, '>=', 40, 'there are scripts');
compare_program($_, 1) for @scripts;

# The statement that disables the profiler for good is in no profile.
compare($_, { leave => 0 }, plain($_->{arguments}, of_run($_))) for grep { $_->{name} eq 'disable-last' } @scripts;

# This program has enabled the profiler itself when start=end does.
compare($_, { start => 'end' }, plain($_->{arguments}, of_run($_)))
    for grep { $_->{name} eq 'enable-disable' } @scripts;

my @programs = programs();
cmp_ok(scalar @programs, '>=', 15, 'there are programs');
compare_program($_, 0) for @programs;
for my $program (framework_programs()) {
  SKIP: {
        skip "needs $program->{module}", 1 if !optional_module($program->{module}, $program->{package});
        compare_program($program, 0);
    }
}

done_testing();
