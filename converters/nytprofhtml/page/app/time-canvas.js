/* Calls by time on a canvas, a lane for each process. Higher than its frame, it scrolls; axis and heads of
 * lanes stay in sight. */

/* Heights: of the axis, of a lane's head, and of a row of calls. */
function time_sizes() {
    return {axis_height: px(24), lane_head: px(20), time_row: px(17)};
}

/* The rows of a lane, by depth: list, calls sorted by begin, and reach, the latest end of those up to each.
 */
function lane_rows(list, calls) {
    const rows = [];
    for (const call of list) {
        const depth = calls.depth[call];
        while (rows.length <= depth)
            rows.push({list: [], reach: []});
        const {list: row, reach} = rows[depth], end = calls.begin[call] + calls.ticks[call];
        reach.push(row.length ? Math.max(reach[row.length - 1], end) : end);
        row.push(call);
    }
    return rows;
}

/* The part of the time that can be shown: within the whole, and at least 10 µs. */
function range_within([from, to], whole) {
    const all = whole[1] - whole[0], least = Math.min(all, Math.max(1, recorded.about.ticks_per_s * 1e-5));
    const span = Math.max(least, Math.min(to - from, all)),
          begin = Math.max(whole[0], Math.min(from, whole[1] - span));
    return [begin, begin + span];
}

/* The index of the first of sorted numbers that is above a limit. */
function first_above(numbers, limit) {
    let low = 0, high = numbers.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

class TimeCanvas {
    /* lanes: [{title, list (of calls, in the order of their begin, callers first), rows}]; view: [from, to]
     * in ticks; range: {from, to}, outside of which it is pale, or null; color(sub) */
    constructor(place, lanes, {calls, color, view, whole, range, on_hover, on_choose, on_view}) {
        Object.assign(this, {lanes, calls, color, whole, range, on_hover, on_choose, on_view}, time_sizes());
        this.view = range_within(view, whole);
        this.canvas = make_picture(
            'Time line; the longest are in the table below', () => on_hover(this.selected), 'timeline');
        this.space = make('div');
        this.scroller = make('div.flame-scroll.timeline-frame', this.canvas, this.space);
        place.append(this.scroller);
        this.selected = -1;
        this.pointers = new Map(); /* by number: where each is */
        let top = this.axis_height;
        for (const lane of lanes) {
            lane.top = top;
            top += this.lane_head + lane.rows.length * this.time_row;
        }
        this.full_height = top;
        this.fit();
        this.listen();
        this.stop_drawing = redraw_on_change(this.scroller, () => {
            this.fit();
            this.draw();
        });
    }

    fit() {
        this.height = Math.min(this.full_height, Math.max(240, window.innerHeight * 0.7));
        this.scroller.style.height = this.height + 'px';
        this.space.style.height = this.full_height - this.height + 'px';
    }

    listen() {
        const {canvas} = this;
        this.scroller.addEventListener('scroll', () => this.draw());
        canvas.addEventListener('pointerdown', event => this.press(event));
        canvas.addEventListener('pointermove', event => this.point(event));
        for (const name of ['pointerup', 'pointercancel'])
            canvas.addEventListener(name, event => this.release(event));
        canvas.addEventListener('pointerleave', () => this.on_hover(this.selected));
        canvas.addEventListener('click', event => {
            const call = this.at(event);
            if (call >= 0 && !this.dragged)
                this.on_choose(call);
        });
        canvas.addEventListener('wheel', event => {
            if (!event.ctrlKey && !event.metaKey)
                return;
            event.preventDefault();
            const box = canvas.getBoundingClientRect();
            this.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - box.left) / box.width);
        }, {passive: false});
        canvas.addEventListener(
            'keydown', event => (this.walk(event) || this.key(event)) && event.preventDefault());
    }

    press(event) {
        if (event.button !== 0)
            return;
        this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        this.dragged = false;
        this.hold();
    }

    /* Where the fingers and the picture were when the number of fingers changed. */
    hold() {
        const fingers = [...this.pointers.values()];
        this.held = fingers.length
            ? {...middle_of(fingers), view: [...this.view], scroll: this.scroller.scrollTop}
            : null;
    }

    point(event) {
        if (this.pointers.has(event.pointerId)) {
            this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
            this.drag(event);
        }
        const call = this.at(event);
        this.canvas.style.cursor = this.held && this.dragged ? 'grabbing' : call >= 0 ? 'pointer' : '';
        this.on_hover(call);
    }

    /* One finger, or the mouse, moves; two zoom, too. Clicks get the pointer only if it has not moved. */
    drag(event) {
        const {held, canvas} = this, now = middle_of([...this.pointers.values()]), width = canvas.clientWidth;
        if (!this.dragged && Math.abs(now.x - held.x) <= 3 && Math.abs(now.y - held.y) <= 3 &&
            this.pointers.size < 2)
            return;
        this.dragged = true;
        canvas.setPointerCapture(event.pointerId);
        const span = (held.view[1] - held.view[0]) *
            (held.apart > 0 && now.apart > 0 ? held.apart / now.apart : 1),
              left = canvas.getBoundingClientRect().left;
        const under = held.view[0] + (held.x - left) / width * (held.view[1] - held.view[0]),
              from = under - (now.x - left) / width * span;
        if (event.pointerType === 'mouse')
            this.scroller.scrollTop = held.scroll + held.y - now.y;
        this.set([from, from + span]);
    }

    release(event) {
        if (!this.pointers.delete(event.pointerId))
            return;
        if (this.dragged)
            this.on_view(this.view);
        this.hold();
    }

    /* The next two return whether the key did something. */
    key(event) {
        const span = this.view[1] - this.view[0];
        const moves = {
            ArrowLeft: () => this.move(-span / 5),
            ArrowRight: () => this.move(span / 5),
            '+': () => this.zoom(0.6, 0.5),
            '-': () => this.zoom(1.6, 0.5)
        };
        if (!Object.hasOwn(moves, event.key))
            return false;
        moves[event.key]();
        return true;
    }

    /* From call to call of those that are in the view, through all lanes. */
    walk(event) {
        if (event.key === 'Enter' && this.selected >= 0)
            this.on_choose(this.selected);
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
            this.select(this.beside(event.key === 'ArrowDown' ? 1 : -1));
        else
            return false;
        return true;
    }

    beside(step) {
        const {calls, view: [from, to]} = this;
        const shown = this.lanes.flatMap(lane => lane.list.filter(call => calls.begin[call] < to &&
                                                 calls.begin[call] + calls.ticks[call] > from));
        const at = shown.indexOf(this.selected);
        return shown[at < 0 ? (step > 0 ? 0 : shown.length - 1)
                            : Math.max(0, Math.min(shown.length - 1, at + step))] ??
            -1;
    }

    select(call) {
        this.selected = call;
        const lane = this.lanes.find(one => one.list.includes(call)), {scroller} = this;
        if (lane) {
            const top = lane.top + this.lane_head + this.calls.depth[call] * this.time_row,
                  above = this.axis_height + this.lane_head;
            if (top - above < scroller.scrollTop)
                scroller.scrollTop = top - above;
            else if (top + this.time_row > scroller.scrollTop + this.height)
                scroller.scrollTop = top + this.time_row - this.height;
        }
        this.on_hover(call);
        this.draw();
    }

    zoom(factor, around) {
        const [from, to] = this.view, at = from + (to - from) * around;
        this.set([at - (at - from) * factor, at + (to - at) * factor]);
        this.on_view(this.view);
    }

    move(by) {
        this.set([this.view[0] + by, this.view[1] + by]);
        this.on_view(this.view);
    }

    set(view) {
        this.view = range_within(view, this.whole);
        this.draw();
    }

    /* Calls visit(call, x, y, width) for the calls of a lane that can be seen. */
    each_of_lane(lane, visit) {
        const {calls, lane_head, time_row, height, scroller, view: [from, to]} = this,
                                                                          scale = this.canvas.clientWidth /
            (to - from || 1);
        const top = lane.top + lane_head - scroller.scrollTop,
              first = Math.max(0, Math.floor((this.axis_height - top) / time_row));
        for (let depth = first; depth < lane.rows.length && top + depth * time_row < height; depth++) {
            const {list, reach} = lane.rows[depth];
            for (let i = first_above(reach, from); i < list.length && calls.begin[list[i]] <= to; i++)
                visit(list[i], (calls.begin[list[i]] - from) * scale, top + depth * time_row,
                    calls.ticks[list[i]] * scale);
        }
    }

    draw() {
        const width = this.scroller.clientWidth, {subs} = recorded, {calls, lanes, height, time_row} = this,
              fills = new Map();
        if (width < 10)
            return;
        const context = size_canvas(this.canvas, width, height), ink = style_color('flame-ink'),
              accent = style_color('accent');
        const fill_of = sub =>
            entry_of(fills, sub, () => is_begin(subs.name[sub]) ? style_color('compile') : this.color(sub));
        for (const lane of lanes) {
            let drawn_to = -1, drawn_y = -1;
            this.each_of_lane(lane, (call, x, y, w) => {
                const left = Math.max(0, x), right = Math.min(width, x + Math.max(w, 0.7));
                if (y === drawn_y && right <= drawn_to && call !== this.selected)
                    return; /* it would be on the same pixels as the one before */
                [drawn_to, drawn_y] = [Math.ceil(right), y];
                context.fillStyle = fill_of(calls.sub[call]);
                context.fillRect(left, y, Math.max(right - left - (w > 3 ? 1 : 0), 0.7), time_row - 1);
                if (right - left > 26) {
                    context.fillStyle = ink;
                    context.fillText(fitted_name(context, subs.name[calls.sub[call]], right - left - 6),
                        left + 3, y + time_row / 2);
                }
                if (call === this.selected) {
                    context.strokeStyle = accent;
                    context.lineWidth = 2;
                    context.strokeRect(left + 1, y + 1, Math.max(right - left - 2, 1), time_row - 3);
                }
            });
        }
        if (this.range)
            this.draw_range(context, width);
        this.draw_heads(context, width);
        this.draw_axis(context, width);
    }

    draw_range(context, width) {
        const {height, range, view: [from, to]} = this,
                                           x_of = ticks => Math.max(
                                               0, Math.min(width, (ticks - from) / (to - from || 1) * width));
        const ends = [x_of(range.from), x_of(range.to)];
        draw_outside(context, ends, {right: width, bottom: height});
        context.fillStyle = style_color('accent');
        for (const x of ends)
            if (x > 0 && x < width)
                context.fillRect(x, 0, 1, height);
    }

    /* The head of a lane stays below the axis as long as the lane is in sight. */
    draw_heads(context, width) {
        const {lane_head, axis_height, time_row, scroller, height} = this, back = style_color('raised'),
                                                           ink = style_color('ink');
        for (const {title, top, rows} of this.lanes) {
            const begin = top - scroller.scrollTop, end = begin + rows.length * time_row,
                  y = Math.max(begin, Math.min(axis_height, end));
            if (y > height || y + lane_head < axis_height)
                continue;
            context.fillStyle = back;
            context.fillRect(0, y, width, lane_head - 3);
            context.fillStyle = ink;
            context.fillText(fitted(context, title, width - 10), 4, y + lane_head / 2 - 1);
        }
    }

    draw_axis(context, width) {
        const [from, to] = this.view;
        context.fillStyle = style_color('back');
        context.fillRect(0, 0, width, px(22));
        context.fillStyle = style_color('quiet');
        draw_times(context, this.view, 75,
            {x_of: ticks => (ticks - from) / (to - from || 1) * width, y: px(4), right: width});
    }

    /* The call at a pointer; -1: none. Heads of lanes and the axis are above calls. */
    at(event) {
        const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left,
              y = event.clientY - box.top, {scrollTop} = this.scroller;
        const lane = this.lanes.findLast(({top}) => top - scrollTop <= y);
        let found = -1;
        if (lane && y >= this.axis_height + (lane.top - scrollTop < this.axis_height ? this.lane_head : 0))
            this.each_of_lane(lane, (call, left, top, w) => {
                if (x >= left && x < left + Math.max(w, 2) && y >= top && y < top + this.time_row)
                    found = call;
            });
        return found;
    }

    stop() {
        this.stop_drawing();
    }
}

/* {x, y, apart}: between fingers, and how far they are apart from side to side; 0 for one. */
function middle_of(fingers) {
    const xs = fingers.map(({x}) => x);
    return {
        x: total_of(xs) / xs.length,
        y: total_of(fingers.map(({y}) => y)) / xs.length,
        apart: Math.max(...xs) - Math.min(...xs)
    };
}
