/* The flame graph that is shown as a file: SVG with plain colours, and the whole names as titles. */

/* Programs that read SVG do not know all colours of CSS. */
function plain_color(color) {
    const context = make('canvas').getContext('2d');
    context.fillStyle = color;
    return context.fillStyle;
}

function svg_element(name, attributes, text) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes))
        element.setAttribute(key, value);
    if (text !== undefined)
        element.append(text);
    return element;
}

/* about(place) is the title of a box. The rows are as high as the deepest box needs. */
function flame_svg(canvas, about) {
    const {layout, options, zoomed, matched, deepest} = canvas, width = 1200, row = 18,
                                             height = (deepest + 1) * row;
    const context = make('canvas').getContext('2d'), plain = new Map();
    const fill = color => entry_of(plain, color, plain_color);
    context.font = '12px sans-serif';
    const svg = svg_element('svg', {
        xmlns: 'http://www.w3.org/2000/svg',
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        'font-family': 'sans-serif',
        'font-size': 12,
        fill: fill(style_color('flame-ink'))
    });
    svg.append(svg_element('title', {}, shown_title()),
        svg_element('rect', {width, height, fill: fill(style_color('back'))}));
    canvas.each_visible(width, (place, x, w) => {
        const y = (options.flip ? deepest - layout.depth[place] : layout.depth[place]) * row;
        const box = svg_element('g', {
            opacity: place < zoomed && layout.end[place] > zoomed ? 0.55
                : matched && !matched[place]                      ? 0.35
                                                                  : 1
        });
        box.append(svg_element('title', {}, about(place)), svg_element('rect', {
            x: x.toFixed(1),
            y,
            width: Math.max(w - (w > 2 ? 1 : 0), 0.5).toFixed(1),
            height: row - 1,
            fill: fill(matched && matched[place] ? style_color('mark') : options.color(place))
        }));
        const text = w > 24 ? fitted_name(context, options.label(place), w - 7) : '';
        svg.append(box);
        if (text)
            box.append(svg_element('text', {x: (x + 3).toFixed(1), y: y + row - 5}, text));
    });
    return new XMLSerializer().serializeToString(svg) + '\n';
}

function save_svg(canvas, about) {
    download('flame.svg', flame_svg(canvas, about));
    announce('Saved as flame.svg.');
}
