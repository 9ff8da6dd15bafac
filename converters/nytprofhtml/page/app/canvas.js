/* What the pictures on canvas share: sizes, colours, text. */

let rem = 14; /* pixels: the size of the page's text, which is the reader's choice */

/* Scales a length in pixels, chosen for text of the usual size, to the size of text that the browser uses. */
function px(usual) {
    return Math.round(usual * rem / 14);
}

/* Rows are as high as a finger needs where the pointer is a finger. */
function row_height() {
    return Math.max(px(24), matchMedia('(pointer: coarse)').matches ? 40 : 0);
}

function source_row_height() {
    return px(20);
}

function measure_text(probe) {
    const {style} = document.documentElement;
    rem = probe.offsetHeight / 10;
    style.setProperty('--row', row_height() + 'px');
    style.setProperty('--source-row', source_row_height() + 'px');
}

/* Rows and pictures are drawn for text of the size that the browser really has, also when that changes. */
function watch_text_size() {
    const probe = make('div', {id: 'probe', 'aria-hidden': 'true'}, 'x');
    document.getElementById('extras').append(probe);
    measure_text(probe);
    new ResizeObserver(() => {
        if (probe.offsetHeight / 10 === rem)
            return;
        measure_text(probe);
        show_route();
    }).observe(probe);
}

/* Elements that stick below the bar need the height of the bar, which is 0 where the bar scrolls away. */
function watch_bar(bar) {
    new ResizeObserver(() => document.documentElement.style.setProperty('--bar',
                           (getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0) + 'px'))
        .observe(bar);
}

/* Scrolls so that the element that Tab has reached, a link of the bar or in a table, is in sight: a browser
 * does not scroll to an element that is in sight in part, or below one that sticks. */
function show_focused(target) {
    if (!target.closest('#views, tbody'))
        return;
    target.scrollIntoView({block: 'nearest', inline: 'nearest'});
    const {left, top} = target.getBoundingClientRect(), over = document.elementFromPoint(left + 1, top + 1);
    const cover = over && (over.closest('.source-top') || over.closest('.heads, #bar'));
    if (cover && !cover.contains(target))
        window.scrollBy(0, top - cover.getBoundingClientRect().bottom - 4);
}

function watch_tab() {
    let is_down = false;
    document.addEventListener('keydown', event => is_down = event.key === 'Tab');
    document.addEventListener('keyup', () => is_down = false);
    document.addEventListener('focusin', event => is_down && show_focused(event.target));
}

/* Asking the browser for a style takes longer than drawing a box: colours are kept for each of the two
 * schemes. */
const color_cache = new Map();

/* Whether the colours that apply_scheme() chose are the dark ones. */
function is_dark() {
    return chosen_scheme ? chosen_scheme === 'dark' : dark_system.matches;
}

/* A colour of the style sheet, by the name of its custom property. */
function style_color(name) {
    return entry_of(color_cache, (is_dark() ? 'd' : 'l') + name,
        () => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim());
}

/* A canvas that takes all keys but those of the browser, so screen readers pass keys on to it. say()
 * announces what is chosen in the canvas. */
function make_picture(label, say, style) {
    return make('canvas', {
        role: 'application',
        'aria-label': label,
        tabindex: '0',
        class: style,
        focus: say,
        keydown: event => is_browsers_key(event) && event.stopImmediatePropagation()
    });
}

/* A canvas of that many CSS pixels, sharp on any screen. */
function size_canvas(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    canvas.style.height = height + 'px';
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = px(12) + 'px ' + getComputedStyle(document.body).fontFamily;
    context.textBaseline = 'middle';
    return context;
}

/* Makes pale what lies outside of two places, between left and right. */
function draw_outside(context, [from, to], {left = 0, right, bottom}) {
    context.fillStyle = style_color('back');
    context.globalAlpha = 0.65;
    context.fillRect(left, 0, from - left, bottom);
    context.fillRect(to, 0, right - to, bottom);
    context.globalAlpha = 1;
}

/* Times below a line, each at a tick; those that have no room are left out. place: {x_of(ticks), y, right}.
 */
function draw_times(context, times, px_each, {x_of, y, right, left = 0}) {
    const most = Math.max(1, Math.min(12, (right - left) / px(px_each)));
    for (const {ticks, text} of axis_times(times, most)) {
        const x = Math.round(x_of(ticks));
        if (x > right)
            continue;
        context.fillRect(x, y, 1, px(4));
        if (x < right - px(45))
            context.fillText(text, x + px(4), y + px(9));
    }
}

let measuring = null; /* a context for nothing but the width of text */

/* How wide text of the page is, in em. */
function text_em(text, weight = '400', family = getComputedStyle(document.body).fontFamily) {
    const size = 100;
    measuring = measuring || make('canvas').getContext('2d');
    measuring.font = `${weight} ${size}px ${family}`;
    return measuring.measureText(text).width / size;
}

/* Shorten a text to a number of its letters, and an ellipsis. */
const keep_begin = (text, letters) => text.slice(0, letters) + '…',
      keep_end = (text, letters) => '…' + text.slice(text.length - letters),
      keep_both = (text, letters) =>
          text.slice(0, (letters + 1) >> 1) + '…' + text.slice(text.length - (letters >> 1));

/* The text, cut to a width in pixels. Empty: no room. */
function fitted(context, text, width, keep = keep_begin) {
    const letter = 6.4 * rem / 14;
    if (width < 3 * letter)
        return '';
    if (text.length * letter * 1.4 < width || context.measureText(text).width <= width)
        return text;
    let low = 0, high = text.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(keep(text, middle)).width <= width)
            low = middle;
        else
            high = middle - 1;
    }
    return low > 1 ? keep(text, low) : '';
}

/* The name of a sub or file, cut to a width: without its directories or its package rather than without its
 * end, in which neighbours differ, such as BEGIN@7 and BEGIN@11. Anonymous subs differ in their places alone.
 */
function fitted_name(context, name, width) {
    const cut = fitted(context, name, width);
    if (cut === name || cut === '')
        return cut;
    const short = name.replace(/\[[^\]]*\//, '['), own = short.replace(/^[^[ ]*::(?=[^:])/, ''),
          place = own.replace(/^__ANON__\[(?:\(eval \d+\)\[)?/, '…');
    const fits = [short, own, place].find(text => context.measureText(text).width <= width);
    return fits || fitted(context, place, width, place === own ? keep_both : keep_end);
}

/* Origins of subs that no file has (DATA.md). */
const native_origin = 3, waiting_origin = 4;

/* The areas (DATA.md) that are not named by a namespace. */
const own_area = 0, named_area = 3, asleep_area = 13, queued_area = 14;

function area_names() {
    return ['own code', 'built-ins', 'other modules', ...recorded.namespaces, 'asleep', 'queued'];
}

/* The area of a sub in pictures, which show what sleeps as a whole. */
function area_of(sub) {
    const {origin, area} = recorded.subs;
    return origin[sub] === waiting_origin ? asleep_area : area[sub];
}

/* area: -1 for the time outside of subs. The colours differ in lightness, too, so that colour-blind readers
 * can tell them apart. */
function area_color(area) {
    return style_color(area < 0 ? 'flame-root' : 'area-' + area);
}

function sub_color(sub) {
    return area_color(area_of(sub));
}

/* The legend of the colours of areas, with the share of each in the whole, whose amount it says, too. Less
 * than half a tenth of a percent is not worth a word. */
function area_legend({sums, outside, whole, text_of = time_text}) {
    const names = area_names(), item = (sum, area, text) => {
        const share = share_of(sum, whole);
        return share >= 0.0005 &&
            legend_item(`var(--${area < 0 ? 'flame-root' : 'area-' + area})`,
                [text + ' ', make('span.quiet', percent_text(share))], text_of(sum));
    };
    const by_time = [...sums.keys()].sort(
        (a, b) => (a >= asleep_area) - (b >= asleep_area) || sums[b] - sums[a] || a - b);
    return make('ul.legend', {'aria-label': 'Colours', 'data-whole': text_of(whole)},
        by_time.map(area => item(sums[area], area, names[area])), item(outside, -1, outside_text));
}

const outside_text = 'outside of subs';

/* Calls draw() when the size of the element or the colours change. Returns a function that stops this. */
function redraw_on_change(element, draw) {
    const observer = new ResizeObserver(() => requestAnimationFrame(draw));
    const recolor = () => draw();
    observer.observe(element);
    dark_system.addEventListener('change', recolor);
    window.addEventListener('scheme', recolor);
    return () => {
        observer.disconnect();
        dark_system.removeEventListener('change', recolor);
        window.removeEventListener('scheme', recolor);
    };
}
