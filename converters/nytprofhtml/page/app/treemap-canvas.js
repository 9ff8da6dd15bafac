/* The picture of a treemap: squares of nodes, within those of what they are in. A node has name, weight,
 * parent and children (a map). */

function heaviest_first(nodes) {
    return [...nodes]
        .filter(node => node.weight > 0)
        .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
}

function names_of(node) {
    const names = [];
    for (; node && node.parent; node = node.parent)
        names.unshift(node.name);
    return names;
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
    /* color(node); tip(node): lines at the pointer. */
    constructor(place, root, {on_choose, on_hover, color, tip}) {
        Object.assign(this, {root, on_choose, on_hover, color});
        this.selected = root;
        this.canvas = make_picture(
            'Treemap; its numbers are in the table below', () => on_hover(this.selected), 'treemap');
        const at_pointer = make_tip();
        this.frame = make('div.treemap-frame', this.canvas, at_pointer);
        place.append(this.frame);
        this.canvas.addEventListener('mousemove', event => {
            const box = this.at(event);
            this.canvas.style.cursor = box ? 'pointer' : '';
            show_tip(at_pointer, box && tip(box.node), event);
            on_hover(box && box.node);
        });
        this.canvas.addEventListener('mouseleave', () => {
            show_tip(at_pointer, null);
            on_hover(null);
        });
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

    /* Chooses a box, unless it is too small to be drawn. */
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
        context.fillStyle = divided ? style_color(depth % 2 ? 'raised' : 'line') : this.color(node);
        context.fillRect(x, y, w, h);
        if (w > 30 && h > px(13)) {
            context.fillStyle = style_color(divided ? 'ink' : 'flame-ink');
            context.fillText(fitted(context, node.name, w - 6), x + 3, y + Math.min(h, head) / 2 + 1);
        }
        if (divided)
            this.children(node, x + 2, y + head, w - 3, h - head - 1, depth + 1);
    }
}
