/* Files by their directories: a picture like the flame graph, in which a directory is above what is in it. */

function path_parts(name) {
    return name.replace(/\[.*$/s, match => match.replace(/\//g, '\u2215')).split('/').filter(Boolean);
}

/* What has a box of its own: {parts (of its name), weight, area (of the strip and the flame graph), file}.
 * Statements outside of subs are in files that may have no sub: whose they are is known of the file. In a
 * comparison they are the files of both sides, with old and a verdict. */
function map_leaves({files, difference}) {
    const of_files = main_areas(recorded.subs.file, files.count)
                         .map((area, file) => files.origin[file] === 0 ? own_area
                                 : area < 0                            ? named_area - 1
                                                                       : area);
    if (!difference)
        return files.name.map(
            (name, file) =>
                ({parts: path_parts(name), weight: files.ticks[file], area: of_files[file], file}));
    const {number, name, old, new: after, verdict} = shown_difference().files;
    return number.map((file, row) => ({
        parts: path_parts(name[row] || files.name[file]),
        weight: after[row],
        area: file < 0 ? -1 : of_files[file],
        file,
        old: old[row],
        verdict: verdict[row]
    }));
}

/* {layout, top (its first box), leaf (of a place: that of a file), leaves, sides(place): [old, new,
 * verdict]}. Directories were not tested: what is said of them is what is known of what is in them. */
const map_of = once_for(profile => {
    const leaves = map_leaves(profile).filter(({weight, old}) => weight > 0 || old > 0), leaf = [],
          verdict = [], names = [...new Set(leaves.flatMap(({parts}) => parts))],
          number = new Map(names.map((name, key) => [name, key])), tree = new Tree(names.length, -1);
    for (const one of leaves) {
        const node = one.parts.reduce((parent, part) => tree.child(parent, number.get(part)), 0);
        tree.add(node, Math.max(0, one.weight), 0);
        leaf[node] = one;
    }
    const name_of = key => key < 0 ? 'files' : names[key];
    tree.old = tree.self.map((none, node) => leaf[node] ? leaf[node].old || 0 : 0);
    const layout = {...lay_out(tree, {name_of}), name_of}, old = other_incl(tree), {incl} = layout;
    for (let node = tree.key.length - 1; node >= 0 && profile.difference; node--) {
        const own = verdict[node] = leaf[node] ? leaf[node].verdict : verdict[node] || by_chance,
              parent = tree.parent[node];
        if (parent >= 0 && old[node] !== incl[node])
            verdict[parent] = Math.max(verdict[parent] || 0, is_grey(own) ? own : some_in_it);
    }
    const sides = place => [old, incl, verdict].map(column => column[layout.node[place]]);
    return {layout, top: first_fork(layout), leaf: place => leaf[layout.node[place]], leaves, sides};
});

/* Directories that have nothing but another one are not shown. */
function first_fork(layout) {
    let place = 0;
    while (layout.end[place + 1] === layout.end[place] && place + 2 < layout.end[place])
        place++;
    return place;
}

/* The numbers of boxes, for those who cannot see them. */
function map_table({layout, sides}, zoomed, open) {
    const weight = place => layout.incl[layout.node[place]];
    return short_table('Boxes', [
        ...recorded.difference ? change_columns(sides) : [
            number_column('Weight', place => time_text(weight(place))),
            number_column('Of ' + whole_name(), place => percent_text(share_of_all(weight(place))))
        ],
        name_column('Name',
            place => make('button.link', {click: () => open(place)}, place_name(layout, place)))
    ], children_of(layout, zoomed), {most: 100});
}

/* What is said of a box, a line each. */
function map_lines(profile, {layout, top, leaf, sides}, place) {
    const {files} = profile, ticks = layout.incl[layout.node[place]], parent = layout.parent[place],
          file = leaf(place) ? leaf(place).file : -1;
    return [
        path_of(layout, place).map(layout.name_of).join('/') || place_name(layout, place),
        time_text(ticks) + ', ' + share_text(ticks),
        place > top &&
            percent_text(width_of(layout, place) / width_of(layout, parent)) + ' of ' +
                place_name(layout, parent),
        file >= 0 && counted(files.statements[file], 'statement'),
        profile.difference && change_text(...sides(place))
    ].filter(Boolean);
}

function show_map(stage, {profile, route}) {
    const map = map_of(profile), {layout, top, leaf, leaves, sides} = map, {difference} = profile;
    if (!leaves.length)
        return nothing_to_show(stage, 'Map of files', wording('no_statements'));
    let zoomed = top;
    for (const name of listed(route.query.zoom))
        zoomed = children_of(layout, zoomed).find(one => place_name(layout, one) === name) ?? zoomed;
    const address = place => list_text(path_of(layout, place).slice(layout.depth[top]).map(layout.name_of)),
          go = place => change_query({zoom: place > top ? address(place) : null});
    const open = place => {
        if (leaf(place) && leaf(place).file >= 0)
            location.hash = file_route(leaf(place).file);
        else
            go(place === zoomed ? layout.parent[place] : place);
    };
    const lines = place => map_lines(profile, map, place), frame = make('div.flame'),
          details = make('p.details', {'aria-live': 'polite'}, lines(zoomed).join(' · ')),
          sums = area_names().map(() => 0);
    for (const {area, weight} of leaves)
        if (area >= 0)
            sums[area] += Math.max(0, weight);
    stage.append(make('h1', 'Map of files'), breadcrumbs(layout, zoomed, go), frame,
        difference ? change_legend() : area_legend({sums, whole: layout.total}), details,
        make_details({class: 'as-table'}, 'As a table', map_table(map, zoomed, open)));
    const canvas = new FlameCanvas(frame, {
        label: place => place_name(layout, place),
        label_of_all: 'Map of files; its numbers are in the table below',
        color: place =>
            difference ? color_of_change(...sides(place)) : area_color(leaf(place) ? leaf(place).area : -1),
        skip: layout.depth[top],
        lines,
        details,
        on_choose: open
    });
    canvas.show(layout, zoomed);
    return {stop: canvas.stop, escape: () => zoomed > top && (go(layout.parent[zoomed]), true)};
}
