package StockModules;

# Stock's modules, those of Devel::NYTProf of CPAN or Debian, in the perl that runs the tests. They are found even if
# others are installed.
#
#   use StockModules;                 # skips the test if this perl lacks them
#   use StockModules '-or_ours';      # takes those of this build then
#   use Devel::NYTProf::Data;
#
#   my $why     = StockModules::why_not();    # undef if this perl has them, and they read our profiles
#   my @command = StockModules::command();    # a perl that has them, and finds stock's
#   my $path    = StockModules::flamegraph();

use strict;
use warnings;

use Config;
use NYTPTest ();
use Test::More ();

# Debian's are in the vendor directories, which come after the site's, where one may be installed. A perl that was not
# packaged may have them in the site's.
my @VENDOR = grep { defined && length } @Config{qw(vendorarch vendorlib)};

sub are_there { return scalar grep { !ref && -e "$_/Devel/NYTProf/Reader.pm" } @VENDOR, @INC }

sub why_not {
    return 'this perl has no Devel::NYTProf of CPAN' if !are_there();
    return "Devel::NYTProf of CPAN reads only numbers of this perl's $Config{nvsize} bytes, ours have 8"
        if $Config{nvsize} != 8;
    return;
}

# The system's perl, if this one has none.
sub command {
    my $perl = why_not() ? '/usr/bin/perl' : $^X;
    my @dirs = split /\n/,
        qx($perl -MConfig -e 'print map { length ? "\$_\n" : () } \@Config{qw(vendorarch vendorlib)}');
    return ($perl, map { "-I$_" } @dirs);
}

# Stock's flamegraph.pl: Debian has it beside the modules, CPAN's distribution installs it as a program.
sub flamegraph {
    my ($path) = grep { -e } (map { "$_/Devel/NYTProf/flamegraph.pl" } @INC),
        map { "$_/flamegraph.pl" } @Config{qw(installsitescript installsitebin)};
    return $path // die "flamegraph.pl is neither in perl's library nor among its programs\n";
}

sub import {
    my ($class, $or_ours) = @_;
    my $why_not = why_not();
    Test::More::plan(skip_all => $why_not) if $why_not && !$or_ours;
    unshift @INC, $why_not ? NYTPTest::build_dir() . '/perl5' : @VENDOR;
    return;
}

1;
