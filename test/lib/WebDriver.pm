package WebDriver;

# A browser without a window, driven over HTTP as W3C's WebDriver describes it, by core Perl.
#
#   use WebDriver;
#   plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
#   my $browser = WebDriver->new;
#   $browser->open("file:///tmp/page.html");
#   $browser->settle_by('window.page && page.promise');
#   is $browser->run('return document.title'), 'Title';
#   $browser->click('#menu a');
#   $browser->keys('?');
#   is_deeply [$browser->console], [];
#
# The tests of one run share a browser, if NYTP_BROWSER names a directory for it. Each has a window of its own, with nothing
# that another one has stored or set. test/tools/run names the directory and lets these tests run one after another.

use strict;
use warnings;

use File::Temp ();
use HTTP::Tiny;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use NYTPTest qw(slurp spew until_true);
use POSIX ();
use Scalar::Util qw(weaken);
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(sleep time);

my %browsers;    # all that are not shared, by address
my $json = JSON::PP->new->utf8->allow_nonref->canonical;

# The keys that have no character: WebDriver's table of them.
my %KEY = (Escape => "\x{E00C}", Enter => "\x{E007}", Tab => "\x{E004}", Backspace => "\x{E003}", Delete => "\x{E017}",
    ArrowLeft => "\x{E012}", ArrowUp => "\x{E013}", ArrowRight => "\x{E014}", ArrowDown => "\x{E015}",
    Shift => "\x{E008}", Home => "\x{E011}", End => "\x{E010}", PageUp => "\x{E00E}", PageDown => "\x{E00F}");

sub in_path { my ($name) = @_; return (grep { -x } map { "$_/$name" } split /:/, $ENV{PATH})[0] }

# Whether there is a browser to drive.
sub found { return in_path('chromedriver') && (in_path('chromium') || in_path('google-chrome')) }

sub new {
    my ($class, %options) = @_;
    my $dir  = $ENV{NYTP_BROWSER};
    my $self = bless { http => HTTP::Tiny->new(timeout => 120), owner => $$, is_shared => defined $dir }, $class;
    weaken($browsers{$self} = $self) if !defined $dir;
    if (!defined $dir || !$self->_take("$dir/session")) {
        $self->{profile} = File::Temp->newdir(defined $dir ? (DIR => $dir, CLEANUP => 0) : ());
        $self->_start;
        spew("$dir/session", $json->encode({ map { $_ => "$self->{$_}" } qw(base session driver browser profile) })) if defined $dir;
    }
    # on a busy machine, axe-core takes long
    $self->_call(POST => '/timeouts', { script => ($options{script_s} // 300) * 1000 });
    $self->size(1280, 900);
    return $self;
}

# Takes the browser of an earlier test, with a new window. Returns false if there is none that answers.
sub _take {
    my ($self, $session) = @_;
    return 0 if !-e $session;
    my $of = $json->decode(slurp($session));
    @$self{ CORE::keys %$of } = values %$of;
    return 1 if eval {
        my $new = $self->_call(POST => '/window/new', { type => 'window' })->{handle};
        for my $old (grep { $_ ne $new } @{ $self->_call(GET => '/window/handles') }) {
            $self->_call(POST   => '/window', { handle => $old });
            $self->_call(DELETE => '/window');
        }
        $self->_call(POST => '/window', { handle => $new });
        $self->command('Storage.clearDataForOrigin', origin => '*', storageTypes => 'all');
        $self->console;
        1;
    };
    $self->_end;
    return 0;
}

sub _start {
    my ($self) = @_;
    $self->_start_driver;
    my @arguments = ('--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run',
        '--disable-dev-shm-usage', '--disable-background-networking', '--disable-ipc-flooding-protection',
        "--user-data-dir=$self->{profile}");
    my $session = $self->_call(POST => '/session', {
        capabilities => { alwaysMatch => {
            'goog:chromeOptions' => {
                args   => \@arguments,
                binary => in_path('chromium') || in_path('google-chrome'),
                # The new tab page takes as long as the rest of the start, and without a network it writes to the
                # console.
                prefs => { 'session.restore_on_startup' => 4, 'session.startup_urls' => ['about:blank'] },
            },
            'goog:loggingPrefs'  => { browser => 'ALL' },
        } },
    });
    $self->{session} = "/session/$session->{sessionId}";
    $self->{browser} = $session->{capabilities}{'goog:processID'};
    return;
}

# The driver says which port it took. It must not keep what prove reads until its end.
sub _start_driver {
    my ($self) = @_;
    my $said = "$self->{profile}/driver";
    $self->{driver} = fork // die "fork: $!\n";
    if (!$self->{driver}) {
        CORE::open STDOUT, '>',  $said;
        CORE::open STDERR, '>&', \*STDOUT;
        exec 'chromedriver', '--port=0' or POSIX::_exit(127);
    }
    until_true(sub { (eval { slurp($said) } // '') =~ /started successfully on port (\d+)/ && ($self->{base} = "http://127.0.0.1:$1") },
        $self->{driver}) or die "chromedriver did not start\n";
    return;
}

# Sets what follows open(), back(), and whatever is clicked, typed or moved: JavaScript, whose value is a promise that is
# kept when the page has done all that it does then.
sub settle_by { my ($self, $promise) = @_; $self->{settled} = $promise; return }

# What was done may lead to another page. Then the first one does not answer any more.
sub settle {
    my ($self) = @_;
    return if !defined $self->{settled};
    for my $tries (reverse 0 .. 4) {
        return if eval { $self->run("return Promise.resolve($self->{settled}).then(() => null)"); 1 };
        die $@ if !$tries || $@ !~ /navigat|context|detached|unload/i;
    }
    return;
}

sub _act { my ($self, $path, $body) = @_; $self->_call(POST => $path, $body); $self->settle; return }

sub _call {
    my ($self, $method, $path, $body) = @_;
    my %request = (headers => { 'Content-Type' => 'application/json' });
    $request{content} = $json->encode($body) if $body;
    # A request is written in two parts. Without this, the second one waits for the acknowledgement of the first: 40 ms.
    setsockopt $self->{http}{handle}{fh}, IPPROTO_TCP, TCP_NODELAY, 1 if $self->{http}{handle};
    my $response = $self->{http}->request($method, $self->{base} . ($self->{session} // '') . $path, \%request);
    my $value = eval { $json->decode($response->{content})->{value} };
    return $value if $response->{success};
    my ($message) = ref $value ? $value->{message} : $response->{content};
    die "$method $path: " . (split /\n/, $message)[0] . "\n";
}

# Chromium's own commands, for what WebDriver has none.
sub command {
    my ($self, $name, %parameters) = @_;
    return $self->_call(POST => '/goog/cdp/execute', { cmd => $name, params => \%parameters });
}

sub open { my ($self, $url) = @_; return $self->_act('/url', { url => $url }) } ## no critic (BuiltinHomonyms)

# Goes back to an earlier address of the same page.
sub back {
    my ($self) = @_;
    $self->run('return new Promise(resolve => { addEventListener("popstate", () => resolve(null), {once: true}); history.back(); })');
    $self->settle;
    return;
}

# What JavaScript returns. Its arguments are in `arguments`.
sub run {
    my ($self, $script, @arguments) = @_;
    return $self->_call(POST => '/execute/sync', { script => $script, args => \@arguments });
}

# What JavaScript passes to its last argument, a function, when it is done.
sub run_async {
    my ($self, $script, @arguments) = @_;
    return $self->_call(POST => '/execute/async', { script => $script, args => \@arguments });
}

# Waits until the expression is true in a page that is settled, and returns its value; undef if it never was, within a
# time that only a defect needs.
sub wait_for {
    my ($self, $expression) = @_;
    my $end = time + 300;
    while (time < $end) {
        $self->settle;
        my $value = $self->run("return ($expression)");
        return $value if $value;
        sleep 0.02;
    }
    return undef; ## no critic (ExplicitReturnUndef)
}

sub _element {
    my ($self, $selector) = @_;
    my $element = $self->_call(POST => '/element', { using => 'css selector', value => $selector });
    return (values %$element)[0];
}

# As a person would: it must be visible, with nothing over it.
sub click {
    my ($self, $selector) = @_;
    return $self->_act('/element/' . $self->_element($selector) . '/click', {});
}

# Types text into an element.
sub type {
    my ($self, $selector, $text) = @_;
    return $self->_act('/element/' . $self->_element($selector) . '/value', { text => $text });
}

# Presses keys, by character or by name, wherever the focus is; 'Shift+Tab' is two.
sub keys { ## no critic (BuiltinHomonyms)
    my ($self, @keys) = @_;
    my @actions = map {
        my ($shift, $name) = /\A(Shift\+)?(.+)\z/s;
        my @pressed = map { $KEY{$_} // $_ } $shift ? 'Shift' : (), $name;
        ((map { { type => 'keyDown', value => $_ } } @pressed), (map { { type => 'keyUp', value => $_ } } reverse @pressed));
    } @keys;
    return $self->_act('/actions', { actions => [{ type => 'key', id => 'keyboard', actions => \@actions }] });
}

# Clicks at a place in the window, in pixels: for a canvas.
sub click_at {
    my ($self, $x, $y) = @_;
    return $self->_act('/actions', { actions => [{ type => 'pointer', id => 'mouse', actions => [
        { type => 'pointerMove', duration => 0, x => int $x, y => int $y },
        { type => 'pointerDown', button => 0 }, { type => 'pointerUp', button => 0 },
    ] }] });
}

# Drags the mouse, or with type => 'touch' a finger, from one place in the window to others, [x, y] each. With held => 1
# it stays down at the last one.
sub drag {
    my ($self, $places, %how) = @_;
    my @moves = map { { type => 'pointerMove', duration => 0, x => int $_->[0], y => int $_->[1] } } @$places;
    return $self->_act('/actions', { actions => [{ type => 'pointer', id => $how{type} // 'mouse',
        parameters => { pointerType => $how{type} // 'mouse' },
        actions    => [shift @moves, { type => 'pointerDown', button => 0 }, @moves,
            $how{held} ? () : { type => 'pointerUp', button => 0 }] }] });
}

# Whatever is down goes up.
sub let_go { my ($self) = @_; $self->_call(DELETE => '/actions'); $self->settle; return }

# Moves the mouse there, and presses nothing.
sub point_at {
    my ($self, $x, $y) = @_;
    return $self->_act('/actions', { actions => [{ type => 'pointer', id => 'mouse', actions => [
        { type => 'pointerMove', duration => 0, x => int $x, y => int $y }] }] });
}

sub size {
    my ($self, $width, $height) = @_;
    $self->command('Emulation.setDeviceMetricsOverride', width => $width, height => $height, deviceScaleFactor => 1,
        mobile => JSON::PP::false);
    $self->settle;
    return;
}

sub scheme {
    my ($self, $name) = @_;
    $self->command('Emulation.setEmulatedMedia', features => [{ name => 'prefers-color-scheme', value => $name }]);
    $self->settle;
    return;
}

# Whether scripts run in the pages that are opened from now on.
sub scripts {
    my ($self, $on) = @_;
    $self->command('Emulation.setScriptExecutionDisabled', value => $on ? JSON::PP::false : JSON::PP::true);
    return;
}

# The picture of the window, as PNG.
sub screenshot { my ($self) = @_; return decode_base64($self->_call(GET => '/screenshot')) }

# What the console has got since the last time.
sub console {
    my ($self) = @_;
    return map { "$_->{level}: $_->{message}" } @{ $self->_call(POST => '/se/log', { type => 'browser' }) };
}

# Ends the browser, if no other test is to have it.
sub quit {
    my ($self) = @_;
    $self->_end if !$self->{is_shared} && $self->{owner} == $$;
    return;
}

# Ends the browser that tests have shared.
sub end_shared {
    my ($class, $dir) = @_;
    return if !-e "$dir/session";
    (bless { http => HTTP::Tiny->new, is_shared => 1, %{ $json->decode(slurp("$dir/session")) } }, $class)->_end;
    return;
}

sub _end {
    my ($self) = @_;
    my $driver = delete $self->{driver} or return;
    $self->{http}->timeout(20);
    eval { $self->_call(DELETE => '') } if $self->{session};
    kill TERM => $driver;
    { local ($?, $!); waitpid $driver, 0 }
    $self->_kill_browser;
    delete @$self{qw(session browser)};
    return;
}

# One whose page hangs goes on without its driver.
sub _kill_browser {
    my ($self) = @_;
    return if !$self->{browser};
    CORE::open my $in, '<', "/proc/$self->{browser}/cmdline" or return;
    kill KILL => $self->{browser} if (readline($in) // '') =~ /\Q--user-data-dir=$self->{profile}\E\0/;
    return;
}

sub DESTROY { my ($self) = @_; local ($@, $?, $!); $self->quit; return }

# Browsers that are still there and not shared end before perl's global destruction, in which a new connection may miss what it needs.
END { local ($@, $?, $!); $_->quit for grep { defined } values %browsers }

1;
