/* The view of the flame graph: what is shown is all in the address. */

const flame_choices = {
    side: {title: 'Widths of', values: {new: 'new', old: 'old'}},
    by: {title: 'Width', values: {time: 'time', calls: 'calls'}},
    order: {title: 'Order', values: {weight: 'by weight', name: 'by name', first: 'as first seen'}},
    dir: {title: 'Root', values: {top: 'at the top', bottom: 'at the bottom'}},
    way: {title: 'Read', values: {callers: 'callers first', callees: 'callees first'}},
    color: {
        title: 'Colour',
        values: {
            difference: 'difference',
            origin: 'origin',
            package: 'package',
            self: 'self time',
            kind: 'kind',
            calls: 'calls against time'
        }
    }
};

/* Returns the values that a choice offers. In a profile of samples, calls are not known. Without OLD there is
 * no difference. */
function values_of(choice) {
    return Object.entries(choice.values)
        .filter(([value]) => (value !== 'calls' || !is_sampled()) &&
                (profile.difference || value !== 'difference' && value !== 'old'));
}

function restriction_text(text) {
    const [what, value] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    if (what === 'pkg')
        return 'package ' + value;
    if (what === 'label')
        return named_label_text(value);
    return what === 'file' ? 'file ' + short_path(profile.files.name[place_at(value).file] || '?')
                           : profile.subs.name[sub_at(value)] || '?';
}

/* The place that an address is zoomed to, as far as its path leads. */
function zoomed_place(layout, query) {
    let place = 0;
    for (const address of listed(query.zoom)) {
        const key = key_at(layout, address);
        let child = place + 1;
        while (child < layout.end[place] && layout.tree.key[layout.node[child]] !== key)
            child = layout.end[child];
        if (child >= layout.end[place])
            break;
        place = child;
    }
    return place;
}

function flame_controls(query, change) {
    return make('div', {class: 'controls', role: 'group', 'aria-label': 'How to draw'},
        Object.keys(flame_choices)
            .filter(name => values_of(flame_choices[name]).length > 1)
            .map(name => select_control(flame_choices[name].title, query[name],
                     values_of(flame_choices[name]), value => change({[name]: value}))),
        waiting_control(),
        check_control(
            'fold packages', query.packages === '1', on => change({packages: on ? '1' : null, zoom: null})),
        check_control('collapse recursion', query.recursion === '0',
            on => change({recursion: on ? '0' : null, zoom: null})));
}

/* What is left out or chosen, each with a way back. */
function flame_chips(query, change) {
    const chip = (text, undo) =>
        make('button', {class: 'chip', type: 'button', click: undo, title: 'Undo: ' + text}, '✕ ' + text);
    const chips = [];
    if (query.only)
        chips.push(chip('only ' + restriction_text(query.only), () => change({only: null, zoom: null})));
    const folded = folded_subs(query);
    for (const sub of folded)
        chips.push(chip(profile.subs.name[sub] + ' folded into its callers',
            () => change({fold: fold_text(folded.filter(other => other !== sub)), zoom: null})));
    return chips;
}

function breadcrumbs(layout, zoomed, go) {
    const places = [];
    for (let place = zoomed; place >= 0; place = layout.parent[place])
        places.unshift(place);
    const name = place => layout.name_of(layout.tree.key[layout.node[place]]);
    const shown = places.length > 7 ? [places[0], -1, ...places.slice(-5)] : places;
    return make('nav', {class: 'crumbs', 'aria-label': 'Zoomed to'},
        shown.map(place => place < 0 ? make('span', null, '…')
                : place === zoomed   ? make('span', {'aria-current': 'true'}, name(place))
                                     : make('a', {
                                           href: '#',
                                           click: event => {
                                               event.preventDefault();
                                               go(place);
                                         }
                                       },
                                           name(place))));
}

/* What the table of nodes is about. */
function node_table_title(layout, zoomed) {
    const name = layout.name_of(layout.tree.key[layout.node[zoomed]]),
          what = layout.packages ? 'packages' : 'subs';
    if (layout.inverted)
        return zoomed === 0 ? what + ' by self time' : 'callers of ' + name;
    return 'what ' + name + (zoomed === 0 ? ' begins with' : ' leads to');
}

/* The nodes directly below, for those who cannot see the picture. Callees first, they have no time but that
 * of the sub. */
function node_table(layout, zoomed) {
    const rows = [];
    for (let place = zoomed + 1; place < layout.end[zoomed] && rows.length < 200; place = layout.end[place])
        rows.push(place);
    const {tree} = layout, most = Math.max(0, ...rows.map(place => layout.incl[layout.node[place]]));
    const unit = unit_for(most), key = place => tree.key[layout.node[place]];
    const time = layout.inverted ? (zoomed === 0 ? 'Self' : 'Of its self') : 'Incl.';
    return make_details({class: 'as-table'}, 'As a table: ' + node_table_title(layout, zoomed),
        short_table('Nodes',
            [
                [time + ', ' + unit.name, true], !layout.inverted && ['Self, ' + unit.name, true],
                [count_title('Calls'), true], [layout.packages ? 'Package' : 'Sub', false]
            ].filter(Boolean),
            rows,
            place => make('tr', null, time_cell(layout.incl[layout.node[place]], unit),
                !layout.inverted && make('td', {class: 'n'}, in_unit(tree.self[layout.node[place]], unit)),
                count_cell(node_count(layout, layout.node[place])),
                name_cell(
                    key(place) < 0 || layout.packages ? layout.name_of(key(place)) : sub_link(key(place)))),
            rows.length));
}

/* What can be done with the node that is zoomed to. */
function node_actions(layout, zoomed, query, change) {
    return box_entries(layout, zoomed, query, change)
        .map(({text, href, act}) => href ? make('a', {href, class: 'button'}, text)
                                         : make('button', {type: 'button', click: act}, text));
}

function show_flame(stage, route) {
    const usual =
        {by: 'time', order: 'weight', dir: 'top', way: 'callers', color: usual_color(), side: 'new'};
    const query = {...usual, ...route.query};
    for (const name of ['by', 'color', 'side'])
        if (!values_of(flame_choices[name]).some(([value]) => value === query[name]))
            query[name] = usual[name];
    const change = changes => go_to(route.view, route.arguments, {...route.query, ...changes});
    stage.append(make('h1', null, 'Flame graph'));
    if (profile.stacks.count === 0) {
        stage.append(make('p', {class: 'empty'},
            'There are no stacks: the profile was recorded without calls=1, or --no-flame was given.'));
        return null;
    }
    const layout = layout_for(query);
    const zoomed = zoomed_place(layout, query);
    const go = place => change({zoom: zoom_text(layout, place)});
    const search = make('input', {
        type: 'search',
        value: query.q || '',
        placeholder: 'highlight (regular expression)',
        'aria-label': 'Highlight subs',
        change: () => change({q: search.value || null})
    });
    const problems = [],
          found = query.q ? match_layout(layout, layout.name_of, new Pattern(query.q, problems)) : null;
    const details = make('p', {class: 'details', 'aria-live': 'polite'}, node_details(layout, zoomed));
    const frame = make('div', {class: 'flame'});
    const controls = flame_controls(query, change), chips = flame_chips(query, change);
    controls.append(
        search, found ? make('span', {class: 'quiet'}, 'matched: ' + percent_text(found.share)) : '');
    stage.append(controls, filter_problems(problems),
        chips.length ? make('div', {class: 'controls'}, chips) : '', breadcrumbs(layout, zoomed, go), frame,
        legend_of(query.color, layout), details,
        make('div', {class: 'controls actions'}, node_actions(layout, zoomed, query, change)),
        node_table(layout, zoomed));
    const canvas = new FlameCanvas(frame, {
        label: place => layout.name_of(layout.tree.key[layout.node[place]]),
        color: color_function(layout, query.color),
        flip: query.dir === 'bottom',
        label_of_all: 'Flame graph; its numbers are in the table below',
        menu: box_menu(layout, query, change),
        on_hover: place => { details.textContent = node_details(layout, place >= 0 ? place : zoomed); },
        on_choose: place => go(place === zoomed ? Math.max(0, layout.parent[place]) : place)
    });
    canvas.show(layout, zoomed, found && found.matched);
    controls.append(svg_button(canvas, place => node_details(layout, place)));
    return {stop: canvas.stop, escape: () => zoomed > 0 && (go(Math.max(0, layout.parent[zoomed])), true)};
}
