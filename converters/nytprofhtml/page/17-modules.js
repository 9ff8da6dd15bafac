/* What loading modules cost: each `use` is a BEGIN block, and these nest; a `require` at run time is no call in the
 * profile, so all there is of it is the time of the file's own statements. */

/* BEGIN blocks as a tree of {sub, incl, calls, children}, children of the same sub as one. */
function begin_tree() {
    const {stacks, subs} = profile, root = {children: new Map()}, open = [];
    for (let node = 0; node < stacks.count; node++) {
        while (open.length && open[open.length - 1].end <= node)
            open.pop();
        const sub = stacks.sub[node];
        if (!is_begin(subs.name[sub]))
            continue;
        const parent = open.length ? open[open.length - 1].begin : root;
        if (!parent.children.has(sub))
            parent.children.set(sub, {sub, incl: 0, calls: 0, children: new Map()});
        const begin = parent.children.get(sub);
        begin.incl += stacks.incl[node];
        begin.calls += stacks.calls[node];
        open.push({begin, end: stacks.end[node]});
    }
    return root;
}

/* What a BEGIN block loads: the text of its line says it; without source, whose import it calls. */
async function loaded_by(sub) {
    const {subs, arcs} = profile;
    const text = subs.file[sub] >= 0 ? await source_of(subs.file[sub]) : null;
    const line = text && subs.first[sub] > 0 ? text[subs.first[sub] - 1] || '' : '';
    const use = /\b(?:use|no)\s+([A-Za-z_][\w:']*|v?5[\d._]*)([^;#]*)/.exec(line);
    if (use)
        return {module: use[1], text: use[0].trim()};
    for (const arc of arcs.by_caller.of(sub)) {
        const import_of = /^(.*)::(?:un)?import$/.exec(subs.name[arcs.callee[arc]]);
        if (import_of)
            return {module: import_of[1], text: 'use ' + import_of[1]};
    }
    return {module: null, text: line.trim() || 'BEGIN'};
}

/* The file of a module, by the end of its path; -1. */
function module_finder() {
    const {files} = profile, found = new Map();
    for (let file = 0; file < files.count; file++)
        if (files.parent[file] < 0) {
            const parts = files.name[file].split('/');
            for (let i = 1; i <= Math.min(6, parts.length); i++)
                if (!found.has(parts.slice(-i).join('/')))
                    found.set(parts.slice(-i).join('/'), file);
        }
    return module => module ? found.get(module.replace(/::|'/g, '/') + '.pm') ?? -1 : -1;
}

function begin_item(begin, whole, file_of, names) {
    const {subs} = profile;
    const children = [...begin.children.values()].filter(child => child.incl > 0 ||
        child.children.size).sort((a, b) => b.incl - a.incl || a.sub - b.sub);
    const name = names.get(begin.sub), file = file_of(name.module);
    const inner = children.reduce((sum, child) => sum + child.incl, 0);
    const line = make('span', {class: 'begin'}, make('span', {class: 'n ' + heat_class(begin.incl)},
        time_text(begin.incl)), make('span', {class: 'n quiet'}, time_text(Math.max(0, begin.incl - inner))),
        make('code', null, name.text.slice(0, 120)), ' ', subs.file[begin.sub] >= 0
            ? make('span', {class: 'quiet wide'}, 'at ', file_link(subs.file[begin.sub], subs.first[begin.sub]))
            : sub_link(begin.sub),
        file >= 0 ? [' ', make('a', {href: file_route(file), class: 'wide'}, 'its source')] : null);
    if (!children.length)
        return make('li', null, line);
    const list = make('ul', {class: 'tree'});
    const details = make('details', {open: begin.incl > whole * 0.1}, make('summary', null, line), list);
    const fill = () => {
        if (details.open && !list.firstChild)
            list.append(...children.map(child => begin_item(child, whole, file_of, names)));
    };
    details.addEventListener('toggle', fill);
    fill();
    return make('li', null, details);
}

/* Files that no `use` loaded, as far as is known, with the time of their statements outside of subs. */
function required_files(file_of, names) {
    const {files, lines, subs} = profile, used = new Set();
    for (const name of names.values())
        used.add(file_of(name.module));
    const rows = [];
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

function show_modules(stage) {
    stage.append(make('h1', null, 'Modules'));
    if (profile.stacks.count === 0) {
        stage.append(make('p', {class: 'empty'},
            'There are no stacks: the profile was recorded without calls=1, or --no-flame was given.'));
        return null;
    }
    const tree = begin_tree(), begins = new Set(), view = {};
    const collect = begin => begin.children.forEach(child => {
        begins.add(child.sub);
        collect(child);
    });
    collect(tree);
    Promise.all([...begins].map(async sub => [sub, await loaded_by(sub)])).then(pairs => {
        if (!view.stopped)
            show_module_tree(stage, tree, new Map(pairs));
    });
    view.stop = () => {
        view.stopped = true;
    };
    return view;
}

function show_module_tree(stage, tree, names) {
    const top = [...tree.children.values()].sort((a, b) => b.incl - a.incl || a.sub - b.sub);
    const whole = top.reduce((sum, begin) => sum + begin.incl, 0), file_of = module_finder();
    stage.append(make('p', null, make('strong', null, time_text(whole)), ' in BEGIN blocks, which is what ',
        make('code', null, 'use'), ' makes: ', share_text(whole) +
        ' of all. At least: compiling outside of BEGIN blocks is charged to what follows.'));
    if (top.length)
        stage.append(make('h2', null, 'By use'), make('p', {class: 'begin heads quiet'},
            make('span', {class: 'n'}, 'Inclusive'), make('span', {class: 'n'}, 'Self'),
            make('span', null, 'Statement')),
            make('ul', {class: 'tree first'}, top.map(begin => begin_item(begin, whole, file_of, names))));
    else
        stage.append(make('p', {class: 'empty'}, 'No BEGIN blocks were recorded.'));
    const required = required_files(file_of, names);
    stage.append(make('h2', null, 'Loaded in another way'),
        make('p', {class: 'quiet'}, 'By require or do, or by a use that the source did not show. The time is that of their statements outside of subs.'));
    if (!required.length)
        stage.append(make('p', {class: 'empty'}, 'None was seen.'));
    else {
        const unit = unit_for(required[0].ticks);
        stage.append(short_table('Loaded in another way', [['Self, ' + unit.name, true], ['File', false]], required,
            row => make('tr', null, make('td', {class: 'n ' + heat_class(row.ticks)}, in_unit(row.ticks, unit)),
            make('td', {class: 'name'}, make('a', {href: file_route(row.file), title: profile.files.name[row.file]},
                profile.files.name[row.file]))), 30));
    }
}
