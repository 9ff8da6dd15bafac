# slowops=3: each require and do FILE is a call of a built-in that is named after what it loads. Counts, callers and
# nesting are exact, whatever ends the file, and nothing else in the profile changes.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env need_collector plain profiled same_behaviour);
use File::Path qw(make_path);
use NYTPTest qw(build_dir run spew);
use StockModules ();
use Test::More;

need_collector();

my %FILES = (
    'Outer.pm'       => "package Outer;\nuse strict;\nuse Used;\nrequire Deep::Inner;\nsub f { return 1 }\nf();\n1;\n",
    'Used.pm'        => "package Used;\nsub import { require Late; return }\n1;\n",
    'Late.pm'        => "package Late;\n\$late = 1;\n1;\n",
    'Deep/Inner.pm'  => "package Deep::Inner;\nselect undef, undef, undef, 0.02;\nsub g { return 1 }\n1;\n",
    'Dies.pm'        => "package Dies;\nsub h { die qq(no\\n) }\nh();\n1;\n",
    'Syntax.pm'      => "package Syntax;\nsub {\n",
    'False.pm'       => "0;\n",
    'Exits.pm'       => "END { print qq(end\\n) } exit 3;\n",
    'Loops.pm'       => "package Loops;\nno warnings 'exiting';\nlast;\n1;\n",
    'conf.pl'        => "\$main::conf++;\n(7, 8);\n",
    'again.pl'       => "do './lib/again.pl' if ++\$main::again < 4;\n\$main::again;\n",
    "caf\xc3\xa9.pl" => "1;\n",
    'Gr\xc3\xb6n.pm' => "1;\n",
    'Forks.pm'       =>
    "package Forks;\nif (my \$pid = fork) { waitpid \$pid, 0 } else { sub in_child {} in_child() }\n1;\n",
    '1st.pm'         => "1;\n",
);

sub prepare {
    my ($dir) = @_;
    make_path("$dir/lib/Deep");
    spew("$dir/lib/" . ($_ =~ s/\\xc3\\xb6/\xc3\xb6/r), $FILES{$_}) for keys %FILES;
    return;
}

# The arcs of what was loaded: { called => { "caller at line" => [calls, inclusive and recursive seconds, depth] } }.
sub loads {
    my ($path) = @_;
    my $got = run([build_dir() . '/test/dump-chunks', $path]);
    is("$got->{status} $got->{err}", '0 ', 'a whole profile');
    my %loads;
    for (map { [split /\t/] } grep { /^SUB_CALLERS/ } split /\n/, $got->{out}) {
        my ($fid, $line, $count, $incl, $excl, $reci, $depth, $called, $caller) = @$_[1 .. 9];
        s/\A['"]// for $called, $caller;
        next if $called !~ /CORE:(?:require|dofile)\z/ || $caller eq '';    # that only marks a built-in
        # there may be several chunks: they are added up
        my $sum = $loads{$called}{"$caller at $line"} //= [0, 0, 0, 0];
        $sum->[0] += $count;
        $sum->[1] += $incl;
        $sum->[2] += $reci;
        $sum->[3] = $depth if $depth > $sum->[3];
    }
    return \%loads;
}

sub counts {
    my ($loads) = @_;
    return { map { my $to = $_;
        map { ("$to from $_" => $loads->{$to}{$_}[0]) } keys %{ $loads->{$to} } } keys %$loads };
}

sub of_script {
    my ($name, $script, $expected, %run) = @_;
    my ($plain, $got) = (plain(['-Ilib', '-e', $script], prepare => \&prepare),
        profiled('ours', ['-Ilib', '-e', $script], prepare => \&prepare,
            options => { slowops => 3, calls => 2, %{ $run{options} // {} } }));
    same_behaviour($plain, $got, $name);
    my $loads = loads($got->{files}[0]);
    my $counts = counts($loads);
    delete @$counts{ grep { $run{without} && /$run{without}/ } keys %$counts };
    is_deeply($counts, $expected, "$name: each is a call") or diag(explain($counts));
    return ($loads, $got);
}

subtest 'nested, by require, use and import' => sub {
    my ($loads) = of_script('nested', "require Outer;\nprint \$Late::late, qq(\\n);", {
        'Outer::CORE:require from main::RUNTIME at 1'                => 1,
        'strict::CORE:require from Outer::BEGIN@2 at 2'              => 1,
        'Used::CORE:require from Outer::BEGIN@3 at 3'                => 1,
        'Late::CORE:require from Used::import at 2'                  => 1,
        'Deep::Inner::CORE:require from Outer::CORE:require at 4'    => 1,
    });
    my ($outer) = values %{ $loads->{'Outer::CORE:require'} };
    my ($inner) = values %{ $loads->{'Deep::Inner::CORE:require'} };
    cmp_ok($inner->[1], '>=', 0.02, 'the time of a file has that of its statements');
    cmp_ok($outer->[1], '>=', $inner->[1], 'and of the files that it loads');
};

subtest 'loaded already, not a file, and by a variable' => sub {
    of_script('again',
        "use 5.010; require 5.010; require v5.10.0;\nrequire Late for 1 .. 3;\nrequire 'Late.pm'; my \$v = 5.006; "
        . "require \$v;\n"
            . "\$_ = 'Used.pm'; require; my \$n = 'Deep/Inner.pm'; require \$n;", {
        'Late::CORE:require from main::RUNTIME at 2'        => 3,
        'Late::CORE:require from main::RUNTIME at 3'        => 1,
        'Used::CORE:require from main::RUNTIME at 4'        => 1,
        'Deep::Inner::CORE:require from main::RUNTIME at 4' => 1,
    });
};

subtest 'what does not come to its end' => sub {
    of_script('dies',
        "for my \$f (qw(Dies Dies Syntax False Missing)) {\neval { require \"\$f.pm\"; 1 } or print substr(\$\@, 0, "
        . "20), qq(\\n);\n}\n"
            . "eval 'require Dies' or print \$\@;\nsub after { eval { require False } } after();\n"
            . "for (1, 2) { require Loops; print qq(not here\\n) }\nafter();", {
        'Dies::CORE:require from main::RUNTIME at 2'    => 2,
        'Syntax::CORE:require from main::RUNTIME at 2'  => 1,
        'False::CORE:require from main::RUNTIME at 2'   => 1,
        'Missing::CORE:require from main::RUNTIME at 2' => 1,
        'Dies::CORE:require from main::RUNTIME at 1'    => 1,
        'False::CORE:require from main::after at 5'     => 2,
        'Loops::CORE:require from main::RUNTIME at 6'   => 1,
        'warnings::CORE:require from Loops::BEGIN@2 at 2' => 1,
    });
    of_script('exits', 'require Exits;', { 'Exits::CORE:require from main::RUNTIME at 1' => 1 });
};

subtest 'do FILE' => sub {
    my ($loads) = of_script('do',
        "my \@got = do './lib/conf.pl';\nprint \"\@got \$conf\\n\" for 1, do './lib/conf.pl';\nprint "
        . "do('./none.pl') // 'none', qq(\\n);\n"
            . "print do './lib/again.pl';", {
        './lib/conf.pl::CORE:dofile from main::RUNTIME at 1'  => 1,
        './lib/conf.pl::CORE:dofile from main::RUNTIME at 2'  => 1,
        './none.pl::CORE:dofile from main::RUNTIME at 3'      => 1,
        './lib/again.pl::CORE:dofile from main::RUNTIME at 4' => 1,
        './lib/again.pl::CORE:dofile from ./lib/again.pl::CORE:dofile at 1' => 3,
    });
    my $deep = $loads->{'./lib/again.pl::CORE:dofile'}{'./lib/again.pl::CORE:dofile at 1'};
    is("$deep->[1] $deep->[3]", '0 3', 'a file that does itself: the time counts once');
    cmp_ok($deep->[2], '>', 0, 'and again as recursive time');
};

# Their names are known only to code that perl runs, once, when it loads the file.
subtest 'names from tied and overloaded values' => sub {
    of_script('tied', "package Tied; sub TIESCALAR { bless [] } sub FETCH { print 'fetched '; 'Late.pm' }\n"
            . "package Text; use overload '\"\"' => sub { print 'made '; './lib/conf.pl' };\npackage main;\n"
            . "tie my \$t, 'Tied'; require \$t; \"Used.pm\" =~ /(.*)/; require \$1;\nprint do(bless [], 'Text'), "
            . "eval { require(undef); 1 } // 'undefined', qq(\\n);", {
        'main::CORE:require from main::RUNTIME at 4' => 2,
        'main::CORE:dofile from main::RUNTIME at 5'  => 1,
        'main::CORE:require from main::RUNTIME at 5' => 1,
    }, without => qr/ from (?:overload|warnings|Text)/);
};

subtest 'names that are not those of modules' => sub {
    of_script('names',
        "require '1st.pm'; require qq(caf\\xc3\\xa9.pl); require qq(Gr\\xc3\\xb6n.pm); eval { require "
        . "qq(a\\nb;c.pl) };", {
        '1st.pm::CORE:require from main::RUNTIME at 1'                 => 1,
        'caf%C3%A9.pl::CORE:require from main::RUNTIME at 1'           => 1,
        'Gr%C3%B6n::CORE:require from main::RUNTIME at 1'              => 1,
        'a%0Ab;c.pl::CORE:require from main::RUNTIME at 1'             => 1,
    });
};

subtest 'a file that forks' => sub {
    my ($loads, $got) = of_script('fork', "require Forks;\nsub later {} later();",
        { 'Forks::CORE:require from main::RUNTIME at 1' => 1 });
    is_deeply(counts(loads($got->{files}[1])), { 'Forks::CORE:require from main::RUNTIME at 1' => 1 },
        'ends in both processes');
};

# Without the loads and their places, what is left is what slowops=2 records.
subtest 'nothing else changes' => sub {
    my $script = "require Outer; require 5.006; eval { require Dies }; do './lib/conf.pl' for 1 .. 3; print join "
        . "',', sort { require Late; \$a <=> \$b } 3, 1, 2;";
    my %said;
    for my $slowops (2, 3) {
        my $got = profiled('ours', ['-Ilib', '-e', $script], prepare => \&prepare,
            options => { slowops => $slowops, blocks => 1 });
        my $out = run([build_dir() . '/test/dump-chunks', $got->{files}[0]])->{out} =~ s/\Q$got->{dir}\E/DIR/gr;
        my (@statements, %called);
        for (map { [split /\t/] } split /\n/, $out) {
            push @statements, join ' ', @$_[2 .. 5] if $_->[0] eq 'TIME_BLOCK';
            push @statements, 'discount' if $_->[0] eq 'DISCOUNT';
            push @statements, "file $_->[-1]" if $_->[0] eq 'NEW_FID';
            $called{"$_->[8] at $_->[1]:$_->[2]"} += $_->[3]
                if $_->[0] eq 'SUB_CALLERS' && $_->[8] !~ /CORE:(?:require|dofile)\z/;
        }
        $said{$slowops} = { statements => \@statements, called => \%called };
    }
    is_deeply($said{3}, $said{2}, 'statements, files and calls of subs');
};

# Readers take the names for those of built-ins.
my $got = profiled('ours', ['-Ilib', '-e', 'require Outer; do "./lib/conf.pl"; Deep::Inner::g()'], prepare => \&prepare,
    options => { slowops => 3 });
for my $perl5 (build_dir() . '/perl5', '') {
    my $read = run([$perl5 ? ($^X, "-I$perl5") : StockModules::command(), '-MDevel::NYTProf::Data', '-e', <<'END', $got->{files}[0]], env => { clean_env() });
my $subs = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })->subname_subinfo_map;
for (sort grep { /Inner.*require|dofile/ } keys %$subs) {
    print "$_ ", $subs->{$_}->calls, ' ', $subs->{$_}->kind, "\n";
}
END
    is("$read->{err}$read->{out}", "./lib/conf.pl::CORE:dofile 1 opcode\nDeep::Inner::CORE:require 1 opcode\n",
        ($perl5 ? 'our' : "stock's") . ' reader');
}

done_testing();
