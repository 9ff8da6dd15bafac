package Devel::NYTProf::Apache;

use strict;

our $VERSION = '6.12';

BEGIN {
    if (!length($ENV{NYTPROF} // '')) {
        $ENV{NYTPROF} = "file=/tmp/nytprof.$$.out";
        warn "Devel::NYTProf: NYTPROF is not in the environment (PerlPassEnv NYTPROF passes it on): profiles go to /tmp/nytprof.$$.out.PID\n";
    }

    # Each process needs a file of its own. Without endatexit mod_perl does not run the END blocks of a worker.
    $ENV{NYTPROF} .= ':addpid=1:endatexit=1';
}

use Devel::NYTProf;

1;
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf::Apache - profiles the workers of an Apache with mod_perl 2

=head1 SYNOPSIS

In Apache's configuration, before all other lines for mod_perl:

    PerlPassEnv NYTPROF
    PerlModule Devel::NYTProf::Apache

Then, with a directory that the user of the workers may write to:

    mkdir -m 1777 /tmp/profiles
    NYTPROF=file=/tmp/profiles/out apache2ctl start
    ab -n 1000 -c 4 http://localhost/app        # or whatever makes requests
    apache2ctl stop
    nytprofmerge -o all.out /tmp/profiles/out.*

=head1 DESCRIPTION

This module loads L<Devel::NYTProf> with the options C<addpid=1> and C<endatexit=1>. The process that starts Apache, the one that
stays in the background and all workers are profiled. Each writes the file F<FILE.PID>, which is complete when the process has
ended: when the server is stopped, after a graceful restart, or when C<MaxConnectionsPerChild> is reached. A worker that never
runs any perl writes none.

The time that a worker spends outside of perl, waiting for requests, reading and sending them, is in no statement and in no sub.

Without C<NYTPROF> in the environment the file is F</tmp/nytprof.PID.out.PID>, where the first PID is the process that loads the
configuration, and a warning says so. For other options see L<Devel::NYTProf/OPTIONS>.

Only code that is compiled after this module was loaded is profiled, so C<PerlModule Devel::NYTProf::Apache> comes first. Apache
reads its configuration twice when it starts and once for every restart, and makes a new interpreter each time. A restarted parent
replaces its former profile, which is that of the configuration alone. Profiles of workers are never replaced, because they have
other numbers.

The module is made for the prefork MPM. With a threaded MPM each interpreter of mod_perl writes a file of its own, with C<.tN>
after the process number.

=head1 A PROFILE WITHOUT STOPPING THE WORKER

C<DB::enable_profile()> with another file name completes the current file, which can be read at once, and begins the new one. In
a worker the process number is appended to the name, as always. To do that by a signal, set a handler in a startup file
(C<PerlRequire>):

    my $part = 0;
    $SIG{USR2} = sub { DB::enable_profile('/tmp/profiles/part' . ++$part) };

After C<kill -USR2 PID> the worker completes F<out.PID> as soon as it runs any perl, which is with its next request. F<part1.PID> goes
on from there, until the next signal. To do it by a request, which any worker may answer, add a handler:

    package Site::Part;
    my $part = 0;
    sub handler {
        my ($r) = @_;
        DB::enable_profile('/tmp/profiles/part' . ++$part);
        $r->print("$$ begins part$part\n");
        return Apache2::Const::OK;
    }

Calls that have not returned at that moment are in both files, each with its part of the time.

=head1 SEE ALSO

L<Devel::NYTProf>, L<nytprofmerge(1)>

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
