# Subs written in C, that call back, die, are imported or called as methods.
use strict;
use warnings;
use Data::Dumper;
use Digest::MD5 qw(md5_hex);
use Encode qw(encode decode);
use Scalar::Util qw(reftype refaddr);
use Storable qw(dclone freeze thaw);
use Time::HiRes ();
use POSIX qw(floor ceil strftime);
use MIME::Base64;

$Data::Dumper::Sortkeys = sub { my ($h) = @_; return [sort keys %$h] };
$Data::Dumper::Indent = 1;
sub around { return md5_hex(@_) }
print around('x'), "\n" for 1 .. 3;
print Dumper({ a => [1, 2], b => \'c' });
print length(encode('UTF-8', "\x{263a}")), decode('UTF-8', 'abc'), "\n";
eval { decode('UTF-8', "\xff", Encode::FB_CROAK) };
print $@ ? "croaked\n" : "none\n";
package Hooked { sub new { return bless { n => $_[1] } } sub STORABLE_freeze { my ($self) = @_; return $self->{n} } sub STORABLE_thaw { my ($self, $cloning, $text) = @_; $self->{n} = $text + 1 } }
print dclone(Hooked->new(5))->{n}, thaw(freeze([7]))->[0], "\n";
print floor(1.5), ceil(1.5), strftime('%Y', gmtime 0), "\n";
print encode_base64('text'), decode_base64('dGV4dA=='), "\n";
my $digest = Digest::MD5->new;
$digest->add($_) for 'a', 'b';
print $digest->hexdigest, "\n";
print "version\n" if eval { Data::Dumper->VERSION(1); 1 };
eval { Data::Dumper->VERSION(1000) };
print $@ ? "too old\n" : '';
print UNIVERSAL::isa([], 'ARRAY') ? 'array' : '', utf8::is_utf8("\x{100}") ? 'utf8' : '', Internals::SvREADONLY(my $x) ? 1 : 0, "\n";
