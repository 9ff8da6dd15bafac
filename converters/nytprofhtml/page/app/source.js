/* Source with its numbers. */

const source_row_height = 20, most_columns = 2000;
const levels = ['line', 'block', 'sub'];

/* How many columns of the font a line takes, at most: a tab goes to the next of every eight, and an escape has up to eight. */
function columns_of(code) {
    const wide = code.split(/\t/).length - 1, escapes = (code.split(hidden).length - 1) / 2;
    return code.length + 7 * (wide + escapes);
}

/* Lines differ by orders of magnitude more than subs do. */
function finer(unit) {
    return unit.name === 'ms' ? {...unit, decimals: 3} : unit;
}

class SourceTable {
    /* options: line (to go to), first and last (lines of a sub), query (level, hot, notes), change */
    constructor(place, file, options) {
        this.file = file;
        this.options = options;
        this.place = make('div', {class: 'source-place'});
        place.append(this.place);
        this.load();
    }

    async load() {
        const {file} = this, {files} = profile;
        const evals = [...files.evals.of(file)].slice(0, 300), texts = new Map();
        const text = await source_of(file);
        await Promise.all(evals.map(async one => texts.set(one, await source_of(one))));
        if (!this.stopped)
            this.show(text, texts);
    }

    show(text, texts) {
        const {query, change, first, last, line} = this.options;
        const level = levels.includes(query.level) ? query.level : 'line';
        let rows = source_rows(this.file, text, texts, {level, first, last, notes: query.notes !== '0'});
        if (query.hot === '1')
            rows = hot_rows(rows);
        this.rows = rows;
        if (change)
            this.place.append(this.controls(query, level, change));
        if (!text)
            this.place.append(make('p', {class: 'empty'}, profile.about.source === 'left out'
                ? 'The source was left out of this report (--no-source).'
                : profile.about.source === 'not read' ? 'There is no source in the profile, and no file was read (--no-source-files).'
                : 'There is no source: the profile has none of this file, and it was not found when the report was made, or is not Perl by its name or first line (--lib=DIR says where to look, and --verbose why a file was not read).'));
        this.table(rows, text);
        if (line)
            this.go_to(line);
    }

    controls(query, level, change) {
        const select = make('select', {change: () => change({level: select.value === 'line' ? null : select.value})},
            levels.map(one => make('option', {value: one, selected: one === level, disabled: one === 'block' &&
                !profile.about.levels}, one === 'block' && !profile.about.levels ? 'block (needs blocks=1)' : one)));
        return make('div', {class: 'controls'}, make('label', {class: 'control'}, 'Numbers by ', select),
            check_control('hot lines only', query.hot === '1', on => change({hot: on ? '1' : null})),
            check_control('callers and callees', query.notes !== '0', on => change({notes: on ? null : '0'})));
    }

    table(rows, text) {
        let longest = 20, most = 0, most_in = 0;
        for (const row of rows) {
            longest = Math.max(longest, columns_of(row.code || ''));
            most = Math.max(most, row.at ? Math.abs(row.at.ticks) : 0);
            most_in = Math.max(most_in, row.in_subs || 0);
        }
        this.unit = finer(unit_for(most));
        this.unit_in = finer(unit_for(most_in));
        const widths = [['4.5em'], ['7em'], ['6.5em'], ['6em', 'wide'], ['7em', 'wide'], ['']];
        const heads = [['Line'], is_sampled() ? ['Samples', 'Samples of the line itself'] : ['Runs', 'Statements executed'],
            ['Time, ' + this.unit.name, 'Time of the statements'], is_sampled() ? ['In subs', 'Samples of subs called here', 'wide'] : ['Calls', 'Calls made here', 'wide'],
            ['In subs, ' + this.unit_in.name, 'Inclusive time of those calls', 'wide']];
        const table = make('div', {class: 'source', role: 'table', 'aria-label': 'Source of ' +
            profile.files.name[this.file], 'aria-rowcount': rows.length + 1});
        table.style.setProperty('--code', Math.min(longest, most_columns) + 'ch');
        table.append(make('table', {class: 'rows heads', role: 'rowgroup'},
            make('colgroup', null, widths.map(make_col)), make('thead', {role: 'presentation'},
            make('tr', {role: 'row', 'aria-rowindex': 1},
            heads.map(([title, hint, wide]) => make('th', {class: 'n ' + (wide || ''), role: 'columnheader',
                title: hint}, title)), make('th', {role: 'columnheader'}, text ? 'Code' : '')))));
        this.scroller = make('div', {class: 'source-scroll', tabindex: '0', role: 'region', 'aria-label': 'Source'},
            table);
        this.place.append(make('div', {class: 'source-frame'}, this.scroller, this.minimap(rows)));
        this.blocks = new Blocks(table, {count: rows.length, height: source_row_height, widths,
            make_row: i => this.row(rows[i])});
    }

    row(row) {
        if (row.gap)
            return make('tr', {class: 'gap'}, make('td', {class: 'n'}, '⋮'),
                make('td', {colspan: 5}, count_text(row.gap) + (row.gap === 1 ? ' line' : ' lines') +
                ' without time'));
        if (row.note)
            return make('tr', {class: 'note ' + row.note},
                make('td', {class: 'n ' + (row.heat ? heat_class(row.heat) : '')}),
                make('td', {colspan: 5, class: 'note-text'}, make('div', null, row.parts)));
        const at = row.at, line = String(row.line);
        const time = at ? in_unit(at.ticks, this.unit) : row.rolled ? '↑' : '';
        return make('tr', {class: (row.inlined ? 'inlined' : '') + (row.rolled ? ' rolled' : '')},
            make('td', {class: 'n line'}, row.inlined ? 'eval ' + line
            : make('a', {href: file_route(row.file, row.line)}, line)),
            make('td', {class: 'n'}, at ? count_text(at.calls) : ''),
            make('td', {class: 'n ' + (at ? heat_class(at.ticks) : ''), title: at && at.calls && !is_sampled()
                ? time_text(at.ticks / at.calls) + ' per statement' : row.rolled ? 'counted at line ' + row.rolled
                : null}, time),
            make('td', {class: 'n wide'}, row.calls ? count_text(row.calls) : ''),
                make('td', {class: 'n wide'}, row.calls || row.in_subs ? in_unit(row.in_subs, this.unit_in) : ''),
            make('td', {class: 'code'}, highlighted(row.code, row.kind)));
    }

    /* The whole file at a glance: heat by line, a click goes there. */
    minimap(rows) {
        const canvas = make('canvas', {class: 'minimap wide', 'aria-hidden': 'true'});
        if (rows.length < 60) {
            canvas.hidden = true;
            return canvas;
        }
        const draw = () => {
            const height = Math.min(window.innerHeight - 120, 600), width = 46;
            const context = size_canvas(canvas, width, height);
            context.fillStyle = style_color('raised');
            context.fillRect(0, 0, width, height);
            rows.forEach((row, i) => {
                const ticks = row.at ? row.at.ticks : 0, share = share_of_all(ticks), y = i / rows.length * height;
                if (share >= 0.005) {
                    context.fillStyle = style_color('accent');
                    context.fillRect(0, y - 1, Math.max(6, Math.sqrt(share) * width), 3);
                } else if (row.code && !row.note) {
                    context.fillStyle = style_color('line');
                    context.fillRect(4, y, Math.min(width - 6, row.code.length / 3),
                        Math.max(height / rows.length - 0.5, 0.4));
                }
            });
        };
        canvas.addEventListener('click', event => {
            const box = canvas.getBoundingClientRect();
            this.go_to_row(Math.floor((event.clientY - box.top) / box.height * rows.length));
        });
        this.stop_minimap = redraw_on_change(canvas.parentNode || this.scroller, draw);
        requestAnimationFrame(draw);
        return canvas;
    }

    go_to_row(i) {
        const row = this.blocks.row(Math.max(0, Math.min(i, this.rows.length - 1)));
        row.scrollIntoView({block: 'center', inline: 'nearest'});
        return row;
    }

    go_to(line) {
        const i = this.rows.findIndex(row => !row.note && !row.inlined &&
            (row.line === line || row.gap && row.line <= line && line < row.line + row.gap));
        if (i < 0)
            return;
        const row = this.go_to_row(i);
        row.classList.add('here');
        requestAnimationFrame(() => row.scrollIntoView({block: 'center', inline: 'nearest'}));
    }

    /* n and p: the next hot line, and the one before. */
    key(event) {
        if ((event.key !== 'n' && event.key !== 'p') || !this.blocks)
            return false;
        const step = event.key === 'n' ? 1 : -1;
        let i = this.current === undefined ? (step > 0 ? -1 : this.rows.length) : this.current;
        do
            i += step;
        while (i >= 0 && i < this.rows.length && !(this.rows[i].at && share_of_all(this.rows[i].at.ticks) >= 0.005));
        if (i < 0 || i >= this.rows.length)
            return true;
        this.place.querySelectorAll('tr.here').forEach(row => row.classList.remove('here'));
        this.current = i;
        this.go_to_row(i).classList.add('here');
        return true;
    }

    stop() {
        this.stopped = true;
        if (this.blocks)
            this.blocks.stop();
        if (this.stop_minimap)
            this.stop_minimap();
    }
}
