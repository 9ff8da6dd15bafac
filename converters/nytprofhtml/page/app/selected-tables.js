/* The tables of what is selected: first those of a process and of a range of time, and then those without
 * what is left out of them. */

/* The profile of a process (-1: all), and of a range of slices (null: all of the time). */
function part_of_profile(process, range) {
    if (process < 0 && !range)
        return recorded;
    const query = {process: process_name(process), range: range && range_address(range), out: null},
          made = {...recorded, difference: null, selection: {...nothing_selected, query, process, range}},
          {stacks, lines, calls, totals} = recorded,
          columns = range ? sliced_stacks(process, range) : process_columns(process);
    const kept = [...columns.any.keys()].filter(node => columns.any[node]);
    made.stacks = some_stacks({...stacks, ...columns}, kept);
    made.arcs = selected_arcs(recorded, made.stacks, () => false);
    made.lines = has_slices() ? {...lines, ...sliced_lines(process, range)} : lines;
    const in_stacks = total_of(made.stacks.excl.map(ticks => Math.max(0, ticks))),
          ticks = range ? Math.max(total_of(made.lines.ticks), in_stacks) : recorded.processes.ticks[process];
    made.totals = {
        ...totals,
        ticks,
        line_ticks: has_slices() ? ticks : totals.ticks,
        calls: total_of(made.arcs.calls),
        statements: is_estimated() ? samples_of(ticks, totals)
            : has_slices()         ? total_of(made.lines.calls)
                                   : totals.statements
    };
    made.calls = some_calls(calls, calls_of_part(calls, process, range), made.totals);
    return summed_up(made, false);
}

/* How long a profile waited, as far as stacks and lines do not say it of whole processes: only these know it
 * of code outside of subs. */
function waited_ticks({stacks, selection: {process, range}}, line_waits) {
    const {pid, asleep, queued} = recorded.processes,
                        of = [...pid.keys()].filter(one => process < 0 || one === process);
    return !range && of.length && of.every(one => asleep[one] >= 0)
        ? total_of(of.map(one => asleep[one] + Math.max(0, queued[one])))
        : Math.max(total_of(stacks.asleep) + total_of(stacks.queued), total_of(line_waits));
}

/* By row of lines: how long it waited. */
function waits_of_lines({lines}) {
    return Array.from(lines.ticks, (none, row) => lines.asleep ? lines.asleep[row] + lines.queued[row] : 0);
}

function line_key(file, line) {
    return file * 2 ** 22 + line;
}

const waits_at_all = once_for(profile => waited_ticks(profile, waits_of_lines(profile)) > 0);

/* Whether work is less than all time. */
function can_wait() {
    const {difference} = recorded;
    return !is_memory() && (difference ? difference.work !== null : waits_at_all(recorded));
}

/* A profile with all its time, if the address has to say so. */
const with_waits = once_for(profile => can_wait()
        ? {...profile, selection: {...profile.selection, query: {...profile.selection.query, all: '1'}}}
        : profile);

/* Stacks without the time that they were asleep or queued themselves. */
function work_of_stacks(stacks) {
    const excl = stacks.excl.map((ticks, node) => ticks - stacks.asleep[node] - stacks.queued[node]),
          none = new Float64Array(stacks.count);
    return {...stacks, asleep: none, queued: none, excl, incl: with_all_below(excl, stacks.parent)};
}

/* The work in a profile: stacks, and so subs, calls and requests, are without the time that they were asleep
 * or queued themselves, and still have what they call. */
const work_in = once_for(profile => {
    const {stacks, arcs, lines, subs, totals} = profile;
    if (!can_wait())
        return profile;
    const made = {...profile, is_work: true, difference: profile.difference && profile.difference.work};
    made.stacks = work_of_stacks(stacks);
    made.arcs = stacks.count ? selected_arcs(profile, made.stacks, () => true) : {...arcs};
    if (!stacks.count)
        for (const name of ['incl', 'excl'])
            made.arcs[name] = arcs[name].map((ticks, arc) => subs.origin[arcs.callee[arc]] === waiting_origin
                    ? ticks - arcs.excl[arc]
                    : ticks);
    const line_waits = waits_of_lines(profile);
    made.lines = {
        ...lines,
        asleep: null,
        ticks: Array.from(lines.ticks, (ticks, row) => Math.round(ticks - line_waits[row]))
    };
    const ticks = Math.max(0, totals.ticks - waited_ticks(profile, line_waits));
    made.totals = {
        ...totals,
        ticks,
        line_ticks: ticks,
        statements: is_sampled() ? samples_of(ticks, recorded.totals) : totals.statements
    };
    const summed = summed_up(made, !stacks.count);
    if (summed.labels)
        Object.assign(summed.labels,
            {is_whole: profile.labels.is_whole, has_times: profile.labels.has_times && stacks.count > 0});
    return summed;
});

/* The profile without the subs that items leave out, each with all that it calls. Sets the ticks of each
 * item, too. */
function without_items(tables, items, query) {
    const {stacks, arcs, totals} = tables, out = left_out_subs(items), kept = [], made = {
        ...tables,
        selection: {...tables.selection, query: {...tables.selection.query, out: query}, items, out}
    };
    let blocks_out = 0; /* of memory */
    items.forEach(item => { item.ticks = 0; });
    for (let node = 0; node < stacks.count; node++) {
        const item = out[stacks.sub[node]];
        if (!item) {
            kept.push(node);
            continue;
        }
        items[item - 1].ticks += stacks.incl[node];
        blocks_out += stacks.blocks ? stacks.blocks[node] : 0;
        node = stacks.end[node] - 1;
    }
    if (!stacks.count)
        arcs.callee.forEach((sub, arc) => {
            if (out[sub])
                items[out[sub] - 1].ticks += arcs.excl[arc];
        });
    made.stacks = some_stacks(stacks, kept);
    made.arcs = selected_arcs(tables, made.stacks, arc => !out[arcs.callee[arc]] && !out[arcs.caller[arc]]);
    const {lines, gone} = lines_without(tables, out);
    made.lines = lines;
    const ticks = Math.max(0, totals.ticks - items.reduce((sum, item) => sum + item.ticks, 0));
    made.totals = {
        ...totals,
        ticks,
        line_ticks: totals.line_ticks - gone.ticks,
        calls: total_of(made.arcs.calls),
        statements: is_memory() ? totals.statements - blocks_out
            : is_sampled()      ? samples_of(ticks, recorded.totals)
                                : totals.statements - gone.statements
    };
    made.calls = calls_without(tables.calls, out, made.totals);
    return summed_up(made, false);
}

/* A table with those rows of these columns. */
function rows_of(table, columns, rows) {
    const made = {...table};
    for (const name of columns)
        made[name] = rows.map(row => table[name][row]);
    return made;
}

function some_stacks(stacks, nodes) {
    const made = rows_of(stacks, ['sub', 'depth', 'calls', 'excl', 'asleep', 'queued'], nodes);
    link_stacks(made);
    return made;
}

function pair_key(caller, callee) {
    return (caller < 0 || is_outside(caller) ? 0 : caller + 1) * recorded.subs.count + callee;
}

/* Which pairs of a caller and a callee stacks have: {number (of a pair, by its key), of (the number, by node;
 * that of the sub around a string eval), is_open (whether the node's sub is above it, too)}. */
const pairs_of = once_for(stacks => {
    const number = new Map(), of = new Int32Array(stacks.count), is_open = new Uint8Array(stacks.count),
          open = new Uint32Array(recorded.subs.count), path = [];
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], parent = stacks.parent[node];
        while (path.length > stacks.depth[node])
            open[path.pop()]--;
        is_open[node] = open[sub]++ > 0 ? 1 : 0;
        path.push(sub);
        if (is_eval(sub)) {
            of[node] = parent >= 0 ? of[parent] : -1;
            continue;
        }
        of[node] =
            entry_of(number, pair_key(parent >= 0 ? stacks.part_of[parent] : -1, sub), () => number.size);
    }
    return {number, of, is_open};
}, stacks => stacks.sub);

/* What calls by one sub of another add up to in stacks, as arcs have it: calls, excl, incl and reci by the
 * number of the pair. */
const pair_sums = once_for(stacks => {
    const {number, of, is_open} = pairs_of(stacks), [calls, excl, incl,
        reci] = Array.from({length: 4}, () => new Float64Array(number.size));
    for (let node = 0; node < stacks.count; node++) {
        const pair = of[node];
        if (pair < 0)
            continue;
        excl[pair] += stacks.excl[node];
        if (is_eval(stacks.sub[node]))
            continue;
        if (!stacks.blocks)
            calls[pair] += stacks.calls[node];
        else if (!is_open[node]) /* as arcs have them */
            calls[pair] += stacks.blocks[node];
        (is_open[node] ? reci : incl)[pair] += stacks.incl[node];
    }
    return {number, calls, excl, incl, reci};
});

/* The shares of arcs in what their pairs have now, in the order of the arcs. They are rounded so that those
 * of a pair together are what it has. values are those of the arcs, old and pairs their pairs' numbers. */
function arc_shares(values, before, old, now, pairs) {
    const exact = new Float64Array(now.length), given = new Float64Array(now.length);
    return values.map((value, i) => {
        const pair = pairs[i];
        if (old[i] === undefined)
            return value;
        exact[pair] += before[old[i]] > 0 ? value * now[pair] / before[old[i]] : value;
        const share = Math.round(exact[pair]) - given[pair];
        given[pair] += share;
        return share;
    });
}

/* Stacks say what each caller and callee have together, but not from which lines: so each line keeps its
 * share of what it has in the whole. Of pairs that are in no stack, the arcs are there for which
 * is_kept(arc). */
function selected_arcs({arcs, stacks: whole}, stacks, is_kept) {
    const before = pair_sums(whole), now = pair_sums(stacks), kept = [], old = [], pairs = [];
    for (let arc = 0; arc < arcs.callee.length; arc++) {
        const key = pair_key(arcs.caller[arc], arcs.callee[arc]), was = before.number.get(key),
              pair = now.number.get(key);
        if (was === undefined ? !is_kept(arc) : pair === undefined)
            continue;
        kept.push(arc);
        old.push(was);
        pairs.push(pair);
    }
    const columns = ['callee', 'caller', 'file', 'line', ...Object.keys(arc_sums)],
          made = kept.length < arcs.callee.length ? rows_of(arcs, columns, kept) : {...arcs};
    for (const name of ['calls', 'excl', 'incl', 'reci'])
        made[name] = arc_shares(made[name], before[name], old, now[name], pairs);
    return made;
}

/* Built-ins and xsubs have no statements. */
function is_native(sub) {
    return recorded.subs.origin[sub] >= native_origin;
}

/* Lines have no callers. So what is taken out of them is the code of subs that are left out, and the time of
 * built-ins and xsubs, which is in the lines that call them. Returns the lines, and how much is gone. */
function lines_without({arcs, lines, files, subs}, out) {
    const of_native = new Map();
    const made = {...lines, asleep: null, calls: [...lines.calls], ticks: [...lines.ticks]};
    arcs.callee.forEach((callee, arc) => {
        const place = line_key(arcs.file[arc], arcs.line[arc]);
        if (out[callee] && is_native(callee) && arcs.file[arc] >= 0)
            of_native.set(place, (of_native.get(place) || 0) + arcs.excl[arc]);
    });
    const emptied = new Set();
    out.forEach((item, sub) => item && subs.file[sub] >= 0 && !is_native(sub) && emptied.add(subs.file[sub]));
    const gone = {statements: 0, ticks: 0};
    for (let file = 0; file < files.count; file++)
        for (let row = files.first_row[file]; row < files.first_row[file + 1]; row++) {
            const place = line_key(file, lines.line[row]),
                  sub = emptied.has(file) ? sub_around(file, lines.line[row]) : -1;
            if (sub >= 0 && out[sub]) {
                gone.statements += lines.calls[row];
                gone.ticks += lines.ticks[row];
                made.ticks[row] = made.calls[row] = 0;
            }
            const taken = Math.max(0, Math.min(of_native.get(place) || 0, made.ticks[row]));
            if (taken > 0) {
                gone.ticks += taken;
                made.ticks[row] -= taken;
                of_native.set(place, of_native.get(place) - taken);
            }
        }
    return {lines: made, gone};
}

/* Calls that run in the range, if only for a part of it. */
function calls_of_part(calls, process, range) {
    return [...calls.sub.keys()].filter(call => (process < 0 || calls.process[call] === process) &&
            (!range || is_in_range(range, calls.begin[call], calls.ticks[call])));
}

/* Calls that are not within a call of what is left out. They are in the order of their begin, callers
 * before callees. */
function calls_without(calls, out, totals) {
    const kept = [];
    let inside = null;
    for (let call = 0; call < calls.sub.length; call++) {
        const begin = calls.begin[call], depth = calls.depth[call];
        if (inside && calls.process[call] === inside.process && depth > inside.depth && begin < inside.end)
            continue;
        inside = null;
        if (out[calls.sub[call]])
            inside = {process: calls.process[call], depth, end: begin + calls.ticks[call]};
        else
            kept.push(call);
    }
    return some_calls(calls, kept, totals);
}

/* How many calls there are besides is known where calls were counted, in the totals. */
function some_calls(calls, kept, totals) {
    return {
        ...rows_of(calls, ['sub', 'depth', 'begin', 'ticks', 'process'], kept),
        all: totals && !is_sampled() ? Math.max(kept.length, totals.calls)
                                     : calls.all - (calls.sub.length - kept.length)
    };
}
