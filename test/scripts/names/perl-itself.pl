# Takes from perl itself what a way names, and goes on by what was kept. Argument: the way.
no strict; no warnings;
use feature 'current_sub';
use List::Util ();
use Symbol ();
use POSIX ();
my $out = \*STDOUT;
my $tell = \&tell;
my ($f, $stub, $max, $object, $exit) = (\&f, \&stub, \&List::Util::max, bless([], 'main'), \&POSIX::_exit);
sub stub;
sub tell { syswrite $out, "@_\n" }
sub f { my $x = lc shift; $x =~ /b/; my @s = sort { $b cmp $a } 'a', $x; pack('A2', $x) . "@s" }
sub recurses { my $n = shift; $n ? __SUB__->($n - 1) : $main::WAY->() }
sub DESTROY { $tell->('DESTROY'); local $_ = 'x'; /x/ }
END { $tell->('END'); local $_ = 'x'; /x/ }
my $evals = sub { eval 'my $y = "q"; $y =~ /q/; sub { $y =~ /qq/; $max->(1, 2) }' };
my $r = \&recurses;
my %ways = (
    undef_main    => sub { undef %main:: },
    delete_main   => sub { delete $main::{'main::'} },
    undef_glob    => sub { undef *{'main::main::'} },
    other_main    => sub { *{'main::main::'} = {} },
    other_stash   => sub { *{'main::main::'} = *{'Other::'} },
    delete_all    => sub { delete $main::{$_} for sort keys %main:: },
    undef_all     => sub { undef *{$main::{$_}} for grep { ref \$main::{$_} eq 'GLOB' } sort keys %main:: },
    undef_DB      => sub { undef %DB:: },
    clear_DB      => sub { %DB:: = () },
    delete_DB     => sub { delete $main::{'DB::'} },
    delete_DB_all => sub { delete $DB::{$_} for sort keys %DB:: },
    undef_DB_all  => sub { undef *{"DB::$_"} for sort keys %DB:: },
    other_DB_sub  => sub { *DB::sub = { f => 1, 'main::f' => [], 'main::r' => \1, 'main::s' => '::-', 'main::t' => undef } },
    hash_DB_sub   => sub { %DB::sub = (f => 1, 'main::f' => [], 'main::r' => \1, 'main::s' => '::-', "\x{263a}" => undef, map { ("n$_" => "$0:1-$_") } 1 .. 50) },
    tied_DB_sub   => sub { require Tie::Hash; tie %DB::sub, 'Tie::StdHash'; },
    local_DB_sub  => sub { local *DB::sub; $f->('B') },
    scalar_DB_sub => sub { delete $DB::{sub}; $DB::{sub} = 1 },
    undef_profiler => sub { undef %{'Devel::NYTProf::'}; undef %{'NYTProf::'}; undef %{'Devel::NYTProf::Core::'} },
    undef_modules => sub { undef %{"${_}::"} for qw(POSIX List::Util Symbol DynaLoader XSLoader CORE::GLOBAL) },
    package_DB    => sub { Symbol::delete_package('DB') },
    files         => sub { for (grep /^_</, sort keys %main::) { undef *{$main::{$_}}; @{"main::$_"} = (1, undef, "x" x 9, $!) } },
    files_gone    => sub { delete $main::{$_} for grep /^_</, sort keys %main:: },
    files_other   => sub { for (grep /^_</, sort keys %main::) { delete $main::{$_}; $main::{$_} = \1 } },
    undef_error   => sub { undef *{'main::@'}; undef *_; undef *0; undef *{'main::!'}; undef *a; undef *b; undef *INC; undef *ENV; undef *SIG },
    incdir        => sub { *INC = [ [], \1, undef, sub { } ]; *0 = \[1]; *INC = { a => \1 } },
    in_stash      => sub { bless \%main::, 'Odd'; bless \%DB::, 'Odd' },
);
if (!@ARGV) { $| = 1; print join(' ', sort keys %ways), "\n"; $tell = sub { }; POSIX::_exit(0) }
our $WAY = $ways{$ARGV[0]};
my $empty = $ARGV[0] =~ /main|all\z/;
my $how = $ARGV[1];
undef $object if $how ne 'object';
sub after {
    my $g = sub { $_[0]->(@_[1 .. $#_]) };
    $tell->('sub', eval { $f->('BC') });
    $tell->('stub', eval { $stub->('BC') });
    $tell->('xsub', eval { $max->(1, 4) });
    $tell->('eval', map { ref || $_ } eval { $evals->()->() });
    { package Late; $tell->('late', lc('X') =~ /x/ ? 1 : 0); eval { $g->(sub { 'x' =~ /x/; die 'late' }) }; }
    $tell->('loaded', eval { require Text::Wrap; Text::Wrap->can('wrap') ? 1 : 0 }) if !$empty; # perl itself may crash
    eval { sprintf '%s', sort { $a <=> $b } 2, 1 };
}
my $after = \&after;
if ($how eq 'inside') { $r->(2) } elsif ($how eq 'begin') { eval 'BEGIN { $WAY->() } sub late { lc("X") =~ /x/ } late(1)'; } else { $WAY->() }
$after->();
$how eq 'exit' ? $exit->(3) : $how eq 'die' ? die("x\n") : 0;
