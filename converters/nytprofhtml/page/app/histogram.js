/* A histogram of durations on a logarithmic axis. */

const bar_px = 8; /* of calls, and beside it of their time */

/* Bars of equal width on the axis: {from, to, calls, ticks (of these calls)}. The calls of a part that is
 * wider than a bar are spread over several. */
function histogram_bars(parts, [from, to], count) {
    const bars = Array.from({length: count}, (one, i) => ({
        from: from * (to / from) ** (i / count),
        to: from * (to / from) ** ((i + 1) / count),
        calls: 0,
        ticks: 0
    }));
    for (const part of parts) {
        const begin = log_place(part.from, from, to) * count, end = log_place(part.to, from, to) * count;
        for (let i = Math.floor(begin); i < Math.min(count, Math.ceil(end)); i++) {
            const calls = part.calls * (Math.min(end, i + 1) - Math.max(begin, i)) / (end - begin);
            bars[i].calls += calls;
            bars[i].ticks += calls * (part.from + part.to) / 2;
        }
    }
    return bars;
}

/* The durations that the axis has: all of them, and at least a factor of four. */
function histogram_range({parts, longest, tick}) {
    const from = Math.max(parts[0].from, tick / 2), to = Math.max(longest, tick),
          middle = Math.sqrt(from * to);
    return [Math.min(from * 0.9, middle / 2), Math.max(to * 1.1, middle * 2)];
}

/* Returns a function that stops redrawing. */
function show_histogram(place, durations, label) {
    const range = histogram_range(durations), percent = share => (share * 100).toFixed(2) + '%';
    const bars = make('div.bars', {role: 'img', 'aria-label': label}),
          axis = make('div.axis', {'aria-hidden': 'true'});
    place.append(make('div.histogram', bars, axis));
    const draw = () => {
        const width = bars.clientWidth,
              list = histogram_bars(durations.parts, range, Math.max(8, Math.floor(width / bar_px))),
              half = 0.5 / list.length;
        const bars_of = (key, left, what) => {
            const most = Math.max(...list.map(bar => bar[key]));
            return list.map((bar, i) => bar[key] > 0 && make(what, {
                style: `left: ${percent(i / list.length + left)}; width: ${percent(half)}; height: ${
                    percent(bar[key] / most)}`
            }));
        };
        fill_with(bars, bars_of('calls', 0, 'i'), bars_of('ticks', half, 'i.spent'));
        fill_with(axis, axis_durations(...range).map(({ticks, text}) => {
            const x = log_place(ticks, ...range);
            return Math.abs(x - 0.5) * width < width / 2 - px(15) &&
                make('span', {style: 'left: ' + percent(x)}, text);
        }));
    };
    draw(); /* at once: what is below stays where it is */
    return redraw_on_change(place, draw);
}
