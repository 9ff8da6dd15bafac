/* The view of one sub: its numbers, its source, from where it is called, and what it calls. */

/* Shares are those of the sub unless, by recursion, there is more in its calls than in the sub. A row without
 * a sub is the time that is left. */
function neighbours(title, rows, of_sub, nothing) {
    const whole = rows.reduce((sum, row) => sum + row.incl, 0),
          is_all = Math.abs(whole - of_sub) <= 0.001 * whole;
    const name = ({sub, depth, reci}) => [sub < 0 ? wording('own_part') : sub_link(sub, sub_label(sub)),
        depth > 0 && make('span.tag', {title: overlap_text(reci)}, 'recursion ' + depth)];
    const columns = [
        share_bar_column(is_all ? 'Of the sub' : 'Of these', row => share_of(row.incl, whole)),
        bar_column('Incl.', row => row.incl),
        number_column(count_title('Calls'), ({calls}) => calls === undefined ? '' : count_text(calls)),
        name_column('Sub', name)
    ];
    return table_section(title, columns, rows, {nothing});
}

/* The rows of calls that a sub has at one end, with old, new and change, those with most time first. */
function compared_calls({selection: {out}}, title, table, rows, others, nothing) {
    const list = [...rows]
                     .filter(row => !(out && (out[table.callee[row]] || out[table.caller[row]])))
                     .sort(most_first(row => Math.max(table.old[row], table.new[row])));
    return compared_section(title, table, list, others, {nothing});
}

function caller_or_outside(sub) {
    return sub < 0 ? 'outside of subs' : sub_link(sub, sub_label(sub));
}

function compared_callees(profile, sub) {
    const {pairs} = shown_difference();
    return compared_calls(profile, 'Callees', pairs, pairs.by_caller.of(sub),
        [name_column('Sub', row => caller_or_outside(pairs.callee[row]))], wording('calls_nothing'));
}

function compared_places(profile, sub) {
    const {places} = shown_difference();
    const place = row => places.line[row] || places.file[row] < 0
        ? file_link(places.file[row], places.line[row])
        : [file_link(places.file[row]), ':' + places.old_line[row], only_old_tag()];
    return compared_calls(profile, 'Called from', places, places.by_callee.of(sub),
        [name_column('Place', place), name_column('In', row => caller_or_outside(places.caller[row]))],
        wording('not_called'));
}

/* The subs on the way from which most of the time of a sub comes, the nearest first. */
function main_callers({arcs}, sub) {
    const found = [];
    for (let at = sub; found.length < 3;) {
        const arc = arcs.by_callee.of(at).reduce(
            (most, one) => arcs.incl[one] > (arcs.incl[most] || 0) ? one : most, -1);
        at = arc < 0 ? -1 : arcs.caller[arc];
        if (at < 0 || is_outside(at) || at === sub || found.includes(at))
            break;
        found.push(at);
    }
    return found;
}

function call_places(profile, sub) {
    const {arcs, subs} = profile, {incl, calls, caller, file, line} = arcs,
                 list = [...arcs.by_callee.of(sub)].sort((a, b) => incl[b] - incl[a] || calls[b] - calls[a]);
    const callers = arc => [sub_link(caller[arc], short_sub(caller[arc])),
        make('span.quiet',
            main_callers(profile, caller[arc]).map(one => [' ↑ ', sub_link(one, own_name(subs.name[one]))]))];
    const columns = [
        share_bar_column('Of the sub', arc => share_of(incl[arc], subs.incl[sub])),
        bar_column('Incl.', arc => incl[arc]), count_column(count_title('Calls'), arc => calls[arc]),
        !is_sampled() &&
            number_column('Each', arc => calls[arc] > 0 && time_text(incl[arc] / calls[arc]), {of: 'wide'}),
        name_column('Place', arc => file_link(file[arc], line[arc]), {of: 'place'}),
        name_column('Callers', callers)
    ];
    return table_section('Called from', columns, list, {nothing: wording('not_called')});
}

/* How long its calls took: percentiles, as far as calls were timed one by one. row: of the difference; -1:
 * nothing is compared. */
function per_call_facts(profile, sub, row) {
    const {subs, difference} = profile, each = (ticks, calls) => calls ? time_text(ticks / calls) : 'none',
                 durations = blocks.durations && is_everything(profile) ? durations_of(sub) : null;
    if (row < 0 && !durations)
        return fact('Per call', each(subs.incl[sub], subs.calls[sub]));
    if (row < 0)
        return [
            fact('p50', time_text(quantile_of(durations, 0.5))),
            fact('p95', time_text(quantile_of(durations, 0.95))),
            fact('Longest', time_text(durations.longest))
        ];
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
        !is_sampled() && per_call_facts(profile, sub, row),
        is_whole_run(profile) && subs.kept[sub] !== 0 &&
            fact('Values kept', count_text(subs.kept[sub]), kept_hint),
        subs.depth[sub] > 0 && fact('Recursion', 'depth ' + subs.depth[sub], overlap_text(subs.reci[sub])));
}

function sub_whereabouts(profile, sub) {
    const {subs} = recorded, of = recorded.packages.name[subs.package[sub]];
    return make('p.quiet', ['', 'XS sub (C)', 'Built-in of perl'][subs.kind[sub]],
        subs.kind[sub] && subs.file[sub] >= 0 ? ', ' : '',
        subs.file[sub] >= 0 && file_link(subs.file[sub], subs.first[sub]),
        subs.last[sub] > subs.first[sub] ? ' to ' + subs.last[sub] : '',
        subs.kind[sub] || subs.file[sub] >= 0 ? '. ' : '',
        make('a', {href: route_text('flame', [], {only: 'sub:' + sub_address(sub)})}, 'Flame graph of it'),
        '. ',
        !is_outside(sub) &&
            [
                make('a', {href: route_text('subs', [], {group: 'tree', callers: sub_address(sub)})},
                    'Its callers as a tree'),
                '. ', leave_out_link(profile, 'Leave it out', item_text('sub', subs.name[sub])), ', ',
                leave_out_link(profile, 'or all of ' + (of || '(none)'), item_text('pkg', of)), '.'
            ],
        editor_link(subs.file[sub], subs.first[sub], sub));
}

/* The packages around a sub, from the outermost. */
function sub_crumbs(sub) {
    const parts = recorded.packages.name[recorded.subs.package[sub]].split('::');
    return make('nav.crumbs', {'aria-label': 'Packages'},
        make('a', {href: route_text('subs', [], {})}, 'Subs'), parts.map((part, i) => {
            const name = parts.slice(0, i + 1).join('::');
            return name &&
                make('a', {
                    href: route_text('subs', [], {q: 'pkg:' + name + (i < parts.length - 1 ? '(::|$)' : '')})
                },
                    name);
        }));
}

/* Says which line runs many times in each call, if one does. */
function loop_note(profile, sub) {
    const {subs, files, lines} = profile, file = subs.file[sub], {line, calls} = lines, own = [];
    for (let row = files.first_row[file]; row < files.first_row[file + 1]; row++)
        if (line[row] >= subs.first[sub] && line[row] <= subs.last[sub])
            own.push(row);
    const most = own.reduce((before, row) => calls[row] > (calls[before] || 0) ? row : before, -1),
          each = most < 0 ? 0 : share_of(calls[most], subs.calls[sub]);
    return each > 5 && !is_sampled() &&
        make('p', make('strong', `Line ${line[most]} runs ${each_text(Math.round(each))} times in each call`),
            ': ', count_text(calls[most]), ' runs.');
}

function show_sub(stage, {profile, route}) {
    const {subs, arcs} = profile, sub = sub_at(route.arguments[0]);
    if (sub < 0)
        return not_found(stage, 'sub', route.arguments[0], route_text('subs', [], {}));
    const callees = arcs_by(profile, arcs.by_caller.of(sub), 'callee'),
          only_labels = is_called_with_labels(profile, sub) && !subs.called[sub],
          own = callees.length && subs.excl[sub] > 0
        ? [{sub: -1, incl: subs.excl[sub], calls: is_memory() ? blocks_of_subs(profile)[sub] : undefined}]
        : [];
    const is_changed = profile.difference && !is_outside(sub), timed = make('section.durations'),
          parts = make('div.sub-parts'), stops = [], waited_for = [];
    const facts = () => is_outside(sub) || only_labels ? '' : sub_facts(profile, sub), first_facts = facts();
    stage.append(sub_crumbs(sub), make('h1.sub-name', sub_label(sub)), sub_whereabouts(profile, sub),
        subs.explained.has(sub) ? make('p.explanation', subs.explained.get(sub) + '.') : '', first_facts,
        label_note(profile, sub), queued_note(route) || '', parts);
    if (first_facts && !blocks.durations)
        waited_for.push(load_durations().then(() => first_facts.replaceWith(facts())));
    if (subs.file[sub] >= 0 && subs.last[sub] > 0) {
        const section = make('section', make('h2', 'Source'));
        parts.append(section, timed);
        const source =
            new SourceTable(profile, section, subs.file[sub], {first: subs.first[sub], last: subs.last[sub]});
        stops.push(() => source.stop());
        waited_for.push(source.ready.then(() => section.append(loop_note(profile, sub) || '')));
        stops.key = event => source.key(event);
    }
    if (!is_outside(sub) && !only_labels)
        parts.append(is_changed ? compared_places(profile, sub) : call_places(profile, sub));
    if (!timed.parentNode)
        parts.append(timed);
    waited_for.push(add_durations(profile, timed, sub, stops));
    if (!only_labels)
        parts.append(is_changed ? compared_callees(profile, sub)
                                : neighbours('Callees', [...callees, ...own].sort((a, b) => b.incl - a.incl),
                                      subs.incl[sub], wording('calls_nothing')));
    if (is_memory())
        parts.append(kinds_section('Kinds of its own memory', profile.kinds, profile.kinds.by_sub.of(sub)));
    return {ready: Promise.all(waited_for), key: stops.key, stop: () => stops.forEach(stop => stop())};
}
