package CallgrindFile;

# A strict reader of the callgrind files that nytprofcg writes. Whatever a program could fail to load is a
# complaint (I6 in CallgrindCheck).
#
#   my $file = CallgrindFile->parse($bytes);
#   $file->{complaints}   list of what is wrong
#   $file->{events}       [ 'Time', ... ]; {summary}, {totals}: their costs
#   $file->{computed}     by name: [ 'Time', 'Waiting' ], an event that KCachegrind computes as their difference
#   $file->{functions}    by name: { object, file, self => { line => [costs] }, calls => [ ... ], jumps => [ ... ] }
#                         a call: { to, count, target_line, line, costs }; a jump: { line, to, count }, a line each

use strict;
use warnings;

my $NUMBER = qr/(?:0|[1-9][0-9]*)/;

# KCachegrind's own event types, whose names ours must not have.
my %BUILT_IN = map { $_ => 1 } qw(Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw I2mr D2mr D2mw
    Bc Bcm Bi Bim Ge Smp Sys User L1m LLm);

sub parse {
    my ($class, $bytes) = @_;
    my $self = bless {
        complaints => [],
        functions  => {},
        names      => { ob => {}, fl => {}, fn => {} },    # id to name
        ids        => { ob => {}, fl => {}, fn => {} },    # name to id
        place      => {},                                  # function to "object\0file" where its id was bound
        desc       => [],
        line       => 0,
    }, $class;
    $self->complain('does not end with a newline') if $bytes !~ /\n\z/;
    for my $char (["\r", 'CR'], ["\t", 'tab'], ["\0", 'NUL']) {
        $self->complain("has a $char->[1]") if index($bytes, $char->[0]) >= 0;
    }
    my @lines = split /\n/, $bytes;
    $self->_header(\@lines);
    while (@lines && !defined $self->{totals}) {
        $self->_body_line(\@lines, $self->_next(\@lines));
    }
    $self->complain('no totals')            if !defined $self->{totals};
    $self->complain('something after totals') if @lines;
    $self->_check_definitions;
    return $self;
}

sub complain {
    my ($self, $what) = @_;
    push @{ $self->{complaints} }, $self->{line} ? "line $self->{line}: $what" : $what;
    return;
}

sub _next {
    my ($self, $lines) = @_;
    $self->{line}++;
    my $line = shift @$lines;
    return defined $line ? $line : '';
}

# ---- header ----

sub _header {
    my ($self, $lines) = @_;
    for my $expected (qr/^# callgrind format$/, qr/^version: 1$/, qr/^creator: nytprofcg \S+$/) {
        my $line = $self->_next($lines);
        $self->complain("'$line' is not like $expected") if $line !~ $expected;
    }
    my $is_part = @$lines && $lines->[0] =~ /^pid: [1-9]\d*$/ && $self->_next($lines);
    $self->_next($lines) if @$lines && $lines->[0] =~ /^cmd: \S/;
    $self->complain('a pid, but not its part') if $is_part && $self->_next($lines) !~ /^part: [1-9]\d*$/;
    push @{ $self->{desc} }, $self->_next($lines) while @$lines && $lines->[0] =~ /^desc: \S+: \S/;
    my $line = $self->_next($lines);
    $self->complain("'$line' instead of positions: line") if $line ne 'positions: line';
    my @described;
    while (@$lines && $lines->[0] =~ /^event: (\S+) : \S/) {
        push @described, $1;
        $self->_next($lines);
    }
    while (@$lines && $lines->[0] =~ /^event: (\w+) = (\w+) - (\w+) : \S/) {
        my ($name, @of) = ($1, $2, $3);
        $self->complain("$name is computed from events that are not there")
            if grep { my $event = $_; $event eq $name || !grep { $_ eq $event } @described } @of;
        $self->{computed}{$name} = \@of;
        $self->_next($lines);
    }
    $line = $self->_next($lines);
    my ($events) = $line =~ /^events: (\S+(?: \S+)*)$/ or $self->complain("'$line' is not events");
    $self->{events} = [ split / /, $events // '' ];
    $self->complain("events '$line' are not those described") if "@described" ne "@{ $self->{events} }";
    for my $event (@{ $self->{events} }) {
        $self->complain("bad event $event") if $event !~ /^[A-Za-z_][A-Za-z_0-9]*$/ || $BUILT_IN{$event};
    }
    $line = $self->_next($lines);
    $self->{summary} = $self->_costs($line =~ /^summary: (.*)$/ ? $1 : '');
    return;
}

# Every column, unsigned 64 bits, single blanks.
sub _costs {
    my ($self, $text) = @_;
    my @costs   = split / /, $text, -1;
    my $columns = @{ $self->{events} };
    $self->complain("not $columns costs: '$text'") if @costs != $columns || grep { !/^$NUMBER$/ } @costs;
    $self->complain("more than 64 bits: '$text'") if grep { length > 19 } @costs;
    return [ map { /^($NUMBER)$/ ? $1 : 0 } @costs[ 0 .. $columns - 1 ] ];
}

# ---- body ----

sub _body_line {
    my ($self, $lines, $line) = @_;
    if ($line eq '') {
        delete $self->{current};
    }
    elsif ($line =~ /^ob=/) {
        $self->_function($lines, $line);
    }
    elsif ($line =~ /^(?:cob|cfi|cfn)=/) {
        $self->_call($lines, $line);
    }
    elsif ($line =~ /^jump=([1-9][0-9]*) ($NUMBER)$/ && $self->{current}) {
        my ($count, $to, $at) = ($1, $2, $self->_next($lines));
        $self->complain("'$at' instead of the line of a jump") if $at !~ /^$NUMBER$/;
        $self->complain('a jump after costs')                  if %{ $self->{current}{self} };
        push @{ $self->{current}{jumps} }, { line => $at, to => $to, count => $count };
    }
    elsif ($line =~ /^totals: (.*)$/) {
        $self->{totals} = $self->_costs($1);
    }
    elsif ($line =~ /^($NUMBER) (.*)$/ && $self->{current}) {
        my ($at, $costs) = ($1, $2);
        $self->complain("line $at twice in one function") if $self->{current}{self}{$at};
        $self->complain('own costs after calls')          if @{ $self->{current}{calls} };
        $self->{current}{self}{$at} = $self->_costs($costs);
    }
    else {
        $self->complain("what is '$line'?");
    }
    return;
}

# The name that "key=(id) name" or "key=(id)" stands for.
sub _name {
    my ($self, $kind, $key, $line) = @_;
    if ($line !~ /^\Q$key\E=\(($NUMBER)\)(?: (\S.*))?$/) {
        $self->complain("'$line' instead of $key=(id) name");
        return '?';
    }
    my ($id, $name) = ($1, $2);
    my ($names, $ids) = ($self->{names}{$kind}, $self->{ids}{$kind});
    if (defined $name) {
        $self->complain("$key id $id bound again")              if exists $names->{$id};
        $self->complain("$key name '$name' has two ids")        if exists $ids->{$name};
        $self->complain("colon in file name '$name'")           if $kind eq 'fl' && $name =~ /:/;
        $self->complain("control character in '$name'")         if $name =~ /[\x00-\x1f\x7f]/;
        $self->complain("blank at the end of '$name'")          if $name =~ / $/;
        $self->complain("'$name' is not UTF-8")                 if !utf8::decode(my $copy = $name);
        ($names->{$id}, $ids->{$name}) = ($name, $id);
    }
    $self->complain("$key id $id not bound") if !exists $names->{$id};
    return $names->{$id} // '?';
}

# A function's id must be bound where its object and file are current.
sub _bound {
    my ($self, $name, $object, $file) = @_;
    my $place = "$object\0$file";
    $self->{place}{$name} //= $place;
    $self->complain("'$name' is in two places") if $self->{place}{$name} ne $place;
    return;
}

sub _function {
    my ($self, $lines, $line) = @_;
    my $object = $self->_name('ob', 'ob', $line);
    my $file   = $self->_name('fl', 'fl', $self->_next($lines));
    my $name   = $self->_name('fn', 'fn', $self->_next($lines));
    $self->complain("'$name' is there twice") if $self->{functions}{$name};
    $self->_bound($name, $object, $file);
    $self->{current} = $self->{functions}{$name} =
        { object => $object, file => $file, self => {}, calls => [], jumps => [] };
    return;
}

sub _call {
    my ($self, $lines, $line) = @_;
    my $from = $self->{current} // {};
    my ($object, $file) = ($from->{object} // '?', $from->{file} // '?');
    $self->complain('a call outside of any function') if !$self->{current};
    if ($line =~ /^cob=/) {
        $object = $self->_name('ob', 'cob', $line);
        $line   = $self->_next($lines);
    }
    if ($line =~ /^cfi=/) {
        $file = $self->_name('fl', 'cfi', $line);
        $self->complain('cfi for the same file') if $file eq $from->{file};
        $line = $self->_next($lines);
    }
    my $to = $self->_name('fn', 'cfn', $line);
    $self->_bound($to, $object, $file);
    $line = $self->_next($lines);
    my ($count, $target) = $line =~ /^calls=([1-9][0-9]*) ($NUMBER)$/
        or $self->complain("'$line' instead of calls=N LINE");
    $line = $self->_next($lines);
    my ($at, $costs) = $line =~ /^($NUMBER) (.*)$/ or $self->complain("'$line' instead of the call's cost");
    push @{ $from->{calls} },
        { to => $to, count => $count // 0, target_line => $target, line => $at, costs => $self->_costs($costs // '') };
    return;
}

sub _check_definitions {
    my ($self) = @_;
    $self->{line} = 0;
    for my $name (sort keys %{ $self->{ids}{fn} }) {
        my $function = $self->{functions}{$name};
        if (!$function) {
            $self->complain("'$name' is called and not there");
        }
        elsif (!%{ $function->{self} }) {
            $self->complain("'$name' has no line of its own");
        }
    }
    return;
}

1;
