package NYTPHarness;

# How prove runs our tests: `prove --harness NYTPHarness TEST ...`, where a TEST is a .t file or a unit test. What takes
# too long is ended with all of its children. What a file writes to STDERR is shown when it has ended, and of files
# that fail once more at the end, where a log that is cut still has it. At the end all skips are listed, too, with CI=true
# in the environment those that SKIPS_ALLOWED does not list fail the run.

use strict;
use warnings;

use parent 'TAP::Harness';

use Config;
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use TestFiles qw(slurp);

my $HERE     = dirname(__FILE__);
my $MESSAGES = tempdir(CLEANUP => 1);    # a file for each test that runs, with what it writes to STDERR

# Seconds for one file: far more than any takes, except if it is told to do everything.
my %LIMIT_S = (t => 1800, unit => 300);

# Skips that a machine may be the reason of, by what they say.
my @SKIPS_ALLOWED = (
    qr/EXHAUSTIVE=1/,                              # tests that are run by check-exhaustive only
    qr/memcheck|valgrind|sanitizers/,              # this build or run cannot have them, another one does
    qr/\bneeds? root\b|\bonly root\b|\broot only\b|\bby root\b/,
    qr/seccomp|qemu/,                              # what emulators cannot do
    qr/namespaces/,                                # containers may not make any
    qr/Operation not permitted/,                   # reading other processes, which the kernel or a container forbids
    qr/\bno devices\b/,                            # nor a file system have any
    qr/\bnot a clone\b/,                           # a tarball was unpacked
    qr/perl without threads/,
    qr/\bnpm\b|registry/,                          # what is fetched when there is a network
    qr/\bfirefox-esr\b/,                           # which tests with EXHAUSTIVE=1 need alone
);

sub new {
    my ($class, $args) = @_;
    $args->{exec}  = \&_command;
    $args->{timer} = 1;    # prints how long each file took; its processor time is that of all files that ended meanwhile
    my $self = $class->SUPER::new($args);
    $self->callback(made_parser => \&_watch);
    return $self;
}

# Tests that drive a browser share one, so they run one after another, from the beginning of the run on, beside all others.
sub make_scheduler {
    my ($self, @tests) = @_;
    my @browsing = grep { /\.t\z/ && slurp($_) =~ /^use WebDriver;/m } map { ref ? $_->[0] : $_ } @tests;
    $self->rules({ par => [{ seq => \@browsing }, { par => '**' }] });
    return $self->SUPER::make_scheduler(@tests);
}

sub _command {
    my ($self, $test) = @_;
    my $kind    = $test =~ /\.t\z/ ? 't' : 'unit';
    my $limit_s = $LIMIT_S{$kind} * ($ENV{VALGRIND} || $ENV{EXHAUSTIVE} || $ENV{EMULATOR} || $ENV{EMULATED}
        || ($ENV{COMPILER} // '') =~ /sanitize/ ? 20 : 1);
    return ['sh', '-c', '"$@" 2>"$0"; status=$?; times >"$0.times"; exit $status', _messages($test), 'timeout', '--kill-after=10', $limit_s, $^X, "-I$HERE", $kind eq 'unit' ? "$HERE/../tools/unit" : (),
        $test];
}

sub _messages { my ($test) = @_; return "$MESSAGES/" . $test =~ s{/}{%}gr }

sub _text_of { my ($path) = @_; return -e $path ? slurp($path) : '' }

# The processor time of a file and of all that it has started, in seconds: the shell's second line.
sub _processor_s {
    my ($test) = @_;
    my (undef, $of_children) = split /\n/, _text_of(_messages($test) . '.times');
    my $sum_s = 0;
    $sum_s += 60 * $1 + $2 while ($of_children // '') =~ /(\d+)m([\d.]+)s/g;
    return $sum_s;
}

my %skips;    # file => { reason => how many tests }
my $forbidden = 0;

sub _watch {
    my ($parser, $job) = @_;
    my $name = $job->[0];
    $parser->callback(test => sub { $skips{$name}{ $_[0]->explanation }++ if $_[0]->has_skip });
    $parser->callback(EOF => sub { print {*STDERR} _text_of(_messages($name)) });
    $parser->callback(plan => sub { $skips{$name}{ $_[0]->explanation }++ if $_[0]->has_skip });
    return;
}

# Lists the skips and what the files that failed have written last, then prints prove's summary. Remembers how many skips
# are forbidden.
sub summary {
    my ($self, @arguments) = @_;
    my ($aggregate) = @arguments;
    my @list;
    for my $name (sort keys %skips) {
        for my $reason (sort keys %{ $skips{$name} }) {
            my $fails = ($ENV{CI} // '') eq 'true' && !grep { $reason =~ $_ } @SKIPS_ALLOWED;
            $forbidden += $fails;
            push @list, sprintf "  %s: %s%s%s\n", $name, $reason || 'no reason given',
                $skips{$name}{$reason} > 1 ? " ($skips{$name}{$reason} times)" : '',
                $fails ? ' - which must not be skipped here' : '';
        }
    }
    print 'Skipped: ', scalar @list, "\n", @list;
    my %processor_s = map { $_ => _processor_s($_) } $aggregate->descriptions;
    my @costly = (sort { $processor_s{$b} <=> $processor_s{$a} } sort keys %processor_s)[0 .. 9];
    print "Most processor time:\n", map { sprintf "  %6.1f s %s\n", $processor_s{$_}, $_ } grep { defined } @costly;
    for my $name ($aggregate->failed) {
        my @lines = split /^/, _text_of(_messages($name));
        print "Failed: $name\n", @lines > 40 ? @lines[-40 .. -1] : @lines;
    }
    return $self->SUPER::summary(@arguments);
}

sub runtests {
    my ($self, @tests) = @_;
    my $aggregate = $self->SUPER::runtests(@tests);
    return $aggregate if !$forbidden;
    print "Result: FAIL, because CI=true and tests are skipped that should run: $forbidden\n";
    exit 1;
}

1;
