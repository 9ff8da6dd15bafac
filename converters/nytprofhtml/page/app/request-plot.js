/* Requests by time and duration, a dot for each, on a canvas. */

const dot_px = 3, reach_px = 14; /* how near a pointer has to be */

class RequestPlot {
    /* requests: numbers of those that are drawn; is_dim(label): drawn without its colour; medians: by label,
     * or null if not known; on_hover(request, point), on_choose(request): -1 is none. */
    constructor(place, {requests, is_dim, medians, chosen, on_hover, on_choose}) {
        Object.assign(this, {requests, is_dim, medians, chosen, on_hover, on_choose, hovered: -1});
        this.canvas =
            make_picture('Requests by time and duration; the slowest are in the table of the slowest',
                () => on_hover(this.chosen), 'request-plot');
        this.dots = make('canvas');
        place.append(this.canvas);
        this.find_ranges();
        this.listen();
        this.draw_all();
        this.stop_drawing = redraw_on_change(place, () => this.draw_all());
    }

    find_ranges() {
        const {begin, ticks} = blocks.requests;
        let from = Infinity, to = 0, shortest = Infinity, longest = 0;
        for (const request of this.requests) {
            from = Math.min(from, begin[request]);
            to = Math.max(to, begin[request]);
            shortest = Math.min(shortest, Math.max(ticks[request], 1));
            longest = Math.max(longest, ticks[request], 1);
        }
        const room = (to - from) * 0.02 || recorded.about.ticks_per_s * 1e-3;
        this.times = [Math.max(0, from - room), to + room];
        this.durations = [shortest / 1.5, Math.max(longest, shortest * 4) * 1.5];
    }

    listen() {
        const {canvas} = this;
        canvas.addEventListener('pointermove', event => this.hover(this.at(event), event));
        canvas.addEventListener('pointerleave', () => this.hover(-1));
        canvas.addEventListener('click', event => {
            const request = this.at(event);
            if (request >= 0)
                this.choose(request);
        });
        canvas.addEventListener('keydown', event => this.walk(event) && event.preventDefault());
    }

    hover(request, point) {
        this.canvas.style.cursor = request >= 0 ? 'pointer' : '';
        if (request === this.hovered)
            return;
        this.hovered = request;
        this.on_hover(request, point);
        this.draw();
    }

    choose(request) {
        this.chosen = request;
        this.on_choose(request);
        this.draw();
    }

    /* Left and right: by begin; up and down: by duration. The first key chooses the slowest. */
    walk({key}) {
        const by_time = {ArrowLeft: -1, ArrowRight: 1}, by_duration = {ArrowDown: -1, ArrowUp: 1};
        if (!Object.hasOwn(by_time, key) && !Object.hasOwn(by_duration, key))
            return false;
        const {begin, ticks} = blocks.requests,
                      shown = this.requests.filter(request => !this.is_dim(blocks.requests.label[request])),
                      column = Object.hasOwn(by_time, key) ? begin : ticks;
        shown.sort((a, b) => column[a] - column[b] || a - b);
        const at = shown.indexOf(this.chosen);
        const slowest =
            shown.reduce((most, request) => most < 0 || ticks[request] > ticks[most] ? request : most, -1);
        const next = at < 0 ? slowest : shown[at + (by_time[key] || by_duration[key])];
        if (next !== undefined && next >= 0)
            this.choose(next);
        return true;
    }

    /* Where the dots are: below the top, above the axis of time. */
    draw_all() {
        const width = this.canvas.parentNode.clientWidth;
        if (width < 10)
            return;
        this.width = width;
        this.left = px(54);
        this.height = px(width < px(600) ? 230 : 300);
        this.bottom = this.height - px(22);
        const {begin, ticks} = blocks.requests;
        this.x = Float32Array.from(this.requests, request => this.x_of(begin[request]));
        this.y = Float32Array.from(this.requests, request => this.y_of(ticks[request]));
        const context = size_canvas(this.dots, width, this.height);
        this.draw_axes(context);
        this.draw_dots(context);
        this.draw();
    }

    x_of(begin) {
        const [from, to] = this.times;
        return this.left + (begin - from) / (to - from) * (this.width - this.left);
    }

    y_of(ticks) {
        return this.bottom - log_place(ticks, ...this.durations) * this.bottom;
    }

    draw_axes(context) {
        const {width, bottom, left, times, durations} = this, line = style_color('line'),
                                           quiet = style_color('quiet');
        context.textAlign = 'right';
        for (const {ticks, text} of axis_durations(...durations)) {
            const y = Math.round(this.y_of(ticks));
            context.fillStyle = line;
            context.fillRect(left, y, width - left, 1);
            context.fillStyle = quiet;
            if (y > px(7))
                context.fillText(text, left - px(5), y);
        }
        context.textAlign = 'left';
        context.fillRect(left, bottom, width - left, 1);
        draw_times(context, times, 75, {x_of: ticks => this.x_of(ticks), y: bottom, right: width});
    }

    /* All dots of a route are one path, the routes with most time last, on top. */
    draw_dots(context) {
        const {label} = blocks.requests, paths = new Map();
        this.requests.forEach((request, i) => {
            const {path, mark} =
                entry_of(paths, label[request], of => ({path: new Path2D(), mark: route_mark(of)}));
            mark.add(path, this.x[i], this.y[i], dot_px);
        });
        const order = [...paths.keys()].sort(
            (a, b) => this.is_dim(b) - this.is_dim(a) || rank_of_route(b) - rank_of_route(a));
        for (const of of order) {
            const {path, mark} = paths.get(of);
            context.fillStyle = style_color(this.is_dim(of) ? 'line' : mark.color);
            context.fill(path);
        }
    }

    /* The dots as they were drawn, with rings around two of them. */
    draw() {
        if (!this.width)
            return;
        const context = size_canvas(this.canvas, this.width, this.height);
        context.drawImage(this.dots, 0, 0, this.width, this.height);
        if (this.medians && this.chosen >= 0)
            this.draw_median(context, this.medians[blocks.requests.label[this.chosen]]);
        for (const [request, color] of [[this.hovered, 'quiet'], [this.chosen, 'ink']]) {
            const i = request < 0 ? -1 : this.requests.indexOf(request);
            if (i < 0)
                continue;
            context.strokeStyle = style_color(color);
            context.lineWidth = 2;
            context.beginPath();
            context.arc(this.x[i], this.y[i], dot_px + 4, 0, 7);
            context.stroke();
        }
    }

    /* That of the route of the chosen request. */
    draw_median(context, ticks) {
        const {left, width} = this, y = Math.round(this.y_of(ticks)) + 0.5;
        context.strokeStyle = context.fillStyle = style_color('quiet');
        context.setLineDash([4, 4]);
        context.beginPath();
        context.moveTo(left, y);
        context.lineTo(width, y);
        context.stroke();
        context.setLineDash([]);
        context.textAlign = 'right';
        context.fillText('p50 ' + time_text(ticks), width - px(4), y + px(y < px(30) ? 10 : -10));
        context.textAlign = 'left';
    }

    /* The request nearest to a pointer; -1: none is near. */
    at(event) {
        const box = this.canvas.getBoundingClientRect(), left = event.clientX - box.left,
              top = event.clientY - box.top;
        let found = -1, least = reach_px ** 2;
        for (let i = 0; i < this.requests.length; i++) {
            const distance = (this.x[i] - left) ** 2 + (this.y[i] - top) ** 2;
            if (distance < least && !this.is_dim(blocks.requests.label[this.requests[i]])) {
                least = distance;
                found = this.requests[i];
            }
        }
        return found;
    }

    stop() {
        this.stop_drawing();
    }
}
