/* Packages or paths as areas. A level at a time, with what is within it drawn smaller. */

function path_parts(name) {
    return name.replace(/\[.*$/s, match => match.replace(/\//g, '\u2215')).split('/').filter(Boolean);
}

function sub_parts(sub) {
    const {subs, packages} = profile, of = packages.name[subs.package[sub]];
    return [...(of ? of.split('::') : ['(none)']), '&' + subs.name[sub].slice(of ? of.length + 2 : 0)];
}

/* What has an area: {parts (of its name), weight, origin, leaf: {sub or file}}. */
function map_leaves({by, what}) {
    const {subs, files} = profile, leaves = [], column = {calls: 'calls', incl: 'incl', self: 'excl'}[what];
    for (let file = 0; by === 'path' && file < files.count; file++)
        leaves.push({
            parts: path_parts(files.name[file]),
            weight: files.ticks[file],
            origin: files.origin[file],
            leaf: {file}
        });
    for (let sub = 0; by !== 'path' && sub < subs.count; sub++)
        if (!is_outside(sub))
            leaves.push(
                {parts: sub_parts(sub), weight: subs[column][sub], origin: subs.origin[sub], leaf: {sub}});
    return leaves;
}

/* Leaves of both sides: they have old, new and a verdict, too. Areas are those of a side. */
function compared_leaves({by, what, side}) {
    const {subs, files} = profile.difference, suffix = {calls: '_calls', incl: '_incl', self: ''}[what];
    const leaf_of = (table, row, suffix_of, rest) => {
        const [old, after, verdict] = ['old', 'new', 'verdict'].map(name => table[name + suffix_of][row]);
        return {...rest, weight: side === 'old' ? old : after, old, new: after, verdict};
    };
    if (by === 'path')
        return files.number.map((file, row) => leaf_of(files, row, '', {
            parts: path_parts(files.name[row] || profile.files.name[file]),
            origin: file < 0 ? -1 : profile.files.origin[file],
            leaf: {file}
        }));
    return subs.number.map((sub, row) => ({sub, row}))
        .filter(({sub}) => !is_outside(sub) && is_compared(sub))
        .map(({sub, row}) => leaf_of(
                 subs, row, suffix, {parts: sub_parts(sub), origin: profile.subs.origin[sub], leaf: {sub}}));
}

/* A tree of {name, weight, by_origin, children (map), sub or file, and old, new, verdict where that is
 * compared}. */
function map_tree(name, leaves) {
    const new_node = (part, parent) => ({
        name: part,
        weight: 0,
        old: 0,
        new: 0,
        by_origin: sub_origins.map(() => 0),
        children: new Map(),
        parent
    });
    const root = new_node(name);
    for (const {parts, weight, origin, leaf, ...compared} of leaves) {
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
            if (origin >= 0)
                at.by_origin[origin] += Math.max(0, weight);
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

function heaviest_first(nodes) {
    return [...nodes]
        .filter(node => node.weight > 0)
        .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
}

/* Whose code most of it is; -1: it is not known of any. */
function main_origin({by_origin}) {
    const most = Math.max(...by_origin);
    return most > 0 ? by_origin.indexOf(most) : -1;
}

/* Squarified: rows of boxes that are as square as they can be (Bruls, Huizing, van Wijk 2000). */
function squarify(nodes, x, y, w, h, total, visit) {
    const list = heaviest_first(nodes);
    let left = total;
    for (let from = 0; from < list.length && w > 0.5 && h > 0.5;) {
        const side = Math.min(w, h), scale = w * h / left;
        let row = 0, to = from, worst = Infinity;
        while (to < list.length) {
            const sum = (row + list[to].weight) * scale, thick = sum / side;
            const extremes = [list[from].weight, list[to].weight].map(weight => {
                const length = weight * scale / thick;
                return Math.max(length / thick, thick / length);
            });
            const ratio = Math.max(...extremes);
            if (ratio > worst)
                break;
            worst = ratio;
            row += list[to++].weight;
        }
        const thick = row * scale / side;
        let at = 0;
        for (; from < to; from++) {
            const length = list[from].weight * scale / thick;
            if (w >= h)
                visit(list[from], x, y + at, thick, length);
            else
                visit(list[from], x + at, y, length, thick);
            at += length;
        }
        if (w >= h) {
            x += thick;
            w -= thick;
        } else {
            y += thick;
            h -= thick;
        }
        left -= row;
    }
}

class Treemap {
    /* color(node, name): name is what neighbours differ in */
    constructor(place, root, {on_choose, on_hover, label, color}) {
        Object.assign(this, {root, on_choose, on_hover, label, color});
        this.selected = root;
        this.canvas = make_picture(
            'Treemap; its numbers are in the table below', () => on_hover(this.selected), 'treemap');
        this.frame = make('div', {class: 'treemap-frame'}, this.canvas);
        place.append(this.frame);
        this.canvas.addEventListener('mousemove', event => {
            const box = this.at(event);
            this.canvas.style.cursor = box ? 'pointer' : '';
            on_hover(box && box.node);
        });
        this.canvas.addEventListener('mouseleave', () => on_hover(null));
        this.canvas.addEventListener('click', event => {
            const box = this.at(event);
            if (box)
                on_choose(box.node);
        });
        this.canvas.addEventListener('keydown', event => this.key(event) && event.preventDefault());
        this.stop = redraw_on_change(this.frame, () => this.draw());
        this.draw(); /* keys and the pointer may come before the browser's next frame */
    }

    /* Arrows walk: right and left to the next smaller and larger box, down into a box and up out of it. Enter
     * opens. Returns whether the key did something. Elsewhere on the page they scroll. */
    key(event) {
        const {selected, root} = this,
                         within = selected === root ? [] : heaviest_first(selected.parent.children.values());
        const at = within.indexOf(selected), up = selected === root ? root : selected.parent;
        const steps = {
            ArrowRight: within[at + 1],
            ArrowLeft: within[at - 1],
            ArrowUp: up,
            ArrowDown: heaviest_first(selected.children.values())[0]
        };
        if (event.key === 'Enter' && selected !== root)
            this.on_choose(selected);
        else if (event.key in steps)
            this.select(steps[event.key]);
        else
            return false;
        return true;
    }

    /* What is too small to be drawn is not chosen. */
    select(node) {
        if (!node || node !== this.root && !this.boxes.some(box => box.node === node))
            return;
        this.selected = node;
        this.on_hover(node);
        this.draw();
    }

    at(event) {
        const frame = this.canvas.getBoundingClientRect(), x = event.clientX - frame.left,
              y = event.clientY - frame.top;
        return this.boxes.findLast(box => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h);
    }

    draw() {
        const width = this.frame.clientWidth,
              height = Math.max(260, Math.min(window.innerHeight * 0.62, width * 0.75));
        if (width < 10)
            return;
        this.context = size_canvas(this.canvas, width, height);
        this.boxes = [];
        this.children(this.root, 0, 0, width, height, 0);
        const chosen = this.boxes.find(box => box.node === this.selected);
        if (chosen) {
            this.context.strokeStyle = style_color('accent');
            this.context.lineWidth = 2;
            this.context.strokeRect(
                chosen.x + 1, chosen.y + 1, Math.max(chosen.w - 2, 1), Math.max(chosen.h - 2, 1));
        }
    }

    children(node, x, y, w, h, depth) {
        squarify(node.children.values(), x, y, w, h, node.weight,
            (child, ...box) => this.box(child, ...box, depth));
    }

    box(node, x, y, w, h, depth) {
        const {context} = this, gap = depth === 0 ? 2 : 1, head = px(17);
        w -= gap;
        h -= gap;
        if (w < 1 || h < 1)
            return;
        this.boxes.push({node, x, y, w, h});
        const group = node.children.size > 0;
        const divided = group && w > 12 && h > head + 8;
        context.fillStyle =
            divided ? style_color(depth % 2 ? 'raised' : 'line') : this.color(node, this.color_name(node));
        context.fillRect(x, y, w, h);
        if (w > 30 && h > px(13)) {
            context.fillStyle = style_color(divided ? 'ink' : 'flame-ink');
            context.fillText(fitted(context, this.label(node), w - 6), x + 3, y + Math.min(h, head) / 2 + 1);
        }
        if (divided)
            this.children(node, x + 2, y + head, w - 3, h - head - 1, depth + 1);
    }

    /* Paths differ at their ends, packages at their beginnings. */
    color_name(node) {
        const names = names_of(node.parent);
        return (node.file === undefined ? names.slice(0, 2) : names).join('::');
    }
}

const map_choices = {
    by: {title: 'Boxes', values: {package: 'packages and subs', path: 'paths of files'}},
    what: {title: 'Area', values: {self: () => wording('self'), incl: () => wording('incl'), calls: 'calls'}},
    side: {title: 'of', values: {new: 'new', old: 'old'}},
    color: {title: 'Colour', values: {difference: 'difference', origin: 'origin'}}
};

/* The choices that make sense, by name: [value, title] of each. */
function map_values(query) {
    return Object.entries(map_choices)
        .map(([
            name, {values}
        ]) => [name, Object.entries(values).filter(([value]) => value !== 'calls' || !is_sampled())])
        .filter(([name]) => name === 'by' || (name === 'what' ? query.by === 'package' : profile.difference));
}

/* What an address leaves out, or asks for in vain, is as usual. */
function map_query(asked) {
    const usual =
              {by: 'package', what: 'self', side: 'new', color: profile.difference ? 'difference' : 'origin'},
          query = {...usual, ...asked};
    for (const [name, {values}] of Object.entries(map_choices))
        if (!Object.hasOwn(values, query[name]))
            query[name] = usual[name];
    if (query.what === 'calls' && is_sampled() || query.by === 'path')
        query.what = 'self';
    if (!profile.difference)
        Object.assign(query, {side: 'new', color: 'origin'});
    return query;
}

function map_controls(query, change) {
    const pick = ([name, values]) => select_control(map_choices[name].title, query[name],
        values.map(([value, text]) => [value, shown_text(text)]), value => change({
            [name]: value,
            ...name !== 'color' &&
                {
                    zoom: null
                }
        }));
    return make('div', {class: 'controls'}, map_values(query).map(pick), waiting_control());
}

/* What numbers and texts the boxes have: {value(weight), text(node), table(nodes)}. */
function map_words(query, full, open) {
    const is_calls = query.what === 'calls',
          compared = profile.difference !== null && profile.difference !== undefined;
    const value = number => is_calls ? count_text(number) + ' calls' : time_text(number), {by} = query;
    const name = node => name_cell(make(
        'button', {class: 'link', type: 'button', click: () => open(node)}, node.name.replace(/^&/, '')));
    return {
        text: node => (names_of(node).join(by === 'path' ? '/' : '::').replace('::&', '::') || full.name) +
            ' · ' +
            (compared ? change_text(node.old, node.new, map_verdict(node), value)
                      : value(node.weight) + ' (' + percent_text(node.weight / full.weight) + ')'),
        table: rows => {
            const unit =
                is_calls ? null : unit_for(Math.max(0, ...rows.map(node => Math.max(node.old, node.new))));
            return compared
                ? short_table('Boxes', [...change_heads(unit), ['Name', false]], rows,
                      node => make(
                          'tr', null, change_cells(node.old, node.new, map_verdict(node), unit), name(node)),
                      100)
                : short_table('Boxes', [['Weight', true], ['Share', true], ['Name', false]], rows,
                      node => make('tr', null, make('td', {class: 'n'}, value(node.weight)),
                          make('td', {class: 'n'}, percent_text(node.weight / full.weight)), name(node)),
                      100);
        }
    };
}

function show_map(stage, route) {
    const query = map_query(route.query), change = changes => go_to('map', [], {...route.query, ...changes});
    const full = map_tree(query.by === 'path' ? 'files' : 'packages',
        (profile.difference ? compared_leaves : map_leaves)(query));
    let root = full;
    for (const part of (query.zoom || '').split('\t').filter(Boolean))
        root = root.children.get(part) || root;
    stage.append(make('h1', null, 'Treemap'), map_controls(query, change));
    if (root.weight <= 0 && root.old <= 0) {
        stage.append(
            make('p', {class: 'empty'}, wording(query.by === 'path' ? 'no_statements' : 'no_calls')));
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
    const words = map_words(query, full, open), trail = names_of(root);
    const details = make('p', {class: 'details', 'aria-live': 'polite'}, words.text(root));
    stage.append(make('nav', {class: 'crumbs', 'aria-label': 'Zoomed to'},
        make('a', {href: route_text('map', [], {...route.query, zoom: null})}, full.name),
        trail.map((name, i) => make('a',
                      {href: route_text('map', [], {...route.query, zoom: trail.slice(0, i + 1).join('\t')})},
                      name))));
    const by_change = query.color === 'difference';
    const map = new Treemap(stage, root, {
        label: node => node.name.replace(/^&/, ''),
        on_choose: open,
        color: (node, name) => by_change ? color_of_change(node.old, node.new, map_verdict(node))
                                         : origin_color(main_origin(node), name),
        on_hover: node => { details.textContent = words.text(node || root); }
    });
    const most = node => Math.max(node.weight, node.old, node.new);
    stage.append(by_change ? change_legend() : origin_legend({sums: root.by_origin, whole: root.weight}),
        details, make_details({class: 'as-table'}, 'As a table', words.table([
            ...root.children.values()
        ].sort((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1)))));
    return {
        stop: map.stop,
        escape: () => root !== full && (change({zoom: names_of(root).slice(0, -1).join('\t') || null}), true)
    };
}

function names_of(node) {
    const names = [];
    for (; node && node.parent; node = node.parent)
        names.unshift(node.name);
    return names;
}
