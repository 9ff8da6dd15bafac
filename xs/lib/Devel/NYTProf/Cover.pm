package Devel::NYTProf::Cover;

our $VERSION = '6.12';

require Devel::NYTProf::BuiltFor;
require XSLoader;
XSLoader::load('Devel::NYTProf::Cover', $VERSION);

# Colons separate the options of NYTPROF, and a backslash comes before one that does not.
{
    my %option = map { s/\\(.)/$1/gsr } map { /^(cover_\w+)=(.*)/s } split /(?<!\\):/, $ENV{NYTPROF} // '';
    begin($option{cover_file} // 'nytcover.out', $option{cover_dir} // '', !!$option{cover_addpid});
}

1;
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf::Cover - records which code has run

=head1 SYNOPSIS

    nytp cover prove -l t                       # lines, branches and subs that the tests run
    nytp cover --missing                        # what has not run

    perl -MDevel::NYTProf::Cover prog.pl        # one program: writes nytcover.out

=head1 DESCRIPTION

This module records which statements of a program have run, and which way each of its conditions went. The program does the same as
without it, and takes nearly the same time: what has been seen is not looked for any more, so a loop costs nothing from its second
round on. There is no C<-d>; C<$^P>, C<caller> and the names of evals are what they are without it, no reference keeps code
alive, and an overloaded C<bool> runs as often.

Only code that is compiled after the module was loaded is recorded, so not what a C<-M> before it loads. C<nytp cover> puts it into C<PERL5OPT>,
which perl looks at after the options of its command line; if the command is a perl with C<-M>, it comes before these. And, as perl ignores C<PERL5OPT> and C<PERL5LIB> with C<-T>, it puts it into C<HARNESS_PERL_SWITCHES>,
which reach such tests. C<-d:NYTProf> may be there, too; the times of the profile are then those of a run with coverage.

L<nytp-cover(1)> shows what was recorded.

=head2 What is recorded

Code in files below the directory in which the program begins, except in F<t/>, F<xt/>, F<inc/> and F<local/>, and perl's own and installed
modules; and string evals that this code runs. Equal string evals of one line are one.

=head2 The file

What was seen is in the file at once: a process that is killed, calls C<exec> or C<POSIX::_exit> loses nothing. The threads of a process have one
file. A forked child has one, with its process number appended, as soon as it runs what its parent had not run.

=head1 OPTIONS

They are in the environment variable C<NYTPROF>, as those of L<Devel::NYTProf>: C<NYTPROF=cover_file=/tmp/cover.out:cover_addpid=1>. A backslash comes
before a colon that does not end an option.

=over

=item cover_file [nytcover.out]

Where the recording goes. A file that another process writes is left alone; the process number is appended then.

=item cover_dir [.]

The directory of the project.

=item cover_addpid [0]

1 appends the number of each process, and no recording takes the place of another.

=back

=head1 LIMITS

A perl that was built with PERL_DEBUG_READONLY_OPS cannot be used. If the file cannot be made larger, because the disk is full or the program has changed its root
directory or its user, a message says so, and the program goes on.

=head1 SEE ALSO

L<nytp-cover(1)>, L<Devel::NYTProf>, L<Devel::Cover>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
