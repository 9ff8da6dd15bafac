package ReportBrowser;

# What tests do with a report in a browser.
#
#   use ReportBrowser qw(browse page_of shown go text_of csv quiet);
#   browse(my $browser = WebDriver->new, scratch_dir());
#   ok(shown(page_of(name => 'nytprof.out')));
#   go('#/subs', '.data-table tbody tr');

use strict;
use warnings;

use Exporter qw(import);
use JSON::PP ();
use NYTPTest qw(build_dir run);
use Test::More;

our @EXPORT_OK = qw(browse csv go menu page_of quiet shown text_of);

my ($browser, $dir);

# The browser of the functions below, and the directory for pages.
sub browse {
    ($browser, $dir) = @_;
    $browser->settle_by('window.report && report.settled()');
    return;
}

# Makes a page of a profile; its address.
sub page_of {
    my ($name, $profile, @options) = @_;
    my $path = "$dir/$name.html";
    my $got  = run([build_dir() . '/bin/nytprofhtml', '-o', $path, @options, $profile]);
    is($got->{status}, 0, "$name: nytprofhtml writes it") or diag($got->{err});
    return "file://$path";
}

# Opens a page. Returns whether its script has begun.
sub shown {
    my ($url) = @_;
    $browser->open('about:blank');
    $browser->open($url);
    return $browser->run('return document.documentElement.dataset.ready');
}

sub _quoted { return JSON::PP->new->allow_nonref->encode($_[0]) }

# Goes to a view by its address. It must have what the selector names: without it, waiting takes long.
sub go {
    my ($hash, $selector) = @_;
    $browser->run('location.hash = arguments[0]', $hash);
    my $is_there = $browser->wait_for('decodeURIComponent(location.hash) === decodeURIComponent(' . _quoted($hash)
        . ') && document.querySelector(' . _quoted($selector) . ')');
    fail("$hash: $selector is not there") if !$is_there;
    return $is_there;
}

sub text_of { return $browser->run('return document.querySelector(arguments[0])?.textContent', $_[0]) }

# Opens the menu of the bar, and returns the texts of its items. With the text of one, chooses that; otherwise closes the
# menu.
sub menu {
    my ($chosen) = @_;
    $browser->click('#bar-menu');
    my $texts = $browser->run('return [...document.querySelectorAll(".menu [role^=menuitem]")].map(one => one.textContent)');
    $browser->run('[...document.querySelectorAll(".menu [role^=menuitem]")].find(one => one.textContent === arguments[0]).click()', $chosen) if defined $chosen;
    $browser->keys('Escape') if !defined $chosen;
    $browser->settle;
    return $texts;
}

sub quiet { my ($what) = @_; return is_deeply([$browser->console], [], "$what: nothing on the console") }

# The rows of what "Copy as CSV" would copy.
sub csv {
    my @rows = map {
        [map { s/^"(.*)"$/$1/sr =~
            s/""/"/gr } /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g] } split /\r\n/, $browser->run('return report.view.csv()');
    my @heads = @{ shift @rows };
    return map { my %row; @row{@heads} = @$_; \%row } @rows;
}

1;
