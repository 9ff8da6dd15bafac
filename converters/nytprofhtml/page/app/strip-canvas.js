/* The picture of the strip: lanes one below the other, and below them the axis. A lane is {text, title, href
 * (at its left), height, draw(lane, context, strip)}; what it draws begins at y = 0, and ends at its height.
 */

const lane_gap = 3;

class StripCanvas {
    constructor() {
        this.canvas = make('canvas', {'aria-hidden': 'true'});
        this.still = make('canvas'); /* what does not change with the range */
    }

    show(lanes) {
        this.lanes = lanes;
        this.redraw();
    }

    redraw() {
        const width = this.canvas.parentNode.clientWidth;
        if (!this.lanes || width < 10)
            return;
        this.bottom = this.lanes.reduce((sum, {height}) => sum + px(height + lane_gap), 0);
        Object.assign(this, {width, height: this.bottom + px(14)});
        const context = size_canvas(this.still, width, this.height);
        let top = 0;
        for (const lane of this.lanes) {
            context.save();
            context.translate(0, top);
            lane.draw({...lane, height: px(lane.height)}, context, this);
            context.restore();
            top += px(lane.height + lane_gap);
        }
        this.draw_axis(context);
        this.draw(this.range);
    }

    x_of(slice) {
        return slice / recorded.slices.count * this.width;
    }

    x_at(ticks) {
        return this.x_of((ticks - recorded.slices.from) / recorded.slices.width);
    }

    draw_axis(context) {
        const {width, bottom} = this, {from, width: of_slice, count} = recorded.slices,
                      to = from + of_slice * count;
        context.fillStyle = style_color('line');
        context.fillRect(0, bottom, width, 1);
        context.fillStyle = style_color('quiet');
        context.font = context.font.replace(/[\d.]+px/, px(11) + 'px');
        draw_times(
            context, [Math.max(0, from), to], 80, {x_of: ticks => this.x_at(ticks), y: bottom, right: width});
    }

    /* Draws the strip, pale outside of the range. null: the range is all of the time. */
    draw(range) {
        this.range = range;
        if (!this.height || this.rem !== rem) { /* it is for text of another size, or not drawn yet */
            this.rem = rem;
            this.redraw();
            return;
        }
        const {width, height, bottom} = this, context = size_canvas(this.canvas, width, height);
        context.drawImage(this.still, 0, 0, width, height);
        const {first, end} = range || slices_between(0, recorded.slices.count), from = this.x_of(first),
                      to = this.x_of(end);
        draw_outside(context, [from, to], {right: width, bottom});
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

/* Fills what is between two heights in each slice; top is the height of the lane. */
function fill_between(context, strip, {height, top}, below, above, color, is_hatched) {
    const path = new Path2D(), y = value => height * (1 - Math.min(value, top) / top),
          x = slice => Math.round(strip.x_of(slice)); /* no seams between slices */
    for (let slice = 0; slice < above.length; slice++)
        if (above[slice] > below[slice])
            path.rect(x(slice), y(above[slice]), x(slice + 1) - x(slice), y(below[slice]) - y(above[slice]));
    context.fillStyle = color;
    if (is_hatched)
        fill_hatched(context, path, strip.width, height);
    else
        context.fill(path);
}

function fill_hatched(context, path, width, height) {
    context.save();
    context.clip(path);
    context.globalAlpha = 0.2;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 0.7;
    context.strokeStyle = context.fillStyle;
    context.lineWidth = px(1);
    context.beginPath();
    for (let x = -height; x < width; x += px(5)) {
        context.moveTo(x, height);
        context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
}

/* Whose code ran, one area above the other, with waiting on top. */
function draw_areas(lane, context, strip) {
    let below = new Float64Array(recorded.slices.count);
    lane.columns.forEach((column, area) => {
        const above = below.map((sum, slice) => sum + Math.max(0, column[slice]));
        fill_between(context, strip, lane, below, above, area_color(area), area >= asleep_area);
        below = above;
    });
}

/* What is lit of all that ran. */
function draw_lit(lane, context, strip) {
    const [lit, all] = lane.columns, none = new Float64Array(all.length);
    fill_between(context, strip, lane, none, all, style_color('area-2'));
    fill_between(context, strip, lane, none, lit, style_color('work'));
}

/* How many processes ran or were queued; lighter what is more than the processors can run, whose number is
 * dashed. */
function draw_busy(lane, context, strip) {
    const {wanted, processors, height, top} = lane, none = new Float64Array(wanted.length),
                                       most = processors || Infinity;
    fill_between(context, strip, lane, none, wanted, style_color('queued-too'));
    fill_between(
        context, strip, lane, none, wanted.map(count => Math.min(count, most)), style_color(lane.color));
    if (!processors)
        return;
    context.strokeStyle = style_color('ink');
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(0, Math.round(height * (1 - processors / top)) + 0.5);
    context.lineTo(strip.width, Math.round(height * (1 - processors / top)) + 0.5);
    context.stroke();
}

/* When a process was there, and what it did: its requests in the colours of their routes or, without any,
 * its work. */
function draw_process(lane, context, strip) {
    const {height, work, from, to, requests} = lane, [left, right] = [from, to].map(s => strip.x_at(s));
    context.fillStyle = style_color('area-14');
    context.fillRect(left, height - 1, right - left, 1);
    if (requests.length)
        draw_requests(lane, context, strip);
    else
        fill_between(context, strip, {height, top: 1000}, work.map(() => 0), work, style_color('work'));
}

function draw_requests({height, requests}, context, strip) {
    const {begin, ticks, label} = blocks.requests;
    for (const request of requests) {
        const left = strip.x_at(begin[request]), right = strip.x_at(begin[request] + ticks[request]);
        context.fillStyle = style_color(route_mark(label[request]).color);
        context.fillRect(left, 1, Math.max(1, right - left - 0.5), height - 2);
    }
}

/* Names from where what they name began. */
function draw_phases({height, phases}, context, strip) {
    phases.forEach(({begin, text}, i) => {
        const left = strip.x_at(begin),
              right = i + 1 < phases.length ? strip.x_at(phases[i + 1].begin) : strip.width;
        context.fillStyle = style_color('line');
        context.fillRect(Math.round(left), 0, 1, height);
        context.fillStyle = style_color('ink');
        context.fillText(fitted(context, text, right - left - px(6)), left + px(4), height / 2);
    });
}

/* A line on a scale from 0 to the maximum. */
function draw_memory({height, memory}, context, strip) {
    const most = Math.max(...memory);
    context.strokeStyle = style_color('ink');
    context.lineWidth = px(1.5);
    context.beginPath();
    memory.forEach((bytes, slice) => {
        const y = height - 1 - (height - 3) * bytes / most;
        context[slice > 0 && memory[slice - 1] > 0 ? 'lineTo' : 'moveTo'](strip.x_of(slice), y);
        context.lineTo(strip.x_of(slice + 1), y);
    });
    context.stroke();
}
