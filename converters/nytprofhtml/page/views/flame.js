/* The view of the flame graph: what is shown is all in the address. */

/* The choices of the view, each with its values: the first that is offered is the usual one. Those in the
 * menu are rarely changed. */
const flame_choices = {
    side: {title: 'Widths of', values: [['new', 'new'], ['old', 'old']]},
    way: {title: 'Read', values: [['callers', 'callers first'], ['callees', 'callees first']]},
    color: {title: 'Colour', values: [['difference', 'difference'], ['namespace', 'namespace']]},
    by: {
        title: 'Width',
        in_menu: true,
        values: [['time', () => wording('amount').toLowerCase()], ['calls', () => count_word() + 's']]
    },
    order: {
        title: 'Order',
        in_menu: true,
        values: [['weight', 'by weight'], ['name', 'by name'], ['first', 'as first seen']]
    },
    dir: {title: 'Root', in_menu: true, values: [['top', 'at the top'], ['bottom', 'at the bottom']]},
    roots: {
        title: 'Begin with',
        in_menu: true,
        values: [['requests', 'requests'], ['calls', 'calls']],
        moves: true
    },
    packages: {title: 'Packages', in_menu: true, values: [['0', 'apart'], ['1', 'folded']], moves: true},
    recursion:
        {title: 'Recursion', in_menu: true, values: [['1', 'as it is'], ['0', 'collapsed']], moves: true}
};

function flame_defaults(profile) {
    return Object.fromEntries(
        Object.entries(flame_choices).map(([name, choice]) => [name, values_of(profile, choice)[0][0]]));
}

/* Returns the values that a choice offers. In a profile of samples, calls are not known; of memory, blocks
 * are. Without OLD there is no difference. */
function values_of(profile, choice) {
    return choice.values
        .filter(([value]) => (choice !== flame_choices.by || value !== 'calls' || !is_estimated()) &&
                (profile.difference || value !== 'difference' && value !== 'old') &&
                (value !== 'requests' || usual_roots(profile) === value))
        .map(([value, text]) => [value, shown_text(text)]);
}

function value_text(profile, name, value) {
    return values_of(profile, flame_choices[name]).find(([one]) => one === value)[1];
}

/* The place that an address is zoomed to, as far as its path leads. */
function zoomed_place(layout, query) {
    let place = 0;
    for (const address of listed(query.zoom)) {
        const key = key_at(layout, address);
        const child = children_of(layout, place).find(one => place_key(layout, one) === key);
        if (child === undefined)
            break;
        place = child;
    }
    return place;
}

/* The changes of an address that choose a value. A zoom into another tree is none. */
function choosing(profile, name, value) {
    return {
        [name]: value === flame_defaults(profile)[name] ? null : value,
        ...flame_choices[name].moves ? {zoom: null} : {}
    };
}

function offered_choices(profile, in_menu) {
    return Object.keys(flame_choices)
        .filter(name => !flame_choices[name].in_menu !== in_menu &&
                values_of(profile, flame_choices[name]).length > 1);
}

/* actions: entries of the menu, besides choices. */
function flame_controls(profile, query, actions, ...children) {
    const choose = name => value => change_query(choosing(profile, name, value)),
          entries_of = name => radio_entries(
              flame_choices[name].title, query[name], values_of(profile, flame_choices[name]), choose(name));
    return make('div.controls', {role: 'group', 'aria-label': 'How to draw'},
        offered_choices(profile, false)
            .map(name => select_control(flame_choices[name].title, query[name],
                     values_of(profile, flame_choices[name]), choose(name))),
        children,
        menu_button('flame-menu', 'More ▾', 'How to draw',
            () => [...offered_choices(profile, true).flatMap(entries_of), ...actions]));
}

/* What is left out or chosen, each with a way back. */
function flame_chips(profile, query) {
    const usual = flame_defaults(profile);
    return [
        ...tree_chips(query),
        ...offered_choices(profile, true)
            .filter(name => query[name] !== usual[name])
            .map(name => undo_chip(
                     flame_choices[name].title.toLowerCase() + ' ' + value_text(profile, name, query[name]),
                     choosing(profile, name, usual[name])))
    ];
}

/* What the table of nodes is about. */
function node_table_title(layout, zoomed) {
    const name = place_name(layout, zoomed), what = layout.packages ? 'packages' : 'subs';
    if (layout.inverted)
        return zoomed === 0 ? what + ' by ' + wording('self') : 'callers of ' + name;
    return 'what ' + name + (zoomed === 0 ? ' begins with' : ' leads to');
}

/* The nodes directly below, for those who cannot see the picture. Callees first, they have no time but that
 * of the sub. */
function node_table(profile, layout, zoomed) {
    const rows = children_of(layout, zoomed).slice(0, 200);
    const {tree, node} = layout, key = place => tree.key[node[place]],
                 time = layout.inverted ? (zoomed === 0 ? 'Self' : 'Of its self') : 'Incl.';
    return make_details({class: 'as-table'}, 'As a table: ' + node_table_title(layout, zoomed),
        short_table('Nodes',
            [
                bar_column(time, place => layout.incl[node[place]]),
                !layout.inverted && time_column('Self', place => tree.self[node[place]]),
                count_column(count_title('Calls'), place => node_count(profile, layout, node[place])),
                name_column(layout.packages ? 'Package' : 'Sub',
                    place =>
                        key(place) < 0 || layout.packages ? layout.name_of(key(place)) : sub_link(key(place)))
            ],
            rows, {most: rows.length}));
}

function show_flame(stage, {profile, route}) {
    const usual = flame_defaults(profile), query = {...usual, ...route.query};
    for (const name of Object.keys(flame_choices))
        if (!values_of(profile, flame_choices[name]).some(([value]) => value === query[name]))
            query[name] = usual[name];
    if (profile.stacks.count === 0)
        return nothing_to_show(stage, 'Flame graph', why_no_stacks(profile));
    stage.append(make('h1', 'Flame graph'));
    const layout = layout_for(profile, query);
    const zoomed = zoomed_place(layout, query);
    const go = place => change_query({zoom: zoom_text(layout, place)});
    const search = make('input', {
        type: 'search',
        value: query.q || '',
        placeholder: 'highlight (regular expression)',
        'aria-label': 'Highlight subs',
        change: () => change_query({q: search.value || null})
    });
    const problems = [],
          found = query.q ? match_layout(layout, layout.name_of, new Pattern(query.q, problems)) : null;
    const lines = place => node_lines(profile, layout, place), text_of = place => lines(place).join(' · '),
          details = make('p.details', {'aria-live': 'polite'}, text_of(zoomed));
    const frame = make('div.flame');
    const chips = flame_chips(profile, query);
    const save = {text: 'Save as SVG', act: () => save_svg(canvas, text_of)};
    const controls = flame_controls(profile, query, [save], search,
        found && make('span.quiet', 'matched: ' + layout_share(profile, layout, found.share)));
    stage.append(controls, filter_problems(problems), chips.length ? make('div.controls', chips) : '',
        breadcrumbs(layout, zoomed, go), frame, legend_of(profile, query.color, layout), details,
        node_table(profile, layout, zoomed));
    const canvas = new FlameCanvas(frame, {
        label: place => place_name(layout, place),
        color: color_function(profile, layout, query.color),
        flip: query.dir === 'bottom',
        label_of_all: 'Flame graph; its numbers are in the table below',
        lines,
        details,
        menu: box_menu(profile, layout, route.query),
        on_choose: place => go(place === zoomed ? Math.max(0, layout.parent[place]) : place)
    });
    canvas.show(layout, zoomed, found && found.matched);
    return {stop: canvas.stop, escape: () => zoomed > 0 && (go(Math.max(0, layout.parent[zoomed])), true)};
}
