# Programs that break Debian's collector, or might break ours. Each runs, prints and ends as it does without a
# collector, and leaves complete profiles that all programs read. With COLLECTOR=stock most of the tests fail.
# VALGRIND=1 runs the programs under memcheck.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector command need_collector optional_module);
use Config;
use HardCase qw(hard_case profile_with);
use NYTPTest qw(slurp valgrind);
use ProfileCompare qw(calls_of count_of);
use Test::More;

need_collector();

# ---- processes --------------------------------------------------------------

my $in_d3 = 'use POSIX(); sub leaf { 1 } sub d2 { d3() } sub d1 { d2() } ';
for my $end ('POSIX::_exit(0)', 'exec "true"', 'DB::finish_profile() if defined &DB::finish_profile; exit 0') {
    hard_case(
        "R1: open calls at $end",
        $in_d3 . "sub child { leaf() for 1 .. 3; $end } sub d3 { my \$p = fork; child() if !\$p; waitpid \$p, 0 } "
        . "d1();",
        options => { addpid => 1, calls => 2 },
        files   => 2,
        check   => sub {
            my ($got, @profiles) = @_;
            my $child = profile_with(\@profiles, 'main::leaf');
            is count_of($child, 'main::leaf'), 3, "... the child's calls are there";
            is calls_of($child, 'main::child'), 1, '... what was open is closed';
            my ($parent) = grep { $_ != $child } @profiles;
            is count_of($parent, 'main::d3'), 1, "... the parent's calls are there";
        },
    );
}
hard_case(
    'R1: finished in a deep frame',
    'sub a { b() } sub b { f(); DB::finish_profile() if defined &DB::finish_profile; f() } sub f { 1 } a();',
    options => { calls => 2 },
    check   => sub {
        my ($got, $profile) = @_;
        is calls_of($profile, "main::$_"), 1, "... $_ is closed" for qw(a b f);
        is count_of($profile, "main::$_"), 1, "... $_ has an arc" for qw(a b f);
    },
);
hard_case(
    'R2: _exit within the statement that forked',
    'use POSIX; sub f { 1 } f() for 1 .. 500; sub d2 { open(P, "-|") || POSIX::_exit(0); 1 } sub d1 { d2() } d1(); close P;
        f() for 1 .. 5;',
    check => sub {
        my ($got, @profiles) = @_;
        is count_of(profile_with(\@profiles, 'main::d1'), 'main::f'), 505, "... the parent's profile goes on";
    },
);
hard_case(
    'R12: fork in a directory that is gone',
    'mkdir "zz"; chdir "zz"; rmdir "../zz"; my $p = fork; exit 0 if !$p; waitpid $p, 0; print $?;',
    options => { file => $_ },
    readable_only => 1,
) for 'nytprof.out', undef;
hard_case(
    'R13: the program closes every descriptor',
    'use POSIX; sub f { 1 } f(); POSIX::close($_) for 3 .. 30; open my $u, ">", "user.txt"; f() for 1 .. 20000;',
    check => sub {
        my ($got, $profile) = @_;
        is slurp("$got->{dir}/user.txt"), '', "... the program's file is clean";
        is count_of($profile, 'main::f'), 20001, '... all calls are there';
    },
);
hard_case(
    'R14: an exec that fails',
    'sub f { 1 } f(); { no warnings; exec "/nonexistent/x" } sub g { 1 } g() for 1 .. 5;',
    check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, 'main::g'), 5, '... what comes after it is there';
        is count_of($profile, 'main::f'), 1, '... what came before it is there';
    },
);
hard_case(
    'an exec that fails: subs that were compiled before the profile began',
    'use strict; sub f { 1 } { no warnings; exec "/nonexistent/x" } f(); strict->import; exec "/nonexistent/x"; '
    . 'strict->unimport',
    check => sub {
        my ($got, $profile) = @_;
        for my $sub ('main::f', 'strict::import', 'strict::unimport') {
            my ($place) = grep { $profile->{subs}{$_} eq $sub } keys %{ $profile->{subs} };
            my ($file) = ($place // '') =~ /^\S+ (.*):\d+-\d+\z/;
            ok length $file && $profile->{files}{$file}, "... $sub is in a file" or diag $place // "no place";
        }
        ok !$profile->{twice}, '... that was made known once' or diag "@{$profile->{twice}}";
    },
);
hard_case(
    'an exec that fails in open calls',
    'sub inner { select undef, undef, undef, 0.1; no warnings; exec "/nonexistent/x" } sub outer { inner() } outer();',
    check => sub {
        my ($got, $profile) = @_;
        my ($inner, $outer) = map { my $sub = "main::$_";
            grep { $_->{called} eq $sub && $_->{count} } values %{ $profile->{arcs} } } qw(inner outer);
        cmp_ok $outer->{incl_s}, '<', 1.5 * $inner->{incl_s}, '... their time is not there twice';
    },
);
hard_case(
    'R11: a child perl with the same file',
    'sub par { 1 } par() for 1 .. 2000; system($^X, "-e", "sub kid { 1 } kid()"); par() for 1 .. 2000;',
    load  => [],
    env   => { PERL5OPT => join ' ', (command(collector()))[1], '-d:NYTProf' },
    files => 2,
    check => sub {
        my ($got, @profiles) = @_;
        is count_of(profile_with(\@profiles, 'main::par'), 'main::par'), 4000, "... the parent's profile is whole";
        is count_of(profile_with(\@profiles, 'main::kid'), 'main::kid'), 1,    "... the child's is there";
    },
);

# ---- what happens while a call is prepared ------------------------------------

my $deep = 'package main; sub deep { my $d = shift; local $x = $d; deep($d - 1) if $d; 1 } ';
hard_case(
    'R3: an overloaded &{} that recurses',
    'no warnings; package O; use overload "&{}" => sub { main::deep(300); sub { 1 } }, fallback => 1;
        ' . $deep . 'my $o = bless [], "O"; $o->();',
);
hard_case(
    'R4: a tied FETCH that recurses',
    'no warnings; package T; sub TIESCALAR { bless [] } sub FETCH { main::deep(3000); \&main::f }
        ' . $deep . 'sub f { 1 } tie my $t, "T"; $t->();',
);
hard_case(
    'R15: overloads and FETCH run once',
    'package O; our $n = 0; use overload "&{}" => sub { $n++; sub { 1 } }, fallback => 1;
     package T; our $m = 0; sub TIESCALAR { bless [] } sub FETCH { $m++; \&main::f }
     package main; sub f { 1 } my $o = bless [], "O"; $o->(); tie my $t, "T"; $t->(); print "$O::n $T::m\n";',
    check => sub { my ($got) = @_; is $got->{out}, "1 1\n", '... once' },
);
hard_case(
    'R6: the stash of the sub is gone',
    'no warnings; package Foo; sub mk { sub { 1 } } our $s = mk(); package main; my $c = $Foo::s; undef %Foo::;
        delete $::{"Foo::"}; $c->();',
);
hard_case(
    'R7: the stash goes away during the call',
    'package Foo; sub run { $_[0]->(); main::leaf() for 1 .. 3; 1 } package main; sub leaf { 1 }
     Foo::run(sub { undef %Foo::; delete $main::{"Foo::"}; my @j = map { "ZZZZ" x 3 } 1 .. 50 });',
    check => sub { my ($got, $profile) = @_; is count_of($profile, 'main::leaf'), 3, '... later calls are there' },
);
hard_case(
    'a running sub goes away',
    'no warnings; sub leaf { 1 } sub gone { delete $main::{gone}; leaf() } gone(); sub other { *other = sub { 2 };
        leaf() } other(); other();
     my $c; $c = sub { undef $c; leaf(); 3 }; print $c->(), "\n"; sub whole { undef *whole; leaf() } main->can("whole")->();
     sub active { eval { undef &active }; leaf() } active();',
    check => sub { my ($got, $profile) = @_; is count_of($profile, 'main::leaf'), 5, '... later calls are there' },
);
my $once = 'package D; sub new { bless [] } sub DESTROY { print "gone\n"; main::leaf() } package main; sub leaf { 1 } sub other { 2 } my $code;
    sub once { my $object = D->new; $code = sub { undef $code; my $held = $object; goto &other if $_[0]; 1 }; return }
    once(); $code->(); sub around { once(); $code->(); once(); return $code->(1) } print around(), "\n"; my @sorted = sort { once(); $code->(); 0 } 1, 2;
    sub DB::DESTROY { 1 } { my $object = bless [], "DB"; $code = sub { undef $code; $object }; $code->() }';
for my $code ($once, $once =~ s/= (sub \{ undef.*?1 \})(?=;)/= eval q{$1}/sr =~ s/->\(1\)/->()/r) {
    hard_case("a closure goes away when it has run, and an object with it @{[%$_]}", $code, options => $_,
        check => sub {
        is count_of($_[1], 'main::leaf'), 4, '... calls in its destructor are there';
    }) for {}, { blocks => 1, calls => 2 }, { findcaller => 1, blocks => 1 };
}
hard_case(
    'goto &xsub: its time, and that it is over when it dies',
    'use Time::HiRes (); sub wait_there { goto &Time::HiRes::usleep } wait_there(50_000); sub leaf { 1 }
        sub dies { goto &Time::HiRes::nanosleep } print eval { dies(-1); 1 } // "died", leaf(), "\n"',
    check => sub {
        my ($got, $profile) = @_;
        my ($slept, $died) = map { my $sub = $_;
            grep { $_->{called} eq "Time::HiRes::$sub" && $_->{count} } values %{ $profile->{arcs} } } qw(usleep
                nanosleep);
        cmp_ok $slept->{incl_s} // 0, '>=', 0.05, '... it has its time';
        is $died->{count} // 0, 1, '... one that dies is there';
        is count_of($profile, 'main::leaf'), 1, '... what comes after it is there';
        ok((grep { /^main::RUNTIME -> main::leaf at/ } keys %{ $profile->{arcs} }), '... and is not called by it');
    },
);
hard_case(
    'goto &xsub in a sub that was called while the profiler was off',
    'BEGIN { *DB::enable_profile = *DB::disable_profile = sub { 0 } if !defined &DB::enable_profile }
     use List::Util (); sub leaf { 1 } sub unseen { DB::enable_profile(); goto &List::Util::sum }
     sub outer { DB::disable_profile(); print unseen(1, 2), "\n"; leaf(); select undef, undef, undef, 0.1; leaf() } outer(); leaf();',
    options => { calls => 2 },
    check   => sub {
        my ($got, $profile) = @_;
        my %called = map { $_->{called} => $_ } grep { $_->{count} } values %{ $profile->{arcs} };
        cmp_ok $called{'main::outer'}{incl_s}, '>=', 0.1, '... its caller goes on';
        is count_of($profile, 'main::leaf'), 3, '... calls that come after it are there';
        ok((grep { /^main::outer -> main::leaf at/ } keys %{ $profile->{arcs} }), '... and are of its caller');
    },
);
hard_case(
    'calls by name that strict refuses',
    'use strict; use List::Util (); sub f { 1 } for my $name (qw(List::Util::sum main::f main::none)) { eval { $name->(1) }; print $@ }
        no strict "refs"; print "List::Util::max"->(1, 2), "main::f"->(), "\n";',
    check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, $_), 0, "... $_ is not called" for qw(List::Util::sum main::none);
        is count_of($profile, $_), 1, "... $_ is called" for qw(List::Util::max main::f);
    },
);

# ---- what perl notes of subs ------------------------------------------------------

hard_case(
    'the program goes through %DB::sub when an exec fails',
    'my @subs; sub a { 1 } sub b { 1 } sub c { 1 } a(); my $found = 0;
     %DB::sub = map { ("main::$_" => "case.pl:1-1") } qw(a b c d) if !defined &DB::enable_profile;
     while (my ($name) = each %DB::sub) { next if $name !~ /^main::[abc]$/; last if $found++ > 10; no warnings; exec "/nonexistent/x" }
     print "$found\n";',
    check => sub {
        my ($got, $profile) = @_;
        is $got->{out}, "3\n", '... each of them once';
        ok((grep { $_ eq 'main::c' } values %{ $profile->{subs} }), '... and they are in the profile');
    },
);
hard_case(
    'the program has tied %DB::sub',
    'package T; require Tie::Hash; our @ISA = "Tie::StdHash"; for my $method (qw(FETCH FIRSTKEY NEXTKEY EXISTS)) {
        my $inherited = T->can($method); no strict "refs"; *$method = sub { print "$method\n"; goto &$inherited } }
     package main; sub f { 1 } tie %DB::sub, "T"; f(); exec "/nonexistent/x"; print "ok\n"; END { f() }',
    check => sub { my ($got, $profile) = @_; is count_of($profile, 'main::f'), 2, '... calls are there' },
);

# ---- names ---------------------------------------------------------------------

for my $length (600, 6000, 70_000) {
    hard_case(
        "R5: a sub's name of $length bytes",
        qq{use Sub::Util "set_subname"; my \$s = set_subname("P::" . ("x" x $length), sub { 1 }); \$s->();},
        check => sub { my ($got, $profile) = @_; is count_of($profile, 'P::' . 'x' x $length), 1, '... is complete' },
    );
}
hard_case(
    'a file name of 3000 bytes',
    'eval qq{#line 1 "} . ("/long" x 600) . qq{"\nsub f { 1 } f()};',
    check => sub { my ($got, $profile) = @_;
        ok((grep { $_ eq '/long' x 600 } values %{ $profile->{name_of} }), '... is complete') },
);
hard_case(
    'a file name in brackets',
    'f(); sub f { 1 }',
    script => '(copy).pl',
    check  => sub { my ($got, $profile) = @_;
        ok((grep { $_ eq "$got->{dir}/(copy).pl" } values %{ $profile->{name_of} }), '... is absolute') },
);
hard_case(
    'R18: a newline and a NUL in names',
    'use Sub::Util "set_subname"; set_subname("main::x\ny; z", sub { 1 })->() for 1 .. 3;
        set_subname("main::a\0b", sub { 1 })->() for 1 .. 2;',
    check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, "main::x\ny; z"), 3, '... the newline is in the profile';
        my $name = $] < 5.028 ? 'main::a' : "main::a\0b"; # older set_subname() ends it at the NUL
        is count_of($profile, $name), 2, '... the NUL is in the profile';
        is((grep { !/^\S.* \d+$/ } split /\n/, $got->{collapsed}), 0, '... one line for each stack')
            if defined $got->{collapsed};
    },
);
hard_case(
    'names beyond ASCII',
    'use utf8; sub größe { 1 } sub 日本 { 1 } größe(); 日本();',
    options => { calls => 2 },
    check   => sub {
        my ($got, $profile) = @_;
        my %called = map { $_->{called} => 1 } values %{ $profile->{arcs} };
        ok $called{"main::gr\xf6\xdfe"}, '... what is in Latin 1 stays as it is';
        ok $profile->{tagged}{"main::\x{65e5}\x{672c}"}, '... what is beyond is tagged as UTF-8';
    },
);

# ---- much of something -------------------------------------------------------------

hard_case(
    'R17: a line number of millions',
    "sub f { 1 }\n# line 5000000 \"tmpl.tt\"\nf() for 1 .. 3; sub g { 1 } g();\n",
    options => { compress => 0 },
    check   => sub {
        my ($got, $profile) = @_;
        cmp_ok -s $got->{files}[0], '<', 100_000, '... a small file';
        my ($line) = grep { /tmpl\.tt:5000000$/ } keys %{ $profile->{executed} };
        is $profile->{executed}{ $line // '' }, 3, '... with its statements';
    },
);
hard_case(
    'R19: one name from many evals',
    'eval "sub g$_ { leaf() } g$_()" for 1 .. 50; sub leaf { 1 }',
    check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, 'main::leaf'), 50, '... each calls';
        unlike $got->{callgrind}, qr/ or /, '... no caller is invented' if defined $got->{callgrind};
    },
);
my ($calls, $matches) = valgrind() ? (100, 1000) : (3000, 300_000);
hard_case(
    'R16: many calls',
    "sub a { b(\$_[0]) for 1 .. 10 } sub b { c(\$_[0]) } sub c { my \$x = lc 'ABC'; \$x =~ /b/; d() } sub d { 1 } "
    . "a(\$_) for 1 .. $calls;",
    check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, 'main::a'), $calls, '... all of a';
        is count_of($profile, $_), 10 * $calls, "... all of $_" for qw(main::b main::c main::d main::CORE:match);
    },
);
hard_case(
    'R20: built-ins in a tight loop',
    "my \@x = (0 .. $matches); \@x = grep { /234/ } \@x; print scalar \@x;",
    check => sub { my ($got, $profile) = @_;
        is count_of($profile, 'main::CORE:match'), $matches + 1, '... all of them' },
);
my $evals = valgrind() ? 300 : 20_000;
hard_case(
    'many string evals',
    "my \$n = 0; \$n += eval '\$_ + 1' for 1 .. $evals; print \$n;",
    check => sub { my ($got, $profile) = @_;
        is scalar keys %{ $profile->{name_of} }, $evals + 1, '... a file for each' },
);
my $depth = valgrind() ? 2000 : 50_000;
hard_case(
    'deep recursion, left by return and by die',
    "no warnings; sub r { \$_[0] ? r(\$_[0] - 1) : 1 } sub d { d(\$_[0] - 1) if \$_[0]; die 'out' } r($depth); eval "
    . "{ d($depth) }; r(3);",
    options => { calls => 2 },
    tools   => 0,    # stacks of that depth are gigabytes of text
    check   => sub {
        my ($got, $profile) = @_;
        is calls_of($profile, 'main::r'), $depth + 5, '... all returns';
        is calls_of($profile, 'main::d'), $depth + 1, '... also those by die';
        is((sort { $b <=> $a } map { $_->{depth} } values %{ $profile->{arcs} })[0], $depth, '... and the depth');
    },
);

# ---- modules that do what others do not -----------------------------------------------

if (optional_module('Coro', 'libcoro-perl')) {
    hard_case(
        'Coro: threads that are no processes',
        'use Coro; sub work { my ($n) = @_; for (1 .. 5) { inner($n); cede } return $n } sub inner { my $x = shift; cede if $x % 2;
            return $x }
         my @c = map { my $n = $_; async { work($n) } } 1 .. 20; print join(" ", map { $_->join } @c), "\n"; inner(2);',
        check => sub { my ($got, $profile) = @_; is count_of($profile, 'main::inner'), 101, '... all calls are there' },
    );
}
if (optional_module('Future::AsyncAwait', 'libfuture-asyncawait-perl')) {
    hard_case(
        'Future::AsyncAwait: subs that are left half way, and custom ops that call the handlers of perl\'s',
        'use Future; use Future::AsyncAwait; my @waiting; sub later { push @waiting, Future->new; return $waiting[-1] } sub leaf { 1 }
         async sub first { my ($x) = @_; my $y = await later(); leaf(); for my $i (1 .. 3) { $y += await later(); leaf() } return $x + $y }
         async sub second { my $sum = 0; for my $i (1, 2) { $sum += await first($i) } eval { await later(); die "inside\n" }; return "$sum $@" }
         async sub third { await later(); die "dead\n" }
         sub deep { my ($n) = @_; return $n ? deep($n - 1) : do { my $f = second(); leaf(); $f } }
         my ($f, $g, $given_up) = (deep(20), third(), first(9)); $given_up->cancel;
         while (my $next = shift @waiting) { leaf(); $next->done(1) unless $next->is_ready }
         print $f->get; eval { $g->get }; print $@',
        check => sub { my ($got, $profile) = @_; is $got->{out}, "11 inside\ndead\n", '... they went on' },
    );
}
hard_case(
    'use_db_sub=1: string evals that come where the last one was',
    'my $sum = 0; $sum += eval "$_ * 2" for 1 .. 300; print "$sum\n"',
    options => { use_db_sub => 1 },
    check   => sub {
        my ($got, $profile) = @_;
        my %executed = %{ $profile->{executed} };
        my @evals = grep { /^\(eval \d+\)/ } keys %executed;
        is scalar(grep { $executed{$_} == 1 } @evals), 300, '... each of them was executed once';
    },
);
hard_case(
    'classes: fields that call subs, ADJUST, methods without a name, an inherited constructor',
    'use v5.38; no warnings "experimental::class"; use feature "class";
     class Point { field $x :param = 1; field @h = map { $_ * 2 } helper(); sub helper { (1, 2, 3) }
         ADJUST { $x += helper(); $self->note($x) }
         method note ($v) { push @h, $v; return $self }
         method sum { my $s = $x; $s += $_ for @h; $s }
         method adder { return method ($n) { $x + $n } } }
     class Sized :isa(Point) { method sum { $self->SUPER::sum() + 1 } }
     my $t = 0;
     for my $i (1 .. 5) { my $p = Sized->new(x => $i); my $adder = $p->adder; $t += $p->sum + $p->$adder(3) }
     eval { Point->new(q => 1) }; print $@ =~ /^Unrecognised/ ? "refused " : $@; eval { Point::sum("Point") }; print $@ ? "no object $t\n" : "";',
    check => sub {
        my ($got, $profile) = @_;
        my %calls = ('Sized::new' => 5, 'Point::new' => 1, 'Point::helper' => 12, 'Point::note' => 6, 'Sized::sum' => 5,
            'Point::sum' => 6);
        is count_of($profile, $_), $calls{$_}, "... calls of $_" for sort keys %calls;
    },
) if $] >= 5.038;
hard_case(
    'O.pm: a program that is only compiled',
    '1', arguments => ['-MO=Concise,-exec', '-e', 'sub f { 1 } f()'],
);
hard_case(
    "a module's END block calls, dies, exits",
    'package M; sub f { 1 } END { f() } package main; END { f2() } sub f2 { eval { die "x" }; $? = 5 } M::f(); END '
    . '{ exit 7 }',
    check => sub { my ($got, $profile) = @_; is count_of($profile, 'M::f'), 2, '... with calls at the end' },
);
hard_case(
    'objects destroyed after the end',
    'package D; sub new { bless {} } sub DESTROY { helper() } sub helper { print "x\n" } package main; our $global = D->new;
        my $cycle = D->new; $cycle->{self} = $cycle;',
);

# Perl clears $@ before it calls END blocks, so the collector must not add one.
my $guard = 'package Guard; sub new { bless { code => $_[1] } } sub DESTROY { my $s = shift; print ${^GLOBAL_PHASE}, "\n"; eval { $s->{code}->() } }
    package main; eval { die Guard->new(sub { main::late(); die "already closed\n" }) }; sub late { 1 } sub early { 1 } early();';
for my $options ({}, { start => 'end' }, { start => 'init' }) {
    my ($name) = (%$options ? join('=', %$options) . ': ' : '') . 'an object in $@ at the end';
    hard_case($name, "$guard exit 4", options => $options, check => sub {
        my ($got, $profile) = @_;
        is count_of($profile, 'main::late'), 0, '... what comes after the end is not profiled';
        is count_of($profile, 'main::early'), $options->{start} && $options->{start} eq 'end' ? 0 : 1,
            '... what comes before is';
    });
    hard_case("$name is there for what is destroyed then",
        'our $o = bless [], "D"; sub D::DESTROY { print "error was: $@" } eval { die "x\n" };', options => $options);
}
hard_case('an object in $@ and END blocks', "$guard END { print 'end', ref \$\@ }", options => $_) for {},
    { start => 'init' };
my $late = 'package D; sub new { bless {} } sub DESTROY { main::late() } package main; our $o = D->new; sub late { '
    . '1 } sub early { 1 } END { early() }';
for my $load ('use threads;', 'require threads; threads->create(sub { early() })->join;',
    'eval "use threads; 1" or die;') {
    next if !$Config{useithreads};
    hard_case("threads.pm and the end: $load", "$late $load", check => sub {
        my ($got, @profiles) = @_;
        my ($profile) = grep { count_of($_, 'D::new') } @profiles;
        is count_of($profile, 'main::early'), 1, '... END blocks are profiled';
        is count_of($profile, 'main::late'), 0, '... what comes after them is not';
    });
}

done_testing();
