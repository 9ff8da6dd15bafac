/* What changed since OLD, where the report compares (nytprofhtml --diff). profile.difference has rows of subs
 * and files with "old", "new" and a verdict for each of three measures; null: nothing is compared. */

const verdicts =
          [
              'no difference', 'all runs have these numbers', 'more than chance', 'chance can explain it',
              'not tested', 'some in it changed by more than chance'
          ],
      exact_number = 1, beyond_chance = 2, by_chance = 3, not_tested = 4, some_in_it = 5;

function verdict_text(verdict) {
    return verdict === not_tested ? wording('not_tested') : verdicts[verdict];
}

/* Whether a difference is grey: chance can explain it or, where others were tested, nothing is known of it.
 */
function is_grey(verdict) {
    const {old, new: now, by_share} = shown_difference(), few = 4;
    return verdict === by_chance ||
        verdict === not_tested && (by_share || old.length >= few && now.length >= few);
}

function unpack_difference() {
    const {difference, subs, packages} = recorded;
    if (!difference)
        return;
    const row_by = (numbers, count) => {
        const rows = new Int32Array(count).fill(-1);
        numbers.forEach((number, row) => {
            if (number >= 0)
                rows[number] = row;
        });
        return rows;
    };
    difference.packages.number =
        difference.packages.name.map(name => packages.number.has(name) ? packages.number.get(name) : -1);
    difference.row_of_sub = row_by(difference.subs.number, subs.count);
    difference.row_of_file = row_by(difference.files.number, recorded.files.count);
    difference.row_of_package = row_by(difference.packages.number, packages.name.length);
    difference.row_of_label = row_by(difference.labels.number, recorded.labels ? recorded.labels.count : 0);
    for (const table of [difference.pairs, difference.places])
        Object.assign(table,
            {by_callee: index_by(table.callee, subs.count), by_caller: index_by(table.caller, subs.count)});
    link_stacks(difference.stacks);
    add_up(difference.calls.begin);
    unpack_changed_lines(difference);
    difference.work = difference.waited ? work_of_both(difference) : null;
}

/* The difference of the work: in each number, what waited is left out. */
function work_of_both(difference) {
    const made = {...difference, stacks: work_of_stacks(difference.stacks)},
          less = (all, waited) =>
              Array.isArray(all) ? all.map((value, row) => value - waited[row]) : all - waited;
    for (const [table, waited] of Object.entries(difference.waited)) {
        made[table] = {...difference[table]};
        for (const [name, column] of Object.entries(waited))
            made[table][name] = less(made[table][name], column);
    }
    return made;
}

/* What changed of the times that are shown; null if nothing is compared. */
function shown_difference() {
    const {difference} = recorded;
    return difference && difference.work && !state.route.query.all ? difference.work : difference;
}

/* The row of a sub in the difference; -1 if the sub is not compared. */
function changed_row(profile, sub) {
    return profile.difference ? profile.difference.row_of_sub[sub] : -1;
}

/* Whether tables compare a sub: it was called in either side, and is not left out. */
function is_compared(profile, sub) {
    return changed_row(profile, sub) >= 0 && !(profile.selection.out && profile.selection.out[sub]);
}

function is_sure(verdict) {
    return verdict === exact_number || verdict === beyond_chance;
}

/* The rows of a large table, without those within chance unless they are asked for: {rows, control}. row_of
 * gives the row of the difference, and verdicts names what decides. */
function folded_rows(list, table, row_of, verdict_names) {
    const {query} = state.route, is_kept = x => {
        const of = verdict_names.map(name => table[name][row_of(x)]);
        return of.some(is_sure) || !of.some(is_grey);
    };
    const rows = list.filter(is_kept), folded = list.length - rows.length;
    return {
        rows: query.chance === '1' || query.q ? list : rows,
        control:
            folded > 0 && !query.q && query_control(number_of(folded, 'row') + ' within chance', 'chance')
    };
}

/* The choice between old and new numbers and those of the profile alone; null if nothing is compared. */
function compare_control(profile) {
    return profile.difference && query_control('old and new', 'compare', true, {sort: null});
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
    return percent >= 1000
        ? '×\u00a0' + count_text(after / before)
        : signed(percent, Math.abs(percent) < 100 ? percent.toFixed(1) : count_text(percent)) + '\u00a0%';
}

function signed(value, text) {
    return (value > 0 ? '+' : '') + text;
}

function change_class(change, verdict) {
    return is_grey(verdict) || change === 0 ? 'chance' : change > 0 ? 'more' : 'less';
}

function change_cell(before, after, verdict, text) {
    return make('span', {class: change_class(after - before, verdict), title: verdict_text(verdict)}, text);
}

function percent_cell(before, after, verdict) {
    return change_cell(before, after, verdict, change_percent(before, after, verdict));
}

/* [old, new, verdict] of a row. */
function sides_of(table, row, suffix = '') {
    return ['old', 'new', 'verdict'].map(name => table[name + suffix][row]);
}

/* "12.3 ms → 13.1 ms, +6.5 %" */
function old_and_new(table, row, suffix = '', text = time_text) {
    const [before, after, verdict] = sides_of(table, row, suffix);
    return [text(before) + ' → ' + text(after) + ', ', percent_cell(before, after, verdict)];
}

/* "100 → 300"; one number if it is the same in both. */
function old_and_new_calls(table, row) {
    const [before, after] = [table.old_calls[row], table.new_calls[row]];
    return before === after ? count_text(after) : count_text(before) + ' → ' + count_text(after);
}

/* Returns a cell with the change of a sub's self time; null if nothing is compared. */
function self_change(profile, sub) {
    const row = changed_row(profile, sub);
    return row < 0 ? null : percent_cell(...sides_of(shown_difference().subs, row));
}

/* Columns of a short table for what sides(row) gives: [old, new, verdict]. */
function change_columns(sides) {
    return [
        time_column('Old', row => sides(row)[0]), time_column('New', row => sides(row)[1]),
        number_column('Change', row => percent_cell(...sides(row)))
    ];
}

/* Old, new and change of one measure: drops are the order in which the three are left out. */
function measure_columns(table, row_of, {key, title, suffix, is_count, drops}) {
    const of = name => x => table[name + suffix][row_of(x)], change = x => of('new')(x) - of('old')(x),
          column = is_count ? count_column : bar_column,
          text = (x, unit) => change_cell(of('old')(x), of('new')(x), of('verdict')(x),
              signed(change(x), is_count ? count_text(change(x)) : in_unit(change(x), unit)));
    return [
        column(title + 'old', of('old'), {key: key + 'old', drop: drops[0]}),
        column(title + 'new', of('new'), {key: key + 'new', drop: drops[1]}),
        column(title + 'change', change,
            {key: key + 'change', drop: drops[2], barred: false, sort: x => Math.abs(change(x)), cell: text})
    ];
}

function percent_column(table, row_of, suffix, drop) {
    const sides = x => sides_of(table, row_of(x), suffix), value = x => {
        const [before, after] = sides(x);
        return (after - before) / Math.max(before, 1);
    };
    return number_column(
        'Change, %', x => percent_cell(...sides(x)), {key: 'percent', width: 6.6, drop, value});
}

/* The columns of a table of subs or, without has_incl, of files or packages. row_of(x) is the row of x in the
 * difference; counts is the title of the column of counts. */
function difference_columns(table, row_of, counts, has_incl) {
    return [
        ...measure_columns(table, row_of, {key: '', title: 'Self ', suffix: '', drops: [9, 10, 20]}),
        percent_column(table, row_of, '', 8),
        ...has_incl ? measure_columns(
                          table, row_of, {key: 'incl-', title: 'Incl. ', suffix: '_incl', drops: [4, 5, 7]})
                    : [],
        ...measure_columns(table, row_of, {
            key: 'calls-',
            title: count_title(counts) + ' ',
            suffix: '_calls',
            is_count: true,
            drops: [1, 2, 3]
        })
    ];
}

/* OLD's stacks without what is left out. */
function old_stacks(profile) {
    const {stacks} = shown_difference(), {out} = profile.selection, kept = [];
    if (!out)
        return stacks;
    for (let node = 0; node < stacks.count; node++) {
        if (out[stacks.sub[node]])
            node = stacks.end[node] - 1;
        else
            kept.push(node);
    }
    const made = rows_of(stacks, ['sub', 'depth', 'calls', 'excl'], kept);
    link_stacks(made);
    return made;
}

/* Adds to a tree the times and calls of its nodes in OLD: tree.old and tree.old_calls. With side 'old', OLD
 * and NEW change places. */
function add_old(profile, tree, options, side) {
    const old = build_tree(profile, {...options, stacks: old_stacks(profile)}), to = [0];
    const rest = options.only || profile.selection.items.length
        ? 0
        : Math.max(0, shown_difference().whole.old - total_of(old.self));
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

/* [old, new, verdict] of a place. The times are those of two runs, and the verdict is that of the sub in all
 * runs. Where the two runs say the opposite of the verdict, the verdict says nothing of the place. */
function change_of_place(profile, layout, place) {
    const node = layout.node[place], times = [layout.other[node], layout.incl[node]];
    const key = layout.tree.key[node], {subs, packages, whole, ...rest} = shown_difference();
    if (node === 0 && !rest.by_share && !profile.selection.items.length)
        return [whole.old, whole.new, whole.verdict];
    const row = key < 0 ? -1 : (layout.packages ? rest.row_of_package : rest.row_of_sub)[key],
          suffix = layout.packages ? '' : '_incl';
    const [before, after] = layout.side === 'old' ? times.reverse() : times;
    const [all_before, all_after, verdict] = key === -1 ? [before, after, whole.verdict]
        : row < 0                                       ? [0, 0, not_tested]
                  : sides_of(layout.packages ? packages : subs, row, suffix);
    return [
        before, after,
        verdict === beyond_chance && (after - before) * (all_after - all_before) < 0 ? by_chance : verdict
    ];
}

/* Returns blue for less time and orange for more. The two differ also for people who cannot tell red from
 * green. */
function change_color(share) {
    const strength = Math.sqrt(Math.min(1, Math.abs(share))), hue = share > 0 ? 24 : 214;
    if (Math.abs(share) < 0.005)
        return style_color('flame-root');
    return is_dark() ? `hsl(${hue} ${20 + 45 * strength}% ${27 + 8 * strength}%)`
                     : `hsl(${hue} ${35 + 55 * strength}% ${90 - 20 * strength}%)`;
}

function color_of_change(before, after, verdict) {
    const most = Math.max(before, after);
    return change_color(is_grey(verdict) || most <= 0 ? 0 : (after - before) / most);
}

/* The colour of a sub by the change of its inclusive time. */
function sub_change_color(sub) {
    const {subs, row_of_sub} = shown_difference(), row = row_of_sub[sub];
    return row < 0 ? style_color('flame-root')
                   : color_of_change(subs.old_incl[row], subs.new_incl[row], subs.verdict_incl[row]);
}

function change_text(before, after, verdict, value = time_text) {
    return 'old ' + value(before) + ', new ' + value(after) + ', ' + change_percent(before, after, verdict) +
        (verdict === by_chance ? ' (' + verdicts[verdict] + ')' : '');
}

function place_change_color(profile, layout, place) {
    return color_of_change(...change_of_place(profile, layout, place));
}

function change_details(profile, layout, place) {
    return change_text(...change_of_place(profile, layout, place));
}

function change_legend() {
    const item = (share, text) => legend_item(change_color(share), text);
    return make('ul.legend', {'aria-label': 'Colours'}, item(1, 'new, or much more'),
        item(0.1, 'a little more'), item(0, 'the same, or by chance'), item(-0.1, 'a little less'),
        item(-1, 'much less'));
}
