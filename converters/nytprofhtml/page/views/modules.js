/* What loading modules cost: a tree of `use`, each with its inclusive time, and what was loaded at run time. If require
 * and do FILE are not calls in the profile, all there is of them is the time of a file's own statements. */

/* Rows of items, which open and close. */
class LoadTable {
    constructor(label, items, whole, file_of) {
        this.whole = whole;
        this.file_of = file_of;
        this.unit = unit_for(items.reduce((most, item) => Math.max(most, item.incl), 0));
        this.body = make('tbody');
        this.table = make('table', {class: 'top loads', 'aria-label': label}, make('thead', null,
            make('tr', null, make('th', {scope: 'col', class: 'n'}, 'Incl., ' + this.unit.name),
                make('th', {scope: 'col', class: 'n wide'}, 'Self, ' + this.unit.name),
                make('th', {scope: 'col', class: 'n count wide'}, count_title('Calls')),
                make('th', {scope: 'col'}, 'Statement'), make('th', {scope: 'col', class: 'wide'}, 'At'))), this.body);
        this.fill(items, 1, row => this.body.append(row));
    }

    /* Short ones are together in one row, unless they are few. */
    fill(items, level, put) {
        const long = items.filter(item => item.incl >= this.whole * 0.001);
        const shown = items.length - long.length > 3 && !items[long.length].unfolded ? long.length : items.length;
        for (const item of items.slice(0, shown))
            this.add(item, level, put);
        if (shown < items.length)
            put(this.rest(items.slice(shown), level));
    }

    add(item, level, put) {
        const row = this.row(item, level);
        put(row);
        if (item.list.length && (item.open === undefined ? item.incl > this.whole * 0.1 : item.open)) {
            row.querySelector('button').setAttribute('aria-expanded', 'true');
            this.fill(item.list, level + 1, put);
        }
    }

    row(item, level) {
        const file = this.file_of(item);
        const toggle = item.list.length ? make('button', {type: 'button', class: 'toggle', 'aria-expanded': 'false',
            'aria-label': 'What is loaded by ' + item.text.slice(0, 200), click: event => this.toggle(event.currentTarget, item, level)}) : null;
        return make('tr', {'data-level': level}, make('td', {class: 'n ' + heat_class(item.incl)},
            in_unit(item.incl, this.unit)),
        make('td', {class: 'n wide'}, in_unit(item.self, this.unit)),
        make('td', {class: 'n wide'}, count_text(item.calls)),
        make('td', {class: 'name', style: '--level: ' + Math.min(level - 1, 40)}, toggle, file >= 0
            ? make('a', {href: file_route(file), title: profile.files.name[file]}, make('code', null, item.text.slice(0, 200)))
            : make('code', {title: item.text}, item.text.slice(0, 200))),
        make('td', {class: 'name wide'}, load_place(item)));
    }

    rest(items, level) {
        const sum = name => items.reduce((ticks, item) => ticks + item[name], 0);
        const row = make('tr', {'data-level': level}, make('td', {class: 'n'}, in_unit(sum('incl'), this.unit)),
            make('td', {class: 'n wide'}, in_unit(sum('self'), this.unit)),
            make('td', {class: 'n wide'}, count_text(sum('calls'))),
            make('td', {class: 'name', style: '--level: ' + Math.min(level - 1, 40)},
                make('button', {type: 'button', class: 'link', click: () => {
            items[0].unfolded = true;
            for (const item of items)
                this.add(item, level, one => row.before(one));
            row.remove();
        }}, items.length + ' more')), make('td', {class: 'name wide quiet'}, 'each less than 0.1\u00a0% of loading'));
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

/* Where it is called: a BEGIN block where it is defined. */
function load_place(item) {
    const {subs, arcs} = profile;
    if (is_begin(subs.name[item.sub]))
        return subs.file[item.sub] >= 0 ? file_link(subs.file[item.sub], subs.first[item.sub]) : sub_link(item.sub);
    const from = [...arcs.by_callee.of(item.sub)].filter(arc => item.callers.has(arcs.caller[arc]) ||
        (item.callers.has(-1) && is_outside(arcs.caller[arc])));
    return from.length === 1 ? file_link(arcs.file[from[0]], arcs.line[from[0]])
        : sub_link(item.sub, from.length > 1 ? from.length + ' places' : 'its callers');
}

/* Files that no `use` loaded, as far as is known, with the time of their statements outside of subs. */
function required_files(used) {
    const {files, lines, subs} = profile, rows = [];
    for (let file = 0; file < files.count; file++) {
        if (files.parent[file] >= 0 || used.has(file) || !/\.(pm|pl|al|ix)$/.test(files.name[file]))
            continue;
        const ranges = [...files.subs.of(file)].filter(sub => subs.last[sub] > 0 &&
            !is_begin(subs.name[sub])).map(sub => [subs.first[sub], subs.last[sub]]);
        let ticks = 0;
        for (let row = files.first_row[file]; row < files.first_row[file + 1]; row++)
            if (!ranges.some(([first, last]) => lines.line[row] >= first && lines.line[row] <= last))
                ticks += lines.ticks[row];
        if (ticks > 0)
            rows.push({file, ticks});
    }
    return rows.sort((a, b) => b.ticks - a.ticks || a.file - b.file);
}

let shown_loads = null; /* the tree with what was opened in it, and the selection that it is of */

function show_modules(stage) {
    stage.append(make('h1', null, 'Modules'));
    if (profile.stacks.count === 0) {
        stage.append(make('p', {class: 'empty'},
            'There are no stacks: the profile was recorded without calls=1, or --no-flame was given.'));
        return null;
    }
    if (!shown_loads || shown_loads.of !== selection.address)
        shown_loads = {of: selection.address, tree: load_tree()};
    const {tree} = shown_loads, items = [], view = {};
    for (let at = [tree]; at.length; at = at.flatMap(item => item.list))
        items.push(...at.flatMap(item => item.list));
    view.ready = Promise.all(items.map(async item => Object.assign(item, await named_load(item)))).then(() => {
        if (!view.stopped)
            show_loads(stage, tree, items);
    });
    view.stop = () => {
        view.stopped = true;
    };
    return view;
}

function show_loads(stage, tree, items) {
    const find = module_finder(), sum = list => list.reduce((ticks, item) => ticks + item.incl, 0);
    const file_of = item => {
        const load = item.loads >= 0 ? item.loads : load_of(profile.subs.name[item.sub]) ? item.sub : -1;
        const file = find(item.module);
        return file < 0 && load >= 0 ? profile.subs.file[load] : file;
    };
    const by_use = tree.list.filter(item => is_begin(profile.subs.name[item.sub]));
    const at_run = tree.list.filter(item => !by_use.includes(item)), whole = sum(tree.list), exact = records_loads();
    stage.append(make('p', null, make('strong', null, time_text(sum(by_use))), ' in BEGIN blocks, which ',
        make('code', null, 'use'), ' makes: ' + share_text(sum(by_use)) + ' of all time. ', exact
            ? [make('strong', null, time_text(sum(at_run))), ' in ', make('code', null, 'require'), ' and ', make('code', null, 'do'),
                ' at run time: ' + share_text(sum(at_run)) + '.']
            : 'This is a lower bound: compiling outside of BEGIN blocks counts as time of what follows.'));
    stage.append(make('h2', null, 'By use'));
    if (by_use.length)
        stage.append(new LoadTable('By use', by_use, whole, file_of).table);
    else
        stage.append(make('p', {class: 'empty'}, 'No BEGIN blocks were recorded.'));
    if (exact)
        show_run_time(stage, at_run, whole, file_of);
    else
        show_required(stage, required_files(new Set(items.map(file_of))));
}

function show_run_time(stage, at_run, whole, file_of) {
    stage.append(make('h2', null, 'At run time'), make('p', {class: 'quiet'},
        'Calls of require and do FILE, with the time to find, compile and run the file and what it loads. Those inside a use are above.'));
    if (at_run.length)
        stage.append(new LoadTable('At run time', at_run, whole, file_of).table);
    else
        stage.append(make('p', {class: 'empty'}, 'None was seen.'));
}

function show_required(stage, required) {
    stage.append(make('h2', null, 'Loaded in another way'), make('p', {class: 'quiet'},
        'By require or do, or by a use that the source did not show. The time is that of their statements outside of subs. Recorded with ',
        make('code', null, 'NYTPROF=slowops=3'), ', each require has its inclusive time.'));
    if (!required.length) {
        stage.append(make('p', {class: 'empty'}, 'None was seen.'));
        return;
    }
    const unit = unit_for(required[0].ticks);
    stage.append(short_table('Loaded in another way', [['Self, ' + unit.name, true], ['File', false]], required,
        row => make('tr', null, make('td', {class: 'n ' + heat_class(row.ticks)}, in_unit(row.ticks, unit)),
        make('td', {class: 'name'}, make('a', {href: file_route(row.file), title: profile.files.name[row.file]},
            profile.files.name[row.file]))), 30));
}
