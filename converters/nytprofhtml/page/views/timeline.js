/* The longest calls in the order of time, a lane for each process. */

/* Heights: of the axis, of a lane's head, and of a row of calls. */
function time_sizes() {
    return {axis_height: px(24), lane_head: px(20), time_row: px(17)};
}

class Timeline {
    /* lanes: [{title, list: rows of calls, rows}]; view: [from, to] in ticks; color(sub) */
    constructor(place, lanes, {calls, color, view, whole, on_hover, on_choose, on_view}) {
        Object.assign(this, {lanes, calls, color, view, whole, on_hover, on_choose, on_view});
        this.canvas = make_picture('Time line; the longest are in the table below', null, 'timeline');
        this.frame = make('div', {class: 'timeline-frame'}, this.canvas);
        place.append(this.frame);
        Object.assign(this, time_sizes());
        const {axis_height, lane_head, time_row} = this;
        const height = lanes.reduce((sum, lane) => sum + lane_head + lane.rows * time_row, axis_height);
        this.height = Math.min(height, Math.max(240, window.innerHeight * 0.7));
        this.full_height = height;
        this.scroll = 0;
        this.listen();
        this.stop = redraw_on_change(this.frame, () => this.draw());
    }

    listen() {
        const {canvas} = this;
        canvas.addEventListener('mousemove', event => {
            if (this.drag)
                this.pan(event);
            const call = this.at(event);
            canvas.style.cursor = this.drag ? 'grabbing' : call >= 0 ? 'pointer' : '';
            this.on_hover(call);
        });
        canvas.addEventListener('mousedown', event => {
            this.drag = {x: event.clientX, y: event.clientY, view: [...this.view], scroll: this.scroll, moved: false};
        });
        window.addEventListener('mouseup', this.release = () => {
            if (this.drag && this.drag.moved)
                this.on_view(this.view);
            this.dragged = this.drag && this.drag.moved;
            this.drag = null;
        });
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
        canvas.addEventListener('keydown', event => this.key(event) && event.preventDefault());
    }

    /* Returns whether the key did something. */
    key(event) {
        const span = this.view[1] - this.view[0];
        const moves = {ArrowLeft: () => this.move(-span / 5), ArrowRight: () => this.move(span / 5),
            '+': () => this.zoom(0.6, 0.5), '-': () => this.zoom(1.6, 0.5)};
        if (!Object.hasOwn(moves, event.key))
            return false;
        moves[event.key]();
        return true;
    }

    pan(event) {
        const width = this.canvas.clientWidth, {drag} = this;
        drag.moved = drag.moved || Math.abs(event.clientX - drag.x) > 3 || Math.abs(event.clientY - drag.y) > 3;
        const by = (drag.x - event.clientX) / width * (drag.view[1] - drag.view[0]);
        this.scroll = Math.max(0, Math.min(this.full_height - this.height, drag.scroll + drag.y - event.clientY));
        this.set([drag.view[0] + by, drag.view[1] + by]);
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

    set([from, to]) {
        const span = Math.min(to - from, this.whole[1] - this.whole[0]);
        from = Math.max(this.whole[0], Math.min(from, this.whole[1] - span));
        this.view = [from, from + span];
        this.draw();
    }

    each(visit) {
        const {calls} = this, [from, to] = this.view, width = this.canvas.clientWidth || this.frame.clientWidth;
        const scale = width / (to - from || 1), {axis_height, lane_head, time_row} = this;
        let y = axis_height - this.scroll;
        for (const lane of this.lanes) {
            visit(-1, 0, y, width, lane);
            y += lane_head;
            for (const call of lane.list) {
                const left = (calls.begin[call] - from) * scale, w = calls.ticks[call] * scale;
                if (left + w >= 0 && left <= width)
                    visit(call, left, y + calls.depth[call] * time_row, w, lane);
            }
            y += lane.rows * time_row;
        }
    }

    draw() {
        const width = this.frame.clientWidth, {subs} = profile, {calls, lane_head, time_row} = this;
        if (width < 10)
            return;
        const context = size_canvas(this.canvas, width, this.height);
        const ink = style_color('flame-ink'), plain = style_color('ink'), quiet = style_color('quiet');
        this.each((call, x, y, w, lane) => {
            if (call < 0) {
                context.fillStyle = style_color('raised');
                context.fillRect(0, y, width, lane_head - 3);
                context.fillStyle = plain;
                context.fillText(fitted(context, lane.title, width - 10), 4, y + lane_head / 2 - 1);
                return;
            }
            const left = Math.max(0, x), right = Math.min(width, x + Math.max(w, 0.7));
            const compile = is_begin(subs.name[calls.sub[call]]);
            context.fillStyle = compile ? style_color('compile') : this.color(calls.sub[call]);
            context.fillRect(left, y, Math.max(right - left - (w > 3 ? 1 : 0), 0.7), time_row - 1);
            if (right - left > 26) {
                context.fillStyle = ink;
                context.fillText(fitted_name(context, subs.name[calls.sub[call]], right - left - 6), left + 3, y +
                    time_row / 2);
            }
        });
        this.axis(context, width, quiet);
    }

    axis(context, width, ink) {
        const [from, to] = this.view, span = (to - from) / profile.about.ticks_per_s;
        const step = 10 ** Math.floor(Math.log10(span / 4 || 1)),
            most = Math.max(1, Math.min(8, width / px(75))), nice = [1, 2, 5, 10, 20, 50].map(n => n * step).find(n => span / n <= most);
        context.fillStyle = style_color('back');
        context.fillRect(0, 0, width, px(22));
        context.fillStyle = ink;
        const first = Math.ceil(from / profile.about.ticks_per_s / nice) * nice;
        for (let s = first; s <= to / profile.about.ticks_per_s; s += nice) {
            const x = (s * profile.about.ticks_per_s - from) / (to - from) * width;
            context.fillRect(x, px(16), 1, px(6));
            const text = nice >= 1 ? s.toFixed(0) + ' s' : nice >= 1e-3 ? (s * 1e3).toFixed(nice >= 1e-2 ? 0 : 1) +
                ' ms' : (s * 1e6).toFixed(0) + ' µs';
            if (x < width - px(50))
                context.fillText(text, x + 3, px(10));
        }
    }

    at(event) {
        const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
        let found = -1;
        this.each((call, left, top, w) => {
            if (call >= 0 && x >= left && x < left + Math.max(w, 2) && y >= top && y < top + this.time_row)
                found = call;
        });
        return found;
    }

    end() {
        this.stop();
        window.removeEventListener('mouseup', this.release);
    }
}

/* The calls of NEW, or those of OLD and then those of NEW; processes of the two have different numbers. */
function shown_calls() {
    const {calls, difference, processes} = profile;
    if (!difference)
        return {...calls, old: 0, title: process => lane_title(processes, process)};
    const old = selection.out ? select_calls(difference.calls, selection.out, -1) : difference.calls;
    const before = difference.processes.pid.length || 1, both = name => [...old[name], ...calls[name]];
    return {sub: both('sub'), depth: both('depth'), begin: both('begin'), ticks: both('ticks'),
        process: [...old.process, ...calls.process.map(process => process + before)], old: old.sub.length,
        title: process => process < before ? 'old, ' + lane_title(difference.processes, process) : 'new, ' + lane_title(processes, process - before)};
}

function lane_title(processes, process) {
    return 'process ' + (processes.pid[process] === undefined ? process + 1 : process_title(process, processes));
}

function time_lanes(calls) {
    const lanes = new Map();
    calls.process.forEach((process, call) => {
        if (!lanes.has(process))
            lanes.set(process, {title: calls.title(process), list: [], rows: 1});
        const lane = lanes.get(process);
        lane.list.push(call);
        lane.rows = Math.max(lane.rows, calls.depth[call] + 1);
    });
    return [...lanes.entries()].sort((a, b) => a[0] - b[0]).map(entry => entry[1]);
}

function what_was_called() {
    const {calls} = profile;
    return (calls.sub.length < calls.all ? count_text(calls.sub.length) + ' of ' + counted(calls.all, 'call') +
        ': those of at least ' + time_text(calls.shortest) : counted(calls.all, 'call')) +
        '. Order and lengths are exact; places within a caller are not, since a profile has no times of entry.' +
        (profile.totals.statements ? '' : ' Without statements, nothing says how long the pauses between calls were.');
}

function what_was_sampled() {
    const {calls} = profile;
    return 'How long each sub was seen on the stack without a break' + (calls.sub.length < calls.all
        ? ', where it was at least ' + time_text(calls.shortest) : '') +
        '. What is shorter than the distance of two samples may be missing, and several times in a row look like one.';
}

/* The 200 longest calls. */
function longest_table(calls) {
    const rows = [...calls.sub.keys()].sort((a, b) => calls.ticks[b] - calls.ticks[a] || a - b).slice(0, 200);
    const unit = unit_for(calls.ticks[rows[0]]);
    return make_details({class: 'as-table'}, is_sampled() ? 'As a table: what was seen longest'
        : 'As a table: the longest calls', short_table(is_sampled() ? 'Seen longest' : 'Longest calls',
        [['Begin', true], ['Time, ' + unit.name, true], ['Sub', false]], rows,
            call => make('tr', null, make('td', {class: 'n'}, time_text(calls.begin[call])),
            make('td', {class: 'n'}, in_unit(calls.ticks[call], unit)),
                name_cell(sub_link(calls.sub[call]))), 50));
}

/* The longest call of each sub in OLD and in NEW. What is too short to be among the calls is not known. */
function compared_longest_table(calls) {
    const most = new Map();
    calls.sub.forEach((sub, call) => {
        const times = most.get(sub) || [0, 0], side = call < calls.old ? 0 : 1;
        times[side] = Math.max(times[side], calls.ticks[call]);
        most.set(sub, times);
    });
    const rows = [...most].map(([sub, [before, after]]) => ({sub, before, after})).sort((a, b) => Math.max(b.before, b.after) - Math.max(a.before, a.after) || a.sub - b.sub)
        .slice(0, 200);
    const unit = unit_for(Math.max(rows[0].before, rows[0].after)), title = 'the longest call of each sub';
    const verdict = sub => changed_row(sub) >= 0 ? profile.difference.subs.verdict_incl[changed_row(sub)] : not_tested;
    return make_details({class: 'as-table'}, 'As a table: ' + title, short_table(title, [...change_heads(unit), ['Sub', false]], rows, ({sub, before, after}) => {
        const time = ticks => make('td', {class: ticks ? 'n' : 'n quiet'}, ticks ? in_unit(ticks, unit) : 'shorter');
        return make('tr', null, before && after ? change_cells(before, after, verdict(sub), unit) : [time(before), time(after), make('td')],
            name_cell(sub_link(sub)));
    }, 50));
}

function show_time(stage, route) {
    const {subs} = profile, calls = shown_calls(), by_change = profile.difference && route.query.color !== 'origin';
    stage.append(make('h1', null, 'Time line'));
    if (!calls.sub.length) {
        stage.append(make('p', {class: 'empty'}, 'The profile has no single calls: record it with calls=1 or calls=2.'));
        return null;
    }
    const whole = [0, Math.max(...[...calls.begin].map((begin, call) => begin + calls.ticks[call]))];
    const asked = (route.query.range || '').split('-').map(Number);
    const view = asked.length === 2 && asked[1] > asked[0] ? asked : [...whole];
    stage.append(make('p', {class: 'quiet'}, (is_sampled() ? what_was_sampled() : what_was_called()) +
        ' Drag to move. To zoom, use Ctrl and the wheel, or the keys + and -.'));
    const details = make('p', {class: 'details', 'aria-live': 'polite'}, ' ');
    const to_view = ([from, to]) => replace_route('time', [], {...route.query, range: from <= whole[0] &&
        to >= whole[1] ? null : Math.round(from) + '-' + Math.round(to)}, true);
    const controls = make('div', {class: 'controls'}), side_of = call => !profile.difference ? '' : call < calls.old ? 'old: ' : 'new: ';
    stage.append(controls);
    const line = new Timeline(stage, time_lanes(calls),
        {calls, color: by_change ? sub_change_color : sub_color, view, whole, on_choose: call => location.hash = sub_route(calls.sub[call]), on_view: to_view, on_hover: call => {
        details.textContent = call < 0 ? ' ' : side_of(call) + subs.name[calls.sub[call]] + ' · ' + time_text(calls.ticks[call]) +
            ', beginning at ' + time_text(calls.begin[call]);
    }});
    const button = (text, title, act) => make('button', {type: 'button', title, 'aria-label': title, click: act},
        text);
    controls.append(button('+', 'Zoom in', () => line.zoom(0.6, 0.5)),
        button('−', 'Zoom out', () => line.zoom(1.6, 0.5)),
        button('←', 'Earlier', () => line.move((line.view[0] - line.view[1]) / 3)),
        button('→', 'Later', () => line.move((line.view[1] - line.view[0]) / 3)),
            button('All', 'All of the time', () => line.zoom(1e9, 0.5)), waiting_control() || '',
            profile.difference ? check_control('colours of the change', by_change, on => go_to('time', [], {...route.query, color: on ? null : 'origin'})) : '', make('span',
            {class: 'swatch compile'}, 'compile phase'));
    stage.append(by_change ? change_legend() : origin_legend(), details, (profile.difference ? compared_longest_table : longest_table)(calls));
    return {stop: () => line.end(), key: event => line.key(event), escape: () => (line.view[0] > whole[0] || line.view[1] < whole[1]) &&
        (line.zoom(1e9, 0.5), true)};
}
