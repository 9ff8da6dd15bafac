/* What of the profile is shown: all processes or one, and what is left out of that. It is in all addresses
 * (process=4711, out=waiting,pkg:Foo,sub:Foo::bar), and all views have the numbers of it. */

let selection = {address: '-1 ', query: {process: null, out: null}, process: -1, items: [], out: null};

function item_text(what, name) {
    return list_text([what + ':' + name]);
}

/* text: as it stands in the list. */
function decoded_item(text) {
    const [, what, name] = /^(?:(pkg|sub|label):)?(.*)$/s.exec(listed(text)[0]);
    return {what: what || 'waiting', name, text};
}

/* Which subs an item leaves out. */
function item_test({what, name}) {
    const {subs, packages} = profile;
    if (what === 'waiting')
        return sub => subs.origin[sub] === waiting_origin;
    if (what === 'sub')
        return sub => subs.name[sub] === name;
    if (what === 'label') {
        const label = label_at(name);
        return sub => label >= 0 && label_of(sub) === label;
    }
    const of = packages.number.has(name) ? packages.number.get(name) : -1;
    return sub => subs.package[sub] === of;
}

/* By sub: the number of the item that leaves it out, from 1 on; 0: none does. Code outside of subs stays. */
function left_out_subs(items) {
    const found = new Uint8Array(profile.subs.count), tests = items.map(item_test);
    for (let sub = 0; sub < found.length; sub++)
        if (!is_outside(sub))
            found[sub] = tests.findIndex(test => test(sub)) + 1;
    return found;
}

/* Makes the profile what the address asks for. The process that it names is loaded. */
function apply_selection(query) {
    const process = process_named(query.process), out = query.out || '';
    ({selection, profile} = shown_by(process + ' ' + out, process, out, query.process));
}

/* {selection, profile}: what is chosen, and the tables of that. */
const shown_by = latest((address, process, out, named) => {
    const items = [...new Set(out.split(','))].filter(Boolean).slice(0, 255).map(decoded_item);
    const chosen = {
        address,
        query: {process: process < 0 ? null : named, out: out || null},
        process,
        items,
        out: items.length ? left_out_subs(items) : null
    };
    return {selection: chosen, profile: items.length || process >= 0 ? selected_parts(chosen) : recorded};
});

/* Sets the ticks of each item that is left out, too. */
function selected_parts({process, items, out: left_out}) {
    const out = left_out || left_out_subs([]), made = {...recorded};
    const {stacks, totals} = recorded, kept = [], columns = process < 0 ? stacks : process_columns(process);
    let blocks = 0; /* of memory, that are left out */
    made.is_process = process >= 0;
    if (process >= 0)
        made.difference = null; /* what changed is known of all processes together */
    items.forEach(item => { item.ticks = 0; });
    for (let node = 0; node < stacks.count; node++) {
        const item = out[stacks.sub[node]];
        if (!item) {
            if (process < 0 || columns.any[node])
                kept.push(node);
            continue;
        }
        items[item - 1].ticks += columns.incl[node];
        blocks += stacks.blocks ? stacks.blocks[node] : 0;
        node = stacks.end[node] - 1;
    }
    if (!stacks.count)
        recorded.arcs.callee.forEach((sub, arc) => {
            if (out[sub])
                items[out[sub] - 1].ticks += recorded.arcs.excl[arc];
        });
    made.stacks = rows_of(
        {...stacks, calls: columns.calls, excl: columns.excl}, ['sub', 'depth', 'calls', 'excl'], kept);
    link_stacks(made.stacks);
    made.arcs = selected_arcs(made.stacks, out, process);
    const {lines, gone} = selected_lines(out);
    made.lines = lines;
    made.calls = select_calls(recorded.calls, out, process);
    const all = process < 0 ? totals.ticks : recorded.processes.ticks[process];
    const ticks = Math.max(0, all - items.reduce((sum, item) => sum + item.ticks, 0));
    made.totals = {
        ...totals,
        ticks,
        line_ticks: totals.ticks - gone.ticks,
        calls: made.arcs.calls.reduce((sum, calls) => sum + calls, 0),
        statements: is_memory()                ? totals.statements - blocks
            : is_sampled() && totals.ticks > 0 ? Math.round(totals.statements * ticks / totals.ticks)
                                               : totals.statements - gone.statements
    };
    return summed_up(made, false);
}

/* A table with those rows of these columns. */
function rows_of(table, columns, rows) {
    const made = {...table};
    for (const name of columns)
        made[name] = rows.map(row => table[name][row]);
    return made;
}

function pair_key(caller, callee) {
    return (caller < 0 || is_outside(caller) ? 0 : caller + 1) * recorded.subs.count + callee;
}

/* What calls by one sub of another add up to in stacks, as arcs have it. */
const pair_sums = once_for(stacks => {
    const sums = new Map(), open = new Uint32Array(recorded.subs.count), path = [];
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], depth = stacks.depth[node];
        while (path.length > depth)
            open[path.pop()]--;
        const key = pair_key(depth > 0 ? path[depth - 1] : -1, sub);
        let sum = sums.get(key);
        if (!sum)
            sums.set(key, sum = {calls: 0, excl: 0, incl: 0, reci: 0, given: {}});
        if (!stacks.blocks)
            sum.calls += stacks.calls[node];
        else if (!open[sub]) /* as arcs have them */
            sum.calls += stacks.blocks[node];
        sum.excl += stacks.excl[node];
        sum[open[sub] ? 'reci' : 'incl'] += stacks.incl[node];
        open[sub]++;
        path.push(sub);
    }
    return sums;
});

/* The share of one arc in what its pair has now. Shares are rounded so that all of them together are that. */
function arc_share(now, before, name, value) {
    const given = now.given[name] = now.given[name] || {exact: 0, sum: 0};
    given.exact += before[name] > 0 ? value * now[name] / before[name] : value;
    const share = Math.round(given.exact) - given.sum;
    given.sum += share;
    return share;
}

/* Stacks say what each caller and callee have together, but not from which lines: so each line keeps its
 * share. */
function selected_arcs(stacks, out, process) {
    const {arcs} = recorded, measured = ['calls', 'excl', 'incl', 'reci'];
    const before = pair_sums(recorded.stacks), now = pair_sums(stacks);
    const key = arc => pair_key(arcs.caller[arc], arcs.callee[arc]), kept = [];
    for (let arc = 0; arc < arcs.callee.length; arc++)
        if (before.has(key(arc)) ? now.has(key(arc))
                                 : process < 0 && !out[arcs.callee[arc]] && !out[arcs.caller[arc]])
            kept.push(arc);
    const made = rows_of(arcs, ['callee', 'caller', 'file', 'line', ...Object.keys(arc_sums)], kept);
    kept.forEach((arc, i) => {
        const pair = key(arc);
        for (const name of before.has(pair) ? measured : [])
            made[name][i] = arc_share(now.get(pair), before.get(pair), name, arcs[name][arc]);
    });
    return made;
}

/* Built-ins and xsubs have no statements. */
function is_native(sub) {
    return profile.subs.origin[sub] >= native_origin;
}

/* Lines have no callers. So what is taken out of them is the code of subs that are left out, and the time of
 * built-ins and xsubs, which is in the lines that call them. Returns the lines, and how much is gone. */
function selected_lines(out) {
    const {arcs, lines, files, subs} = recorded, of_native = new Map();
    const made = {...lines, calls: [...lines.calls], ticks: [...lines.ticks]};
    const at = (file, line) => file * 2 ** 22 + line;
    arcs.callee.forEach((callee, arc) => {
        const place = at(arcs.file[arc], arcs.line[arc]);
        if (out[callee] && is_native(callee) && arcs.file[arc] >= 0)
            of_native.set(place, (of_native.get(place) || 0) + arcs.excl[arc]);
    });
    const emptied = new Set();
    out.forEach((item, sub) => item && subs.file[sub] >= 0 && !is_native(sub) && emptied.add(subs.file[sub]));
    const gone = {statements: 0, ticks: 0};
    for (let file = 0; file < files.count; file++)
        for (let row = files.first_row[file]; row < files.first_row[file + 1]; row++) {
            const place = at(file, lines.line[row]),
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

/* Calls are in the order of their begin, callers before callees. */
function select_calls(calls, out, process) {
    const kept = [];
    let inside = null;
    for (let call = 0; call < calls.sub.length; call++) {
        const begin = calls.begin[call], depth = calls.depth[call];
        if (inside && calls.process[call] === inside.process && depth > inside.depth && begin < inside.end)
            continue;
        inside = null;
        if (process >= 0 && calls.process[call] !== process)
            continue;
        if (out[calls.sub[call]])
            inside = {process: calls.process[call], depth, end: begin + calls.ticks[call]};
        else
            kept.push(call);
    }
    return {
        ...rows_of(calls, ['sub', 'depth', 'begin', 'ticks', 'process'], kept),
        all: calls.all - (calls.sub.length - kept.length)
    };
}

/* The query of an address with an item more or less. */
function with_item(text) {
    return {out: [...selection.items.map(item => item.text), text].join(',')};
}

function without_item(text) {
    return {out: selection.items.map(item => item.text).filter(other => other !== text).join(',') || null};
}

/* To the same view, with another selection. */
function change_selection(changes) {
    const {view, arguments: list, query} = parse_route(location.hash);
    go_to(view, list, {...query, ...changes});
}

function waiting_ticks() {
    const {subs} = recorded, item = selection.items.find(({what}) => what === 'waiting');
    return item
        ? item.ticks
        : subs.excl.reduce((sum, ticks, sub) => sum + (subs.origin[sub] === waiting_origin ? ticks : 0), 0);
}

/* null: nothing waited. */
function waiting_control() {
    const is_out = selection.items.some(({what}) => what === 'waiting');
    return is_out || waiting_ticks() > 0
        ? check_control('without waiting', is_out,
              on => change_selection(on ? with_item('waiting') : without_item('waiting')))
        : null;
}

function leave_out_link(text, item) {
    return selection.items.some(other => other.text === item)
        ? make('span', null, text + ' (done)')
        : make('button', {type: 'button', class: 'link', click: () => change_selection(with_item(item))},
              text);
}

function item_name({what, name}) {
    return what === 'label' ? named_label_text(name) : name;
}

/* A time that was left out is a share of what there was. */
function left_out_text({what, name, ticks}) {
    const time = choices.get('unit') === '%'
        ? percent_text(recorded.totals.ticks > 0 ? ticks / recorded.totals.ticks : 0)
        : time_text(ticks);
    return (what === 'waiting' ? time + ' waiting' : time + ' of ' + (item_name({what, name}) || '(none)')) +
        ' left out';
}

/* What is less exact than it seems in a view. */
function selection_notes(view) {
    const notes = [], has_lines = ['', 'files', 'file', 'map', 'sub'].includes(view);
    if (!selection.items.length && selection.process < 0)
        return notes;
    if (recorded.difference && selection.process >= 0)
        notes.push('What changed is known of all processes together, so nothing is compared here.');
    if (has_lines && selection.process >= 0)
        notes.push(view === ''
                ? 'Files and lines are not shown, since the profile does not say which process ran a line.'
                : 'Files and lines are those of all processes: ' +
                    'the profile does not say which of them ran a line.');
    if (selection.items.length && !recorded.stacks.count)
        notes.push('There are no stacks, so callers keep the time of what was left out below them.');
    if (has_lines && selection.items.some(({what}) => what !== 'waiting'))
        notes.push('Lines are without the code of subs that were left out. ' +
            'Subs that those called still have all of theirs.');
    if (view === 'sub' || view === 'file')
        notes.push('Where a sub calls another from several lines, each line has its share of what is left.');
    if (selection.items.length && profile.difference &&
        ['', 'subs', 'sub', 'map', 'files', 'file'].includes(view))
        notes.push('Old and new inclusive times, and those of packages, files and lines, ' +
            'still have what was left out.');
    if (view === '')
        notes.push('What stands out is known of the whole profile only.');
    return notes;
}

/* Above each view, if there is a choice of processes, or anything is left out. */
function show_selection(view) {
    const place = document.getElementById('selection'), choice = process_control();
    const chip = item => make('button', {
        type: 'button',
        class: 'chip',
        title: 'Show it again: ' + (item.what === 'waiting' ? 'waiting' : item_name(item)),
        click: () => change_selection(without_item(item.text))
    },
        '✕ ' + left_out_text(item));
    place.hidden = !choice && !selection.items.length;
    place.replaceChildren(...[choice, ...selection.items.map(chip),
        make('p', {class: 'quiet hint'}, selection_notes(view).join(' '))]
                              .filter(Boolean));
}
