package Marionette;

# Firefox without a window, driven by its own protocol: JSON arrays over TCP, each after its length and a colon. What
# it can do is called as in WebDriver.pm.
#
#   use Marionette;
#   plan skip_all => 'no firefox-esr' if !Marionette->found;
#   my $browser = Marionette->new;
#   $browser->open("file:///tmp/page.html");
#   is $browser->run('return document.title'), 'Title';
#   is_deeply [$browser->console], [];

use strict;
use warnings;

use parent 'WebDriver';

use File::Temp ();
use IO::Socket::INET;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use POSIX ();
use Time::HiRes qw(sleep time);

my $json = JSON::PP->new->utf8->allow_nonref->canonical;

# No questions at the start, and no use of the network. Port 0: a free one, which Firefox writes into its profile.
my %PREFERENCE = (
    'marionette.port'                              => 0,
    'browser.startup.page'                         => 0,
    'browser.shell.checkDefaultBrowser'            => 'false',
    'browser.aboutwelcome.enabled'                 => 'false',
    'datareporting.policy.dataSubmissionEnabled'   => 'false',
    'app.update.disabledForTesting'                => 'true',
    'app.normandy.enabled'                         => 'false',
    'network.captive-portal-service.enabled'       => 'false',
    'network.connectivity-service.enabled'         => 'false',
    'browser.safebrowsing.update.enabled'          => 'false',
    'extensions.update.enabled'                    => 'false',
    'services.settings.server'                     => '"data:,"',
    'remote.prefs.recommended'                     => 'true',
    'layout.css.prefers-color-scheme.content-override' => 1,
);

sub _program { return (grep { defined } map { WebDriver::in_path($_) } 'firefox-esr', 'firefox')[0] }

sub found { return _program() }

sub new {
    my ($class) = @_;
    my $self = bless { profile => File::Temp->newdir, owner => $$, number => 0 }, $class;
    open my $preferences, '>', "$self->{profile}/user.js" or die "user.js: $!\n";
    print {$preferences} map { qq{user_pref("$_", $PREFERENCE{$_});\n} } sort keys %PREFERENCE;
    close $preferences or die "user.js: $!\n";
    $self->_start;
    $self->_command('WebDriver:NewSession', {});
    $self->size(1280, 900);
    return $self;
}

sub _start {
    my ($self) = @_;
    my $log = "$self->{profile}/log";
    $self->{pid} = fork // die "fork: $!\n";
    if ($self->{pid} == 0) {
        $ENV{HOME} = "$self->{profile}"; ## no critic (LocalizedPunctuationVars)
        open STDOUT, '>',  $log      or POSIX::_exit(127);
        open STDERR, '>&', \*STDOUT or POSIX::_exit(127);
        exec _program(), qw(--headless --marionette --remote-allow-system-access --no-remote --profile),
            "$self->{profile}" or POSIX::_exit(127);
    }
    my $end = time + 60;
    while (time < $end) {
        my $port = $self->_port;
        $self->{socket} = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 5) if $port;
        last if $self->{socket};
        sleep 0.1;
    }
    die "firefox did not start\n" if !$self->{socket};
    $self->_receive;
    return;
}

sub _port {
    my ($self) = @_;
    open my $in, '<', "$self->{profile}/MarionetteActivePort" or return;
    my $port = readline $in;
    return $port;
}

sub _receive {
    my ($self) = @_;
    my $length = '';
    while ((my $n = sysread $self->{socket}, my $byte, 1) // 0) {
        last if $byte eq ':';
        $length .= $byte;
    }
    die "firefox is gone\n" if $length eq '';
    my $text = '';
    while (length $text < $length) {
        sysread $self->{socket}, $text, $length - length $text, length $text or die "firefox is gone\n";
    }
    return $json->decode($text);
}

sub _command {
    my ($self, $name, $parameters) = @_;
    my $message = $json->encode([0, ++$self->{number}, $name, $parameters]);
    my $bytes = length($message) . ":$message";
    (syswrite($self->{socket}, $bytes) // 0) == length $bytes or die "firefox is gone\n";
    my (undef, $number, $error, $result) = @{ $self->_receive };
    die "an answer to another question\n" if $number != $self->{number};
    die "$name: $error->{message}\n" if $error;
    return $result;
}

## no critic (BuiltinHomonyms)
sub open { my ($self, $url) = @_; $self->_command('WebDriver:Navigate', { url => $url }); $self->settle; return }

sub run {
    my ($self, $script, @arguments) = @_;
    return $self->_command('WebDriver:ExecuteScript', { script => $script, args => \@arguments })->{value};
}

# The same with the rights of the browser itself.
sub _run_in_browser {
    my ($self, $script, @arguments) = @_;
    $self->_command('Marionette:SetContext', { value => 'chrome' });
    my $value = $self->run($script, @arguments);
    $self->_command('Marionette:SetContext', { value => 'content' });
    return $value;
}

# The window of Firefox has a least width; what it shows has none.
sub size {
    my ($self, $width, $height) = @_;
    $self->_command('WebDriver:SetWindowRect', { width => $width + 100, height => $height + 200 });
    $self->_run_in_browser(<<'JS', $width, $height);
        const {style} = gBrowser.selectedBrowser;
        for (const [name, value] of [['width', arguments[0]], ['height', arguments[1]]])
            style['min-' + name] = style['max-' + name] = value + 'px';
JS
    $self->wait_for("innerWidth === $width && innerHeight === $height") or die "the window has another size\n";
    return;
}

sub scheme {
    my ($self, $name) = @_;
    $self->_run_in_browser(
        'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", arguments[0])',
            $name eq 'dark' ? 0 : 1);
    return;
}

sub screenshot {
    my ($self) = @_;
    return decode_base64($self->_command('WebDriver:TakeScreenshot', { full => JSON::PP::false })->{value});
}

# What printing gives, as PDF.
sub printed { my ($self) = @_; return decode_base64($self->_command('WebDriver:Print', {})->{value}) }

# What has gone wrong in pages since the last time: in scripts, in style sheets, and what a policy refused.
sub console {
    my ($self) = @_;
    return @{ $self->_run_in_browser(<<'JS') };
        const said = Services.console.getMessageArray().filter(one => one instanceof Ci.nsIScriptError && /^(file|http|data|about:srcdoc)/.test(one.sourceName));
        Services.console.reset();
        return said.map(one => one.category + ': ' + one.errorMessage);
JS
}

sub quit {
    my ($self) = @_;
    return if !$self->{pid} || $self->{owner} != $$;
    eval { $self->_command('Marionette:Quit', { flags => ['eForceQuit'] }) } or kill TERM => $self->{pid};
    { local ($?, $!); waitpid $self->{pid}, 0 }
    delete $self->{pid};
    return;
}

1;
