/* Source with its numbers. */

const most_columns = 2000, coverage_em = 15;
const levels = ['line', 'block', 'sub'];

/* How many columns of the font a line takes, at most: a tab goes to the next of every four, and an escape has
 * up to eight. */
function columns_of(code) {
    const wide = code.split(/\t/).length - 1, escapes = (code.split(hidden).length - 1) / 2;
    return code.length + 3 * wide + 7 * escapes;
}

/* Lines differ by orders of magnitude more than subs do. */
function finer(unit) {
    return unit.name === 'ms' ? {...unit, decimals: 3} : unit;
}

/* How wide the columns of work, asleep and queued are. */
function waits_em() {
    return recorded.about.by_names ? 12 : 7.5;
}

/* The innermost sub whose lines have this one; -1: none. */
function sub_around(file, line) {
    const {files, subs} = recorded;
    let found = -1;
    for (const sub of files.subs.of(file))
        if (subs.first[sub] > 0 && subs.first[sub] <= line && line <= subs.last[sub] &&
            (found < 0 || subs.lines[sub] < subs.lines[found]))
            found = sub;
    return found;
}

class SourceTable {
    /* options: line (to go to; again: it is marked only), first and last (lines of a sub, which are shown
     * without choices), on_sub (called with the sub around the line at the top of the window; -1: none) */
    constructor(profile, place, file, options) {
        this.profile = profile;
        this.file = file;
        this.options = options;
        this.place = make('div.source-place');
        place.append(this.place);
        this.ready = this.load();
    }

    async load() {
        const {file} = this, {files} = recorded;
        const evals = [...files.evals.of(file)].slice(0, 300), texts = new Map();
        const text = await source_of(file);
        await Promise.all(evals.map(async one => texts.set(one, await source_of(one))));
        if (this.stopped)
            return;
        Object.assign(this, {text, texts});
        this.show();
        if (this.options.line)
            this.go_to(this.options.line, this.options.again);
        this.pass_indentation();
    }

    show() {
        const {profile, file, text, texts} = this, {first, last} = this.options;
        const query = first ? {} : state.route.query,
              level = levels.includes(query.level) ? query.level : 'line';
        const all = source_rows(profile, file, text, texts, {level, first, last, notes: query.notes !== '0'}),
              keep = first      ? rows_that_ran(all)
            : query.hot === '1' ? hot_rows(profile, all)
                                : null;
        const rows = this.rows = keep ? with_gaps(all, keep) : all;
        if (!first)
            this.place.append(this.controls(level));
        if (!text)
            this.place.append(make('p.empty', recorded.about.no_source));
        this.table(rows, text);
    }

    controls(level) {
        const is_missing = one => one === 'block' && !recorded.about.levels;
        return make('div.controls',
            select_control('Numbers by', level,
                levels.map(one => [one, is_missing(one) ? 'block (needs blocks=1)' : one, is_missing(one)]),
                value => change_query({level: value === 'line' ? null : value})),
            query_control(wording('hot_line') + 's only', 'hot'),
            query_control('callers and callees', 'notes', true));
    }

    table(rows, text) {
        let longest = 20, most = 0, most_in = 0;
        for (const row of rows) {
            longest = Math.max(longest, columns_of(row.code || ''));
            most = Math.max(most, row.at ? Math.abs(row.at.ticks) : 0);
            most_in = Math.max(most_in, row.in_subs || 0);
        }
        this.most = most;
        this.unit = finer(unit_for_columns([most, most_in]));
        const waited = ['asleep', 'queued'].filter(key => rows.some(({at}) => at && at[key] > 0));
        this.waits = waited.length ? ['work', ...waited] : [];
        const columns = this.columns(text), widths = columns.map(([, width, of]) => [width, of]);
        const heads = style => make('table', {class: 'rows heads ' + style, role: 'rowgroup'},
            make('colgroup', widths.map(make_col)),
            make('thead', {role: 'presentation'}, make('tr', {role: 'row', 'aria-rowindex': 1}, columns.map(([
                title, width, of
            ]) => make('th', {class: (width ? 'n ' : '') + (of || ''), role: 'columnheader'}, title)))));
        const code_width = '--code: ' + Math.min(longest, most_columns) +
            'ch; --waits: ' + (this.waits.length * waits_em() + (this.covers() ? coverage_em : 0)) + 'em';
        this.body = make('div', {
            class: 'source',
            role: 'table',
            'aria-label': 'Source of ' + recorded.files.name[this.file],
            'aria-rowcount': rows.length + 1,
            style: code_width
        },
            heads('unseen'));
        this.scroller =
            make('div.source-scroll', {tabindex: '0', role: 'region', 'aria-label': 'Source'}, this.body);
        this.heads = make(
            'div.source-heads', {'aria-hidden': 'true'}, make('div.source', {style: code_width}, heads('')));
        this.find_hot();
        this.place.append(make('p.quiet.hint', wording('source_hint')),
            make('div.source-top', this.strip(), this.heads), this.scroller);
        this.blocks = new Blocks(this.body, {
            count: rows.length,
            height: source_row_height(),
            widths,
            printed: 10,
            make_row: i => source_row(this.profile, rows[i], this)
        });
        this.follow();
    }

    /* [title, width ('': the rest of the room), class] */
    columns(text) {
        const time = ', ' + this.unit.name, in_subs = ['In subs' + time, '7.5em', 'calls'],
              code = [text ? 'Code' : '', ''];
        return [
            ['Line', '4.5em'], ...this.covers() ? [['Ran', '6em'], ['Branches', coverage_em - 6 + 'em']] : [],
            [count_title('Runs'), '7em', 'runs'], [wording('amount') + time, '6.5em'],
            ...this.waits.map(key => [part_words[key].title + time, waits_em() + 'em', 'waits']),
            [is_sampled() ? 'In subs' : 'Calls', '6em', 'calls'], in_subs, code
        ];
    }

    /* Whether it is shown what tests have run. */
    covers() {
        return recorded.coverage && recorded.coverage[this.file].size > 0;
    }

    /* What stays above the source: the file, the line at the top, the sub around it, and the way to the hot
     * lines. */
    strip() {
        const step = (text, title, key) => make('button', {
            title: title + ' (' + key + ')',
            'aria-label': title,
            click: () => this.step_hot(key === 'n' ? 1 : -1)
        },
            text);
        this.where = make('span.strip-where');
        this.which = make('span', {role: 'status'}, number_of(this.hot.length, wording('hot_line')));
        const ticks = i => this.rows[i].at.ticks, hottest = [...this.hot].sort(most_first(ticks)).slice(0, 5);
        const link =
            i => [' ', make('button.link', {click: () => this.step_hot(1, i - 1)}, this.rows[i].line),
                ' ' + time_text(ticks(i))];
        return make('div.strip', this.where,
            this.hot.length > 0 &&
                make('span.strip-hot',
                    this.options.first > 0 && hottest.length > 1 &&
                        make('span.wide', 'hottest lines', hottest.map(link), ' · '),
                    this.which, step('‹', 'Previous ' + wording('hot_line'), 'p'),
                    step('›', 'Next ' + wording('hot_line'), 'n')));
    }

    /* Keeps the heads above their columns, and the strip up to date. */
    follow() {
        let asked = false;
        this.on_scroll = () => {
            if (!asked)
                requestAnimationFrame(() => {
                    asked = false;
                    this.tell_place();
                });
            asked = true;
        };
        window.addEventListener('scroll', this.on_scroll, {passive: true});
        this.scroller.addEventListener('scroll', () => { this.heads.scrollLeft = this.scroller.scrollLeft; });
        this.resized = new ResizeObserver(() => {
            this.heads.style.width = this.scroller.offsetWidth + 'px';
            this.heads.scrollLeft = this.scroller.scrollLeft;
        });
        this.resized.observe(this.scroller);
        this.tell_place();
    }

    /* Where the window is narrow, the blanks before the line stand under its number, as far as there is room.
     */
    pass_indentation() {
        const narrow_em = 36, number_em = 4, cell = this.body.querySelector('td.code');
        const row = this.rows.find(({line, note, code}) => line === this.options.line && !note && code);
        if (!cell || !row || this.scroller.clientWidth >= narrow_em * rem)
            return;
        const style = getComputedStyle(cell), letter_em = text_em('0', '400', style.fontFamily);
        const blanks_px = columns_of(/^\s*/.exec(row.code)[0]) * letter_em * parseFloat(style.fontSize);
        this.scroller.scrollLeft = Math.min(blanks_px, number_em * rem);
    }

    /* The row below the heads. */
    top_row() {
        const below = this.heads.getBoundingClientRect().bottom - this.body.getBoundingClientRect().top;
        return Math.max(0, Math.min(this.rows.length - 1, Math.ceil(below / source_row_height() - 0.5)));
    }

    tell_place() {
        let i = this.top_row();
        while (i < this.rows.length - 1 && (this.rows[i].note || this.rows[i].inlined))
            i++;
        const {line} = this.rows[i] || {line: 1}, sub = sub_around(this.file, line);
        if (this.told === line)
            return;
        this.told = line;
        if (this.options.on_sub)
            this.options.on_sub(sub);
        this.where.replaceChildren(
            file_link(this.file, line), sub >= 0 ? ' in ' : '', sub >= 0 ? sub_link(sub) : '');
    }

    /* The ten lines with most time, and all others that matter to the whole. */
    find_hot() {
        const own = [...this.rows.keys()]
                        .filter(i => this.rows[i].at && !this.rows[i].inlined && this.rows[i].at.ticks > 0)
                        .sort((a, b) => this.rows[b].at.ticks - this.rows[a].at.ticks);
        this.hot = own.filter((i, rank) => rank < 10 || share_of_all(this.rows[i].at.ticks) >= 0.005)
                       .sort((a, b) => a - b);
    }

    go_to_row(i) {
        const row = this.blocks.row(Math.max(0, Math.min(i, this.rows.length - 1)));
        row.scrollIntoView({block: 'center', inline: 'nearest'});
        return row;
    }

    go_to(line, stay) {
        const is_at = row => !row.note && !row.inlined && row.line === line,
              i = this.rows.findIndex(row => row.gap ? row.gap.some(is_at) : is_at(row));
        if (i < 0)
            return;
        if (this.rows[i].gap && !stay) {
            this.open_gap(this.rows[i], line);
            return;
        }
        this.current = i;
        const row = stay ? this.blocks.row(i) : this.go_to_row(i);
        row.classList.add('here');
        if (!stay)
            requestAnimationFrame(() => row.scrollIntoView({block: 'center', inline: 'nearest'}));
    }

    /* Shows the rows of a gap, and goes to a line of them. */
    open_gap({line: first}, line) {
        here.opened.add(gap_name(first));
        this.stop();
        this.place.replaceChildren();
        this.told = null;
        this.show();
        this.go_to(line);
    }

    /* n and p: the next hot line, and the one before. */
    key(event) {
        if ((event.key !== 'n' && event.key !== 'p') || !this.blocks)
            return false;
        this.step_hot(event.key === 'n' ? 1 : -1);
        return true;
    }

    /* The search begins at the hot line that was shown last, or at the top of the window. */
    step_hot(step, at = this.current === undefined ? this.top_row() - 0.5 : this.current) {
        const next = step > 0 ? this.hot.findIndex(i => i > at) : this.hot.findLastIndex(i => i < at);
        if (next < 0)
            return;
        this.place.querySelectorAll('tr.here').forEach(row => row.classList.remove('here'));
        this.current = this.hot[next];
        this.go_to_row(this.current).classList.add('here');
        this.which.textContent = wording('hot_line') + ' ' + (next + 1) + ' of ' + this.hot.length;
    }

    stop() {
        this.stopped = true;
        if (this.blocks)
            this.blocks.stop();
        if (this.resized) {
            this.resized.disconnect();
            window.removeEventListener('scroll', this.on_scroll);
        }
    }
}
