# What nytp-speedscope, nytp-pprof and nytp-trace --json write, in the app of speedscope (npm's package, in chromium):
# it opens, shows no error, and saves again the profiles, frames and times that nytprofcalls has. A .cpuprofile is also
# opened in chromium's DevTools.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Exports qw(cpuprofile speedscope_profiles);
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use NpmPackage qw(npm_package);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;
use Written qw(stacks_of written);
use WebDriver;

my $kept = build_dir() . '/speedscope'; # pictures of what it showed

plan skip_all => 'the app of speedscope is tried with EXHAUSTIVE=1 (make check-all)' if !$ENV{EXHAUSTIVE};
plan skip_all => 'a browser is no matter of memcheck' if valgrind();
plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;

my ($app, $missing) = npm_package('speedscope');
plan skip_all => $missing if $missing;

my $bin     = build_dir() . '/bin';
mkdir $kept;
my $scratch = scratch_dir();
my $browser = WebDriver->new;
binmode Test::More->builder->failure_output, ':utf8'; # the page's text
my %paths;
push @{ $paths{ $_->{name} =~ s/ .*//r } }, $_->{path} for recordings();

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# ---- the app ----

# Opens the file as the package's command does, by a script that the page loads. Returns what its button Export saves.
sub opened {
    my ($name, $bytes) = @_;
    my $script = spew("$scratch/profile.js", sprintf 'speedscope.loadFileFromBase64("%s", "%s")', $name,
        encode_base64($bytes, ''));
    $browser->open('about:blank');
    $browser->open("file://$app/dist/release/index.html#localProfilePath=$script");
    my $title = $browser->wait_for('/ - speedscope$/.test(document.title) && document.title');
    ok($title, "$name opens") or diag($browser->run('return document.body.innerText'));
    my @errors = grep { /SEVERE|[Ee]xception/ } $browser->console;
    is("@errors", '', 'without an error');
    spew("$kept/$name.png", $browser->screenshot);
    return $title ? saved() : undef;
}

sub saved {
    $browser->run(q{
        window.saved = null;
        const make = URL.createObjectURL;
        URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return make(blob) };
        HTMLAnchorElement.prototype.click = () => {};
        [...document.querySelectorAll('div')].find(e => /Export$/.test(e.textContent) && e.children.length == 1).click()});
    my $json = $browser->wait_for('window.saved') // die "nothing is saved\n";
    return speedscope_profiles(JSON::PP->new->utf8->encode(JSON::PP->new->decode($json)), saved => 1);
}

sub places {
    my %places = map { join("\0", map { $_ // '' } @$_{qw(name file line)}) => 1 } @{ $_[0]{frames} };
    return [sort keys %places];
}

sub added_up {
    my ($shown, $unit) = @_;
    my %sum;
    for my $profile (grep { $_->{unit} eq $unit && $_->{name} !~ /, waiting/ } @{ $shown->{profiles} }) {
        $sum{$_} += $profile->{stacks}{$_} for keys %{ $profile->{stacks} };
    }
    return \%sum;
}

# ---- nytp-speedscope ----

for my $name (qw(calls evals forks)) {
    subtest "stacks of $name" => sub {
        my @files = @{ $paths{$name} };
        my $ours  = written('nytp-speedscope', @files);
        my $shown = opened("$name.speedscope.json", $ours) // return;
        is_deeply([map { "$_->{name} $_->{total}" } @{ $shown->{profiles} }],
            [map { "$_->{name} $_->{total}" } @{ speedscope_profiles($ours)->{profiles} }], 'it has the profiles');
        is_deeply(places($shown), places(speedscope_profiles($ours)), 'and the frames, with files and lines');
        is_deeply(added_up($shown, 'nanoseconds'), stacks_of('--unit=ns', @files), 'with the times');
        is_deeply(added_up($shown, 'none'), stacks_of('--calls', @files), 'and the calls');
        my $of = @{ $shown->{profiles} };
        for my $number (2 .. $of) {
            $browser->keys('n');
            ok($browser->wait_for("document.body.innerText.includes('($number/$of)')"),
                "profile $number is a key away");
        }
    };
}

subtest 'the course of calls' => sub {
    my $ours  = written('nytp-speedscope', '--timeline', @{ $paths{calls} });
    my $shown = opened('timeline.speedscope.json', $ours) // return;
    is_deeply($shown->{profiles}, speedscope_profiles($ours, gaps => 1)->{profiles}, 'is what was written');
    is_deeply(added_up($shown, 'nanoseconds'), stacks_of('--unit=ns', @{ $paths{calls} }),
        'with the times of nytprofcalls');
};

subtest 'names and depth' => sub {
    my @names = map { "main::$_" } 'a;b', "q\"\\'", "nul\0", "e\xE9", '<b>&amp;', "\x1B[31m", 'x' x 65_536,
        '__ANON__[(eval 12)[t/a.pl:3]:1]';
    my @deep  = map { [SUB_RETURN => $_, 1, 1, 'main::deep'] } reverse 1 .. 2000;
    my $path  = spew("$scratch/odd.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000_000], [PID_START => 7, 1, 1.5],
        (map { [SUB_RETURN => 1, 1, 1, $_] } @names), @deep, [PID_END => 7, 9]));
    my $ours  = written('nytp-speedscope', $path);
    my $shown = opened('odd.speedscope.json', $ours) // return;
    is_deeply($shown->{profiles}, speedscope_profiles($ours)->{profiles}, 'come through');
};

subtest 'no calls' => sub {
    my $path = spew("$scratch/none.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [PID_END => 7, 9]));
    for my $options ([], ['--timeline']) {
        my $shown = opened('none.speedscope.json', run(["$bin/nytp-speedscope", @$options, $path])->{out}) // next;
        is(sum(map { $_->{total} } @{ $shown->{profiles} }), 0, 'empty profiles');
    }
};

# ---- a .cpuprofile ----

# In microseconds, with three decimals.
sub in_ns { my ($us) = @_; return { map { ($_ => sprintf '%.0f', $us->{$_} * 1000) } keys %$us } }

for my $name (qw(calls evals)) {
    subtest ".cpuprofile of $name" => sub {
        my $shown = opened("$name.cpuprofile", written('nytp-speedscope', '--cpuprofile', @{ $paths{$name} })) // return;
        is_deeply(in_ns(added_up($shown, 'microseconds')), stacks_of('--unit=ns', @{ $paths{$name} }), 'has the times');
    };
}

# The panel Performance of DevTools, which is a page of chromium, reads the file. Returns the own times of subs and the
# times of lines as its parts that read a profile have them, in ns.
my $IN_DEVTOOLS = <<'JS';
const [text, done] = arguments;
const part = name => import(`devtools://devtools/bundled/${name}.js`);
(async () => {
    const {TimelinePanel} = (await part('panels/timeline/timeline')).TimelinePanel;
    const {CPUProfileDataModel} = (await part('models/cpu_profile/cpu_profile')).CPUProfileDataModel;
    const {Performance} = (await part('ui/legacy/components/perf_ui/perf_ui')).LineLevelProfile;
    await (await part('ui/legacy/legacy')).ViewManager.ViewManager.instance().showView('timeline');
    await TimelinePanel.instance().loadFromFile(new File([text], 'x.cpuprofile', {type: 'application/json'}));
    const model = new CPUProfileDataModel(JSON.parse(text)), own = {}, lines = {};
    const add = (to, name, ms) => to[name] = (to[name] ?? 0) + ms * 1e6;
    const walk = node => node.children.forEach(child => { add(own, child.functionName, child.self); walk(child) });
    walk(model.profileHead);
    const of_lines = new Performance();
    of_lines.helper.addLocationData = (target, file, {line}, ms) => add(lines, `${file}:${line}`, ms);
    of_lines.appendCPUProfile(model, null);
    done({own, lines, ns: (model.profileEndTime - model.profileStartTime) * 1e6});
})().catch(error => done({error: String(error) + error.stack}));
JS

subtest 'DevTools' => sub {
    my $json = written('nytp-speedscope', '--cpuprofile', @{ $paths{calls} });
    my $ours = cpuprofile($json);
    $browser->open('devtools://devtools/bundled/devtools_app.html');
    my $got = $browser->run_async($IN_DEVTOOLS, $json);
    is($got->{error}, undef, 'opens it') or return;
    my %own;
    $own{ s/.*;//r } += $ours->{stacks}{$_} for keys %{ $ours->{stacks} };
    my $rounded = sub {
        my ($of) = @_;
        return { map { my $ns = sprintf '%.0f', $of->{$_}; $ns ? ($_ => $ns) : () } keys %$of }
    };
    is_deeply($rounded->($got->{own}), \%own, 'it has the own times of subs');
    # It takes the whole for longer by an average sample, and lines for shares of that.
    my %lines = map { s{^file://}{}r => $got->{lines}{$_} * $ours->{total_ns} / $got->{ns} } keys %{ $got->{lines} };
    is_deeply($rounded->(\%lines), $ours->{lines}, 'and the times of lines');
    my $text = q{(function texts(at) { return [...at.childNodes].map(e => e.nodeType == 3 ? e.data : (e.shadowRoot ? texts(e.shadowRoot) : '') + texts(e)).join('') })(document.body)};
    my $shown = $browser->wait_for("($text.match(/Range:\\D+0\\D+ms\\D+(\\d+)\\D+ms/) || [])[1]");
    is($shown, sprintf('%.0f', $ours->{total_ns} / 1e6), 'the panel shows how long it is');
    spew("$kept/devtools.png", $browser->screenshot);
};

# ---- the others ----

subtest 'nytp-pprof' => sub {
    my $shown = opened('calls.pb.gz', written('nytp-pprof', @{ $paths{calls} })) // return;
    is_deeply(added_up($shown, 'nanoseconds'), stacks_of('--unit=ns', @{ $paths{calls} }), 'has the times');
};

# Times are moved by a nanosecond where two events would have the same.
subtest 'nytp-trace --json' => sub {
    my $shown = opened('calls.json', written('nytp-trace', '--json', @{ $paths{calls} })) // return;
    my @calls = grep { $_->{name} =~ /, calls \(/ } @{ $shown->{profiles} };
    is(scalar @calls, 1, 'has a thread of calls');
    my $calls = sum(values %{ stacks_of('--calls', @{ $paths{calls} }) });
    my $ns    = sum(values %{ stacks_of('--unit=ns', @{ $paths{calls} }) });
    my $us    = sum(map { values %{ $_->{stacks} } } @calls);
    cmp_ok(abs($us * 1000 - $ns), '<=', 2 * $calls, 'and their time');
};

diag("pictures: $kept/*.png");
done_testing();
