/* Any number of rows of equal height, in blocks of 200. A block is a table, made when it comes near the
 * window, and laid out only when it is in the window. */

const block_rows = 200;

class Blocks {
    /* options: count, height (of a row, in pixels), widths (one for each column, '' for the rest),
     * make_row(i) to a tr, printed (how many blocks; paper gets no more) */
    constructor(place, options) {
        const {printed} = options;
        this.options = options;
        this.place = place;
        this.blocks = [];
        this.observer = new IntersectionObserver(entries => {
            for (const entry of entries)
                if (entry.isIntersecting)
                    this.fill(this.blocks.indexOf(entry.target));
        }, {rootMargin: '1200px 0px'});
        for (let from = 0; from < options.count; from += block_rows) {
            const height = Math.min(block_rows, options.count - from) * options.height;
            const block = make('div', {class: this.blocks.length < printed ? 'block' : 'block unprinted'});
            block.style.height = height + 'px';
            block.style.containIntrinsicSize = 'auto ' + height + 'px';
            this.blocks.push(block);
            this.observer.observe(block);
        }
        place.append(...this.blocks);
        if (this.blocks.length > printed)
            place.after(make('p.print-only',
                'These are the first ' + count_text(printed * block_rows) + ' of ' +
                    count_text(options.count) + ' rows.'));
        this.aside = []; /* {block, table}: rows that are not there while the page is printed */
        this.on_print = () => this.before_print();
        this.after_print = () => this.bring_back();
        window.addEventListener('beforeprint', this.on_print);
        window.addEventListener('afterprint', this.after_print);
        if (this.blocks.length)
            this.fill(0);
        this.fill_later();
    }

    /* For each printed link, Chromium searches the page for the target. If the rows that are not printed
     * stayed in the page, this would take half a minute for 8,000 subs. */
    before_print() {
        const {printed} = this.options;
        this.focused = this.focused || document.activeElement;
        this.blocks.forEach((block, number) => {
            if (number < printed)
                this.fill(number);
            else if (block.firstChild)
                this.aside.push({block, table: block.removeChild(block.firstChild)});
        });
    }

    bring_back() {
        for (const {block, table} of this.aside.splice(0))
            if (!block.firstChild)
                block.append(table);
        if (this.place.contains(this.focused))
            this.focused.focus({preventScroll: true});
        this.focused = null;
    }

    fill(number) {
        const block = this.blocks[number], {options} = this;
        if (!block || block.firstChild)
            return;
        this.observer.unobserve(block);
        const table = make('table.rows', {role: 'rowgroup'}, make('colgroup', options.widths.map(make_col)));
        const body = make('tbody', {role: 'presentation'});
        const to = Math.min(options.count, (number + 1) * block_rows);
        for (let i = number * block_rows; i < to; i++) {
            const row = options.make_row(i);
            row.setAttribute('role', 'row');
            row.setAttribute('aria-rowindex', i + 2);
            for (const cell of row.children)
                cell.setAttribute('role', 'cell');
            body.append(row);
        }
        table.append(body);
        block.append(table);
    }

    /* Makes the blocks that the window does not show yet, so that the browser's own search finds their rows.
     * */
    fill_later() {
        const most = 60;
        if (this.blocks.length > most || !window.requestIdleCallback)
            return;
        let next = 0;
        const fill_some = deadline => {
            while (next < this.blocks.length && deadline.timeRemaining() > 8)
                this.fill(next++);
            if (next < this.blocks.length && !this.stopped)
                requestIdleCallback(fill_some);
        };
        requestIdleCallback(fill_some);
    }

    /* The row, made if need be. */
    row(i) {
        this.fill(Math.floor(i / block_rows));
        return this.blocks[Math.floor(i / block_rows)].querySelector('tbody').children[i % block_rows];
    }

    stop() {
        this.stopped = true;
        this.observer.disconnect();
        window.removeEventListener('beforeprint', this.on_print);
        window.removeEventListener('afterprint', this.after_print);
    }
}

function make_col(spec) {
    const [width, of] = Array.isArray(spec) ? spec : [spec, null];
    const col = make('col', {class: of});
    if (width)
        col.style.width = width;
    return col;
}
