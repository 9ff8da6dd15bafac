package CoverTruth;

# Programs that are made up, each in two forms: one to be recorded, and one that says what runs. Both have the same
# statements on the same lines and do the same; in the second, each statement has a call of T() before it, and each condition
# is in a call of B().
#
#   my ($plain, $telling) = programs($seed);
#   my $truth = truth($telling_output);    # { lines => { LINE => ran }, branches => { LINE => [taken, not taken] },
#                                        #   any => { LINE => 1 } }

use strict;
use warnings;
use utf8;

use Exporter 'import';

our @EXPORT_OK = qw(programs truth);

my ($state, $depth, @lines, %statements, %branches, %idle);

sub _below { $state = ($state * 1103515245 + 12345) & 0x7FFFFFFF; return int($state / 65536) % $_[0] }
sub _one_of { return $_[_below(scalar @_)] }

# A line: « stands before a statement, ¿ before the condition of an elsif, and ‹...› around a condition, if it is alone on its
# line. After ~ nothing is asked of a line: perl gives statements that go on over several lines the number of any.
sub _line { my ($text) = @_; push @lines, $text; return }

my $names = 0;
sub _name { return 'n' . ++$names }

sub _condition {
    return _one_of('$n % ' . (2 + _below(3)), '$n > ' . _below(9), '!$n', 'f(' . _below(2) . ')', '$undef', '@list', 'f(1) && f(' . _below(2) . ')');
}

sub _value { return _one_of('$n + ' . _below(9), 'f(' . _below(9) . ')', '"a" . $n', 'scalar @list', _below(9)) }

sub _block {
    my ($least) = @_;
    $depth++;
    _statement() for 1 .. $least + _below(3);
    $depth--;
    return;
}

# Operators whose value nobody uses, with one condition each.
sub _simple {
    my $kind = _below(16);
    my $v    = _name();
    return _line('«$n = ' . _value() . ';')                                        if $kind < 3;
    return _line("«my \$$v = " . _value() . ';')                                    if $kind == 3;
    return _line("«my (\$$v, \$${v}b) = (\$n, 2);")                                 if $kind == 4;
    return _line('«$n++ if ‹$n > ' . _below(5) . '›;')                              if $kind == 5;
    return _line('«$n-- unless ‹f(' . _below(2) . ')›;')                            if $kind == 6;
    return _line('«$n = ‹' . _one_of('$n', '$undef', 'f(1)') . '› ? 3 : 4;')         if $kind == 7;
    return _line('«‹' . _one_of('$n', '$undef', 'f(0)') . '› or $n = 1;')            if $kind == 8;
    return _line('«‹' . _one_of('$n', '$undef', 'f(0)') . '› and $n += 2;')          if $kind == 9;
    return _line('«push @list, sort { $b <=> $a } map { $_ + $n } 1 .. 3;')         if $kind == 10;
    return _line('«$n = ‹' . _one_of('$undef', 'f(1)') . '› // 3;')                  if $kind == 11;
    return _line("«\$h{$v} " . _one_of('//', '||', '&&') . '= f(' . _below(3) . ');')    if $kind == 12;
    return _line('«eval q{$n += 2; ' . _below(2) . '} and $n++;')                      if $kind == 13;
    return _line("«state \$$v = f(" . _below(3) . ');')                                if $kind == 14;
    return _line('«splice @list, 3;');
}

sub _statement {
    my $kind = _below($depth < 4 ? 27 : 8);
    my $v    = _name();
    return _simple() if $kind < 8;
    if ($kind < 11) {
        _line('«if (‹' . _condition() . '›) {');
        _block(1);
        if (_below(2)) { _line('} else {'); _block(1) }
        _line('}');
    } elsif ($kind == 11) {
        _line('«if (‹f(' . _below(2) . ')›) {');
        _block(1);
        _line('} elsif (¿‹f(' . _below(2) . ')›) {');
        _block(1);
        _line('} else {');
        _block(1);
        _line('}');
    } elsif ($kind == 12) {
        _line('«unless (‹' . _condition() . '›) {');
        _block(1);
        _line('}');
    } elsif ($kind == 13) {
        _line("«my \$$v = 0;");
        _line("«while (‹\$$v++ < " . _below(4) . '›) {');
        _block(1);
        _line('}');
    } elsif ($kind == 14) {
        _line("«for my \$$v (1 .. " . _below(3) . ') {');
        _block(1);
        _line(_one_of('«next if ‹$n % 2›;', '«last if ‹$n > 3›;', '«$n++;'));
        _line('«$n += 2;');
        _line('}');
    } elsif ($kind == 15) {
        _line("«for (my \$$v = 0; ‹\$$v < " . _below(3) . "›; \$$v++) {");
        _block(1);
        _line('}');
    } elsif ($kind == 16) {
        _line('«eval {');
        _block(1);
        _line('«die "x\n" if ‹$n % 2›;');
        _line('«$n++;');
        _line('};');
    } elsif ($kind == 17) {
        _line("~«my \$$v = sub {");
        _line('~');
        _block(1);
        _line('«return 1 if ‹$n % 2›;');
        _line('«$n * 2;');
        _line('~};');
        _line("«\$$v->(1);") if _below(3);
    } elsif ($kind == 18) {
        _line('~{');
        _block(1);
        _line('}');
    } elsif ($kind == 19) {
        _line("~«my \@$v = map {");
        _line('~«my $m = $_;');
        _line('«$m + $n;');
        _line('~} 1 .. ' . _below(3) . ';');
    } elsif ($kind == 20) {
        _line('«do {');
        _line('«$n++;');
        _block(1);
        _line('} while (0);');
    } elsif ($kind == 21) {
        my $signed = _below(2);
        _line($signed ? "~sub $v (\$x, \$y = 4) {" : "~sub $v {");
        _line('«my ($x, $y) = @_;') if !$signed;
        _block(1);
        _line('«return $x;');
        _line('}');
        _line(_below(3) ? "«$v(2, 3);" : '«$n++;'); # perl numbers a block that ends in a named sub by its last line
    } elsif ($kind == 22) {
        _line('«if (0) {');
        _line('#«$n = 9;');
        _line('}');
        _line('«$n++;'); # a block of which nothing remains is not seen
    } elsif ($kind == 23) {
        _line('«unless (‹' . _condition() . '›) { # else');
        _block(1);
        _line('} else {');
        _block(1);
        _line('}');
    } elsif ($kind == 24) {
        _line("«my \$$v = 0;");
        _line("«until (‹\$$v++ >= " . _below(4) . '›) {');
        _block(1);
        _line('}');
    } elsif ($kind == 25) {
        _line("~$_") for "format $v =", '@<<<', '$n', '.';
        _line("«\$~ = '$v';");
        _line('«write;') if _below(2);
    } else {
        _line("«(my \$$v = 'aab') =~ s/a/f(1)/ge;");
        _line("«our \$o$v = \$$v;");
    }
    return;
}

sub _form {
    my ($tells) = @_;
    my ($line, $text) = (1, '');
    $text .= $tells ? 'sub T { $main::ran{$_[0]} = 1 } sub B { $main::seen{$_[0]}[$_[1] ? 0 : 1] = 1; $_[1] } '
        . 'END { print STDERR "line $_ ", $main::ran{$_} // 0, "\n" for 1 .. ' . (@lines + 2) . '; '
        . 'for my $b (sort { $a <=> $b } keys %main::seen) { print STDERR "branch $b $_\n" for grep { $main::seen{$b}[$_] } 0, 1 } } '
        : '';
    $text .= 'use feature qw(signatures state); no warnings; my ($n, $undef, @list, %h) = (1); sub f { $_[0] }' . "\n";
    for my $from (@lines) {
        my $to = $from;
        $line++;
        if ($tells) {
            $to =~ s/^~|#«.*//g;
            $to =~ s/«/T($line); /g;
            $to =~ s/¿/T($line) && /g;
            $to =~ s/‹(.*?)›/B($line, scalar($1))/g;
        } else {
            $to =~ s/#«/ /;
            $to =~ s/^~|[«¿‹›]//g;
        }
        $text .= "$to\n";
    }
    return $text . "print \"\$n\\n\";\n";
}

# The text of both forms.
sub programs {
    my ($seed, $count) = @_;
    use utf8;
    ($state, $depth, $names, @lines) = ($seed * 7919 + 17, 0, 0);
    _statement() while @lines < $count;
    return (_form(0), _form(1));
}

# What the second form prints on standard error, with the lines that have a statement.
sub truth {
    my ($output) = @_;
    my %truth = (lines => {}, branches => {}, any => {});
    my %ran   = $output =~ /^line (\d+) (\d)$/mg;
    for my $i (0 .. $#lines) {
        my $line = $i + 2;
        $truth{any}{$line} = 1, next if $lines[$i] =~ /^~/;
        $truth{lines}{$line} = $ran{$line} if $lines[$i] =~ /(?<!#)«|¿/;
        # The first of each is that the right operand, or the block, was run.
        next if $lines[$i] !~ /‹(.*?)›/ || $1 =~ /&&/;
        my $swaps = $lines[$i] =~ m{unless(?!.*# else$)|until|› (?:or|//) } ? 1 : 0;
        $truth{branches}{$line} = [map { my $n = $_ ^ $swaps; $output =~ /^branch $line $n$/m ? 1 : 0 } 0, 1];
    }
    return \%truth;
}

1;
