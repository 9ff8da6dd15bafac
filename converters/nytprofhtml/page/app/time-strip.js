/* The strip of time above every view, on which a range is chosen: by dragging, or by the two edges, which are
 * sliders. */

/* Fewer slices that have any time say nothing. Browsers refuse addresses that change with each key that is
 * held. */
const least_slices = 8, drag_px = 3, key_pause_ms = 150;

let time_strip = null; /* null: the report has none */

class Strip {
    /* drag is null or {pointer, x (where it began), edge, fixed (the slice of the other edge; null: the range
     * is new), from (a slice), before (a range), moved}. hovered is the slice below the mouse, or -1. */
    constructor(place) {
        this.place = place;
        this.picture = new StripCanvas();
        this.tip = make_tip();
        this.edges = {
            first: this.make_edge('first', 'Begin of the range'),
            end: this.make_edge('end', 'End of the range')
        };
        Object.assign(this, {drag: null, hovered: -1, cancel() {}, range: null});
        this.names = make('div.names');
        this.notes = make('div.names.notes');
        this.legend = make('ul.legend', {'aria-label': 'Colours of the strip'});
        this.plot = make('div.plot', this.picture.canvas, this.edges.first, this.edges.end);
        place.replaceChildren(this.names, this.plot, this.notes, this.legend, this.tip);
        place.hidden = false;
        this.listen();
        redraw_on_change(place, () => {
            this.repaint();
            this.picture.redraw();
        });
    }

    make_edge(name, label) {
        return make('div', {
            class: 'edge ' + name,
            role: 'slider',
            tabindex: '0',
            'aria-label': label,
            'aria-orientation': 'horizontal',
            'aria-valuemin': '0',
            'aria-valuemax': String(recorded.slices.count),
            keydown: event => this.key(event, name)
        });
    }

    listen() {
        const {plot} = this;
        plot.addEventListener('pointerdown', event => this.press(event));
        plot.addEventListener('pointermove', event => this.point(event));
        plot.addEventListener('pointerup', event => this.release(event));
        plot.addEventListener(
            'pointercancel', event => this.drag && event.pointerId === this.drag.pointer && this.drop());
        plot.addEventListener('pointerleave', () => this.hover(-1));
    }

    /* Shows the process and the range that the address chose, and when that ran which the view is about. */
    show(profile, route) {
        const {range} = profile.selection, wanted = rows_of_view(route) && !blocks.cells;
        this.cancel();
        this.paint(profile, route);
        if (wanted)
            load_cells().then(() => this.paint(profile, state.route), () => {}); /* the view says it */
        if (!this.drag)
            this.set(range);
    }

    repaint() {
        if (this.shown)
            this.paint(...this.shown);
    }

    /* A narrow window has the first lane alone, until a tap opens the others. */
    paint(profile, route) {
        const {selection} = profile, is_narrow = matchMedia('(width < 50rem)').matches, {process} = selection;
        const painted = JSON.stringify([
            route.view, route.arguments, selection.query, !blocks.requests, !blocks.cells, is_narrow,
            this.is_open, rem
        ]);
        if (painted === this.painted)
            return;
        Object.assign(this, {painted, shown: [profile, route]});
        const lanes = strip_lanes(profile, route).slice(0, is_narrow && !this.is_open ? 1 : Infinity);
        this.columns = process >= 0 ? areas_of_process(process) : recorded.slices.by_area;
        this.memory = memory_in_slices(process);
        this.names.replaceChildren(...lanes.map(lane => beside_lane(lane, lane.text)));
        this.notes.replaceChildren(...lanes.some(({note}) => note)
                ? lanes.map(lane => beside_lane({...lane, href: null}, lane.note))
                : []);
        this.legend.replaceChildren(...strip_legend(lanes));
        this.picture.show(lanes);
    }

    set(range) {
        this.range = range;
        this.picture.draw(range);
        this.move_edges();
    }

    move_edges() {
        const {first, end} = this.ends();
        for (const [name, slice] of [['first', first], ['end', end]]) {
            const edge = this.edges[name], {from} = slices_between(slice, slice);
            edge.style.setProperty('--at', slice / recorded.slices.count * 100 + '%');
            edge.setAttribute('aria-valuenow', slice);
            edge.setAttribute('aria-valuetext', slice_time_text(from));
        }
    }

    ends() {
        return this.range || {first: 0, end: recorded.slices.count};
    }

    /* Shows a range that is about to be chosen. */
    try(first, end) {
        const {count} = recorded.slices;
        this.set(
            first <= 0 && end >= count ? null : slices_between(Math.max(0, first), Math.min(count, end)));
    }

    slice_at(event) {
        const {left, width} = this.picture.canvas.getBoundingClientRect();
        return (event.clientX - left) / width * recorded.slices.count;
    }

    press(event) {
        if (event.button !== 0 || this.drag)
            return;
        const edge = event.target.closest('.edge'), {first, end} = this.ends(),
              fixed = edge === this.edges.first ? end
            : edge === this.edges.end           ? first
                                                : null;
        this.drag = {
            pointer: event.pointerId,
            x: event.clientX,
            edge,
            fixed,
            from: this.slice_at(event),
            before: this.range
        };
        this.plot.setPointerCapture(event.pointerId);
    }

    point(event) {
        const {drag} = this, at = this.slice_at(event);
        if (drag && event.pointerId === drag.pointer &&
            (drag.moved || Math.abs(event.clientX - drag.x) > drag_px)) {
            drag.moved = true;
            this.drag_to(at);
        }
        this.hover(at, event);
    }

    /* A new range has all slices that the pointer passed; an edge goes to the nearest begin of a slice. */
    drag_to(at) {
        const {fixed, from} = this.drag, {count} = recorded.slices,
                      within = slice => Math.max(0, Math.min(count, slice));
        if (fixed === null)
            this.try(within(Math.floor(Math.min(at, from))), within(Math.ceil(Math.max(at, from))));
        else if (Math.round(within(at)) !== fixed)
            this.try(Math.min(fixed, Math.round(within(at))), Math.max(fixed, Math.round(within(at))));
    }

    release(event) {
        const {drag} = this;
        if (!drag || event.pointerId !== drag.pointer)
            return;
        this.drag = null;
        if (drag.edge)
            drag.edge.focus({preventScroll: true});
        if (drag.moved || !drag.edge)
            this.choose(drag.moved ? this.range : null);
        if (!drag.moved)
            this.open_or_close();
    }

    open_or_close() {
        this.is_open = !this.is_open;
        this.repaint();
    }

    /* Ends a drag as if there had been none. */
    drop() {
        this.set(this.drag.before);
        this.drag = null;
    }

    /* What the slice below the mouse has or, while a range is chosen, the range. */
    hover(at, point) {
        const {count} = recorded.slices, slice = at >= 0 && at < count ? Math.floor(at) : -1;
        this.hovered = slice;
        const lines = this.drag && this.drag.moved ? [range_title(this.range || slices_between(0, count))]
            : slice >= 0                           ? this.slice_lines(slice)
                                                   : null;
        show_tip(this.tip, point && lines, point);
    }

    slice_lines(slice) {
        const {columns, memory} = this;
        return [
            range_title(slices_between(slice, slice + 1)),
            ...area_names()
                .map((name, area) => [name, columns[area][slice]])
                .filter(([, ticks]) => ticks > 0)
                .map(([name, ticks]) => name + ' ' + time_text(ticks)),
            ...memory && memory[slice] > 0 ? ['RSS ' + bytes_text(memory[slice])] : []
        ];
    }

    key(event, name) {
        const {first, end} = this.ends(), {count} = recorded.slices,
                      far = Math.max(1, Math.round(count / 16)), slice = name === 'first' ? first : end;
        const places = {
            ArrowLeft: slice - 1,
            ArrowDown: slice - 1,
            ArrowRight: slice + 1,
            ArrowUp: slice + 1,
            PageDown: slice - far,
            PageUp: slice + far,
            Home: 0,
            End: count
        };
        if (is_browsers_key(event))
            return;
        if (Object.hasOwn(places, event.key))
            this.move_edge(name, places[event.key]);
        else if (event.key === 'Enter')
            this.open_or_close();
        else if (event.key !== 'Escape' || !this.leave())
            return;
        event.preventDefault();
    }

    /* A range has a slice at least. */
    move_edge(name, slice) {
        const {first, end} = this.ends();
        if (name === 'first')
            this.try(Math.min(slice, end - 1), end);
        else
            this.try(first, Math.max(slice, first + 1));
        this.cancel();
        this.cancel = later(key_pause_ms, () => this.choose(this.range, true));
    }

    /* null: all of the time. quiet: without a step of its own for Back. */
    choose(range, quiet) {
        const {view, arguments: list, query} = parse_route(location.hash);
        this.cancel();
        this.set(range);
        (quiet ? replace_route : go_to)(view, list,
            {...query, range: range ? range_address(range) : null, ...view === 'time' ? {zoom: null} : {}});
    }

    /* Returns whether there was a range, or a drag. */
    leave() {
        const was_there = this.drag || this.range;
        if (this.drag)
            this.drop();
        else if (this.range)
            this.choose(null);
        return Boolean(was_there);
    }

    /* For the keys "[" and "]": the edge gets the focus and, if the mouse is on the strip, moves to the
     * mouse. */
    take_edge(name) {
        const {hovered} = this;
        if (hovered >= 0)
            this.move_edge(name, name === 'first' ? hovered : hovered + 1);
        this.edges[name].focus({preventScroll: true});
        return true;
    }
}

function beside_lane({title, href, height}, text = '') {
    const style = `height: ${px(height + lane_gap)}px`;
    return make(href ? 'a' : 'span', {href, title, style}, text);
}

/* At the begin of the page. */
function add_strip(place) {
    const {slices} = recorded, is_used = slice => slices.by_area.some(column => column[slice] > 0);
    if (!slices || [...Array(slices.count).keys()].filter(is_used).length < least_slices)
        return;
    time_strip = new Strip(place);
    if (has_requests() && !blocks.requests)
        load_requests().then(() => time_strip.repaint(), () => {}); /* their view says what is wrong */
}
