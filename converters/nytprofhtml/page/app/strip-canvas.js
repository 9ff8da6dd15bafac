/* The picture of the strip: whose code ran when, as stacked areas, a dot for each request, and how much
 * memory there was, as a line. */

const strip_dot_px = 1.75;

class StripCanvas {
    constructor() {
        this.canvas = make('canvas', {'aria-hidden': 'true'});
        this.still = make('canvas'); /* what does not change with the range */
    }

    /* columns: by area, ticks of each slice; requests: numbers of those that are shown; memory: bytes in
     * each slice, or null; note: an element at the end of the axis. */
    show(columns, requests, memory, note) {
        Object.assign(this, {columns, requests, memory, note, top: strip_top(columns)});
        this.redraw();
    }

    redraw() {
        const width = this.canvas.parentNode.clientWidth;
        if (!this.columns || width < 10)
            return;
        Object.assign(this, {width, height: px(48), bottom: px(34)});
        const context = size_canvas(this.still, width, this.height);
        context.save();
        context.beginPath();
        context.rect(0, 0, width, this.bottom);
        context.clip();
        this.draw_areas(context);
        this.draw_requests(context);
        this.draw_memory(context);
        context.restore();
        this.draw_axis(context);
        this.draw(this.range);
    }

    x_of(slice) {
        return slice / recorded.slices.count * this.width;
    }

    /* Draws the areas one above the other, with waiting on top. */
    draw_areas(context) {
        const {count} = recorded.slices, below = new Float64Array(count);
        this.columns.forEach((column, area) => {
            const above = below.map((sum, slice) => sum + Math.max(0, column[slice])),
                  path = this.area(below, above);
            context.fillStyle = area_color(area);
            if (area >= asleep_area)
                this.fill_hatched(context, path);
            else
                context.fill(path);
            below.set(above);
        });
    }

    /* Between two heights in each slice. */
    area(below, above) {
        const path = new Path2D(), y = ticks => this.bottom * (1 - ticks / this.top), last = below.length - 1;
        for (let slice = 0; slice <= last; slice++) {
            path.lineTo(this.x_of(slice), y(above[slice]));
            path.lineTo(this.x_of(slice + 1), y(above[slice]));
        }
        for (let slice = last; slice >= 0; slice--) {
            path.lineTo(this.x_of(slice + 1), y(below[slice]));
            path.lineTo(this.x_of(slice), y(below[slice]));
        }
        path.closePath();
        return path;
    }

    fill_hatched(context, path) {
        const {width, bottom} = this, step = px(5);
        context.save();
        context.clip(path);
        context.globalAlpha = 0.2;
        context.fillRect(0, 0, width, bottom);
        context.globalAlpha = 0.7;
        context.strokeStyle = context.fillStyle;
        context.lineWidth = px(1);
        context.beginPath();
        for (let x = -bottom; x < width; x += step) {
            context.moveTo(x, bottom);
            context.lineTo(x + bottom, 0);
        }
        context.stroke();
        context.restore();
    }

    /* By begin and, on a logarithmic axis, duration. */
    draw_requests(context) {
        if (!this.requests.length)
            return;
        const {begin, ticks} = blocks.requests, {from, width, count} = recorded.slices, room = px(4),
                      path = new Path2D();
        const {least, most} = shortest_and_longest(this.requests.map(request => ticks[request]));
        for (const request of this.requests) {
            const x = (begin[request] - from) / (width * count) * this.width,
                  y = this.bottom - room - log_place(ticks[request], least, most) * (this.bottom - 2 * room);
            path.moveTo(x + strip_dot_px, y);
            path.arc(x, y, strip_dot_px, 0, 7);
        }
        context.globalAlpha = this.requests.length > 2000 ? 0.5 : 0.85;
        context.fillStyle = style_color('flame-ink');
        context.fill(path);
        context.globalAlpha = 1;
    }

    /* Draws memory as a line, on an axis of its own from 0 to the maximum. The line has no colour of an
     * area, and a border that sets it off from areas and dots of any colour. */
    draw_memory(context) {
        const most = Math.max(0, ...this.memory || []), path = new Path2D(), room = px(3);
        if (most === 0)
            return;
        let has_begun = false;
        this.memory.forEach((bytes, slice) => {
            const y = this.bottom - 1 - (this.bottom - 1 - room) * bytes / most;
            if (bytes > 0) {
                path[has_begun ? 'lineTo' : 'moveTo'](this.x_of(slice), y);
                path.lineTo(this.x_of(slice + 1), y);
            }
            has_begun = bytes > 0;
        });
        context.lineJoin = 'round';
        for (const [color, wide] of [['back', 4], ['ink', 1.5]]) {
            context.strokeStyle = style_color(color);
            context.lineWidth = px(wide);
            context.stroke(path);
        }
    }

    draw_axis(context) {
        const {width, bottom, height} = this, {from, width: of_slice, count} = recorded.slices,
                              to = from + of_slice * count, text_end = width - this.note.offsetWidth - px(40);
        context.fillStyle = style_color('line');
        context.fillRect(0, bottom, width, 1);
        context.fillStyle = style_color('quiet');
        context.font = context.font.replace(/[\d.]+px/, px(11) + 'px');
        for (const {ticks, text} of axis_times(
                 [Math.max(0, from), to], Math.max(1, Math.min(12, width / px(80))))) {
            const x = (ticks - from) / (to - from) * width;
            if (x > width)
                continue;
            context.fillRect(Math.round(x), bottom, 1, px(4));
            if (x < text_end)
                context.fillText(text, x + px(4), (bottom + height) / 2 + 1);
        }
    }

    /* Draws the strip, pale outside of the range. null: the range is all of the time. */
    draw(range) {
        this.range = range;
        if (this.height !== px(48)) { /* it is for text of another size, or not drawn yet */
            this.redraw();
            return;
        }
        const {width, height, bottom} = this, context = size_canvas(this.canvas, width, height);
        context.drawImage(this.still, 0, 0, width, height);
        const {first, end} = range || slices_between(0, recorded.slices.count), from = this.x_of(first),
                      to = this.x_of(end);
        context.fillStyle = style_color('back');
        context.globalAlpha = 0.65;
        context.fillRect(0, 0, from, bottom);
        context.fillRect(to, 0, width - to, bottom);
        context.globalAlpha = 1;
        context.fillStyle = style_color('accent');
        if (range)
            context.fillRect(from, bottom, to - from, 2);
        this.draw_grips(context, [from, to]);
    }

    /* Where each edge can be held. */
    draw_grips(context, places) {
        const {width, bottom} = this, grip = {wide: px(4), high: px(16)};
        context.fillStyle = style_color('accent');
        for (const x of places) {
            context.fillRect(x - 0.5, 0, 1, bottom);
            context.beginPath();
            context.roundRect(Math.max(0, Math.min(width - grip.wide, x - grip.wide / 2)),
                (bottom - grip.high) / 2, grip.wide, grip.high, 2);
            context.fill();
        }
    }
}

/* The time at the upper end of the picture. Where nearly all of the time is waiting, that is cut off, so that
 * the rest can be seen. */
function strip_top(columns) {
    let most = 0, most_work = 0;
    for (let slice = 0; slice < recorded.slices.count; slice++) {
        const work = columns.reduce(
            (sum, column, area) => area >= asleep_area ? sum : sum + Math.max(0, column[slice]), 0);
        most_work = Math.max(most_work, work);
        most = Math.max(most, columns.reduce((sum, column) => sum + Math.max(0, column[slice]), 0));
    }
    return Math.min(most, Math.max(most_work * 1.3, most / 8)) || 1;
}

function shortest_and_longest(ticks) {
    const least = ticks.reduce((a, b) => Math.min(a, Math.max(b, 1)), Infinity),
          most = ticks.reduce((a, b) => Math.max(a, b), 1);
    return {least: least / 1.2, most: Math.max(most * 1.2, least * 4)};
}
