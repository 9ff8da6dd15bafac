/* The view of one sub: its numbers, its callers and callees with the lines of the calls, its stacks, and its
 * source. */

/* Shares are parts of the time in calls to the sub, or from it. A row without a sub is the time that is left.
 */
function neighbours(title, rows, whole, nothing) {
    const unit = unit_for(rows.length ? rows[0].incl : 0);
    return table_section(title,
        [
            ['Of the sub', 'share'], ['Incl., ' + unit.name, true], [count_title('Calls'), true],
            ['Sub', false]
        ],
        rows,
        row => make('tr',
            make('td.share-cell', meter(whole > 0 ? row.incl / whole : 0),
                make('span', whole > 0 ? percent_text(row.incl / whole) : '')),
            time_cell(row.incl, unit), row.calls === undefined ? make('td.n') : count_cell(row.calls),
            name_cell(row.sub < 0 ? wording('own_part') : sub_link(row.sub, sub_label(row.sub)),
                row.depth > 0 &&
                    make('span.tag', {title: overlap_text(row.reci)}, 'recursion ' + row.depth))),
        nothing);
}

/* The rows of calls that a sub has at one end, with old, new and change, those with most time first. heads
 * and cells_of(row) are of what else is shown. */
function compared_calls({selection: {out}}, title, table, rows, heads, cells_of, nothing) {
    const most = row => Math.max(table.old[row], table.new[row]);
    const list = [...rows]
                     .filter(row => !(out && (out[table.callee[row]] || out[table.caller[row]])))
                     .sort(most_first(most)),
          unit = unit_for(list.length ? most(list[0]) : 0);
    const is_grey_row = row => is_grey(table.verdict[row]) && table.old_calls[row] === table.new_calls[row],
          all_heads = [...change_heads(unit), [count_title('Calls'), 'calls'], ...heads],
          make_row = row => make('tr', change_cells(table.old[row], table.new[row], table.verdict[row], unit),
              make('td.n.calls', old_and_new_calls(table, row)), cells_of(row).map(cell => name_cell(cell)));
    const folded = list.filter(is_grey_row);
    const section = table_section(title, all_heads, list.filter(row => !is_grey_row(row)), make_row,
        list.length ? 'None changed by more than chance.' : nothing);
    if (folded.length)
        section.append(make_details(null, title + ': ' + number_of(folded.length, 'row') + ' within chance',
            short_table(title + ', within chance', all_heads, folded, make_row)));
    return section;
}

function caller_or_outside(sub) {
    return sub < 0 ? 'outside of subs' : sub_link(sub, sub_label(sub));
}

function compared_neighbours(profile, title, sub, end, nothing) {
    const {pairs} = recorded.difference,
          rows = (end === 'caller' ? pairs.by_callee : pairs.by_caller).of(sub);
    return compared_calls(
        profile, title, pairs, rows, [['Sub', false]], row => [caller_or_outside(pairs[end][row])], nothing);
}

function compared_places(profile, sub) {
    const {places} = recorded.difference;
    const place = row => places.line[row] || places.file[row] < 0
        ? file_link(places.file[row], places.line[row])
        : [file_link(places.file[row]), ':' + places.old_line[row], only_old_tag()];
    return compared_calls(profile, 'Called from', places, places.by_callee.of(sub),
        [['Place', false], ['In', false]], row => [place(row), caller_or_outside(places.caller[row])],
        wording('not_called'));
}

function call_places({arcs}, sub) {
    const list = [...arcs.by_callee.of(sub)].sort(
        (a, b) => arcs.incl[b] - arcs.incl[a] || arcs.calls[b] - arcs.calls[a]);
    const unit = unit_for(list.length ? arcs.incl[list[0]] : 0);
    return table_section('Called from',
        [
            ['Incl., ' + unit.name, true], ['Self, ' + unit.name, 'wide'], [count_title('Calls'), true],
            ['Place', false], ['In', false]
        ],
        list,
        arc => make('tr', time_cell(arcs.incl[arc], unit), make('td.n.wide', in_unit(arcs.excl[arc], unit)),
            count_cell(arcs.calls[arc]), name_cell(file_link(arcs.file[arc], arcs.line[arc])),
            name_cell(sub_link(arcs.caller[arc], sub_label(arcs.caller[arc])))),
        wording('not_called'));
}

/* Callers above, callees below, on one scale: the width of the sub. Returns what stops it. */
function show_sandwich(profile, stage, sub) {
    const {subs} = profile;
    const section = make('section.sandwich', make('h2', 'In its stacks'));
    const details = make('p.details', {'aria-live': 'polite'},
        'Callers above, callees below; a click opens a sub.' +
            (profile.difference ? '' : ' Shares are those of its ' + wording('incl') + '.'));
    const name_of = key => key < 0 ? 'all' : subs.name[key];
    const halves = [], color = profile.difference ? sub_change_color : sub_color;
    for (const [tree, flip, label] of [[build_callers(profile, sub), true, 'Callers'],
             [build_callees(profile, sub), false, 'Callees']]) {
        const layout = {...lay_out(tree, {name_of}), name_of};
        const frame = make('div.flame');
        const canvas = sub_flame(frame, layout, {
            color,
            flip,
            label_of_all: label + ' of ' + subs.name[sub] + '; the tables above have the numbers',
            text: place => sandwich_details(layout, place, label),
            say: text => { details.textContent = text; }
        });
        halves.push([frame, canvas, layout]);
    }
    section.append(...halves.map(half => half[0]),
        profile.difference ? change_legend() : sandwich_legend(profile, halves.map(half => half[2])),
        details);
    stage.append(section);
    halves.forEach(([, canvas, layout]) => canvas.show(layout));
    return () => halves.forEach(([, canvas]) => canvas.stop());
}

/* Shares are those of the sub's inclusive time. Its callers have colours, and no part of that. */
function sandwich_legend(profile, [callers, callees]) {
    const also = [...new Set(callers.tree.key.filter(key => key >= 0).map(area_of))];
    return area_legend(profile, {...layout_areas(profile, callees), also});
}

function sandwich_details(layout, place, label) {
    return flame_details(layout, place) +
        (label === 'Callees' ? ' · ' + time_text(layout.tree.self[layout.node[place]]) + ' self' : '');
}

/* row: of the difference; -1: nothing is compared. */
function per_call_fact({subs, difference}, sub, row) {
    const each = (ticks, calls) => calls ? time_text(ticks / calls) : 'none';
    if (row < 0)
        return fact('Per call', each(subs.incl[sub], subs.calls[sub]));
    const {old_incl, new_incl, old_calls, new_calls} = difference.subs;
    return fact('Per call, old and new',
        each(old_incl[row], old_calls[row]) + ' → ' + each(new_incl[row], new_calls[row]));
}

function sub_facts(profile, sub) {
    const {subs, difference} = profile, row = changed_row(profile, sub);
    const time = (title, ticks, suffix) => row < 0
        ? fact(title, time_text(ticks), share_text(ticks))
        : fact(title + ', old and new', old_and_new(difference.subs, row, suffix));
    return make('dl.facts', time('Inclusive', subs.incl[sub], '_incl'), time('Self', subs.excl[sub], ''),
        subs.asleep[sub] > 0 &&
            fact(asleep_title(' itself'), time_text(subs.asleep[sub]), share_text(subs.asleep[sub])),
        subs.queued[sub] > 0 &&
            fact('Queued itself', time_text(subs.queued[sub]), share_text(subs.queued[sub])),
        row < 0 ? fact(count_title('Calls'), count_text(subs.calls[sub]))
                : fact(count_title('Calls') + ', old and new',
                      old_and_new(difference.subs, row, '_calls', count_text)),
        !is_sampled() && per_call_fact(profile, sub, row),
        subs.depth[sub] > 0 && fact('Recursion', 'depth ' + subs.depth[sub], overlap_text(subs.reci[sub])));
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
            [['From', true], ['To less than', true], ['Calls', true], ['Of calls', 'share']], rows,
            row => make('tr', [row.from, row.to].map(ticks => make('td.n', time_text(ticks))),
                count_cell(row.calls), share_cell(row.calls / count)),
            100));
}

/* Each leads to the time line. Empty: it has none of them. */
function longest_calls_table({calls, processes}, sub) {
    const list = longest_calls(sub, calls).slice(0, 100);
    if (!list.length)
        return '';
    const unit = unit_for(calls.ticks[list[0]]), title = 'Its longest calls';
    return make_details(null, title,
        short_table(title, [['Time, ' + unit.name, true], ['Begin', true], ['In the time line', false]],
            [...list.keys()],
            i => make('tr', make('td.n', in_unit(calls.ticks[list[i]], unit)),
                make('td.n', time_text(calls.begin[list[i]])),
                name_cell(make(
                    'a', {href: longest_route(sub, i + 1)}, lane_title(processes, calls.process[list[i]])))),
            10));
}

/* Fills a section with how long the calls of a sub took. Returns what stops it. */
function show_durations(profile, section, sub, durations) {
    const marks = duration_marks(profile, sub, durations), calls = number_of(durations.count, 'call');
    const of = [
        profile.difference && 'They are those of the new profile.',
        !is_everything(profile) && 'They are those of the whole profile, with all of their time.'
    ].filter(Boolean);
    section.append(make('h2', 'How long its calls took'));
    const stop = show_histogram(section, durations, marks,
        calls + ' by duration, on a logarithmic axis: ' +
            marks.map(({name, ticks}) => name + ' ' + time_text(ticks)).join(', '));
    section.append(make('p.quiet.hint',
                       calls + ', 99 % of them in at most ' + time_text(quantile_of(durations, 0.99)) + '. ' +
                           of.join(' ')),
        durations_table(durations), longest_calls_table(profile, sub));
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

function sub_whereabouts(profile, sub) {
    const {subs} = recorded, kind = sub_kinds[subs.kind[sub]];
    const of = recorded.packages.name[subs.package[sub]];
    return make('p.quiet',
        kind === 'perl'       ? 'Perl sub'
            : kind === 'xsub' ? 'XS sub (C)'
                              : 'Built-in of perl',
        ' in package ', make('a', {href: route_text('subs', [], {q: 'pkg:' + of})}, of || '(none)'), ', ',
        subs.file[sub] < 0 ? 'the profile does not say where' : file_link(subs.file[sub], subs.first[sub]),
        subs.last[sub] > subs.first[sub] ? ' to ' + subs.last[sub] : '',
        subs.places[sub] > 1 ? ' and ' + number_of(subs.places[sub] - 1, 'more place') : '', '. ',
        make('a', {href: route_text('flame', [], {only: 'sub:' + sub_address(sub)})}, 'Flame graph of it'),
        '. ',
        !is_outside(sub) &&
            [
                leave_out_link(profile, 'Leave it out', item_text('sub', subs.name[sub])), ', ',
                leave_out_link(profile, 'or all of ' + (of || '(none)'), item_text('pkg', of)), '.'
            ],
        editor_link(subs.file[sub], subs.first[sub], sub));
}

function show_sub(stage, {profile, route}) {
    const {subs, arcs} = profile, sub = sub_at(route.arguments[0]);
    if (sub < 0)
        return not_found(stage, 'sub', route.arguments[0], route_text('subs', [], {}));
    const callers = arcs_by(profile, arcs.by_callee.of(sub), 'caller'),
          callees = arcs_by(profile, arcs.by_caller.of(sub), 'callee');
    const only_labels = is_called_with_labels(profile, sub) && !subs.called[sub];
    const called = callees.reduce((sum, row) => sum + row.incl, 0);
    const own = callees.length && subs.excl[sub] > 0
        ? [{sub: -1, incl: subs.excl[sub], calls: is_memory() ? own_blocks(profile, sub) : undefined}]
        : [];
    const is_changed = profile.difference && !is_outside(sub), timed = make('section.durations');
    const near = (title, end, rows, whole, nothing) => is_changed
        ? compared_neighbours(profile, title, sub, end, nothing)
        : neighbours(title, rows, whole, nothing);
    const known = make('div', make('h1.sub-name', sub_label(sub)), sub_whereabouts(profile, sub),
        explanation_of(subs.name[sub]) ? make('p.explanation', explanation_of(subs.name[sub]) + '.') : '',
        is_outside(sub) || only_labels ? '' : sub_facts(profile, sub), label_note(profile, sub));
    stage.append(make('div.sub-top', known, timed),
        only_labels
            ? ''
            : make('div.columns', near('Callers', 'caller', callers, subs.incl[sub], wording('not_called')),
                  near('Callees', 'callee', [...callees, ...own].sort((a, b) => b.incl - a.incl),
                      Math.max(called, subs.incl[sub]), wording('calls_nothing'))));
    if (is_memory())
        stage.append(kinds_section('Kinds of its own memory', profile.kinds, profile.kinds.by_sub.of(sub)));
    const stops = [], waited_for = [add_durations(profile, timed, sub, stops)];
    if (profile.stacks.sub.includes(sub))
        stops.push(show_sandwich(profile, stage, sub));
    if (!is_outside(sub) && !only_labels)
        stage.append(is_changed ? compared_places(profile, sub) : call_places(profile, sub));
    if (subs.file[sub] >= 0 && subs.last[sub] > 0) {
        const section = make('section', make('h2', 'Source'));
        stage.append(section);
        const source = new SourceTable(
            profile, section, subs.file[sub], {first: subs.first[sub], last: subs.last[sub], query: {}});
        stops.push(() => source.stop());
        waited_for.push(source.ready);
        stops.key = event => source.key(event);
    }
    return {ready: Promise.all(waited_for), key: stops.key, stop: () => stops.forEach(stop => stop())};
}
