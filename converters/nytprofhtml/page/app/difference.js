/* What changed since OLD, where the report compares (nytprofhtml --diff). profile.difference has rows of subs and files
 * with "old", "new" and a verdict for each of three measures; null: nothing is compared. */

const verdicts = ['no difference', 'all runs have these numbers', 'more than chance', 'chance can explain it',
    'not tested: that takes four runs of each, and half a percent of the time'], by_chance = 3;

function unpack_difference() {
    const {difference, subs} = profile;
    if (!difference)
        return;
    difference.row_of_sub = new Int32Array(subs.count).fill(-1);
    difference.subs.number.forEach((sub, row) => {
        difference.row_of_sub[sub] = row;
    });
    difference.row_of_file = new Int32Array(profile.files.count).fill(-1);
    difference.files.number.forEach((file, row) => {
        if (file >= 0)
            difference.row_of_file[file] = row;
    });
    link_stacks(difference.stacks);
    const {lines} = difference;
    add_up(lines.file);
    lines.old_line = lines.old_line.map((less, row) => lines.line[row] + less);
    lines.by_file = index_by(lines.file, profile.files.count);
    let texts = 0;
    lines.code = lines.line.map(line => line ? null : lines.text[texts++]);
}

/* -1: nothing of it is compared. */
function changed_row(sub) {
    return profile.difference ? profile.difference.row_of_sub[sub] : -1;
}

/* "+12.3 %", "× 40", "new", "gone", "~" where chance can explain it. */
function change_percent(before, after, verdict) {
    if (before === after)
        return '0\u00a0%';
    if (verdict === by_chance)
        return '~';
    if (before <= 0 || after <= 0)
        return before <= 0 ? 'new' : 'gone';
    const percent = (after - before) / before * 100;
    return percent >= 1000 ? '×\u00a0' + count_text(after / before)
        : signed(percent, Math.abs(percent) < 100 ? percent.toFixed(1) : count_text(percent)) + '\u00a0%';
}

function signed(value, text) {
    return (value > 0 ? '+' : '') + text;
}

function change_class(change, verdict) {
    return verdict === by_chance || change === 0 ? 'chance' : change > 0 ? 'more' : 'less';
}

function change_cell(before, after, verdict, text) {
    return make('span', {class: change_class(after - before, verdict), title: verdicts[verdict]}, text);
}

/* "12.3 ms → 13.1 ms, +6.5 %" */
function old_and_new(table, row, suffix = '') {
    const [before, after, verdict] = ['old', 'new', 'verdict'].map(name => table[name + suffix][row]);
    return time_text(before) + ' → ' + time_text(after) + ', ' + change_percent(before, after, verdict);
}

/* Old, new and change of one measure: drops are the order in which the three are left out. */
function measure_columns(table, row_of, {key, title, suffix, number, drops}) {
    const of = name => x => table[name + suffix][row_of(x)];
    const change = x => of('new')(x) - of('old')(x), kind = number ? {number} : {time: true};
    return [{...kind, key: key + 'old', title: title + 'old', drop: drops[0], value: of('old')},
        {...kind, key: key + 'new', title: title + 'new', drop: drops[1], value: of('new')},
        {...kind, key: key + 'change', title: title + 'change', number: true, drop: drops[2], value: change,
            sort: x => Math.abs(change(x)), cell: (x, unit) => change_cell(of('old')(x), of('new')(x), of('verdict')(x),
                signed(change(x), unit ? in_unit(change(x), unit) : count_text(change(x))))}];
}

/* Of subs, or without has_incl of files. row_of gives the row of what a table has. */
function difference_columns(table, row_of, has_incl) {
    const [before, after, change] = measure_columns(table, row_of, {key: '', title: 'Self ', suffix: '', drops: [9, 10, 20]});
    const percent = {key: 'percent', title: 'Change, %', number: true, width: 6.6, drop: 8,
        value: x => (table.new[row_of(x)] - table.old[row_of(x)]) / Math.max(table.old[row_of(x)], 1),
        cell: x => change_cell(table.old[row_of(x)], table.new[row_of(x)], table.verdict[row_of(x)],
            change_percent(table.old[row_of(x)], table.new[row_of(x)], table.verdict[row_of(x)]))};
    return [before, after, change, percent,
        ...has_incl ? measure_columns(table, row_of, {key: 'incl-', title: 'Incl. ', suffix: '_incl', drops: [4, 5, 7]}) : [],
        ...measure_columns(table, row_of, {key: 'calls-', title: is_sampled() ? 'Samples ' : has_incl ? 'Calls ' : 'Runs ', suffix: '_calls',
            number: true, drops: [1, 2, 3]})];
}

/* ---- source ---- */

/* What changed in a file: {of: line to row of lines, gone: rows of what only OLD has}; null: nothing is compared. */
function changed_lines(file) {
    if (!profile.difference || profile.difference.row_of_file[file] < 0)
        return null;
    const {lines} = profile.difference, rows = [...lines.by_file.of(file)];
    return {of: new Map(rows.filter(row => lines.line[row]).map(row => [lines.line[row], row])),
        gone: rows.filter(row => !lines.line[row])};
}

/* Puts lines that only OLD has after the line of NEW that the line before them is now. */
function with_gone_lines(rows, changes, {first = 1, last = Infinity}) {
    const {lines} = profile.difference, out = [], pairs = [...changes.of.values()].filter(row => lines.old_line[row])
        .sort((a, b) => lines.old_line[a] - lines.old_line[b]);
    let pair = -1;
    const gone = changes.gone.map(row => {
        while (pair + 1 < pairs.length && lines.old_line[pairs[pair + 1]] < lines.old_line[row])
            pair++;
        return {row, after: pair < 0 ? 0 : lines.line[pairs[pair]]};
    }).filter(({after}) => after >= first - 1 && after <= last).sort((a, b) => a.after - b.after);
    const put_until = line => {
        while (gone.length && gone[0].after < line) {
            const {row} = gone.shift();
            out.push({gone: row, inlined: true, line: lines.old_line[row], code: lines.code[row]});
        }
    };
    rows.forEach((row, i) => {
        let next = i; /* what is said of a sub comes before its line */
        while (next < rows.length - 1 && (rows[next].note === 'sub' || rows[next].note === 'caller'))
            next++;
        if (!rows[next].note && !rows[next].inlined)
            put_until(rows[next].line);
        out.push(row);
    });
    put_until(Infinity);
    return out;
}

function line_change_cell(row, unit) {
    const {old: before, new: after, verdict} = profile.difference.lines;
    return make('span', {class: change_class(after[row] - before[row], verdict[row]), title:
        change_percent(before[row], after[row], verdict[row]) + ', ' + verdicts[verdict[row]]},
    signed(after[row] - before[row], in_unit(after[row] - before[row], unit)));
}

/* ---- flame graphs ---- */

/* OLD's stacks without what is left out. */
function old_stacks() {
    const {stacks} = profile.difference, out = selection.items.length ? left_out_subs(selection.items) : null, kept = [];
    if (!out)
        return stacks;
    for (let node = 0; node < stacks.count; node++) {
        if (out[stacks.sub[node]])
            node = stacks.end[node] - 1;
        else
            kept.push(node);
    }
    const some = rows_of(stacks, ['sub', 'depth', 'calls', 'excl'], kept);
    link_stacks(some);
    return some;
}

/* Adds to a tree what OLD has of it: tree.old and tree.old_calls. side 'old' turns the two round. */
function add_old(tree, options, side) {
    const old = build_tree({...options, stacks: old_stacks()}), to = [0];
    const rest = options.only || selection.items.length ? 0
        : Math.max(0, profile.difference.whole.old - old.self.reduce((a, b) => a + b, 0));
    tree.old = tree.self.map(() => 0);
    tree.old_calls = tree.self.map(() => 0);
    const add = (node, ticks, calls) => {
        tree.old[node] = (tree.old[node] || 0) + ticks;
        tree.old_calls[node] = (tree.old_calls[node] || 0) + calls;
    };
    for (let node = 1; node < old.key.length; node++) {
        to[node] = tree.child(to[old.parent[node]], old.key[node]);
        add(to[node], old.self[node], old.calls[node]);
    }
    if (rest > 0)
        add(tree.child(0, outside_key), rest, 0);
    if (side === 'old')
        Object.assign(tree, {self: tree.old, old: tree.self, calls: tree.old_calls, old_calls: tree.calls});
}

/* The inclusive time of each node in the side that is not shown. */
function other_incl(tree) {
    const incl = Float64Array.from(tree.old);
    for (let node = incl.length - 1; node > 0; node--)
        incl[tree.parent[node]] += incl[node];
    return incl;
}

/* [old, new, verdict] of a place. */
function change_of_place(layout, place) {
    const node = layout.node[place], times = [layout.other[node], layout.incl[node]];
    const key = layout.tree.key[node], row = layout.packages || key < 0 ? -1 : changed_row(key);
    const {subs, whole} = profile.difference;
    const verdict = key === -1 ? whole.verdict : row >= 0 ? subs.verdict_incl[row] : verdicts.length - 1;
    return [...layout.side === 'old' ? times.reverse() : times, verdict];
}

/* Returns blue for less time and orange for more. The two differ also for people who cannot tell red from green. */
function change_color(share) {
    const strength = Math.sqrt(Math.min(1, Math.abs(share))), hue = share > 0 ? 24 : 214;
    if (Math.abs(share) < 0.005)
        return style_color('flame-root');
    return is_dark() ? `hsl(${hue} ${20 + 45 * strength}% ${27 + 8 * strength}%)`
        : `hsl(${hue} ${35 + 55 * strength}% ${90 - 20 * strength}%)`;
}

function place_change_color(layout, place) {
    const [before, after, verdict] = change_of_place(layout, place), most = Math.max(before, after);
    return change_color(verdict === by_chance || most <= 0 ? 0 : (after - before) / most);
}

function change_details(layout, place) {
    const [before, after, verdict] = change_of_place(layout, place);
    return 'old ' + time_text(before) + ', new ' + time_text(after) + ', ' + change_percent(before, after, verdict) +
        (verdict === by_chance ? ' (' + verdicts[verdict] + ')' : '');
}

function change_legend() {
    const item = (share, text) => {
        const swatch = make('span', {class: 'swatch-box', 'aria-hidden': 'true'});
        swatch.style.background = change_color(share);
        return make('li', null, swatch, text);
    };
    return make('ul', {class: 'legend', 'aria-label': 'Colours'}, item(1, 'new, or much more'), item(0.1, 'a little more'),
        item(0, 'the same, or by chance'), item(-0.1, 'a little less'), item(-1, 'much less'));
}

/* ---- the overview ---- */

/* The subs and files that changed most. place is null where nothing is compared. */
function fill_changes(place) {
    if (place)
        place.replaceChildren();
    if (!profile.difference)
        return;
    const {subs, files} = profile.difference;
    const table = (label, rows, of, view, link) => {
        const most = Math.max(0, ...rows.map(row => Math.abs(of.new[row] - of.old[row]))), unit = unit_for(most);
        return make('section', null, make('h2', null, make('a', {href: route_text(view, [], {})}, label)),
            rows.length ? short_table(label, [['Old, ' + unit.name, true], ['New, ' + unit.name, true], ['Change', true], [view === 'subs' ? 'Sub' : 'File', false]],
                rows, row => make('tr', null, make('td', {class: 'n'}, in_unit(of.old[row], unit)), make('td', {class: 'n'}, in_unit(of.new[row], unit)),
                    make('td', {class: 'n'}, change_cell(of.old[row], of.new[row], of.verdict[row], change_percent(of.old[row], of.new[row], of.verdict[row]))),
                    make('td', {class: 'name'}, link(row)))) : make('p', {class: 'quiet'}, 'Nothing changed.'));
    };
    const changed = of => [...of.number.keys()].filter(row => of.new[row] !== of.old[row])
        .sort((a, b) => Math.abs(of.new[b] - of.old[b]) - Math.abs(of.new[a] - of.old[a]) || a - b).slice(0, 12);
    place.replaceChildren(make('div', {class: 'columns'},
        table('Subs that changed most', changed(subs), subs, 'subs', row => sub_link(subs.number[row])),
        table('Files that changed most', changed(files), files, 'files', changed_file_link)));
}

function changed_file_link(row) {
    const {files} = profile.difference;
    return files.number[row] >= 0 ? file_link(files.number[row]) : [files.name[row], make('span', {class: 'tag'}, 'only in old')];
}
