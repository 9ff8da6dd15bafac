/* Files as areas, by their directories. A level at a time, with what is within it drawn smaller. */

function path_parts(name) {
    return name.replace(/\[.*$/s, match => match.replace(/\//g, '\u2215')).split('/').filter(Boolean);
}

/* What has an area: {parts (of its name), weight, area (of the strip and the flame graph), file}. Statements
 * outside of subs are in files that may have no sub: whose they are is known of the file. In a comparison
 * they are the files of both sides, with old, new and a verdict. */
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
        new: after[row],
        verdict: verdict[row]
    }));
}

/* A tree of {name, weight, by_area, children (map), file, and old, new, verdict where that is compared}. */
function map_tree(name, leaves) {
    const new_node = (part, parent) => ({
        name: part,
        weight: 0,
        old: 0,
        new: 0,
        by_area: area_names().map(() => 0),
        children: new Map(),
        parent
    });
    const root = new_node(name);
    for (const {parts, weight, area, file, ...compared} of leaves) {
        if (!(weight > 0 || compared.old > 0))
            continue;
        let at = null;
        for (const part of [null, ...parts]) {
            if (at && !at.children.has(part))
                at.children.set(part, new_node(part, at));
            at = at ? at.children.get(part) : root;
            at.weight += Math.max(0, weight);
            at.old += compared.old || 0;
            at.new += compared.new || 0;
            if (area >= 0)
                at.by_area[area] += Math.max(0, weight);
        }
        Object.assign(at, {file, verdict: compared.verdict});
    }
    return root;
}

/* Groups were not tested: what is said of them is what is known of what is in them. */
function map_verdict(node) {
    if (node.verdict === undefined) {
        const of_children =
            [...node.children.values()].filter(child => child.old !== child.new).map(map_verdict);
        node.verdict = of_children.some(verdict => !is_grey(verdict)) ? some_in_it
            : of_children.includes(not_tested)                        ? not_tested
                                                                      : by_chance;
    }
    return node.verdict;
}

/* Whose code most of it is; -1: it is not known of any. */
function main_area({by_area}) {
    const most = Math.max(...by_area);
    return most > 0 ? by_area.indexOf(most) : -1;
}

/* What numbers and texts the boxes have: {lines(node) (what is said of a box), table(nodes)}. */
function map_words(profile, root, open) {
    const {difference, files} = profile, full_name = node => names_of(node).join('/');
    const name = name_column('Name', node => make('button.link', {click: () => open(node)}, node.name));
    const change = node => change_text(node.old, node.new, map_verdict(node), time_text);
    return {
        lines: node => [full_name(node) || node.name, time_text(node.weight) + ', ' + share_text(node.weight),
            node !== root && node.parent.parent &&
                percent_text(node.weight / node.parent.weight) + ' of ' + node.parent.name,
            node.file >= 0 && counted(files.statements[node.file], 'statement'), difference && change(node)]
                           .filter(Boolean),
        table: rows => short_table('Boxes', [
            ...difference ? change_columns(node => [node.old, node.new, map_verdict(node)]) : [
                number_column('Weight', node => time_text(node.weight)),
                number_column('Of ' + whole_name(), node => percent_text(share_of_all(node.weight)))
            ],
            name
        ], rows, {most: 100})
    };
}

function show_map(stage, {profile, route}) {
    const full = map_tree('files', map_leaves(profile)), {difference} = profile;
    const inner = node => node.children.size === 1 && [...node.children.values()][0].children.size > 0
        ? inner([...node.children.values()][0])
        : node;
    const top = inner(full);
    let root = full;
    for (const part of (route.query.zoom || '').split('\t').filter(Boolean))
        root = root.children.get(part) || root;
    root = inner(root);
    if (root.weight <= 0 && root.old <= 0)
        return nothing_to_show(stage, 'Map of files', wording('no_statements'));
    stage.append(make('h1', 'Map of files'));
    const open = node => {
        if (node.file >= 0 && !node.children.size)
            location.hash = file_route(node.file);
        else if (node.children.size)
            change_query({zoom: names_of(node).join('\t')});
    };
    const words = map_words(profile, root, open), trail = names_of(root);
    const text = node => words.lines(node).join(' · '),
          details = make('p.details', {'aria-live': 'polite'}, text(root));
    stage.append(make('nav.crumbs', {'aria-label': 'Zoomed to'},
        make('a', {href: route_text('map', [], {...route.query, zoom: null})}, full.name),
        trail.map((name, i) => make('a',
                      {href: route_text('map', [], {...route.query, zoom: trail.slice(0, i + 1).join('\t')})},
                      name))));
    const map = new Treemap(stage, root, {
        tip: words.lines,
        on_choose: open,
        color: node =>
            difference ? color_of_change(node.old, node.new, map_verdict(node)) : area_color(main_area(node)),
        on_hover: node => { details.textContent = text(node || root); }
    });
    const most = node => Math.max(node.weight, node.old, node.new);
    stage.append(difference ? change_legend() : area_legend({sums: root.by_area, whole: root.weight}),
        details, make_details({class: 'as-table'}, 'As a table', words.table([
            ...root.children.values()
        ].sort((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1)))));
    return {
        stop: map.stop,
        escape: () =>
            root !== top && (change_query({zoom: names_of(root).slice(0, -1).join('\t') || null}), true)
    };
}
