# Calls an xsub that says its name and waits: perl itself says which one it is. The first argument names the shared
# object that test/scripts/record/Waiting.c makes, and the second one the form of the call. "list" lists the forms.

use strict;
use warnings;

use DynaLoader ();

my ($object, $form) = @ARGV;

BEGIN {
    package Waiting;
    our @ISA = ();
    if ($ARGV[0] ne 'list') {
        my $library = DynaLoader::dl_load_file($ARGV[0], 0)                     or die DynaLoader::dl_error();
        my $symbol  = DynaLoader::dl_find_symbol($library, 'boot_Waiting')      or die DynaLoader::dl_error();
        DynaLoader::dl_install_xsub('Waiting::bootstrap', $symbol)->('Waiting');
    }
}

{
    no warnings 'once';
    *Waiting::alias      = \&Waiting::waits;
    *Elsewhere::waits    = \&Waiting::waits;
    *Elsewhere::other    = \&Waiting::waits;
    *main::imported      = \&Waiting::waits;
    @Derived::ISA        = 'Waiting';
    @Overriding::ISA     = 'Waiting';
}
{ package Overriding; sub waits { my ($self, @rest) = @_; return $self->SUPER::waits(@rest) } }
sub perl_sub { return 1 }

my $self     = bless [], 'Waiting';
my $derived  = bless [], 'Derived';
my $name     = 'waits';
my $class    = 'Waiting';
my $code     = \&Waiting::waits;
my %code     = (waits => \&Waiting::waits);
my @many     = (1) x 100;

my %form = (
    method               => sub { $self->waits },
    method_arguments     => sub { $self->waits(1, 2, @many) },
    method_list          => sub { my @all = (1, 2, $self->waits(3), 4) },
    method_name          => sub { $self->$name },
    method_name_args     => sub { $self->$name(1, 2) },
    method_code          => sub { $self->$code },
    method_class         => sub { Waiting->waits },
    method_class_name    => sub { $class->waits(1) },
    method_inherited     => sub { $derived->waits },
    method_super         => sub { Overriding->waits(1) },
    method_qualified     => sub { $derived->Waiting::waits(1) },
    method_qualified_sup => sub { package Overriding; main->Overriding::SUPER::waits(1) },
    method_alias         => sub { $self->alias },
    method_elsewhere     => sub { Elsewhere->waits },
    method_nested        => sub { $self->waits($self->nothing(1), $self->nothing) },
    method_in_eval       => sub { eval { $self->waits }; die $@ if $@ },
    method_in_string     => sub { eval '$self->waits; 1' or die $@ },
    method_in_sort       => sub { my @sorted = sort { $self->waits; 0 } 1, 2 },
    function             => sub { Waiting::waits(1) },
    function_imported    => sub { imported(1) },
    function_amp         => sub { &Waiting::waits(1) },
    function_amp_args    => sub { &Waiting::waits },
    reference            => sub { $code->(1) },
    reference_no_args    => sub { $code->() },
    reference_amp        => sub { &$code(1, 2) },
    reference_of_hash    => sub { $code{waits}->(1) },
    reference_can        => sub { Waiting->can('waits')->($self) },
    reference_symbolic   => sub { no strict 'refs'; &{"Waiting::$name"}(1) },
    reference_glob       => sub { &{ *Waiting::waits }(1) },
    after_results        => sub { my @all = $self->waits_with_results(1, 2) },
    after_results_name   => sub { my $with = 'waits_with_results'; my @all = $self->$with },
    after_call           => sub { $self->waits_after_call(\&perl_sub) },
    after_call_xsub      => sub { $self->waits_after_call(\&Waiting::nothing) },
    alias_elsewhere      => sub { Elsewhere->other },
    reference_amp_args   => sub { &$code },
    jump                 => sub { goto &$code },
);

if ($object eq 'list') {
    print map { "$_\n" } sort keys %form;
    exit;
}
$form{$form}->(1, 2);
