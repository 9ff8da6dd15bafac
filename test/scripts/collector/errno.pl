# $!, $@, $? and $_ are what the program left in them, whatever has happened since: files, subs, evals and places seen for the first
# time, calls of each kind, blocks that are left, children, and half a second in which a profile is saved.
use strict;
use warnings;
use List::Util qw(first);

sub says {
    my ($what) = @_;
    print "$what: ", $! + 0, " $? $@$_\n";
    ($!, $?, $@, $_) = (11, 512, 'kept', 'underscore');
    return;
}

sub first_call { return }
sub dies       { local $@; eval { die "no matter\n" }; return }
sub Gone::DESTROY { my $x = 1; return }

$_ = '';
says('to begin with');
says('a call');
first_call();
says('a first call');
eval 'sub in_eval { return 1 } 1' or die;
says('an eval');
in_eval();
says('a sub in it');
my $none = eval { die "a line\n" };
says('a die');
dies();
says('a die within');
{ my $object = bless [], 'Gone'; }
says('a destructor');
my @sorted = sort { $b <=> $a } map { $_ % 3 } 1 .. 20;
says('a sort');
my $found = first { $_ > 3 } 1 .. 5;
says('a callback');
(my $text = 'abc') =~ s/(b)/uc $1/e;
says('a substitution');
my $more = sub { goto &first_call };
$more->();
says('a goto');
my $missing = -e '/nonexistent/file';
says('a file that is not there');
require Text::Abbrev;
says('a module');
for my $n (1 .. 3) { next if $n == 2 }
says('a loop');
select undef, undef, undef, 0.45;
says('half a second');
my $pid = fork // die "fork: $!\n";
exit 3 if !$pid;
waitpid $pid, 0;
says('a child');
local $SIG{ALRM} = sub { first_call() };
kill ALRM => $$;
says('a signal');
END { says('the end') }
