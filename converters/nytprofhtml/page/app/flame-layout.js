/* Layouts of flame graphs as an address asks for them, and what is said of a place in one. */

function numbers_in(text) {
    return (text || '').split(',').filter(part => /^\d+$/.test(part)).map(Number);
}

/* "pkg:Foo", "file:12" or "sub:7" as a function from sub to whether it is in there; null: everything. */
function restriction(text) {
    const {subs} = profile, match = /^(pkg|file|sub):(.*)$/s.exec(text || '');
    if (!match)
        return null;
    if (match[1] === 'pkg')
        return sub => profile.packages.name[subs.package[sub]] === match[2];
    const number = Number(match[2]);
    return match[1] === 'file' ? sub => subs.file[sub] === number : sub => sub === number;
}

function flame_layout(query) {
    const {subs} = profile;
    const options = {packages: query.packages === '1', invert: query.way === 'callees', only: restriction(query.only),
        fold: query.fold ? new Set(numbers_in(query.fold)) : null, recursion: query.recursion !== '0'};
    const name_of = key => key < 0 ? 'all' : options.packages ? profile.packages.name[key] || '(none)'
        : subs.name[key];
    const tree = build_tree(options);
    const sum = tree.self.reduce((a, b) => a + b, 0);
    const rest = options.only ? 0 : Math.max(0, profile.totals.ticks - sum);
    return {...lay_out(tree, {by: query.by, order: query.order, name_of, rest}), name_of, packages: options.packages,
        rest};
}

let last_flame = {}; /* the layout shown last, for a zoom does not change it */

function layout_for(query) {
    const {zoom, q, color, dir, ...matters} = query;
    const address = JSON.stringify(matters);
    if (last_flame.address !== address)
        last_flame = {address, layout: flame_layout(query)};
    return last_flame.layout;
}

function path_of(layout, place) {
    const path = [];
    for (; place > 0; place = layout.parent[place])
        path.unshift(layout.tree.key[layout.node[place]]);
    return path;
}

function color_function(layout, how) {
    const {subs} = profile, key = place => layout.tree.key[layout.node[place]];
    const {tree} = layout;
    if (how === 'self') {
        let most = 1;
        for (const ticks of tree.self)
            most = Math.max(most, ticks);
        return place => heat_color(Math.max(0, tree.self[layout.node[place]]) / most);
    }
    if (how === 'calls') {
        let most = 1;
        for (const calls of tree.calls)
            most = Math.max(most, calls);
        return place => heat_color((Math.log1p(tree.calls[layout.node[place]]) / Math.log1p(most)) ** 2);
    }
    const none = style_color('flame-root');
    if (layout.packages)
        return place => key(place) < 0 ? none : name_color(layout.name_of(key(place)), '');
    if (how === 'kind')
        return place => key(place) < 0 ? none : kind_color(subs.kind[key(place)]);
    return place => key(place) < 0 ? none : sub_color(key(place));
}

/* Its calls, or the samples that it and the nodes below it have. */
function node_count(layout, node) {
    return is_sampled() ? samples_of(layout.incl[node]) : layout.tree.calls[node];
}

/* One line about a node, for the fixed place below the graph. */
function node_details(layout, place) {
    const node = layout.node[place], {tree} = layout;
    const text = [layout.name_of(tree.key[node])];
    if (layout.by === 'calls')
        text.push(count_text(layout.total * (layout.x1[place] - layout.x0[place])) + ' calls below and here');
    else
        text.push(time_text(layout.incl[node]) + ' inclusive (' + percent_text(layout.x1[place] - layout.x0[place]) +
            ')');
    const self = place === 0 ? tree.self[node] + (layout.rest || 0) : tree.self[node];
    text.push(time_text(self) + (place === 0 ? ' outside of subs' : ' self'));
    if (place > 0)
        text.push(counted(node_count(layout, node), 'call'));
    return text.join(' · ');
}
