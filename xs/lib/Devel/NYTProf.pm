package Devel::NYTProf;

our ($VERSION, $errno);

# Before anything else is compiled: perl -d has set bits that make calls go through DB::sub.
BEGIN {
    $errno   = 0 + $!;
    $^P      = 0x310;
    $VERSION = '6.12';
}

use strict;
use Devel::NYTProf::Core;

Devel::NYTProf::Core::prepare();
$SIG{$_} ||= \&Devel::NYTProf::Core::exit_on_signal for split ' ', Devel::NYTProf::Core::signals();

# Last, for from here on everything is profiled.
Devel::NYTProf::Core::begin($errno);
__END__
