/* The picture of the memory over time: layers one above the other, with the moment that is shown. */

const chart_px = 190;

/* A round number of bytes between the lines of the axis, which are at most that many. */
function bytes_step(most, lines) {
    const unit = 1024 ** Math.floor(Math.log2(Math.max(1, most)) / 10);
    return unit *
        [1 / 8, 1 / 4, 1 / 2, 1, 2, 5, 10, 20, 50, 100, 200, 500].find(n => most / (n * unit) <= lines);
}

class MemoryChart {
    /* options: memory, layers ([{name, color, bytes (by slice)}], the lowest first), marks ([{s, text,
     * is_chosen}]), moments ([{s, name}], sorted), range (slices; null: all), on_choose(slice), label */
    constructor(place, options) {
        this.options = options;
        this.canvas =
            make_picture(options.label, () => announce(this.text_at(this.chosen())), 'memory-chart');
        this.tip = make_tip();
        place.append(this.canvas, this.tip);
        this.canvas.addEventListener('click', event => options.on_choose(this.slice_at(event)));
        this.canvas.addEventListener('pointermove', event => this.hover(event));
        this.canvas.addEventListener('pointerleave', () => show_tip(this.tip, null));
        this.stop = redraw_on_change(place, () => this.draw());
        this.draw();
    }

    /* The axis is that of the strip above it, if there is one. */
    times() {
        const {memory: {width_s, count}} = this.options, {slices, about: {ticks_per_s}} = recorded;
        return slices ? [slices.from / ticks_per_s, (slices.from + slices.width * slices.count) / ticks_per_s]
                      : [0, width_s * count];
    }

    x_of(s) {
        const [from, to] = this.times();
        return this.left + (s - from) / (to - from) * (this.width - this.left);
    }

    slice_at({clientX}) {
        const {left} = this.canvas.getBoundingClientRect(), [from, to] = this.times(),
              {memory: {width_s, count}} = this.options,
              s = from + (clientX - left - this.left) / (this.width - this.left) * (to - from);
        return Math.max(0, Math.min(count - 1, Math.floor(s / width_s)));
    }

    total_at(slice) {
        return this.options.layers.reduce((sum, {bytes}) => sum + bytes[slice], 0);
    }

    text_at(slice) {
        return bytes_text(this.total_at(slice)) + ' at ' +
            seconds_text((slice + 1) * this.options.memory.width_s);
    }

    chosen() {
        const {marks, memory: {width_s}} = this.options,
                              mark = marks.find(({is_chosen}) => is_chosen) || marks[0];
        return Math.max(0, Math.round(mark.s / width_s) - 1);
    }

    hover(event) {
        const slice = this.slice_at(event), layers = [...this.options.layers].reverse();
        show_tip(this.tip,
            [
                this.text_at(slice), ...layers.filter(({bytes}) => bytes[slice] > 0).map(({name,
                    bytes}) => bytes_text(bytes[slice]) + ' ' + name)
            ],
            event);
    }

    draw() {
        const {canvas} = this, width = canvas.parentNode.clientWidth, height = px(chart_px),
              bottom = height - px(18);
        if (width < 10)
            return;
        const {count} = this.options.memory,
              most = Math.max(
                  1, ...Array.from({length: count}, (one, slice) => this.total_at(slice)), this.options.most);
        this.head = this.options.moments.length ? px(14) : 0; /* a line for names */
        const top = this.head + px(22), y_of = bytes => bottom - bytes / most * (bottom - top);
        Object.assign(this,
            {width, left: matchMedia('(width < 50rem)').matches ? px(52) : px(87), y_of, bottom, height});
        const context = size_canvas(canvas, width, height);
        this.draw_axes(context, most);
        this.draw_layers(context);
        this.draw_range(context);
        this.draw_moments(context);
        this.draw_marks(context);
    }

    /* Those that the program has named; names that have no room are left out. */
    draw_moments(context) {
        let end = 0;
        for (const {s, name} of this.options.moments) {
            const x = Math.round(this.x_of(s)), wide = context.measureText(name).width;
            context.fillStyle = style_color('quiet');
            context.fillRect(x, px(2), 1, this.bottom - px(2));
            if (x < end || x + wide > this.width)
                continue;
            context.fillText(name, x + px(4), px(7));
            end = x + wide + px(12);
        }
    }

    draw_axes(context, most) {
        const {left, width, bottom} = this, [from, to] = this.times(), {ticks_per_s} = recorded.about,
                            step = bytes_step(most, 5);
        context.textAlign = 'right';
        for (let bytes = step; bytes <= most; bytes += step) {
            context.fillStyle = style_color('line');
            context.fillRect(left, Math.round(this.y_of(bytes)), width - left, 1);
            context.fillStyle = style_color('quiet');
            context.fillText(bytes_text(bytes).replace(/\.0+(?=\D)/, ''), left - px(8), this.y_of(bytes));
        }
        context.textAlign = 'left';
        draw_times(context, [Math.max(0, from) * ticks_per_s, to * ticks_per_s], 80,
            {x_of: ticks => this.x_of(ticks / ticks_per_s), y: bottom, left, right: width});
        context.fillStyle = style_color('line');
        context.fillRect(left, bottom, width - left, 1);
    }

    /* What was live at the end of a slice is drawn there. */
    draw_layers(context) {
        const {memory: {width_s, count}, layers} = this.options, below = new Float64Array(count);
        for (const {bytes, color, name} of layers) {
            const path = new Path2D(), above = below.map((sum, slice) => sum + bytes[slice]);
            path.moveTo(this.x_of(0), this.bottom);
            above.forEach((sum, slice) => path.lineTo(this.x_of((slice + 1) * width_s), this.y_of(sum)));
            for (let slice = count - 1; slice >= 0; slice--)
                path.lineTo(this.x_of((slice + 1) * width_s), this.y_of(below[slice]));
            path.closePath();
            context.fillStyle = style_color(color);
            context.fill(path);
            this.draw_name(context, name, below, above);
            below.set(above);
        }
    }

    /* Where a layer is high enough, from the right. */
    draw_name(context, name, below, above) {
        const {memory: {width_s, count}} = this.options, wide = context.measureText(name).width + px(16),
                                 slices = Math.ceil(wide / Math.max(1e-9, this.x_of(width_s) - this.x_of(0)));
        for (let end = Math.floor(count * 0.9); end - slices > 0; end -= Math.max(1, slices >> 1)) {
            const low = Math.min(...Array.from(below.subarray(end - slices, end), sum => this.y_of(sum))),
                  high = Math.max(...Array.from(above.subarray(end - slices, end), sum => this.y_of(sum)));
            if (low - high < px(15))
                continue;
            context.fillStyle = style_color('flame-ink');
            context.fillText(name, this.x_of((end - slices) * width_s) + px(8), (low + high) / 2);
            return;
        }
    }

    draw_range(context) {
        const {range, memory: {width_s}} = this.options;
        if (range)
            draw_outside(context, [this.x_of(range.first * width_s), this.x_of(range.end * width_s)],
                {left: this.left, right: this.width, bottom: this.bottom});
    }

    draw_marks(context) {
        for (const {s, text, is_chosen} of this.options.marks) {
            const x = Math.round(this.x_of(s)), wide = context.measureText(text).width,
                  fits = x - wide - px(6) > this.left;
            context.fillStyle = context.strokeStyle = style_color(is_chosen ? 'accent' : 'ink');
            context.setLineDash(is_chosen ? [] : [4, 3]);
            context.beginPath();
            context.moveTo(x + 0.5, this.head + (is_chosen ? px(12) : 0));
            context.lineTo(x + 0.5, this.bottom);
            context.stroke();
            context.fillText(text, fits ? x - wide - px(6) : x + px(6), this.head + px(is_chosen ? 16 : 7));
        }
        context.setLineDash([]);
    }

    /* Arrows walk through the moments. */
    key(event) {
        const step = {ArrowLeft: -1, ArrowRight: 1}[event.key], {count} = this.options.memory;
        if (!step || document.activeElement !== this.canvas)
            return false;
        this.options.on_choose(Math.max(0, Math.min(count - 1, this.chosen() + step)));
        return true;
    }
}
