/* Shares of the time: of areas, which are own code, perl's, and namespaces of modules (DATA.md). */

/* {sums (by area: the work of subs; asleep and queued are areas of their own), outside (of subs)}: ticks. The
 * time of a string eval, a part of the time of the sub that runs the eval, counts for the area of the eval,
 * as in pictures. */
function time_by_area({subs, stacks, totals}) {
    const found = {sums: area_names().map(() => 0), outside: totals.ticks}, {area} = recorded.subs;
    const move_ticks = (ticks, sub) => {
        found.outside -= ticks;
        found.sums[area[sub]] += ticks;
    };
    subs.excl.forEach((ticks, sub) => move_ticks(Math.max(0, ticks), sub));
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], part_of = stacks.part_of[node], ticks = Math.max(0, stacks.excl[node]);
        if (sub !== part_of)
            move_ticks(ticks, sub);
        if (sub !== part_of && part_of >= 0)
            move_ticks(-ticks, part_of);
    }
    for (const [name, waited] of [['asleep', asleep_area], ['queued', queued_area]])
        stacks[name].forEach((ticks, node) => {
            move_ticks(-ticks, stacks.sub[node]);
            found.sums[waited] += ticks;
            found.outside -= ticks;
        });
    return {sums: found.sums.map(ticks => Math.max(0, ticks)), outside: Math.max(0, found.outside)};
}

/* The legend of the colours of areas, with the share of each in the whole, whose amount it says, too. Less
 * than half a tenth of a percent is not worth a word. */
function area_legend(
    profile, {sums, outside, whole = profile.totals.ticks, text_of = time_text} = time_by_area(profile)) {
    const names = area_names(), item = (sum, area, text) => {
        const share = share_of(sum, whole);
        return share >= 0.0005 &&
            legend_item(`var(--${area < 0 ? 'flame-root' : 'area-' + area})`,
                [text + ' ', make('span.quiet', percent_text(share))], text_of(sum));
    };
    const by_time = [...sums.keys()].sort(
        (a, b) => (a >= asleep_area) - (b >= asleep_area) || sums[b] - sums[a] || a - b);
    return make('ul.legend', {'aria-label': 'Colours', 'data-whole': text_of(whole)},
        by_time.map(area => item(sums[area], area, names[area])), item(outside, -1, outside_text));
}

const outside_text = 'outside of subs';
