/* A picture of the whole file: heat by line. A click scrolls to that line. */
function minimap(table) {
    const {rows, hot} = table;
    const canvas = make('canvas.minimap.wide',
        {title: 'The whole file; marks are its ' + wording('hot_line') + 's', 'aria-hidden': 'true'});
    if (rows.length < 60) {
        canvas.hidden = true;
        return canvas;
    }
    const draw = () => {
        const height = Math.min(window.innerHeight - 120, 600), width = 46;
        const context = size_canvas(canvas, width, height);
        context.fillStyle = style_color('raised');
        context.fillRect(0, 0, width, height);
        const most = Math.max(...hot.map(i => rows[i].at.ticks), 1);
        context.fillStyle = style_color('line');
        rows.forEach((row, i) => {
            if (row.code && !row.note)
                context.fillRect(4, i / rows.length * height, Math.min(width - 6, row.code.length / 3),
                    Math.max(height / rows.length - 0.5, 0.4));
        });
        context.fillStyle = style_color('accent');
        for (const i of hot)
            context.fillRect(
                0, i / rows.length * height - 1, Math.max(6, Math.sqrt(rows[i].at.ticks / most) * width), 3);
    };
    canvas.addEventListener('click', event => {
        const box = canvas.getBoundingClientRect();
        table.go_to_row(Math.floor((event.clientY - box.top) / box.height * rows.length));
    });
    table.stop_minimap = redraw_on_change(canvas.parentNode || table.scroller, draw);
    requestAnimationFrame(draw);
    return canvas;
}
