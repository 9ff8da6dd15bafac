/* How long the calls of subs took, as the block of durations has it (DATA.md). */

/* {count, first, longest, tick, parts} of a sub; null if the sub has too few calls, or its calls were not
 * timed one by one. parts: [{from, to, calls}], in ticks of the report, the shortest first. tick: the length
 * of a tick of the block. */
function durations_of(sub) {
    return blocks.durations.get(sub) || null;
}

async function load_durations() {
    blocks.durations =
        document.getElementById('durations') ? unpacked_durations(await load_block('durations')) : new Map();
}

function unpacked_durations(block) {
    const scale = recorded.about.ticks_per_s / block.ticks_per_s, found = new Map();
    let at = 0;
    add_up(block.sub);
    block.sub.forEach((sub, row) => {
        const bits = block.bits[row], parts = [];
        let number = 0;
        for (const end = at + block.parts[row]; at < end; at++) {
            number += block.part[at];
            parts.push({
                from: part_begin(number, bits) * scale,
                to: part_begin(number + 1, bits) * scale,
                calls: block.calls[at]
            });
        }
        found.set(sub, {
            first: block.first[row] * scale,
            longest: block.longest[row] * scale,
            count: parts.reduce((sum, {calls}) => sum + calls, 0),
            tick: scale,
            parts
        });
    });
    return found;
}

/* The shortest duration of a part, as lib/calls/durations.h numbers them: a power of two has 2 ** bits. */
function part_begin(number, bits) {
    const parts = 2 ** bits;
    return 2 ** (bits + Math.floor(number / parts)) * (1 + number % parts / parts) - parts;
}

/* As nytp_distribution_quantile() in C. */
function quantile_of({parts, count, longest, tick}, fraction) {
    const rank = Math.max(Math.ceil(fraction * count), 1);
    let seen = 0;
    for (const {from, to, calls} of rank < count ? parts : [])
        if ((seen += calls) >= rank)
            return Math.min((from + to - tick) / 2, longest);
    return longest;
}

/* Returns the longest call of a sub in the time line, in a comparison that of NEW; -1: it has none. */
function longest_call(sub, {sub: of, ticks, old = 0}) {
    return of.reduce(
        (most, one, call) => one === sub && call >= old && !(ticks[most] >= ticks[call]) ? call : most, -1);
}

/* How long the calls took, in names and ticks. */
function duration_numbers(durations) {
    return [
        [recorded.processes.pid.length > 1 ? 'longest first call' : 'first call', durations.first],
        ['p50', quantile_of(durations, 0.5)], ['p95', quantile_of(durations, 0.95)],
        ['p99', quantile_of(durations, 0.99)], ['longest', durations.longest]
    ];
}

/* Parts that differ by less than a fifth are one row. */
function durations_table({parts, count}) {
    const rows = [];
    for (const {from, to, calls} of parts) {
        const last = rows[rows.length - 1];
        if (last && to <= last.least * 1.2)
            Object.assign(last, {to, calls: last.calls + calls});
        else
            rows.push({least: Math.max(from, to - from), from, to, calls});
    }
    return make_details({class: 'as-table'}, 'As a table: how long its calls took',
        short_table('Calls by duration',
            [
                number_column('From', ({from}) => time_text(from)),
                number_column('To less than', ({to}) => time_text(to)),
                count_column('Calls', ({calls}) => calls),
                share_bar_column('Of calls', ({calls}) => calls / count)
            ],
            rows, {most: 100}));
}

/* Fills a section with how long the calls of a sub took. Returns what stops it. */
function show_durations(profile, section, sub, durations) {
    const calls = number_of(durations.count, 'call'), call = longest_call(sub, profile.calls),
          text = duration_numbers(durations).map(([name, ticks]) => name + ' ' + time_text(ticks)).join(', '),
          key = title => [make('span.swatch-box.calls-key'), title];
    section.append(make('h2', 'How long its calls took ', make('small', key('calls '), key('their time'))));
    const stop = show_histogram(section, durations, calls + ' by duration, on a logarithmic axis: ' + text);
    section.append(
        make('p.quiet.hint', calls + ': ' + text + '. ',
            call >= 0 && Math.abs(profile.calls.ticks[call] - durations.longest) <= 1 &&
                [
                    make('a', {href: route_text('time', [], {longest: sub_address(sub)})},
                        'The longest in the time line'),
                    '. '
                ],
            profile.difference && 'They are those of the new profile. ',
            !is_everything(profile) && 'They are those of the whole profile, with all of their time.'),
        durations_table(durations));
    return stop;
}

/* Adds them at once if they are unpacked, so that a reader who comes back finds the place. Otherwise returns
 * a promise of that. */
function add_durations(profile, section, sub, stops) {
    if (!blocks.durations)
        return load_durations().then(
            () => section.isConnected && add_durations(profile, section, sub, stops));
    const durations = durations_of(sub);
    if (durations)
        stops.push(show_durations(profile, section, sub, durations));
    return null;
}
