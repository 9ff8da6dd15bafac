/* A histogram of durations on a logarithmic axis, with marks that have names. */

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

/* Gives each mark a level (0 is next to the bars) and a left edge, so that no text is on another one, or on
 * the line of another mark. Marks have x and width. Returns how many levels there are. */
function place_marks(marks, width) {
    const clashes = (a, b) => a.level === b.level && a.left < b.left + b.width && b.left < a.left + a.width ||
        a.level > b.level && b.left < a.x && a.x < b.left + b.width;
    const place = (at, levels) => {
        const mark = marks[at];
        if (!mark)
            return true;
        for (mark.level = 0; mark.level < levels; mark.level++)
            for (const left of [mark.x, mark.x - mark.width,
                     Math.max(0, Math.min(width - mark.width, mark.x - mark.width / 2))]) {
                mark.left = left;
                if (left >= 0 && left + mark.width <= width &&
                    !marks.slice(0, at).some(other => clashes(mark, other) || clashes(other, mark)) &&
                    place(at + 1, levels))
                    return true;
            }
        return false;
    };
    for (let levels = 1; levels <= marks.length; levels++)
        if (place(0, levels))
            return levels;
    marks.forEach((mark, i) => Object.assign(mark, {level: i, left: 0}));
    return marks.length;
}

/* The durations that the axis has: all of them, and at least a factor of four. */
function histogram_range({parts, longest, tick}) {
    const from = Math.max(parts[0].from, tick / 2), to = Math.max(longest, tick),
          middle = Math.sqrt(from * to);
    return [Math.min(from * 0.9, middle / 2), Math.max(to * 1.1, middle * 2)];
}

function moved_to(element, styles) {
    Object.assign(element.style, styles);
    return element;
}

/* marks: [{name, ticks, href}]. Returns a function that stops redrawing. */
function show_histogram(place, durations, marks, label) {
    const range = histogram_range(durations), percent = share => (share * 100).toFixed(2) + '%';
    const names = make('div.marks'), bars = make('div.bars', {role: 'img', 'aria-label': label}),
          axis = make('div.axis', {'aria-hidden': 'true'});
    const texts = marks.map(({name, ticks, href}) => {
        const text = [name + ' ', make('strong', time_text(ticks))];
        return href ? make('a', {href, title: 'Show it in the time line'}, text) : make('span', text);
    });
    place.append(make('div.histogram', names, bars, axis));
    const draw = () => {
        const width = bars.clientWidth, level_px = px(19);
        const list = histogram_bars(durations.parts, range, Math.max(8, Math.floor(width / bar_px))),
              lines = [], half = 0.5 / list.length, bars_of = (key, left, of) => {
                  const most = Math.max(...list.map(bar => bar[key]));
                  return list
                      .map((bar, i) => bar[key] > 0 && moved_to(make(of), {
                          left: percent(i / list.length + left),
                          width: percent(half),
                          height: percent(bar[key] / most)
                      }))
                      .filter(Boolean);
              };
        names.replaceChildren(...texts);
        const placed =
            marks.map(({ticks}, i) => ({x: log_place(ticks, ...range) * width, width: texts[i].offsetWidth}));
        const levels = place_marks(placed, width);
        names.style.height = levels * level_px + 'px';
        placed.forEach(({x, left, level}, i) => {
            moved_to(texts[i], {left: left + 'px', bottom: level * level_px + 'px'});
            lines.push(
                moved_to(make('i.mark'), {left: percent(x / width), top: -(level + 0.15) * level_px + 'px'}));
        });
        bars.replaceChildren(...bars_of('calls', 0, 'i'), ...bars_of('ticks', half, 'i.spent'), ...lines);
        axis.replaceChildren(...axis_durations(
            ...range).map(({ticks, text}) => ({text, x: log_place(ticks, ...range)}))
                                 .filter(({x}) => x * width > px(15) && x * width < width - px(15))
                                 .map(({text, x}) => moved_to(make('span', text), {left: percent(x)})));
    };
    draw(); /* at once: what is below stays where it is */
    return redraw_on_change(place, draw);
}
