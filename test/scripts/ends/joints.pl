# Executes ACTION at each of many joints: where perl executes code of the program while it calls a sub, loads a file, leaves a
# scope, sorts, prints. Each in a child, whose profile is JOINT.out. Prints what each child printed, and how it ended.
use strict;
use warnings;
no warnings qw(exec uninitialized);

use List::Util ();

BEGIN {
    if (!defined &DB::finish_profile) {
        no strict 'refs';
        *{"DB::$_"} = sub { 0 } for qw(enable_profile disable_profile finish_profile);
    }
}

my %actions = (
    finish   => sub { DB::finish_profile() },
    disable  => sub { DB::disable_profile() },
    change   => sub { DB::enable_profile('second.out') },
    reopen   => sub { DB::finish_profile(); DB::enable_profile('second.out') },
    refused  => sub { DB::enable_profile('/nonexistent/x.out') },
    fork     => sub { my $pid = fork; $pid ? waitpid $pid, 0 : print 'child ' },
    finished => sub { my $pid = fork; $pid ? waitpid $pid, 0 : DB::finish_profile() },
    exit     => sub { exit 4 },
    die      => sub { die "dead\n" },
);
my ($action, @wanted) = @ARGV;
my $acted = 0;

sub act { $acted++ or $actions{$action}->(); return 1 }
sub leaf { return 1 }
sub by { act(); return 0 }

package Overloaded;
use overload
    '&{}' => sub { main::act(); sub { main::leaf() } },
    '""'  => sub { main::act(); 'main::leaf' },
    '<=>' => sub { main::act(); 0 },
    '<>'  => sub { main::act(); undef };
sub new { return bless [] }

package Tied;
sub TIESCALAR { return bless [$_[1]] }
sub TIEHANDLE { return bless [] }
sub TIEARRAY  { return bless [] }
sub FETCH     { main::act(); return $_[0][0] }
sub STORE     { return main::act() }
sub FETCHSIZE { return main::act() }
sub PRINT     { return main::act() }
sub UNTIE     { return }
sub DESTROY   { return }

package Destroyed;
sub new { return bless [] }
sub DESTROY { local $@; return main::act() }

package Loading;
our $AUTOLOAD;
sub AUTOLOAD { main::act(); return main::leaf() }
sub can      { main::act(); return \&main::leaf }
sub import   { return main::act() }
sub MODIFY_CODE_ATTRIBUTES { main::act(); return }
sub hook { return $_[1] eq 'Hooked.pm' ? (main::act() && \'main::leaf(); 1') : () }

package main;

sub tied_to { tie my $scalar, 'Tied', $_[0]; return \$scalar }
sub go_to { my $value = shift; goto $$value }
sub go_to_object { my $object = shift; goto &$object }

my %joints = (
    'overload'        => sub { Overloaded->new->(1) },
    'overload-amp'    => sub { my $object = Overloaded->new; &$object },
    'overload-goto'   => sub { go_to_object(Overloaded->new) },
    'tied'            => sub { ${ tied_to(\&leaf) }->() },
    'tied-xsub'       => sub { ${ tied_to(\&List::Util::sum) }->(1, 2) },
    'tied-undefined'  => sub { eval { ${ tied_to(\&undefined_sub) }->() }; print $@ =~ s/ at .*//sr },
    'tied-name'       => sub { no strict 'refs'; ${ tied_to('main::leaf') }->() },
    'tied-overload'   => sub { ${ tied_to(Overloaded->new) }->() },
    'tied-goto'       => sub { go_to(tied_to(\&leaf)) },
    'tied-goto-xsub'  => sub { print go_to(tied_to(\&List::Util::sum), 1, 2) },
    'tied-goto-again' => sub { my $tied = tied_to(\&leaf); my $value = $$tied; tied($$tied)->[0] = \&List::Util::sum; print go_to($tied, 1, 2) },
    'tied-autoload'   => sub { tie $Loading::AUTOLOAD, 'Tied'; Loading::some(); untie $Loading::AUTOLOAD },
    'tied-arguments'  => sub { tie my @array, 'Tied'; leaf(@array); List::Util::sum(@array) },
    'tied-local'      => sub { tie our $local, 'Tied'; { local $local = 2; leaf() } },
    'tied-print'      => sub { tie *HANDLE, 'Tied'; print HANDLE 'x' },
    'tied-open'       => sub { open my $in, '<', ${ tied_to('/dev/null') } },
    'tied-match'      => sub { ${ tied_to('abc') } =~ /b/ },
    'tied-pack'       => sub { pack ${ tied_to('a') }, 1 },
    'tied-sleep'      => sub { sleep ${ tied_to(0) } },
    'tied-require'    => sub { eval { require ${ tied_to('./none.pl') } } },
    'tied-eval'       => sub { eval ${ tied_to('leaf()') } },
    'tied-exec'       => sub { exec ${ tied_to('/nonexistent/x') } },
    'object-exec'     => sub { my $object = Overloaded->new; exec {'/nonexistent/x'} $object, $object },
    'object-print'    => sub { print Overloaded->new },
    'object-read'     => sub { my $object = Overloaded->new; <$object> },
    'autoload'        => sub { Loading::some(); Loading->method },
    'can'             => sub { Loading->can('some')->() },
    'method-name'     => sub { my $name = tied_to('new'); Overloaded->$$name },
    'sort-sub'        => sub { join '', sort by 2, 1, 3 },
    'sort-block'      => sub { join '', sort { act(); $a <=> $b } 2, 1, 3 },
    'sort-tied-name'  => sub { my $name = ${ tied_to('by') }; join '', sort $name 2, 1, 3 },
    'sort-objects'    => sub { my @sorted = sort { $a <=> $b } map { Overloaded->new } 1 .. 3 },
    'destroy-goto'    => sub { (sub { my $object = Destroyed->new; goto &leaf })->() },
    'destroy-goto-xsub' => sub { (sub { my $object = Destroyed->new; goto &List::Util::sum })->(1) },
    'destroy-block'   => sub { { my $object = Destroyed->new; } leaf() },
    'destroy-return'  => sub { (sub { my $object = Destroyed->new; return 1 })->() },
    'destroy-value'   => sub { Destroyed->new; leaf() },
    'destroy-argument' => sub { leaf(Destroyed->new) },
    'destroy-local'   => sub { our $global; local $global = Destroyed->new; leaf() },
    'destroy-die'     => sub { eval { my $object = Destroyed->new; die "died\n" } },
    'destroy-itself'  => sub { our $code; my $object = Destroyed->new; $code = sub { undef $code; undef $object; leaf() }; $code->() },
    'require-hook'    => sub { local @INC = \&Loading::hook; require Hooked },
    'eval'            => sub { eval 'act(); leaf()' },
    'eval-begin'      => sub { eval 'BEGIN { act() } leaf()' },
    'eval-import'     => sub { eval 'BEGIN { Loading->import } sub late { leaf() } late()' },
    'attribute'       => sub { eval 'package Loading; sub attributed : Some { main::leaf() } attributed()' },
    'signal'          => sub { local $SIG{USR1} = \&act; kill USR1 => $$; leaf() for 1 .. 3 },
    'warn-handler'    => sub { local $SIG{__WARN__} = \&act; warn 'x'; leaf() },
    'die-handler'     => sub { local $SIG{__DIE__} = \&act; eval { undefined_sub() }; leaf() },
    'regexp-code'     => sub { 'a' =~ /a(?{ act(); leaf() })/ },
    'replacement'     => sub { (my $text = 'aaa') =~ s/a/act(); leaf()/ge },
    'callback'        => sub { List::Util::first(sub { act(); leaf(); 0 }, 1, 2) },
    'lvalue'          => sub { my $value; (sub : lvalue { act(); $value })->() = 3 },
    'recursion'       => sub { my $code; $code = sub { $_[0] ? $code->($_[0] - 1) : act(); leaf() }; $code->(20) },
    'last'            => sub { no warnings; for (1) { (sub { act(); last })->() } },
    'end'             => sub { eval 'END { leaf(); act(); leaf() }' },
    'global-object'   => sub { our $kept = Destroyed->new },
);

sub outer {
    my ($joint) = @_;
    leaf();
    eval { $joints{$joint}->(); 1 } or print "died: $@";
    leaf() for 1 .. 3;
    return;
}

$| = 1;
for my $joint (@wanted ? @wanted : sort keys %joints) {
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        DB::enable_profile("$joint.out");
        outer($joint);
        print "acted $acted ";
        exit 0;
    }
    waitpid $pid, 0;
    print "$joint: $?\n";
}
