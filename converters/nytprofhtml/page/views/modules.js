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

/* The area of a file: that of its module's package, since a module may also define subs of who uses it. */
function area_of_file(file, module) {
    const {files, packages, subs} = recorded, of_file = file < 0 ? [] : [...files.subs.of(file)];
    const sub = of_file.find(one => packages.name[subs.package[one]] === module) ?? of_file[0];
    return sub === undefined ? named_area - 1 : subs.area[sub];
}

/* The work of loading the modules of each namespace, without what these load. */
function loads_bar(items, file_of) {
    const names = area_names(), sums = names.map(() => 0), modules = names.map(() => new Set());
    for (const item of items) {
        const file = file_of(item), area = area_of_file(file, item.module);
        sums[area] += item.self;
        modules[area].add(file);
    }
    const whole = sums.reduce(sum_of, 0);
    const bar = make('div.share-bar',
        [...sums.keys()]
            .filter(area => sums[area] > 0.005 * whole)
            .sort((a, b) => sums[b] - sums[a])
            .map(area => bar_part(sums[area], whole,
                     `${names[area]}: ${number_of(modules[area].size, 'module')}`, area_color(area))));
    return make('figure', bar,
        make('figcaption',
            `${
                time_text(
                    whole)} of compiling and of code that modules run when they are loaded; 100\u00a0% here`));
}

/* The answer: how long, and what most of it is for. */
function loads_answer({list}, ticks) {
    const {ticks_per_s} = recorded.about, most = list[0];
    if (is_memory() || !most || ticks < 0.05 * ticks_per_s && share_of_all(ticks) < 0.05)
        return `Start-up ${is_memory() ? 'has' : 'is short:'} ${time_text(ticks)}, ${share_text(ticks)}`;
    return `Start-up takes ${time_text(ticks)}, ${share_text(ticks)}: ${
        percent_text(share_of(most.incl, ticks))} of it for ${most.module || most.text}`;
}

function show_modules(stage, {profile}) {
    stage.append(make('h1', 'Start-up'));
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
    const whole = tree.list.reduce((ticks, item) => ticks + load_weight(item), 0);
    stage.querySelector('h1').textContent = loads_answer(tree, sum(tree.list));
    stage.append(loads_bar(items, file_of),
        make('p.quiet',
            records_loads() ? 'By use, and by require and do at run time.' : wording('lower_bound')),
        make('h2', 'Who loads whom'),
        tree.list.length ? new LoadTable(profile, 'Who loads whom', tree.list, whole, file_of).table
                         : make('p.empty', 'No BEGIN block ran.'));
}
