/* Packages or paths as areas. A level at a time, with what is within it drawn smaller. */

function path_parts(name) {
    return name.replace(/\[.*$/s, match => match.replace(/\//g, '\u2215')).split('/').filter(Boolean);
}

function sub_parts(sub) {
    const {subs, packages} = recorded, of = packages.name[subs.package[sub]];
    return [...(of ? of.split('::') : ['(none)']), '&' + subs.name[sub].slice(of ? of.length + 2 : 0)];
}

/* What has an area: {parts (of its name), weight, area (of the strip and the flame graph), leaf: {sub or
 * file}}. */
function map_leaves({subs, files}, {by, what}) {
    const leaves = [], of_files = file_areas(), column = {calls: 'calls', incl: 'incl', self: 'excl'}[what];
    for (let file = 0; by === 'path' && file < files.count; file++)
        leaves.push({
            parts: path_parts(files.name[file]),
            weight: files.ticks[file],
            area: of_files[file],
            leaf: {file}
        });
    for (let sub = 0; by !== 'path' && sub < subs.count; sub++)
        if (!is_outside(sub) && !is_eval(sub))
            leaves.push({parts: sub_parts(sub), weight: subs[column][sub], area: area_of(sub), leaf: {sub}});
    return leaves;
}

/* Statements outside of subs are in files that may have no sub: whose they are is known of the file. */
function file_areas() {
    const {subs, files} = recorded;
    return main_areas(subs.file, files.count)
        .map((area, file) => files.origin[file] === 0 ? own_area
                : area < 0                            ? named_area - 1
                                                      : area);
}

/* Leaves of both sides: they have old, new and a verdict, too. Areas are those of a side. */
function compared_leaves(profile, {by, what, side}) {
    const {subs, files} = recorded.difference, of_files = file_areas(),
                 suffix = {calls: '_calls', incl: '_incl', self: ''}[what];
    const leaf_of = (table, row, suffix_of, rest) => {
        const [old, after, verdict] = ['old', 'new', 'verdict'].map(name => table[name + suffix_of][row]);
        return {...rest, weight: side === 'old' ? old : after, old, new: after, verdict};
    };
    if (by === 'path')
        return files.number.map((file, row) => leaf_of(files, row, '', {
            parts: path_parts(files.name[row] || recorded.files.name[file]),
            area: file < 0 ? -1 : of_files[file],
            leaf: {file}
        }));
    return subs.number.map((sub, row) => ({sub, row}))
        .filter(({sub}) => !is_outside(sub) && is_compared(profile, sub))
        .map(({sub, row}) =>
                 leaf_of(subs, row, suffix, {parts: sub_parts(sub), area: area_of(sub), leaf: {sub}}));
}

/* A tree of {name, weight, by_area, children (map), sub or file, and old, new, verdict where that is
 * compared}. */
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
    for (const {parts, weight, area, leaf, ...compared} of leaves) {
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
        Object.assign(at, leaf, {verdict: compared.verdict});
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

const map_choices = {
    by: {title: 'Boxes', values: {package: 'packages and subs', path: 'paths of files'}},
    what: {title: 'Area', values: {self: () => wording('self'), incl: () => wording('incl'), calls: 'calls'}},
    side: {title: 'of', values: {new: 'new', old: 'old'}},
    color: {title: 'Colour', values: {difference: 'difference', namespace: 'namespace'}}
};

/* The choices that make sense, by name: [value, title] of each. */
function map_values(profile, query) {
    return Object.entries(map_choices)
        .map(([
            name, {values}
        ]) => [name, Object.entries(values).filter(([value]) => value !== 'calls' || !is_sampled())])
        .filter(([name]) => name === 'by' || (name === 'what' ? query.by === 'package' : profile.difference));
}

/* What an address leaves out, or asks for in vain, is as usual. */
function map_query(profile, asked) {
    const usual = {
        by: 'package',
        what: 'self',
        side: 'new',
        color: profile.difference ? 'difference' : 'namespace'
    },
          query = {...usual, ...asked};
    for (const [name, {values}] of Object.entries(map_choices))
        if (!Object.hasOwn(values, query[name]))
            query[name] = usual[name];
    if (query.what === 'calls' && is_sampled() || query.by === 'path')
        query.what = 'self';
    if (!profile.difference)
        Object.assign(query, {side: 'new', color: 'namespace'});
    return query;
}

function map_controls(profile, query, change) {
    const pick = ([name, values]) => select_control(map_choices[name].title, query[name],
        values.map(([value, text]) => [value, shown_text(text)]), value => change({
            [name]: value,
            ...name !== 'color' &&
                {
                    zoom: null
                }
        }));
    return make('div.controls', map_values(profile, query).map(pick));
}

/* What the tip says of a sub or a file besides its area. */
function leaf_lines(profile, {sub, file}, what) {
    const {subs, files, difference} = profile;
    if (file >= 0)
        return [counted(files.statements[file], 'statement')];
    if (sub === undefined)
        return [];
    if (difference)
        return [count_title('Calls') + ' ' + old_and_new_calls(difference.subs, changed_row(profile, sub))];
    return [
        what !== 'incl' && time_text(subs.incl[sub]) + ' inclusive',
        what !== 'self' && time_text(subs.excl[sub]) + ' self',
        counted(subs.calls[sub], 'call') + average(subs.incl[sub], subs.calls[sub])
    ];
}

/* What numbers and texts the boxes have: {text(node), tip(node) (lines at the pointer), table(nodes)}. */
function map_words(profile, query, full, open) {
    const is_calls = query.what === 'calls',
          compared = profile.difference !== null && profile.difference !== undefined;
    const value = number => is_calls ? count_text(number) + ' calls' : time_text(number);
    const share = node => is_calls ? node.weight / full.weight : share_of_all(node.weight),
          share_words = node =>
              is_calls ? percent_text(share(node)) + ' of all calls' : share_text(node.weight);
    const full_name = node => names_of(node).join(query.by === 'path' ? '/' : '::').replace('::&', '::');
    const name = node => name_cell(
        make('button.link', {type: 'button', click: () => open(node)}, node.name.replace(/^&/, '')));
    return {
        text: node => (full_name(node) || full.name) + ' · ' +
            (compared ? change_text(node.old, node.new, map_verdict(node), value)
                      : value(node.weight) + ' (' + share_words(node) + ')'),
        tip: node => [full_name(node), node.sub >= 0 && place_text(node.sub),
            value(node.weight) + ', ' + share_words(node),
            node.parent.parent && percent_text(node.weight / node.parent.weight) + ' of ' + node.parent.name,
            ...leaf_lines(profile, node, query.what),
            compared && change_text(node.old, node.new, map_verdict(node), value)]
                         .filter(Boolean),
        table: rows => {
            const unit =
                is_calls ? null : unit_for(Math.max(0, ...rows.map(node => Math.max(node.old, node.new))));
            return compared
                ? short_table('Boxes', [...change_heads(unit), ['Name', false]], rows,
                      node =>
                          make('tr', change_cells(node.old, node.new, map_verdict(node), unit), name(node)),
                      100)
                : short_table('Boxes', [['Weight', true], ['Of all', true], ['Name', false]], rows,
                      node => make('tr', make('td.n', value(node.weight)),
                          make('td.n', percent_text(share(node))), name(node)),
                      100);
        }
    };
}

function show_map(stage, {profile, route}) {
    const query = map_query(profile, route.query),
          change = changes => go_to('map', [], {...route.query, ...changes});
    const full = map_tree(query.by === 'path' ? 'files' : 'packages',
        (profile.difference ? compared_leaves : map_leaves)(profile, query));
    let root = full;
    for (const part of (query.zoom || '').split('\t').filter(Boolean))
        root = root.children.get(part) || root;
    stage.append(make('h1', 'Treemap'), map_controls(profile, query, change));
    if (root.weight <= 0 && root.old <= 0) {
        stage.append(make('p.empty', wording(query.by === 'path' ? 'no_statements' : 'no_calls')));
        return null;
    }
    const open = node => {
        if (node.sub !== undefined && !node.children.size)
            location.hash = sub_route(node.sub);
        else if (node.file >= 0 && !node.children.size)
            location.hash = file_route(node.file);
        else if (node.children.size)
            change({zoom: names_of(node).join('\t')});
    };
    const words = map_words(profile, query, full, open), trail = names_of(root);
    const details = make('p.details', {'aria-live': 'polite'}, words.text(root));
    stage.append(make('nav.crumbs', {'aria-label': 'Zoomed to'},
        make('a', {href: route_text('map', [], {...route.query, zoom: null})}, full.name),
        trail.map((name, i) => make('a',
                      {href: route_text('map', [], {...route.query, zoom: trail.slice(0, i + 1).join('\t')})},
                      name))));
    const by_change = query.color === 'difference';
    const map = new Treemap(stage, root, {
        label: node => node.name.replace(/^&/, ''),
        tip: words.tip,
        on_choose: open,
        color: node =>
            by_change ? color_of_change(node.old, node.new, map_verdict(node)) : area_color(main_area(node)),
        on_hover: node => { details.textContent = words.text(node || root); }
    });
    const most = node => Math.max(node.weight, node.old, node.new);
    stage.append(by_change ? change_legend() : area_legend(profile, {sums: root.by_area, whole: root.weight}),
        details, make_details({class: 'as-table'}, 'As a table', words.table([
            ...root.children.values()
        ].sort((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1)))));
    return {
        stop: map.stop,
        escape: () => root !== full && (change({zoom: names_of(root).slice(0, -1).join('\t') || null}), true)
    };
}
