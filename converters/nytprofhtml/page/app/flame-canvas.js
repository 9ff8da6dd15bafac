/* A laid-out tree as boxes on a canvas. Higher than its frame, it scrolls; the canvas itself never exceeds
 * the frame. */

/* The height of a row of boxes. */
function flame_row() {
    return px(19);
}

class FlameCanvas {
    /* options: label(key), color(place), flip (root at the bottom), skip (rows that are not shown),
     * most_rows, lines(place) (what is said of a box: at the pointer, and in the element details), on_choose(
     * place), menu(place) (what can be done with a box: its label and entries; null: nothing) */
    constructor(frame, options) {
        this.options = options;
        this.frame = frame;
        this.canvas = make_picture(options.label_of_all || 'Flame graph', () => this.tell(this.selected));
        this.space = make('div.flame-space');
        this.scroller = make('div.flame-scroll', this.canvas, this.space);
        this.more = make('button', {
            class: 'flame-more',
            hidden: true,
            'aria-haspopup': 'menu',
            'aria-label': 'What to do with this box',
            click: () => this.open_menu(this.selected, this.more.getBoundingClientRect(), this.more)
        },
            '⋯');
        this.tip = make_tip();
        frame.append(this.scroller, this.more, this.tip);
        this.stop_moving = () => {};
        this.zoomed = 0;
        this.hovered = -1;
        this.selected = -1;
        this.view = [0, 1];
        this.scroller.addEventListener('scroll', () => this.draw());
        this.canvas.addEventListener('mousemove', event => this.hover(this.at(event), event));
        this.canvas.addEventListener('mouseleave', () => this.hover(-1));
        this.canvas.addEventListener('click', event => {
            const place = this.at(event);
            if (place >= 0)
                options.on_choose(place, event);
        });
        this.canvas.addEventListener('contextmenu', event => this.on_context_menu(event));
        this.canvas.addEventListener('keydown', event => this.key(event));
        this.stop = redraw_on_change(this.scroller, () => this.fit());
    }

    show(layout, zoomed = 0, matched = null) {
        const before = this.layout === layout ? this.view : null;
        this.layout = layout;
        this.matched = matched;
        this.zoomed = zoomed;
        this.selected = zoomed;
        this.fit();
        this.move_to([layout.x0[zoomed], layout.x1[zoomed]], before);
    }

    /* Zooming is the only animation, unless the reader has asked the system for none. */
    move_to(view, from) {
        this.stop_moving();
        const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
        if (!from || still || document.hidden) {
            this.view = view;
            this.draw();
            return;
        }
        const began = performance.now(), lasts_ms = 180;
        this.stop_moving = each_frame(now => {
            const t = Math.min(1, Math.max(0, now - began) / lasts_ms), ease = t * (2 - t);
            this.view = [from[0] + (view[0] - from[0]) * ease, from[1] + (view[1] - from[1]) * ease];
            this.draw();
            return t < 1;
        });
    }

    fit() {
        if (!this.layout)
            return;
        const rows = this.rows();
        const most =
            this.options.most_rows || Math.max(8, Math.floor(window.innerHeight * 0.7 / flame_row()));
        this.height = Math.min(rows, most) * flame_row();
        this.scroller.style.height = this.height + 'px';
        this.space.style.height = (rows * flame_row() - this.height) + 'px';
        if (this.options.flip && !this.scrolled) {
            this.scroller.scrollTop = rows * flame_row();
            this.scrolled = true;
        }
        this.draw();
    }

    /* Rows down to the deepest box that can be seen in this view, once it is zoomed. */
    rows() {
        const {layout} = this, view = this.view;
        let deepest = 0;
        this.view = [layout.x0[this.zoomed], layout.x1[this.zoomed]];
        this.each_visible(this.scroller.clientWidth || 1000,
            place => { deepest = Math.max(deepest, layout.depth[place]); });
        this.view = view;
        this.deepest = deepest;
        return deepest + 1 - (this.options.skip || 0);
    }

    y_of(depth) {
        const row = this.options.flip ? this.deepest - depth : depth - (this.options.skip || 0);
        return row * flame_row() - this.scroller.scrollTop;
    }

    /* Calls visit(place, x, width) for the boxes of at least half a pixel that the view has. */
    each_visible(width, visit) {
        const {x0, x1, end, count} = this.layout, [from, to] = this.view;
        const scale = width / Math.max(to - from, 1e-12);
        for (let place = 0; place < count;) {
            if (x1[place] <= from || x0[place] >= to || (x1[place] - x0[place]) * scale < 0.5) {
                place = end[place];
                continue;
            }
            const left = Math.max(0, (x0[place] - from) * scale),
                  right = Math.min(width, (x1[place] - from) * scale);
            visit(place, left, right - left);
            place++;
        }
    }

    /* A key opens the menu of the selected box; so it may come without a place of the pointer. */
    on_context_menu(event) {
        const by_key = event.button !== 2 && event.pointerType !== 'touch';
        const place = by_key ? this.selected : this.at(event), box = this.box_of(place);
        const at = by_key && box ? box : {left: event.clientX, bottom: event.clientY};
        if (this.open_menu(place, at, this.canvas))
            event.preventDefault();
    }

    /* Returns whether a menu was opened. */
    open_menu(place, {left, bottom}, opener) {
        const menu = place > 0 && this.options.menu ? this.options.menu(place) : null;
        if (!menu)
            return false;
        this.selected = place;
        this.draw();
        open_menu(menu.label, menu.entries, left, bottom, opener);
        return true;
    }

    /* Where a box is in the window; null: it is not drawn. */
    box_of(place) {
        if (place < 0)
            return null;
        const {layout} = this, [from, to] = this.view, frame = this.canvas.getBoundingClientRect();
        const x = at => frame.left + Math.max(0, Math.min(1, (at - from) / (to - from))) * frame.width;
        const top = frame.top + this.y_of(layout.depth[place]);
        return {left: x(layout.x0[place]), right: x(layout.x1[place]), top, bottom: top + flame_row()};
    }

    /* The button is at the right end of the selected box. */
    place_button() {
        const box = this.selected > 0 && this.options.menu && this.options.menu(this.selected)
            ? this.box_of(this.selected)
            : null;
        const frame = this.frame.getBoundingClientRect();
        this.more.hidden = !box || box.top < frame.top || box.bottom > frame.bottom + 1;
        if (this.more.hidden)
            return;
        this.more.style.left = Math.max(0,
                                   Math.min(Math.max(box.right - this.more.offsetWidth, box.left),
                                       frame.right - this.more.offsetWidth - 2) -
                                       frame.left) +
            'px';
        this.more.style.top =
            (box.top + box.bottom - this.more.offsetHeight) / 2 - frame.top - this.frame.clientTop + 'px';
    }

    draw() {
        if (!this.layout || !this.height)
            return;
        this.place_button();
        const {layout, options} = this, width = this.scroller.clientWidth;
        const context = size_canvas(this.canvas, width, this.height);
        const ink = style_color('flame-ink'), mark = style_color('mark');
        const around = this.zoomed;
        this.each_visible(width, (place, x, w) => {
            const y = this.y_of(layout.depth[place]);
            if (y < -flame_row() || y > this.height)
                return;
            const ancestor = place < around && layout.end[place] > around;
            context.globalAlpha = ancestor ? 0.55 : this.matched && !this.matched[place] ? 0.35 : 1;
            context.fillStyle = this.matched && this.matched[place] ? mark : options.color(place);
            context.fillRect(x, y, Math.max(w - (w > 2 ? 1 : 0), 0.5), flame_row() - 1);
            if (w > 24) {
                context.fillStyle = ink;
                context.fillText(
                    fitted_name(context, options.label(place), w - 7), x + 3, y + flame_row() / 2);
            }
            context.globalAlpha = 1;
            if (place === this.hovered || place === this.selected && place !== 0) {
                context.strokeStyle = place === this.hovered ? ink : style_color('accent');
                context.lineWidth = place === this.hovered ? 1 : 2;
                context.strokeRect(x + 0.5, y + 0.5, Math.max(w - 2, 1), flame_row() - 2);
            }
        });
    }

    /* The box under the pointer; -1: none. */
    at(event) {
        const box = this.canvas.getBoundingClientRect(), width = box.width;
        const x = event.clientX - box.left, y = event.clientY - box.top;
        let found = -1;
        this.each_visible(width, (place, left, w) => {
            const top = this.y_of(this.layout.depth[place]);
            if (x >= left && x < left + Math.max(w, 1) && y >= top && y < top + flame_row())
                found = place;
        });
        return found;
    }

    /* The details below the picture say the same without a pointer. */
    hover(place, event) {
        if (place === this.hovered) {
            if (place >= 0)
                place_beside(this.tip, event);
            return;
        }
        show_tip(this.tip, place >= 0 && this.options.lines(place), event);
        this.hovered = place;
        this.canvas.style.cursor = place >= 0 ? 'pointer' : '';
        this.tell(place);
        this.draw();
    }

    /* Says the same below the picture; of what it is zoomed to, if no box is chosen. */
    tell(place) {
        this.options.details.textContent = this.options.lines(place >= 0 ? place : this.zoomed).join(' · ');
    }

    /* Arrows walk through the tree, Enter zooms. */
    key(event) {
        const {layout} = this, at = Math.max(this.selected, 0);
        const down = this.options.flip ? 'ArrowUp' : 'ArrowDown',
              up = this.options.flip ? 'ArrowDown' : 'ArrowUp';
        let to = at;
        if (event.key === down)
            to = layout.end[at] > at + 1 ? at + 1 : at;
        else if (event.key === up)
            to = Math.max(layout.parent[at], 0);
        else if (event.key === 'ArrowRight')
            to = at > 0 && layout.end[at] < layout.end[layout.parent[at]] ? layout.end[at] : at;
        else if (event.key === 'ArrowLeft')
            to = this.before(at);
        else if (event.key === 'Enter')
            this.options.on_choose(at, event);
        else
            return;
        event.preventDefault();
        this.selected = to;
        this.reveal(to);
        this.tell(to);
        this.draw();
    }

    before(place) {
        const {layout} = this;
        return place > 0 && children_of(layout, layout.parent[place]).findLast(one => one < place) || place;
    }

    reveal(place) {
        const y = this.y_of(this.layout.depth[place]);
        if (y < 0)
            this.scroller.scrollTop += y;
        else if (y + flame_row() > this.height)
            this.scroller.scrollTop += y + flame_row() - this.height;
    }
}

/* Marks the nodes whose names match, and sums up their share: nested ones count once. */
function match_layout(layout, name_of, pattern) {
    const matched = new Uint8Array(layout.count), cache = new Map();
    let width = 0;
    for (let place = 1, covered = 0; place < layout.count; place++) {
        const key = place_key(layout, place);
        if (!entry_of(cache, key, () => pattern.test(name_of(key))))
            continue;
        matched[place] = 1;
        if (place >= covered) {
            width += layout.x1[place] - layout.x0[place];
            covered = layout.end[place];
        }
    }
    return {matched, share: width};
}

/* A small flame graph of subs, each of which opens the page of the sub. */
function sub_flame(frame, layout, others) {
    return new FlameCanvas(frame, {
        label: place => place_name(layout, place),
        color: place => sub_color(place_key(layout, place)),
        most_rows: 16,
        on_choose: place => { location.hash = sub_route(place_key(layout, place)); },
        ...others
    });
}

/* The name of a box, and its share of the whole. */
function flame_lines(layout, place) {
    return [
        place_name(layout, place),
        `${time_text(layout.incl[layout.node[place]])} (${percent_text(width_of(layout, place))} of ${
            time_text(layout.total)})`
    ];
}
