# Removes, renames and replaces stashes, globs and CVs in each way that perl has: while nothing of them runs, and while
# code of theirs runs. Then calls what is left, by references that were kept. Arguments: the ways to try, by default all.
no strict; no warnings;
use feature qw(current_sub lexical_subs);
use List::Util ();
use Scalar::Util qw(blessed weaken);
use Sub::Util qw(set_subname);
use Symbol ();

my $out = \*STDOUT;
sub tell { syswrite $out, join("", map { ord > 126 ? "?" : $_ } split //, join " ", map { $_ // "undef" } @_) . "\n" }
my $tell = \&tell;

# Text of a package that has subs of each kind. NAME is its name. $main::LEAVE may remove it while they run.
my $TEXT = <<'TEXT';
package NAME;
sub new { bless { n => $_[1] }, $_[0] }
sub named { my $x = lc 'ABC'; $x =~ /b/; main::inner('named'); $x . shift }
sub leaves { my $l = $main::LEAVE; my $x = lc 'Q'; $l->(); my @s = sort { $b <=> $a } 1, 2; $x =~ /q/; $main::INNER->('leaves'); "@s" }
sub recurses { my $n = shift; $n ? __SUB__->($n - 1) . $n : do { $main::LEAVE->(); 'r' } }
sub stub;
sub lvalue : lvalue { $main::LVALUE }
sub closes { my $n = shift; sub { my $x = uc "n$n"; $main::INNER->('closure'); pack('A3', $x) } }
sub inherited { 'inherited' }
sub DESTROY { $main::INNER->('DESTROY') }
use constant CONSTANT => 7;
*imported = \&List::Util::first;
*max = \&List::Util::max;
use overload '&{}' => sub { my $s = shift; sub { 'overloaded' } }, '""' => sub { 'text' }, fallback => 1;
my sub lexical { $main::INNER->('lexical'); 'l' . shift }
sub by_lexical { lexical(@_) }
sub lexical_ref { \&lexical }
sub evals { eval q{ my $z = 'zz'; $z =~ /z/; sub { $z =~ /zz/ ? 'eval' : '' } } }
sub goes { goto &named }
sub goes_to_xsub { @_ = (1, 5); goto &List::Util::max }
sub prints { my $l = $main::LEAVE; $l->(); my $f; open $f, '<', '/dev/null'; my $t = <$f>; close $f; -e '/' ? 'exists' : '' }
sub wantarrays { wantarray ? 'list' : 'scalar' }
1;
TEXT

sub inner { my $t = join '', @_; $t =~ /e/; $t }
$INNER = \&inner;
$LEAVE = sub { };

# What is done to a package, whose name it gets, perhaps while code of the package runs. What it does for a time only ends
# after a call of the second argument.
my @ways = (
    undef_stash        => sub { undef %{"$_[0]::"} },
    clear_stash        => sub { %{"$_[0]::"} = () },
    delete_stash       => sub { delete $main::{"$_[0]::"} },
    undef_and_delete   => sub { undef %{"$_[0]::"}; delete $main::{"$_[0]::"} },
    undef_stash_glob   => sub { undef *{"main::$_[0]::"} },
    undef_stash_entry  => sub { undef $main::{"$_[0]::"} },
    other_stash        => sub { *{"$_[0]::"} = *{'Other::'} },
    other_hash         => sub { *{"$_[0]::"} = {} },
    stash_is_scalar    => sub { delete $main::{"$_[0]::"}; $main::{"$_[0]::"} = 1 },
    undef_globs        => sub { undef *{"$_[0]::$_"} for subs($_[0]) },
    delete_globs       => sub { delete ${"$_[0]::"}{$_} for subs($_[0]) },
    delete_local_globs => sub { delete local ${"$_[0]::"}{$_} for subs($_[0]); $_[1]->() },
    local_globs        => sub { local *{"$_[0]::named"}; local *{"$_[0]::leaves"}; local *{"$_[0]::closes"}; $_[1]->() },
    local_subs         => sub { local *{"$_[0]::named"} = sub { 'local' }; $_[1]->() },
    local_stash        => sub { local $main::{"$_[0]::"}; $_[1]->() },
    other_subs         => sub { my $p = shift; for my $s (subs($p)) { *{"${p}::$s"} = sub { "new $s" } } },
    imported_subs      => sub { my $p = shift; *{"${p}::$_"} = \&List::Util::max for subs($p) },
    other_globs        => sub { my $p = shift; *{"${p}::$_"} = *Other::named for subs($p) },
    undef_subs         => sub { my $p = shift; eval { undef &{"${p}::$_"} } for subs($p) },
    entry_is_reference => sub { my $s = \%{"$_[0]::"}; for (subs($_[0])) { delete $s->{$_}; $s->{$_} = \'constant' } },
    entry_is_code      => sub { my $s = \%{"$_[0]::"}; for (subs($_[0])) { delete $s->{$_}; $s->{$_} = sub { 'code' } } },
    entry_is_text      => sub { my $s = \%{"$_[0]::"}; for (subs($_[0])) { delete $s->{$_}; $s->{$_} = '$$' } },
    entry_is_number    => sub { my $s = \%{"$_[0]::"}; for (subs($_[0])) { delete $s->{$_}; $s->{$_} = -1 } },
    delete_package     => sub { Symbol::delete_package($_[0]) },
    package_stash      => sub { eval { require Package::Stash; my $s = Package::Stash->new($_[0]);
        $s->remove_symbol('&named'); $s->remove_glob('leaves'); $s->remove_glob('recurses');
        $s->add_symbol('&closes' => sub { 'added' }); 1 } },
    renamed_subs       => sub { my $p = shift; set_subname("Gone${p}::renamed\x{263a}", $_) for values %kept; undef %{"Gone${p}::"}; delete $main::{"Gone${p}::"} },
    renamed_stash      => sub { my $p = shift; *{"New${p}::"} = *{"${p}::"}; delete $main::{"${p}::"}; },
    blessed_subs       => sub { my $p = shift; bless $_, "Bless$p" for grep { !blessed $_ } values %kept; undef %{"Bless${p}::"}; delete $main::{"Bless${p}::"} },
    weak_subs          => sub { my $p = shift; my @w = @kept{qw(named leaves)}; weaken $_ for @w; delete ${"${p}::"}{$_} for qw(named leaves); weaken $kept{leaves} },
    weak_globs         => sub { my $p = shift; weaken(my $g = \*{"${p}::named"}); delete ${"${p}::"}{named}; @weak = ($g) },
    other_isa          => sub { my $p = shift; @{"${p}::ISA"} = 'Other'; @{"Other::ISA"} = (); undef *{"${p}::ISA"} },
    glob_of_file       => sub { undef *{"main::_<$0"}; delete $main::{"_<$0"}; @{"_<$0"} = (1, \1, undef, [], *STDOUT) },
    glob_of_underscore => sub { undef *_ },
);

sub subs { grep { /^(?:named|leaves|recurses|closes|inherited|goes|prints|stub|evals|lvalue|lexical_ref)$/ } sort keys %{"$_[0]::"} }

sub try {
    my ($what, $code, @arguments) = @_;
    my @got = eval { local $SIG{ALRM}; $code->(@arguments) };
    my $error = $@ =~ s/ at .*? line \d.*//sr;
    $tell->("  $what:", map({ ref || $_ // 'undef' } @got), $error);
    return $got[-1];
}

my @TRIED = qw(named leaves recurses stub lvalue inherited by_lexical goes goes_to_xsub prints evals CONSTANT max wantarrays);

sub try_all {
    my ($p, $object) = @_;
    try("$_", $kept{$_}, 2) for grep { defined $kept{$_} } @TRIED;
    try('a closure', $kept{closure});
    try('a lexical sub', $kept{lexical}, 1);
    try('of an eval', $kept{of_eval});
    try('a method', sub { $object->named });
    try('a method that is not there', sub { $object->nothing });
    try('the object', sub { $object->() });
    try('by name', sub { &{"${p}::named"}(3) });
    try('an undefined sub', sub { &{"${p}::undefined"}(3) });
    try('sort', sub { sort { &{$kept{named}}(1) cmp 'abc' } 1, 2 });
}

$n = 0;
sub run_way {
    my ($name, $way, $when) = @_;
    my $p = 'P' . ++$n;
    $tell->("$name, $when");
    eval $TEXT =~ s/NAME/$p/gr or die $@;
    eval $TEXT =~ s/NAME/Other/gr or die $@;
    local %kept = map { ($_ => \&{"${p}::$_"}) } @TRIED;
    my $object = $p->new(1);
    $kept{closure} = $kept{closes} = &{"${p}::closes"}(3);
    $kept{lexical} = &{"${p}::lexical_ref"}();
    $kept{of_eval} = &{"${p}::evals"}();
    $kept{$_}->(1) for qw(named goes);
    my $then = sub { try_all($p, $object) };
    if ($when eq 'between') {
        try('the way', $way, $p, $then);
        $then->();
    } else {
        my $done;
        local $LEAVE = sub { return if $done++; $way->($p, sub { }); $kept{named} && eval { $kept{named}->(1) }; sort { $a <=> $b } 3, 1; };
        try('from its code', $kept{$when});
        $then->();
    }
    undef $object;
    return;
}

my %named = @ways;
my @names = map { $ways[2 * $_] } 0 .. $#ways / 2;
my @wanted = @ARGV ? @ARGV : @names;
for my $name (@wanted) {
    for my $when (qw(between leaves recurses prints)) {
        local ($a, $b);
        run_way($name, $named{$name}, $when);
    }
}
