/* The view of the longest calls in the order of time, a lane for each process. */

/* The calls of NEW, or those of OLD and then those of NEW; processes of the two have different numbers. */
function shown_calls(profile) {
    const {calls, difference, processes, selection: {out}} = profile;
    if (!difference)
        return {...calls, old: 0, title: process => lane_title(processes, process)};
    const old = out ? calls_without(difference.calls, out) : difference.calls;
    const before = difference.processes.pid.length || 1, both = name => [...old[name], ...calls[name]];
    return {
        sub: both('sub'),
        depth: both('depth'),
        begin: both('begin'),
        ticks: both('ticks'),
        process: [...old.process, ...calls.process.map(process => process + before)],
        old: old.sub.length,
        title: process => process < before ? 'old, ' + lane_title(difference.processes, process)
                                           : 'new, ' + lane_title(processes, process - before)
    };
}

function time_lanes(calls) {
    return [...grouped_by(calls.process.keys(), call => calls.process[call])]
        .sort((a, b) => a[0] - b[0])
        .map(([process, list]) => ({title: calls.title(process), list, rows: lane_rows(list, calls)}));
}

function what_was_called(profile) {
    const {calls} = profile;
    const which = calls.shortest > 0 ? 'those of at least ' + time_text(calls.shortest) : 'the longest';
    const all = counted(calls.all, 'call') + (calls.sub.some(is_eval) ? ' and string evals' : '');
    return (calls.sub.length < calls.all ? count_text(calls.sub.length) + ' of ' + all + ': ' + which : all) +
        '. Order and lengths are exact, and so are their begins, ' +
        (profile.totals.statements
                ? 'to within the statement that ran.'
                : 'to 50 ms, if the profile says what passed between calls: those of older versions do not.');
}

function what_was_sampled({calls}) {
    return 'How long each sub was seen on the stack without a break' +
        (calls.sub.length < calls.all ? ', where it was at least ' + time_text(calls.shortest) : '') +
        '. What is shorter than the distance of two samples may be missing, ' +
        'and several times in a row look like one.';
}

/* Which side of a comparison has a call; false: nothing is compared. */
function side_tag({old}, call) {
    return recorded.difference && make('span.tag', call < old ? 'old' : 'new');
}

/* The 200 longest calls, of both sides. */
function longest_table(calls) {
    const rows = [...calls.sub.keys()].sort(most_first(calls.ticks)).slice(0, 200);
    return make_details({class: 'as-table'},
        is_sampled() ? 'As a table: what was seen longest' : 'As a table: the longest calls',
        short_table(is_sampled() ? 'Seen longest' : 'Longest calls',
            [
                number_column('Begin', call => time_text(calls.begin[call])),
                time_column('Time', call => calls.ticks[call]),
                name_column('Sub', call => [sub_link(calls.sub[call]), side_tag(calls, call)])
            ],
            rows, {most: 50}));
}

/* The time that a view has which shows one call. */
function around_call(call, {begin, ticks}) {
    return [begin[call] - ticks[call], begin[call] + 2 * ticks[call]];
}

/* A little more than the chosen range. */
function around_range({from, to}, whole) {
    const room = (to - from) * 0.05;
    return [Math.max(whole[0], from - room), Math.min(whole[1], to + room)];
}

function show_time(stage, {profile, route}) {
    const {selection: {range}} = profile, calls = shown_calls(profile),
                      by_change = profile.difference && route.query.color !== 'namespace';
    if (!calls.sub.length)
        return nothing_to_show(stage, 'Time line',
            is_memory()                ? 'A profile of memory has no time line.'
                : profile.totals.calls ? 'The profile has no single calls: record it with calls=1 or calls=2.'
                                       : wording('no_calls'));
    stage.append(make('h1', 'Time line'));
    const whole =
        [0, calls.begin.reduce((most, begin, call) => Math.max(most, begin + calls.ticks[call]), 0)];
    const {longest} = route.query, chosen = longest ? longest_call(sub_at(longest), calls) : -1;
    const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(route.query.zoom || '') ||
        ['',
            ...chosen >= 0 ? around_call(chosen, calls)
                : range    ? around_range(range, whole)
                           : whole],
                   view = [Number(from), Number(to)];
    stage.append(make('p.quiet',
        (is_sampled() ? what_was_sampled(profile) : what_was_called(profile)) +
            ' Drag to move. To zoom, use Ctrl and the wheel, two fingers, or the keys + and -.'));
    const details = make('p.details', {'aria-live': 'polite'}, ' ');
    let cancel = () => {}; /* browsers refuse addresses that change with each key that is held */
    const to_view = ([begin, end]) => {
        cancel();
        cancel = later(100,
            () => replace_route('time', [], {
                ...route.query,
                zoom: begin <= whole[0] && end >= whole[1] ? null : Math.round(begin) + '-' + Math.round(end)
            },
                true));
    };
    const controls = make('div.controls'),
          side_of = call => !profile.difference ? ''
        : call < calls.old                      ? 'old: '
                                                : 'new: ';
    stage.append(controls);
    const line = new TimeCanvas(stage, time_lanes(calls), {
        calls,
        color: by_change ? sub_change_color : sub_color,
        view,
        whole,
        range,
        on_choose: call => location.hash = sub_route(calls.sub[call]),
        on_view: to_view,
        on_hover: call => {
            details.textContent = call < 0 ? ' '
                                           : side_of(call) + recorded.subs.name[calls.sub[call]] + ' · ' +
                    time_text(calls.ticks[call]) + ', beginning at ' + time_text(calls.begin[call]);
        }
    });
    const button = (text, title, act) => make('button', {title, 'aria-label': title, click: act}, text);
    controls.append(button('+', 'Zoom in', () => line.zoom(0.6, 0.5)),
        button('−', 'Zoom out', () => line.zoom(1.6, 0.5)),
        button('←', 'Earlier', () => line.move((line.view[0] - line.view[1]) / 3)),
        button('→', 'Later', () => line.move((line.view[1] - line.view[0]) / 3)),
        button('All', 'All of the time', () => line.zoom(1e9, 0.5)),
        profile.difference ? check_control('colours of the change', by_change,
                                 on => change_query({color: on ? null : 'namespace'}))
                           : '',
        make('span.quiet', swatch('var(--compile)'), 'compile phase'));
    if (chosen >= 0)
        line.select(chosen);
    stage.append(profile.stacks.count
            ? legend_of(profile, by_change ? 'difference' : 'namespace', usual_layout(profile))
            : '',
        details, longest_table(calls));
    return {
        stop: () => {
            cancel();
            line.stop();
        },
        key: event => line.key(event),
        escape: () => (line.view[0] > whole[0] || line.view[1] < whole[1]) && (line.zoom(1e9, 0.5), true)
    };
}
