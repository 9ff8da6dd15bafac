# The recipes of doc/coverage.md for GitHub and GitLab: what they run passes in a clone as those services make it, and fails
# where a branch adds what no test runs, or the clone lacks the commit where it began.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use NYTPTest qw(build_dir run scratch_dir slurp spew top_dir);
use Test::More;

preloaded();

my $dir = scratch_dir();
my %env = (PERL5LIB => build_dir() . '/perl5', PERL5OPT => undef, HARNESS_PERL_SWITCHES => undef, NYTPROF => undef,
    PATH => build_dir() . "/bin:$ENV{PATH}", HOME => $dir, GIT_CONFIG_GLOBAL => '/dev/null', GIT_CONFIG_SYSTEM => '/dev/null',
    GITHUB_BASE_REF => 'main', GITHUB_STEP_SUMMARY => "$dir/summary", CI_MERGE_REQUEST_TARGET_BRANCH_NAME => 'main',
    map { ("GIT_${_}_NAME" => 'a', "GIT_${_}_EMAIL" => 'a@b') } qw(AUTHOR COMMITTER));

sub sh { my ($in, $script) = @_; return run(['sh', '-ec', $script], dir => $in, env => \%env) }

my $page = slurp(top_dir() . '/doc/coverage.md');
my ($tested) = $page =~ /^```sh\n(.*?)^nytp /ms;
mkdir "$dir/origin" or die;
is(sh("$dir/origin", "$tested\n" . "git add . && git commit -q -m add")->{status}, 0, 'the repository of the page');

# The commands of the blocks, but not those that install.
my ($github, $gitlab) = map { [/^ +- (?:run: )?(.*nytp cover.*)$/mg] } $page =~ /^```yaml\n(.*?)^```/msg;
is(scalar @$github, 3, "GitHub's steps");
is(scalar @$gitlab, 2, "GitLab's script");

my $n = 0;
sub clone {
    my (@options) = @_;
    my $to  = "$dir/clone" . $n++;
    my $got = run(['git', 'clone', '-q', '--branch=topic', @options, "file://$dir/origin", $to], env => \%env);
    is($got->{status}, 0, "a clone: @options") or diag($got->{err});
    return $to;
}

# The status of each command, until one fails.
sub statuses {
    my ($in, $commands) = @_;
    my @status;
    for (@$commands) {
        push @status, sh($in, $_)->{status};
        last if $status[-1] != 0;
    }
    return "@status";
}

is(statuses(clone(), $github), '0 3', 'GitHub: a branch that adds what no test runs fails');
is(statuses(clone(), $gitlab), '0 3', 'GitLab: so it does');
is(statuses(clone('--depth=1'), $github), '0 2', 'without the commit where the branch began: an error');
spew("$dir/origin/t/more.t", "use Test::More; use Sign; is(Sign::sign(-1), -1); is(Sign::twice(2), 4); done_testing");
is(sh("$dir/origin", 'git add . && git commit -q -m tests')->{status}, 0, 'a test is added');
my $github_clone = clone();
is(statuses($github_clone, $github), '0 0 0', 'GitHub: it passes');
like(slurp("$dir/summary"), qr/\A```\nlines  .*^100 %  3\/3 .* total\n```\n\z/ms, '... and the page of the run has the table');
ok(-s "$github_clone/cover.info", '... and codecov its file');
my $gitlab_clone = clone();
is(statuses($gitlab_clone, $gitlab), '0 0', 'GitLab: it passes');
ok(-s "$gitlab_clone/cobertura.xml", '... with what its report reads');

# GitLab takes the first number of what the expression finds.
my ($expression) = $page =~ m{^  coverage: '/(.*)/'$}m;
my ($found) = sh($gitlab_clone, $gitlab->[0])->{out} =~ /($expression)/m;
is(($found =~ /(\d+(?:\.\d+)?)/)[0], '100', "GitLab's expression finds the percentage");

done_testing();
