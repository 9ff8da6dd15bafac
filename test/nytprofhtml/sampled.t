# The report and the tables of a sampled profile: samples in the place of calls and statements, which were not counted
# there.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use Test::More;
use WebDriver;

my $dir = scratch_dir();

# 1,000 samples a second of 10,000 ticks each: 100 in all, 80 with Shop::total on the stack, 50 of these in
# Shop::price, which it calls from five places, four of them with 0.4 samples each. The counts of calls are 777.
my $sample  = 10_000;
my $profile = spew("$dir/sampled.out", profile_bytes(
    [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'application', 'shop.pl'],
    [ATTRIBUTE => 'sampled_hz', 1000],
    [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
    (map { [TIME_LINE => $_, 1, 1] } (0.5 * $sample, 1.5 * $sample) x 10), [SUB_ENTRY => 1, 1],
    (map { [TIME_LINE => $sample, 1, 2] } 1 .. 30),
    [SUB_ENTRY => 1, 2], (map { [TIME_LINE => $sample, 1, 3] } 1 .. 50),
    [SUB_RETURN => 2, 50 * $sample, 50 * $sample, 'Shop::price'],
    [SUB_RETURN => 1, 80 * $sample, 30 * $sample, 'Shop::total'],
    [SUB_INFO => 1, 'Shop::total', 2, 2], [SUB_INFO => 1, 'Shop::price', 3, 3], [SUB_INFO => 1, 'Shop::idle', 4, 4],
    [SUB_CALLERS => 1, 1, 'main::RUNTIME', 777, 0.08, 0.03, 0, 0, 'Shop::total'],
    [SUB_CALLERS => 1, 2, 'Shop::total', 777, 0.0484, 0.0484, 0, 0, 'Shop::price'],
    (map { [SUB_CALLERS => 1, $_, 'Shop::total', 777, 0.0004, 0.0004, 0, 0, 'Shop::price'] } 5 .. 8),
    [SRC_LINE => 1, 1, "total();\n"], [SRC_LINE => 1, 2, "sub total { price() }\n"],
    [SRC_LINE => 1, 3, "sub price { 1 }\n"], [SRC_LINE => 1, 4, "sub idle { 1 }\n"],
    [PID_END => 7, 2.5]));

my $static = run([build_dir() . '/bin/nytprofhtml', '-o', '-', $profile])->{out} =~
    s{<script.*?</script>|<style>.*?</style>}{}gsr;
like($static, qr{>Sampled, 1,000 a second: 100 samples in 1 file and 0 string evals\.},
    'without scripts: the rate and the samples');
is_deeply([$static =~ m{<th class="n">(\w+)</th><th>}g], [('Samples') x 2], 'and the heads of the tables');
like($static, qr{<td class="n">80</td><td class="name" title="Shop::total">Shop::total<},
    'samples of a sub are those with it on the stack');
like($static, qr{>Shop::total itself works, called most by code outside of subs: 30 samples<}, 'what stands out has samples, too');
unlike($static, qr/777|\bcalls?\b|statements/i, 'nothing else is said to be counted');
like($static, qr{: 100 ms work},
    'times of samples have no digits below those of the period, measured ones do');
unlike($static, qr{<td class="n">\d+\.\d+ ms<}, '... nor have they in tables');

for my $case (
    [subs  => qr/^Shop::total,Shop,perl,1,[^,]*,2,2,80,0\.08/m,
    qr/^Shop::price,[^,]*,perl,1,[^,]*,3,3,50,0\.05/m],
    [calls => qr/^Shop::total,main::RUNTIME,1,[^,]*,1,80,/m,
    qr/^Shop::price,Shop::total,1,[^,]*,2,48,/m],
    [files => qr{^1,/srv/shop\.pl,,,,100,0\.1}m],
    [lines => qr{^1,/srv/shop\.pl,1,20,0\.02}m,                                qr{^1,/srv/shop\.pl,3,50,0\.05}m],
) {
    my ($table, @rows) = @$case;
    my $csv = run([build_dir() . '/bin/nytprofcsv', "--table=$table", '-o', '-', $profile])->{out};
    like($csv, qr/\A[^\r]*,samples,[^\r]*_s/, "nytprofcsv: samples in the place of what is not counted in $table");
    like($csv, $_, '... the right number') for @rows;
    unlike($csv, qr/777/, '... and nothing else');
}

SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found;
    skip 'a browser is no matter of memcheck', 1 if valgrind();
    browse(my $browser = WebDriver->new, $dir);
    ok(shown(page_of(sampled => $profile)), 'the page begins');
    my $sub = $browser->run('return report.profile.subs.name.indexOf("Shop::total")');
    for my $hash ('#/', '#/subs', '#/subs?group=package', "#/sub/$sub", '#/flame', '#/flame?by=calls',
        '#/files', '#/file/0', '#/file/0?level=sub', '#/map',
        '#/time', '#/modules') {
        go($hash, 'h1');
        $browser->run('document.querySelectorAll("details:not(:has(.settings))").forEach(one => { one.open = true; })');
        my $text = $browser->run('return document.getElementById("view").innerText');
        unlike($text, qr/777|\bcalls?\b|\bCalls\b|\d statements?\b|\bStatements\b|per statement/,
            "$hash: nothing but samples is counted");
        unlike($text, qr/\d\.\d+\x{A0}?\s?(?:ms|\x{B5}s)/, "$hash: no digits below the period");
        quiet($hash);
    }
    go('#/subs', '.data-table tbody tr');
    is_deeply({ map { $_->{Sub} => $_->{Samples} } csv() }, { 'Shop::total' => 80, 'Shop::price' => 50 },
        'samples of subs, and as CSV');
    go('#/subs?unused=1&q=samples%3C60', '.data-table tbody tr');
    is_deeply([map { $_->{Sub} } grep { $_->{Sub} =~ /^Shop/ } csv()], [qw(Shop::price Shop::idle)],
        'a filter for samples; a sub that was never seen');
    go('#/subs?group=package', '.data-table tbody tr');
    is_deeply({ map { $_->{Package} => $_->{Samples} } csv() }, { Shop => 80 }, 'of packages');
    go('#/files', '.data-table tbody tr');
    is((csv())[0]{Samples}, 100, 'of files');
    go("#/sub/$sub", '.fact');
    like(text_of('.facts'), qr/Samples80/, 'of one sub');
    go('#/file/0', '.source tbody tr');
    like(text_of('.source[role=table]'), qr/Shop::total spent 80.ms \(30.ms \+ 50.ms\), 80 samples/, 'above a sub');
    like(text_of('.source[role=table]'), qr/\b48.ms in 48 samples of Shop::price/, 'below a line');
    is($browser->run('return report.arcs_by(report.profile.arcs.by_caller.of(arguments[0]), "callee")[0].calls', $sub),
        50, 'of a callee: of the sum of its times, not the sum of rounded samples');
    go("#/flame?zoom=$sub", '.details');
    like(text_of('.details'), qr/^Shop::total \x{B7} .*80.ms inclusive, .* \x{B7} 80 samples$/,
        'in the details of the flame graph');
    $browser->quit;
}

done_testing();
