/* What loading modules cost: a tree of `use`, each with its inclusive time, and what was loaded at run time.
 * If require and do FILE are not calls in the profile, all there is of them is the time of a file's own
 * statements. */

/* The columns of numbers: {title, hint (of the column), of(item), cell(item, unit), time}. */
function load_columns(profile) {
    const time = (title, of, hint) => ({title, of, time: true, hint}), plain = [
        time('Incl.', item => item.incl), time('Self', item => item.self, 'wide'),
        {title: count_title('Calls'), of: item => item.calls, hint: 'count wide'}
    ];
    const before = item => item.old ? item.old.incl : 0, {difference} = profile;
    if (!difference)
        return plain;
    const {subs, row_of_sub} = difference;
    const is_one_sub = item => row_of_sub[item.sub] >= 0 && (!item.old || item.old.sub === item.sub);
    const verdict = item => is_one_sub(item) ? subs.verdict_incl[row_of_sub[item.sub]] : not_tested;
    return [
        time('Old', before), time('New', plain[0].of), {
            title: 'Change',
            of: () => 0,
            hint: 'wide',
            cell: item => percent_cell(before(item), item.incl, verdict(item))
        }
    ];
}

/* The largest of what an item has. */
function load_weight(item) {
    return Math.max(item.incl, item.old ? item.old.incl : 0);
}

/* Rows of items, which open and close. */
class LoadTable {
    constructor(profile, label, items, whole, file_of) {
        this.profile = profile;
        this.whole = whole;
        this.file_of = file_of;
        this.unit = unit_for(items.reduce((most, item) => Math.max(most, load_weight(item)), 0));
        this.columns = load_columns(profile);
        this.body = make('tbody');
        this.table = make('table.top.loads', {'aria-label': label},
            make('thead',
                make('tr',
                    this.columns.map(
                        ({title, time, hint}) => make('th', {scope: 'col', class: 'n ' + (hint || '')},
                            title + (time ? ', ' + this.unit.name : ''))),
                    make('th', {scope: 'col'}, 'Statement'),
                    make('th', {scope: 'col', class: 'wide'}, 'At'))),
            this.body);
        this.fill(items, 1, row => this.body.append(row));
    }

    /* What a column has of an item, or of a sum of items. */
    cells(item, heat) {
        return this.columns.map(
            ({of, cell, time, hint}, i) =>
                make('td', {class: ['n', hint || '', heat && i === 0 ? heat_class(item.incl) : ''].join(' ')},
                    cell       ? cell(item)
                        : time ? in_unit(of(item), this.unit)
                               : count_text(of(item))));
    }

    /* Short items are together in one row, unless they are few. */
    fill(items, level, put) {
        const long = items.filter(item => load_weight(item) >= this.whole * 0.001);
        const shown =
            items.length - long.length > 3 && !items[long.length].unfolded ? long.length : items.length;
        for (const item of items.slice(0, shown))
            this.add(item, level, put);
        if (shown < items.length)
            put(this.rest(items.slice(shown), level));
    }

    add(item, level, put) {
        const row = this.row(item, level);
        put(row);
        if (item.list.length &&
            (item.open === undefined ? load_weight(item) > this.whole * 0.1 : item.open)) {
            row.querySelector('button').setAttribute('aria-expanded', 'true');
            this.fill(item.list, level + 1, put);
        }
    }

    row(item, level) {
        const file = this.file_of(item);
        const toggle = item.list.length ? make('button', {
            type: 'button',
            class: 'toggle',
            'aria-expanded': 'false',
            'aria-label': 'What is loaded by ' + item.text.slice(0, 200),
            click: event => this.toggle(event.currentTarget, item, level)
        })
                                        : null;
        return make('tr', {'data-level': level}, this.cells(item, !item.old),
            make('td.name', {style: '--level: ' + Math.min(level - 1, 40)}, toggle,
                file >= 0 ? make('a', {href: file_route(file), title: recorded.files.name[file]},
                                make('code', item.text.slice(0, 200)))
                          : make('code', {title: item.text}, item.text.slice(0, 200)),
                item.only_old && only_old_tag()),
            make('td.name.wide', item.only_old ? '' : load_place(this.profile, item)));
    }

    rest(items, level) {
        const sum = name => items.reduce((ticks, item) => ticks + item[name], 0);
        const old = this.profile.difference &&
            {incl: items.reduce((ticks, item) => ticks + (item.old ? item.old.incl : 0), 0)};
        const row = make('tr', {'data-level': level},
            this.cells({incl: sum('incl'), self: sum('self'), calls: sum('calls'), old, sub: -1}, false),
            make('td.name', {style: '--level: ' + Math.min(level - 1, 40)},
                make('button', {
                    type: 'button',
                    class: 'link',
                    click: () => {
                        items[0].unfolded = true;
                        for (const item of items)
                            this.add(item, level, one => row.before(one));
                        row.remove();
                    }
                },
                    items.length + ' more')),
            make('td.name.wide.quiet', 'each less than 0.1\u00a0% of loading'));
        return row;
    }

    toggle(button, item, level) {
        const row = button.closest('tr'), open = button.getAttribute('aria-expanded') === 'true';
        button.setAttribute('aria-expanded', String(!open));
        item.open = !open;
        let next = row.nextSibling;
        if (!open)
            this.fill(item.list, level + 1, one => row.parentNode.insertBefore(one, next));
        for (; open && next && next.dataset.level > level; next = row.nextSibling)
            next.remove();
    }
}

/* The place of an item: where its sub is called or, of a BEGIN block, defined. */
function load_place({subs, arcs}, item) {
    if (is_begin(subs.name[item.sub]))
        return subs.file[item.sub] >= 0 ? file_link(subs.file[item.sub], subs.first[item.sub])
                                        : sub_link(item.sub);
    const from = [...arcs.by_callee.of(item.sub)].filter(
        arc => item.callers.has(arcs.caller[arc]) || (item.callers.has(-1) && is_outside(arcs.caller[arc])));
    return from.length === 1 ? file_link(arcs.file[from[0]], arcs.line[from[0]])
                             : sub_link(item.sub, from.length > 1 ? from.length + ' places' : 'its callers');
}

/* Files that no `use` loaded, as far as is known, with the time of their statements outside of subs. Nothing
 * loads the programs themselves. */
function required_files(profile, used) {
    const {files, lines, subs, difference, processes} = profile, rows = [],
                                           programs = new Set(processes.program);
    for (let file = 0; file < files.count; file++) {
        const [base] = /[^/]*$/.exec(files.name[file]);
        if (files.parent[file] >= 0 || used.has(file) || programs.has(base) || !/\.(pm|pl|al|ix)$/.test(base))
            continue;
        const ranges = [...files.subs.of(file)]
                           .filter(sub => subs.last[sub] > 0 && !is_begin(subs.name[sub]))
                           .map(sub => [subs.first[sub], subs.last[sub]]);
        const is_outer = line => !ranges.some(([first, last]) => line >= first && line <= last);
        const row = {file, ticks: 0, before: 0, after: 0};
        for (let at = files.first_row[file]; at < files.first_row[file + 1]; at++)
            row.ticks += is_outer(lines.line[at]) ? lines.ticks[at] : 0;
        if (is_memory() && !difference) /* OLD's kinds are not known */
            row.ticks = files.code[file];
        for (const [line, at] of difference ? changed_lines(profile, file)?.of || [] : [])
            if (is_outer(line)) {
                row.before += difference.lines.old[at];
                row.after += difference.lines.new[at];
            }
        if (row.ticks > 0)
            rows.push(row);
    }
    return rows.sort((a, b) => b.ticks - a.ticks || a.file - b.file);
}

function items_below(tree) {
    const items = [];
    for (let at = [tree]; at.length; at = at.flatMap(item => item.list))
        items.push(...at.flatMap(item => item.list));
    return items;
}

/* {tree, items, ready: a promise of their names}. Items remember whether they are open. */
const loads_of = once_for(profile => {
    const tree = load_tree(profile), old = profile.difference && load_tree(profile, old_stacks(profile)),
          items = items_below(tree);
    const name_all = (list, in_old) =>
        list.map(async item => Object.assign(item, await named_load(profile, item, in_old)));
    const names = [...name_all(items, false), ...old ? name_all(items_below(old), true) : []];
    return {tree, items, ready: Promise.all(names).then(() => old && join_loads(tree.list, old.list))};
});

function show_modules(stage, {profile}) {
    stage.append(make('h1', 'Modules'));
    if (profile.stacks.count === 0) {
        stage.append(make('p.empty', why_no_stacks(profile)));
        return null;
    }
    const {tree, items, ready} = loads_of(profile), view = {};
    view.ready = ready.then(() => {
        if (!view.stopped)
            show_loads(profile, stage, tree, items);
    });
    view.stop = () => { view.stopped = true; };
    return view;
}

function show_loads(profile, stage, tree, items) {
    const find = module_finder(), sum = list => list.reduce((ticks, item) => ticks + item.incl, 0);
    const file_of = item => {
        const load = item.loads >= 0 ? item.loads : load_of(recorded.subs.name[item.sub]) ? item.sub : -1;
        const file = find(item.module);
        return file < 0 && load >= 0 ? recorded.subs.file[load] : file;
    };
    const by_use = tree.list.filter(item => is_begin(recorded.subs.name[item.sub]));
    const at_run = tree.list.filter(item => !by_use.includes(item)),
          whole = tree.list.reduce((ticks, item) => ticks + load_weight(item), 0), exact = records_loads();
    const old_text = list => profile.difference
        ? ' (old: ' + time_text(list.reduce((ticks, item) => ticks + (item.old ? item.old.incl : 0), 0)) + ')'
        : '';
    const code = text => make('code', text);
    const time = list => [make('strong', time_text(sum(list))), old_text(list)];
    const at_run_time = [
        time(at_run), ' in ', code('require'), ' and ', code('do'),
        ' at run time: ' + share_text(sum(at_run)) + '.'
    ];
    stage.append(make('p', time(by_use), ' in BEGIN blocks, which ', code('use'),
        ' makes: ' + share_text(sum(by_use)) + '. ', exact ? at_run_time : wording('lower_bound')));
    stage.append(make('h2', 'By use'));
    if (by_use.length)
        stage.append(new LoadTable(profile, 'By use', by_use, whole, file_of).table);
    else
        stage.append(make('p.empty', 'No BEGIN block ran.'));
    if (exact)
        show_run_time(profile, stage, at_run, whole, file_of);
    else
        show_required(profile, stage, required_files(profile, new Set(items.map(file_of))));
}

function show_run_time(profile, stage, at_run, whole, file_of) {
    stage.append(make('h2', 'At run time'), make('p.quiet', wording('run_time_loads')));
    if (at_run.length)
        stage.append(new LoadTable(profile, 'At run time', at_run, whole, file_of).table);
    else
        stage.append(make('p.empty', 'None was seen.'));
}

function show_required(profile, stage, required) {
    stage.append(make('h2', 'Loaded in another way'),
        make('p.quiet',
            'By require or do, or by a use that the source did not show. ' +
                wording(profile.difference ? 'required_lines' : 'required'),
            make('code', 'NYTPROF=slowops=3'), wording('required_exactly')));
    if (!required.length) {
        stage.append(make('p.empty', 'None was seen.'));
        return;
    }
    const unit = unit_for(required[0].ticks);
    const compared = Boolean(profile.difference),
          link = row =>
              name_cell(make('a', {href: file_route(row.file), title: recorded.files.name[row.file]},
                  recorded.files.name[row.file]));
    stage.append(short_table('Loaded in another way',
        [...compared ? change_heads(unit) : [['Self, ' + unit.name, true]], ['File', false]], required,
        row => make('tr',
            compared ? change_cells(row.before, row.after, not_tested, unit) : time_cell(row.ticks, unit),
            link(row)),
        30));
}
