/* What loading modules cost: a tree of `use`, each with its inclusive time, and what was loaded at run time.
 * If require and do FILE are not calls in the profile, all there is of them is the time of a file's own
 * statements. */

/* The columns of numbers. */
function load_columns({difference}) {
    if (!difference)
        return [
            time_column('Self', ({self}) => self), time_column('Incl.', ({incl}) => incl),
            count_column(count_title('Calls'), ({calls}) => calls, {of: 'wide'})
        ];
    const {subs, row_of_sub} = difference;
    const is_one_sub = item => row_of_sub[item.sub] >= 0 && (!item.old || item.old.sub === item.sub);
    const verdict = item => is_one_sub(item) ? subs.verdict_incl[row_of_sub[item.sub]] : not_tested;
    return change_columns(item => [item.old ? item.old.incl : 0, item.incl, verdict(item)]);
}

/* What loads something, that with most time itself first; of two profiles, with what it loads. */
function loads_table(profile, items, file_of) {
    const weight = profile.difference ? load_weight : item => item.self;
    const rows =
        [...items].sort((a, b) => weight(b) - weight(a) || load_weight(b) - load_weight(a) || a.sub - b.sub);
    const name = item => {
        const file = file_of(item), code = make('code', {title: item.text}, item.text.slice(0, 200));
        return file >= 0 ? make('a', {href: file_route(file), title: recorded.files.name[file]}, code) : code;
    };
    const table = short_table('What loads',
        [
            ...load_columns(profile),
            name_column('Statement', item => [name(item), item.only_old && only_old_tag()]),
            name_column(
                'First loaded by', item => item.only_old ? '' : load_place(profile, item), {of: 'wide'})
        ],
        rows);
    table.classList.add('loads');
    return table;
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

/* All items of a tree, each before what it loads; by is the one that loads it. */
function items_below(tree) {
    const items = [];
    const add = item => item.list.forEach(one => {
        items.push(Object.assign(one, {by: item}));
        add(one);
    });
    add(tree);
    return items;
}

/* {tree, items, ready: a promise of their names}. */
const loads_of = once_for(profile => {
    const tree = load_tree(profile), old = profile.difference && load_tree(profile, old_stacks(profile)),
          shown = {tree, items: items_below(tree)};
    const name_all = (list, in_old) =>
        list.map(async item => Object.assign(item, await named_load(profile, item, in_old)));
    const names = [...name_all(shown.items, false), ...old ? name_all(items_below(old), true) : []];
    shown.ready = Promise.all(names).then(() => {
        if (old)
            join_loads(tree.list, old.list);
        shown.items = items_below(tree);
    });
    return shown;
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
        make('figcaption', time_text(whole) + ' of compiling and of the code of modules; 100\u00a0% here'));
}

/* The largest parts of the tree that are not most of it: {item, modules (how many it asks for), others (the
 * items elsewhere that ask for the same one)}. */
function load_branches(items, whole) {
    const found = [],
          is_within = item => item && (found.some(one => one.item === item) || is_within(item.by));
    for (const item of [...items].sort((a, b) => b.incl - a.incl))
        if (item.module && item.incl <= whole / 2 && item.incl > least_share * whole && !is_within(item))
            found.push({
                item,
                modules: new Set([item, ...items_below(item)].map(({module}) => module).filter(Boolean)).size,
                others: items.filter(one => one !== item && one.module === item.module)
            });
    return found.slice(0, most_tops);
}

/* Whether no sub of a module was called but those that load it. */
function is_unused({subs, files}, file) {
    return file >= 0 &&
        [...files.subs.of(file)].every(
            sub => !subs.called[sub] || /::(?:BEGIN(?:@.*)?|import|__ANON__.*)$/.test(subs.name[sub]));
}

function branches_table(profile, branches, file_of) {
    const name = item => {
        const file = file_of(item);
        return file >= 0 ? make('a', {href: file_route(file)}, item.module) : item.module;
    };
    const columns = [
        time_column('Incl.', ({item}) => item.incl), count_column('Modules', ({modules}) => modules),
        name_column('What it is for',
            ({item, others}) => [name(item), item.by.module && [', for ', name(item.by)],
                others.length ? ` and ${count_text(others.length)} more` : item.by.module && ' alone',
                is_unused(profile, file_of(item)) && [': ', make('strong', 'none of its subs was called')]])
    ];
    return table_section('Branches', columns, branches);
}

/* The answer: how long, and what most of it is for. */
function loads_answer({list}, ticks, [branch]) {
    const {ticks_per_s} = recorded.about, most = branch ? branch.item : list[0];
    if (is_memory() || !most || ticks < 0.05 * ticks_per_s && share_of_all(ticks) < 0.05)
        return `Start-up ${is_memory() ? 'has' : 'is short:'} ${time_text(ticks)}, ${share_text(ticks)}`;
    return `Start-up takes ${time_text(ticks)}, ${share_text(ticks)}: ${
               percent_text(share_of(most.incl, ticks))} of it for ${most.module || most.text}` +
        (branch && !branch.others.length && most.by.module ? ', which one module asks for' : '');
}

/* A flame graph of what loads what. Keys are items. */
function loads_flame(frame, items, file_of, details) {
    const number = new Map(items.map((item, key) => [item, key])),
          name_of = key => key < 0 ? 'all'
        : items[key].module        ? items[key].text.split(' ')[0] + ' ' + items[key].module
                                   : items[key].text;
    const tree = new Tree(items.length, -1);
    for (const item of items)
        tree.add(tree.child(number.has(item.by) ? number.get(item.by) + 1 : 0, number.get(item)), item.self,
            item.calls);
    const layout = {...lay_out(tree, {name_of}), name_of}, item_at = place => items[place_key(layout, place)];
    const canvas = sub_flame(frame, layout, {
        skip: 1,
        label_of_all: 'What loads what; the tables below have the numbers',
        color: place => place_key(layout, place) < 0
            ? area_color(-1)
            : area_color(area_of_file(file_of(item_at(place)), item_at(place).module)),
        lines: place => flame_lines(layout, place),
        details,
        on_choose: place => {
            const file = place_key(layout, place) < 0 ? -1 : file_of(item_at(place));
            location.hash = file >= 0 ? file_route(file) : sub_route(item_at(place).sub);
        }
    });
    canvas.show(layout);
    return canvas;
}

function show_modules(stage, {profile}) {
    if (profile.stacks.count === 0)
        return nothing_to_show(stage, 'Start-up', why_no_stacks(profile));
    stage.append(make('h1', 'Start-up'));
    const loads = loads_of(profile);
    return shown_later(loads.ready, () => show_loads(profile, stage, loads));
}

function show_loads(profile, stage, {tree, items}) {
    const find = module_finder(), whole = tree.list.reduce((ticks, item) => ticks + item.incl, 0),
          branches = load_branches(items, whole);
    const file_of = item => {
        const load = item.loads >= 0 ? item.loads : load_of(recorded.subs.name[item.sub]) ? item.sub : -1;
        const file = find(item.module);
        return file < 0 && load >= 0 ? recorded.subs.file[load] : file;
    };
    stage.querySelector('h1').textContent = loads_answer(tree, whole, branches);
    stage.append(loads_bar(items, file_of),
        make('p.quiet',
            number_of(new Set(items.map(({module}) => module)).size, 'module') + '. ' +
                (records_loads() ? 'By use, and by require and do at run time.' : wording('lower_bound'))));
    if (!items.length) {
        stage.append(make('p.empty', 'No BEGIN block ran.'));
        return {};
    }
    const frame = make('div.flame'), details = make('p.details', {'aria-live': 'polite'}, ' ');
    stage.append(make('section', make('h2', 'Who loads whom'), frame, details),
        make('div.columns', branches.length ? branches_table(profile, branches, file_of) : '',
            make('section', make('h2', 'Modules by ' + wording('self')),
                loads_table(profile, items, file_of))));
    /* The number of rows depends on the width, which the frame has once it is in the page. */
    return {stop: loads_flame(frame, items, file_of, details).stop};
}
