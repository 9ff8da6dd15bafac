/* Shares of the time: of phases of the program, and of own and foreign code. */

/* {compile, run, end}: ticks. */
function time_by_phase({subs, stacks, totals}) {
    const is_end = name => /::END(@|$)/.test(name), sums = {compile: 0, run: 0, end: 0};
    for (let node = 0; node < stacks.count;) {
        const name = subs.name[stacks.sub[node]],
              phase = is_begin(name) ? 'compile'
            : is_end(name)           ? 'end'
                                     : null;
        if (phase)
            sums[phase] += stacks.incl[node];
        node = phase ? stacks.end[node] : node + 1;
    }
    sums.run = Math.max(0, totals.ticks - sums.compile - sums.end);
    return sums;
}

/* {sums (by origin: the self time of subs, where waiting is an origin of its own), unknown (the time of subs
 * whose origin is not known), outside (of subs)}: ticks. The time of a string eval, a part of the time of the
 * sub that runs the eval, counts for the origin of the eval, as in pictures. */
function time_by_origin({subs, stacks, totals}) {
    const found = {sums: sub_origins.map(() => 0), unknown: 0, outside: totals.ticks};
    const move_ticks = (ticks, sub) => {
        found.outside -= ticks;
        if (subs.origin[sub] < 0)
            found.unknown += ticks;
        else
            found.sums[work_origin(sub)] += ticks;
    };
    subs.excl.forEach((ticks, sub) => move_ticks(Math.max(0, ticks), sub));
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], part_of = stacks.part_of[node], ticks = Math.max(0, stacks.excl[node]);
        if (sub !== part_of)
            move_ticks(ticks, sub);
        if (sub !== part_of && part_of >= 0)
            move_ticks(-ticks, part_of);
    }
    for (const [name, origin] of [['asleep', waiting_origin], ['queued', queued_origin]])
        stacks[name].forEach((ticks, node) => {
            move_ticks(-ticks, stacks.sub[node]);
            found.sums[origin] += ticks;
            found.outside -= ticks;
        });
    return {
        sums: found.sums.map(ticks => Math.max(0, ticks)),
        unknown: Math.max(0, found.unknown),
        outside: Math.max(0, found.outside)
    };
}

/* The origin of the work of a sub. A sub whose origin is "asleep" is a built-in or an xsub, which also works.
 * */
function work_origin(sub) {
    return Math.min(recorded.subs.origin[sub], native_origin);
}

/* The legend of the colours of origins, with the share of each in the whole; empty if the origin of no sub is
 * known. outside and unknown share a colour that no origin has. also: origins that the picture shows although
 * they have no time of their own. */
function origin_legend(
    profile, {sums, outside, unknown, whole = profile.totals.ticks, also = []} = time_by_origin(profile)) {
    const item = (sum, origin, text) => {
        const swatch = make('span.swatch-box', {'aria-hidden': 'true'});
        swatch.dataset.origin = origin;
        return (sum > 0 || also.includes(origin)) &&
            make('li', swatch, text + ' ', sum > 0 && make('span.quiet', percent_text(share_of(sum, whole))));
    };
    return make('ul.legend', {'aria-label': 'Colours'},
        sums.map((sum, origin) => item(sum, origin, sub_origins[origin])),
        item(outside, 'outside', outside_text), item(unknown, 'outside', unknown_text));
}

const outside_text = 'outside of subs', unknown_text = 'not known';

function shares_table(profile, id, caption, rows) {
    const row = ([text, ticks]) => {
        const share = share_of(ticks, profile.totals.ticks);
        return make('tr', make('th', {scope: 'row'}, text), make('td.n', percent_text(share)),
            make('td', meter(share)));
    };
    return make('table', {id, class: 'shares'},
        make('caption.quiet', `${caption} Shares of ${whole_name()}.`), make('tbody', rows.map(row)));
}

/* Fills the section of the overview. Its data-judged-by says how nytprofhtml found the origins of subs, and
 * is missing if they are not known. Phases are known of stacks alone. */
function fill_shares(profile, section) {
    const {compile, run, end} = time_by_phase(profile), {sums, outside, unknown} = time_by_origin(profile),
                         {judgedBy} = section.dataset;
    const phases = profile.stacks.count > 0 &&
        shares_table(profile, 'phases', wording('phases'),
            [['compile phase (use, BEGIN)', compile], ['run', run], ['END blocks', end]]);
    const origin_table = profile.arcs.callee.length > 0 && judgedBy &&
        shares_table(profile, 'by-origin', `${wording('judged')}, judged by ${judgedBy}.`, [
            ...sums.map((ticks, origin) => [sub_origins[origin], ticks]), [outside_text, outside],
            [unknown_text, unknown]
        ].filter(([, ticks]) => ticks > 0));
    section.hidden = !phases && !origin_table;
    section.replaceChildren(
        make('h2', phases ? 'Phases and origins' : 'Origins'), ...[phases, origin_table].filter(Boolean));
}
