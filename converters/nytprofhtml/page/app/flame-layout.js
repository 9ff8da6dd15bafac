/* Layouts of flame graphs as an address asks for them, and what is said of a place in one. */

/* The subs that an address folds into their callers. */
function folded_subs(query) {
    return [...new Set(listed(query.fold).map(sub_at))].filter(sub => sub >= 0);
}

function fold_text(subs) {
    return list_text(subs.map(sub_address)) || null;
}

/* "pkg:Foo", "file:Foo.pm", "sub:Foo::bar" or "label:sql:SELECT 1" as a function from sub to whether it is in
 * there; null: everything. */
function restriction(text) {
    const [, what, name] = /^(pkg|file|sub|label):(.*)$/s.exec(text || '') || [];
    if (what === 'file') {
        const {file} = place_at(name);
        return sub => recorded.subs.file[sub] === file;
    }
    return what ? item_test({what, name: what === 'sub' ? recorded.subs.name[sub_at(name)] : name}) : null;
}

function restriction_text(text) {
    const [what, value] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    if (what === 'pkg')
        return 'package ' + value;
    if (what === 'label')
        return named_label_text(value);
    return what === 'file' ? 'file ' + short_path(recorded.files.name[place_at(value).file] || '?')
                           : recorded.subs.name[sub_at(value)] || '?';
}

function undo_chip(text, changes) {
    return make('button.chip', {click: () => change_query(changes), title: 'Undo: ' + text}, '✕ ' + text);
}

/* To what of all calls an address restricts a tree, each with a way back. */
function tree_chips({only, callers, fold}) {
    const folded = folded_subs({fold});
    return [
        only && undo_chip('only ' + restriction_text(only), {only: null, zoom: null}),
        callers && undo_chip('callers of ' + restriction_text('sub:' + callers), {callers: null}),
        ...folded.map(sub => undo_chip(recorded.subs.name[sub] + ' folded into its callers',
                          {fold: fold_text(folded.filter(other => other !== sub)), zoom: null}))
    ].filter(Boolean);
}

/* Keys of two boxes: the time outside of all subs, and all that is not within requests. */
const outside_key = -2, beside_key = -3;

function flame_layout(profile, query) {
    const callers_of = query.callers ? sub_at(query.callers) : -1, options = {
        packages: query.packages === '1',
        invert: query.way === 'callees',
        only: restriction(query.only),
        fold: query.fold ? new Set(folded_subs(query)) : null,
        recursion: query.recursion !== '0',
        callers_of,
        requests: query.roots === 'requests' && !query.only && query.way !== 'callees'
    };
    const name_of = key => key === outside_key ? outside_text
        : key === beside_key                   ? 'outside of requests'
        : key < 0                              ? 'all'
        : options.packages                     ? profile.packages.name[key] || '(none)'
                                               : profile.subs.name[key];
    const tree = build_tree(profile, options);
    const rest =
        options.only || callers_of >= 0 ? 0 : Math.max(0, profile.totals.ticks - total_of(tree.self));
    if (rest > 0)
        tree.add(tree.child(options.requests ? tree.child(0, beside_key) : 0, outside_key), rest,
            is_memory() ? Math.max(0, profile.totals.calls - total_of(tree.calls)) : 0);
    if (profile.difference)
        add_old(profile, tree, options, query.side);
    const other = profile.difference && other_incl(tree);
    return {
        other,
        side: query.side,
        ...lay_out(tree, {by: query.by, order: query.order, name_of}),
        name_of,
        packages: options.packages,
        inverted: options.invert || callers_of >= 0
    };
}

/* Whether the work of a profile is that of requests, which are the roots of its flame graph then. */
function usual_roots({labels, totals}) {
    const much = 0.2;
    return labels && labels.has_times &&
            labels.incl.reduce((sum, ticks, label) => labels.kind[label] === span_kind ? sum + ticks : sum,
                0) > much * totals.ticks
        ? 'requests'
        : 'calls';
}

function usual_color(profile) {
    return profile.difference ? 'difference' : 'namespace';
}

/* What the legend of areas says of a layout: the time or calls of its boxes themselves, by area. */
function layout_areas(profile, layout) {
    const {tree, inverted} = layout, area_of_key = key_areas(profile, layout);
    const [own, below] = layout.by === 'calls' ? [tree.calls, layout.calls_below] : [tree.self, layout.incl];
    const found = {
        sums: area_names().map(() => 0),
        whole: below[0],
        outside: 0,
        text_of: layout.by === 'calls' ? amount => counted(amount, 'call') : time_text
    };
    tree.key.forEach((key, node) => {
        const amount = !inverted ? own[node] : tree.parent[node] === 0 ? below[node] : 0;
        if (key === outside_key)
            found.outside += amount;
        else if (key >= 0)
            found.sums[area_of_key(key)] += Math.max(0, amount);
    });
    return found;
}

/* What the colours mean. */
function legend_of(profile, color, layout) {
    return color === 'difference' ? change_legend() : area_legend(layout_areas(profile, layout));
}

const layouts_of = once_for(profile => latest(query => flame_layout(profile, JSON.parse(query))));

/* A zoom does not change the layout. */
function layout_for(profile, query) {
    const {zoom, q, color, dir, ...matters} = query;
    return layouts_of(profile)(JSON.stringify(matters));
}

/* The tree of calls as all views but that of the flame graph show it. chosen: what an address says besides.
 */
function usual_layout(profile, chosen = {}) {
    const usual = {by: 'time', order: 'weight', way: 'callers', roots: usual_roots(profile)};
    return layout_for(profile, {...usual, ...chosen});
}

function place_key(layout, place) {
    return layout.tree.key[layout.node[place]];
}

function place_name(layout, place) {
    return layout.name_of(place_key(layout, place));
}

/* "use Foo" of a BEGIN block that loads Foo, as far as what it calls says it; its name otherwise. */
function begin_name(layout, place) {
    const of = key => key < 0 ? '' : package_of(recorded.subs.name[key]), own = of(place_key(layout, place));
    for (const key of children_of(layout, place).map(child => place_key(layout, child)))
        if (key >= 0 && of(key) !== own && /::(?:BEGIN@\d+|import)$/.test(recorded.subs.name[key]))
            return 'use ' + of(key);
    return place_name(layout, place);
}

/* A name without its package. */
function own_name(name) {
    return name.replace(/^[^[ ]*::(?=[^:[]+$)/, '');
}

/* The boxes below a place by their names without packages. */
const names_below = once_for(layout => {
    const known = new Map(),
          by_name = parent =>
              grouped_by(children_of(layout, parent), child => own_name(place_name(layout, child)));
    return parent => entry_of(known, parent, by_name);
});

/* What boxes are called: subs of one name beside one another by their packages, in which they differ. */
function box_name(layout, place) {
    const name = place_name(layout, place), own = own_name(name), key = place_key(layout, place);
    if (key < 0 || layout.packages)
        return name;
    if (label_of(key) >= 0)
        return label_text(label_of(key));
    if (/^BEGIN@\d+$/.test(own))
        return begin_name(layout, place);
    const anonymous = /::__ANON__\[(.*)\]$/.exec(name);
    if (anonymous)
        return 'sub at ' + anonymous[1].replace(/^.*\//, '');
    return own !== name && names_below(layout)(layout.parent[place]).get(own).length > 1
        ? package_of(name).replace(/^.*::/, '')
        : name;
}

/* A layout in which three boxes or more, each of which has nearly all of the one above it, are one: "first ›
 * 1 › last". full is the layout, of_full the place there of each place, and label what boxes are called. */
function folded_layout(full) {
    const nearly_all = 0.98, least_width = 1 / 2000, {x0, x1, count} = full,
          width = place => width_of(full, place);
    const made = {
        ...full,
        full,
        count: 0,
        of_full: [],
        label: [],
        node: [],
        x0: [],
        x1: [],
        depth: [],
        end: [],
        parent: []
    };
    const add = (place, last, label, parent) => {
        const to = made.count++;
        made.of_full.push(place);
        made.label.push(label);
        made.node.push(full.node[place]);
        made.x0.push(x0[place]);
        made.x1.push(x1[place]);
        made.parent.push(parent);
        made.depth.push(parent < 0 ? 0 : made.depth[parent] + 1);
        children_of(full, last)
            .filter(child => width(child) > least_width)
            .forEach(child => add_chain(child, to));
        made.end[to] = made.count;
    };
    const add_chain = (place, parent) => {
        const chain = [place];
        for (let last = place; last + 1 < full.end[last] && width(last + 1) >= nearly_all * width(last);
             last++)
            chain.push(last + 1);
        const last = chain[chain.length - 1], name = box_name(full, place);
        if (chain.length < 3)
            add(place, place, name, parent);
        else
            add(place, last, `${name} › ${chain.length - 2} › ${own_name(box_name(full, last))}`, parent);
    };
    if (count)
        add(0, 0, '', -1);
    return made;
}

function path_of(layout, place) {
    if (layout.full)
        return path_of(layout.full, layout.of_full[place]);
    const path = [];
    for (; place > 0; place = layout.parent[place])
        path.unshift(place_key(layout, place));
    return path;
}

/* How an address names a key of a layout, and the key that it names; -1: none. */
function key_address(layout, key) {
    return key < 0 || layout.packages ? layout.name_of(key) : sub_address(key);
}

function key_at(layout, address) {
    const {number} = recorded.packages;
    for (const key of [outside_key, beside_key])
        if (address === layout.name_of(key))
            return key;
    return layout.packages
        ? [address, address === '(none)' && ''].map(name => number.get(name)).find(key => key >= 0) ?? -1
        : sub_at(address);
}

/* The place as an address has it; null for the root. */
function zoom_text(layout, place) {
    return list_text(path_of(layout, place).map(key => key_address(layout, key))) || null;
}

/* The area of a package or file, by its number: that of the sub with most time of its own; -1: it has none.
 * column: which of them each sub is in. */
function main_areas(column, count) {
    const {excl} = recorded.subs, found = new Array(count).fill(-1), most = new Array(count).fill(-1);
    column.forEach((of, sub) => {
        if (of >= 0 && excl[sub] > most[of]) {
            most[of] = excl[sub];
            found[of] = area_of(sub);
        }
    });
    return found;
}

/* A function from the key of a box to its area. */
function key_areas(profile, layout) {
    if (!layout.packages)
        return area_of;
    const by_package = main_areas(recorded.subs.package, recorded.packages.name.length);
    return key => by_package[key];
}

function color_function(profile, layout, how) {
    if (how === 'difference')
        return place => place_change_color(profile, layout, place);
    const area_of_key = key_areas(profile, layout), key = place => place_key(layout, place);
    return place => area_color(key(place) < 0 ? -1 : area_of_key(key(place)));
}

/* The calls of a node, or the samples or blocks of the node and the nodes below it. */
function node_count(profile, layout, node) {
    return is_estimated() ? samples_of(layout.incl[node], profile.totals)
                          : (layout.inverted || is_memory() ? layout.calls_below : layout.tree.calls)[node];
}

/* With callees first, the row below the root has the subs with their self time, and below a sub are its
 * callers, each with the part of that time that came through the caller. */
function inverted_details(profile, layout, place) {
    const node = layout.node[place], calls = counted(node_count(profile, layout, node), 'call');
    if (layout.depth[place] === 1)
        return [time_text(layout.incl[node]) + ' self (' + share_text(layout.incl[node]) + ')', calls];
    let first = place;
    while (layout.depth[first] > 1)
        first = layout.parent[first];
    const of = layout.node[first];
    return [
        (layout.by === 'calls' ? calls : time_text(layout.incl[node])) + ' (' +
            percent_text(width_of(layout, place) / width_of(layout, first)) + ') of ' +
            (layout.by === 'calls' ? 'the ' + counted(node_count(profile, layout, of), 'call') + ' of '
                                   : time_text(layout.incl[of]) + ' self of ') +
            layout.name_of(layout.tree.key[of]) + ' through this caller',
        layout.by === 'calls' ? time_text(layout.incl[node]) + ' of its ' + wording('self') : calls
    ];
}

/* A share of all boxes, which are all that is shown unless the graph has a focus. */
function layout_share(profile, layout, share) {
    const {by, total} = layout, {totals} = profile;
    const whole = by === 'calls'                                     ? 'all ' + count_word() + 's'
        : Math.abs(total - totals.ticks) < Math.max(1, 1e-6 * total) ? whole_name()
                                                                     : time_text(total);
    return percent_text(share) + ' of ' + whole;
}

/* What is said of a box, a line each: its name, where it is, and its numbers. */
function node_lines(profile, layout, place) {
    const node = layout.node[place], key = layout.tree.key[node];
    const name = layout.name_of(key), parent = layout.parent[place];
    const where = !layout.packages && key >= 0 && place_text(key);
    if (layout.inverted && place > 0)
        return [name, where, ...inverted_details(profile, layout, place)].filter(Boolean);
    const width = width_of(layout, place), calls = node_count(profile, layout, node);
    return [
        name, where,
        layout.by === 'calls'
            ? count_text(layout.total * width) + ' ' + count_word() + 's below and here'
            : time_text(layout.incl[node]) + ' inclusive, ' + layout_share(profile, layout, width),
        parent > 0 && percent_text(width / width_of(layout, parent)) + ' of ' + place_name(layout, parent),
        key >= 0 && time_text(layout.tree.self[node]) + ' self',
        key >= 0 && counted(calls, 'call') + average(layout.incl[node], calls),
        layout.other && change_details(profile, layout, place),
        !layout.packages && recorded.subs.explained.get(key)
    ].filter(Boolean);
}

/* What can be done with a box, as entries of a menu. query: of the address of the flame graph. */
function box_entries(profile, layout, place, query) {
    const key = place_key(layout, place), {subs, packages} = recorded;
    if (key < 0)
        return [];
    const of = packages.name[layout.packages ? key : subs.package[key]], package_name = of || '(none)';
    const entry = (text, changes) =>
        ({text, act: () => go_to('flame', [], {...query, zoom: null, ...changes})});
    const without = (text, item) => entry(text, with_item(profile, item));
    const copy = {
        text: 'Copy the stack',
        act: () => copy_or_download('stack.txt', stack_text(layout, place))
    };
    if (layout.packages)
        return [
            {text: 'Open its subs', href: route_text('subs', [], {q: 'pkg:' + of})},
            entry('Focus on it', {only: 'pkg:' + of}), without('Leave it out', item_text('pkg', of)), copy
        ];
    const is_sub = !is_eval(key);
    return [
        {text: is_sub ? 'Open the sub' : 'Open the line that runs it', href: sub_route(key)},
        entry('Focus on it', {only: 'sub:' + sub_address(key)}),
        without('Leave it out', item_text('sub', subs.name[key])),
        entry('Fold it into its callers', {fold: fold_text([...folded_subs(query), key])}),
        is_sub && entry('Only package ' + package_name, {only: 'pkg:' + of}),
        is_sub && without('Leave out package ' + package_name, item_text('pkg', of)),
        subs.file[key] >= 0 && entry('Only its file', {only: 'file:' + file_address(subs.file[key])}), copy
    ].filter(Boolean);
}

function box_menu(profile, layout, query) {
    return place => {
        const entries = box_entries(profile, layout, place, query);
        return entries.length ? {label: place_name(layout, place), entries} : null;
    };
}

/* The way to the place that a picture is zoomed to. */
function breadcrumbs(layout, zoomed, go) {
    const places = [];
    for (let place = zoomed; place >= 0; place = layout.parent[place])
        places.unshift(place);
    const shown = places.length > 7 ? [places[0], -1, ...places.slice(-5)] : places;
    return make('nav.crumbs', {'aria-label': 'Zoomed to'},
        shown.map(place => place < 0 ? make('span', '…')
                : place === zoomed   ? make('span', {'aria-current': 'true'}, place_name(layout, place))
                                     : make('a', {
                                           href: '#',
                                           click: event => {
                                               event.preventDefault();
                                               go(place);
                                         }
                                       },
                                           place_name(layout, place))));
}

/* The subs from the outermost on, as flamegraph.pl and others read them. */
function stack_text(layout, place) {
    const names = path_of(layout, place).map(layout.name_of);
    return (layout.inverted ? names.reverse() : names).join(';') + '\n';
}
