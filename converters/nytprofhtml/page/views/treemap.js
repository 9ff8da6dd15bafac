/* Packages or paths as areas. A level at a time, with what is within it drawn smaller. */

/* A tree of {name, weight, by_origin, children (map), sub or file}: names are split at "::", or paths of files at "/". */
function map_tree(by, what) {
    const {subs, files} = profile, new_node = (name, parent) => ({name, weight: 0, by_origin: sub_origins.map(() => 0),
        children: new Map(), parent});
    const root = new_node(by === 'path' ? 'files' : 'packages');
    const add = (parts, weight, origin, leaf) => {
        let at = null;
        for (const part of [null, ...parts]) {
            if (at && !at.children.has(part))
                at.children.set(part, new_node(part, at));
            at = at ? at.children.get(part) : root;
            at.weight += weight;
            if (origin >= 0)
                at.by_origin[origin] += weight;
        }
        Object.assign(at, leaf);
    };
    if (by === 'path') {
        for (let file = 0; file < files.count; file++)
            if (files.ticks[file] > 0)
                add(files.name[file].replace(/\[.*$/s,
                    match => match.replace(/\//g, '\u2215')).split('/').filter(Boolean), files.ticks[file], files.origin[file], {file});
        return root;
    }
    for (let sub = 0; sub < subs.count; sub++) {
        const weight = what === 'calls' ? subs.calls[sub] : what === 'incl' ? subs.incl[sub] : subs.excl[sub];
        if (weight > 0 && !is_outside(sub)) {
            const of = profile.packages.name[subs.package[sub]];
            const own = subs.name[sub].slice(of ? of.length + 2 : 0);
            add([...(of ? of.split('::') : ['(none)']), '&' + own], weight, subs.origin[sub], {sub});
        }
    }
    return root;
}

function heaviest_first(nodes) {
    return [...nodes].filter(node => node.weight > 0).sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
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
    constructor(place, root, {on_choose, on_hover, label}) {
        Object.assign(this, {root, on_choose, on_hover, label});
        this.selected = root;
        this.canvas = make_picture('Treemap; its numbers are in the table below', () => on_hover(this.selected), 'treemap');
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
    }

    /* Arrows walk: right and left to the next smaller and larger box, down into a box and up out of it. Enter opens. Returns
     * whether the key did something. */
    key(event) {
        const {selected, root} = this, within = selected === root ? [] : heaviest_first(selected.parent.children.values());
        const at = within.indexOf(selected), up = selected === root ? root : selected.parent;
        const steps = {ArrowRight: within[at + 1], ArrowLeft: within[at - 1], ArrowUp: up,
            ArrowDown: heaviest_first(selected.children.values())[0]};
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
            this.context.strokeRect(chosen.x + 1, chosen.y + 1, Math.max(chosen.w - 2, 1), Math.max(chosen.h - 2, 1));
        }
    }

    children(node, x, y, w, h, depth) {
        squarify(node.children.values(), x, y, w, h, node.weight, (child, ...box) => this.box(child, ...box,
            depth));
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
        context.fillStyle = divided ? style_color(depth % 2 ? 'raised' : 'line') : origin_color(main_origin(node), this.color_name(node));
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

function show_map(stage, route) {
    const query = {by: 'package', what: 'self', ...route.query};
    if (query.what === 'calls' && is_sampled())
        query.what = 'self';
    const change = changes => go_to('map', [], {...route.query, ...changes});
    const full = map_tree(query.by, query.what);
    let root = full;
    const path = (query.zoom || '').split('\t').filter(Boolean);
    for (const part of path)
        root = root.children.get(part) || root;
    const pick = (name, values) => {
        const select = make('select', {change: () => change({[name]: select.value, zoom: null})},
            Object.entries(values).map(([value, title]) => make('option', {value, selected: query[name] === value},
            title)));
        return select;
    };
    stage.append(make('h1', null, 'Treemap'),
        make('div', {class: 'controls'}, make('label', {class: 'control'}, 'Boxes ',
        pick('by', {package: 'packages and subs', path: 'paths of files'})),
        query.by === 'package' && make('label', {class: 'control'}, 'Area ',
            pick('what', {self: 'self time', incl: 'inclusive time', ...!is_sampled() && {calls: 'calls'}})), waiting_control()));
    if (root.weight <= 0) {
        stage.append(make('p', {class: 'empty'}, query.by === 'path' ? 'No statements were recorded.'
            : 'No calls were recorded.'));
        return null;
    }
    const value = node => query.what === 'calls' && query.by === 'package' ? count_text(node.weight) + ' calls'
        : time_text(node.weight);
    const text = node => (names_of(node).join(query.by === 'path' ? '/' : '::').replace('::&', '::') || full.name) +
        ' · ' + value(node) + ' (' + percent_text(node.weight / full.weight) + ')';
    const details = make('p', {class: 'details', 'aria-live': 'polite'}, text(root));
    const open = node => {
        if (node.sub !== undefined && !node.children.size)
            location.hash = sub_route(node.sub);
        else if (node.file !== undefined && !node.children.size)
            location.hash = file_route(node.file);
        else
            change({zoom: names_of(node).join('\t')});
    };
    const trail = names_of(root);
    stage.append(make('nav', {class: 'crumbs', 'aria-label': 'Zoomed to'},
        make('a', {href: route_text('map', [], {...route.query, zoom: null})}, full.name),
        trail.map((name, i) => make('a',
            {href: route_text('map', [], {...route.query, zoom: trail.slice(0, i + 1).join('\t')})}, name))));
    const map = new Treemap(stage, root, {label: node => node.name.replace(/^&/, ''), on_choose: open,
        on_hover: node => {
        details.textContent = text(node || root);
    }});
    const rows = heaviest_first(root.children.values());
    stage.append(origin_legend(root.by_origin, root.weight), details, make_details({class: 'as-table'}, 'As a table',
        short_table('Boxes', [['Weight', true], ['Share', true], ['Name', false]], rows, node =>
        make('tr', null, make('td', {class: 'n'}, value(node)),
            make('td', {class: 'n'}, percent_text(node.weight / full.weight)),
            make('td', {class: 'name'}, make('button', {class: 'link', type: 'button', click: () => open(node)},
                node.name.replace(/^&/, '')))), 100)));
    return {stop: map.stop, key: event => !event.target.closest('a, button, summary') && map.key(event), escape: () => root !== full &&
        (change({zoom: names_of(root).slice(0, -1).join('\t') || null}), true)};
}

function names_of(node) {
    const names = [];
    for (; node && node.parent; node = node.parent)
        names.unshift(node.name);
    return names;
}
