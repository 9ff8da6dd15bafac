/* What loads files: BEGIN blocks, which `use` makes, and calls of require and do FILE, which the profile has
 * if it was recorded with slowops=3. */

function is_begin(name) {
    return /::BEGIN(@|$)/.test(name);
}

/* What "Foo::Bar::CORE:require" loads: {word, what}. null: another sub. */
function load_of(name) {
    const match = /^([^]*)::CORE:(require|dofile)$/.exec(name);
    return match ? {word: match[2] === 'require' ? 'require' : 'do', what: match[1]} : null;
}

function records_loads() {
    const {settings, subs} = recorded;
    return settings.key.some(
               (key, i) => key === 'slowops' && settings.kind[i] === 1 && settings.value[i] > 2) ||
        subs.name.some(name => load_of(name));
}

/* The tree of loads, as items {sub, incl, calls, callers, list}: list has the items inside, the longest
 * first; callers has the subs that call the sub there. A use that loads one module is one item, whose member
 * loads is the sub of the require. */
function load_tree(profile, stacks = profile.stacks) {
    const {subs} = profile, open = [], path = [], items = [];
    const add = (parent, sub) => {
        const item = {sub, incl: 0, calls: 0, callers: new Set(), inside: new Map(), list: [], loads: -1};
        items.push(item);
        if (parent)
            parent.inside.set(sub, item);
        return item;
    };
    const root = add(null, -1);
    const wanted = subs.name.map(name => is_begin(name) || load_of(name) !== null);
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], depth = stacks.depth[node];
        path[depth] = stacks.part_of[node];
        if (!wanted[sub])
            continue;
        while (open.length && open[open.length - 1].end <= node)
            open.pop();
        const parent = open.length ? open[open.length - 1].item : root;
        const item = parent.inside.get(sub) || add(parent, sub);
        item.incl += stacks.incl[node];
        item.calls += is_estimated() ? samples_of(stacks.incl[node], profile.totals)
            : is_memory()            ? stacks.blocks[node]
                                     : stacks.calls[node];
        item.callers.add(depth > 0 ? path[depth - 1] : -1);
        open.push({item, end: stacks.end[node]});
    }
    for (const item of items.reverse())
        finish_item(item);
    return root;
}

/* Finishes an item whose inner items are finished. */
function finish_item(item) {
    const {name} = recorded.subs;
    item.list = [...item.inside.values()];
    if (item.sub >= 0 && is_begin(name[item.sub])) {
        const loads = item.list.filter(one => load_of(name[one.sub]) && one.callers.has(item.sub));
        if (loads.length === 1) {
            item.loads = loads[0].sub;
            item.list = item.list.filter(one => one !== loads[0]).concat(loads[0].list);
        }
    }
    item.list.sort((a, b) => b.incl - a.incl || a.sub - b.sub);
    item.self = Math.max(0, item.incl - item.list.reduce((sum, one) => sum + one.incl, 0));
}

/* Sets the member old of each item of NEW: the same item in OLD, or null. Items that only OLD has are added,
 * without time in NEW. Two items are the same if they load the same or, where it is not known what they load,
 * if they are the same sub. Items have their names already. */
function join_loads(list, old_list) {
    const left = new Set(old_list), is_same = [
        (a, b) => a.module === b.module && a.sub === b.sub,
        (a, b) => a.module !== null && a.module === b.module,
        (a, b) => a.sub === b.sub && (a.module === null || b.module === null)
    ];
    for (const same of is_same)
        for (const item of list.filter(one => !one.old)) {
            const old = [...left].find(one => same(item, one));
            if (old && left.delete(old))
                item.old = old;
        }
    for (const old of left)
        list.push({...old, old, incl: 0, self: 0, calls: 0, list: [], only_old: true});
    for (const item of list) {
        item.old = item.old || null;
        join_loads(item.list, item.old ? item.old.list : []);
    }
    list.sort((a, b) => load_weight(b) - load_weight(a) || a.sub - b.sub);
}

/* The largest of what an item has. */
function load_weight(item) {
    return Math.max(item.incl, item.old ? item.old.incl : 0);
}

/* Whose file a module has: by @INC if the profile says what that was, otherwise by the ends of paths. */
function module_finder() {
    const {files} = recorded, found = new Map(), inc = setting_of('inc');
    const directories = (inc.match(/(?:[^:\\]|\\[^])+/g) || [])
                            .map(one => one.replace(/\\([^])/g, '$1') + '/')
                            .sort((a, b) => b.length - a.length);
    for (let file = 0; file < files.count; file++) {
        const name = files.name[file], directory = directories.find(one => name.startsWith(one));
        if (files.parent[file] < 0 && directory)
            found.set(name.slice(directory.length), file);
    }
    for (let file = 0; file < files.count; file++) {
        const parts = files.name[file].split('/');
        for (let i = 1; files.parent[file] < 0 && i <= Math.min(6, parts.length); i++)
            if (!found.has(parts.slice(-i).join('/')))
                found.set(parts.slice(-i).join('/'), file);
    }
    const file_of = path => found.has(path) ? found.get(path) : -1;
    return module => {
        const file = module ? file_of(module.replace(/::|'/g, '/') + '.pm') : -1;
        return module && file < 0 ? file_of(module.replace(/^\.?\//, '')) : file;
    };
}

/* The statements of a line that perl makes BEGIN blocks of, in their order: {module, text}. A module of null:
 * a BEGIN block that is written as one. */
function uses_in(line) {
    const statement = /\b(?:use|no)\s+([A-Za-z_][\w:']*|v?5[\d._]*)[^;#]*|\bBEGIN\s*\{/g;
    return [...line.replace(/(^|\s)#.*/, '').matchAll(statement)].map(
        ([text, module]) => ({module: module || null, text: module ? text.trim() : line.trim()}));
}

/* The line where a sub begins in OLD. The name of a BEGIN block has it. */
function old_first_line(sub) {
    const {subs, difference: {gone}} = recorded, row = gone.sub.indexOf(sub),
                             begin = /::BEGIN@(\d+)/.exec(subs.name[sub]);
    return row >= 0 ? gone.first[row] : begin ? Number(begin[1]) : subs.first[sub];
}

/* The text of the line where a sub begins; empty: not known. */
async function first_line_of(sub, in_old) {
    const {subs} = recorded, first = in_old ? old_first_line(sub) : subs.first[sub], file = subs.file[sub];
    const text = file < 0 || !first ? null : await (in_old ? old_source_of : source_of)(file);
    return text ? text[first - 1] || '' : '';
}

/* The subs that a sub calls. */
function callees_of({arcs, difference}, sub, in_old) {
    const {pairs} = difference || {};
    return in_old
        ? [...pairs.by_caller.of(sub)].filter(row => pairs.old_calls[row] > 0).map(row => pairs.callee[row])
        : [...arcs.by_caller.of(sub)].map(arc => arcs.callee[arc]);
}

/* A line may have several BEGIN blocks: returns which of them the sub is, from 0, by the number in its name;
 * -1 if the profile does not have all of them. */
function nth_begin(sub, in_old, count) {
    const {subs, files} = recorded, first = one => in_old ? old_first_line(one) : subs.first[one],
                 number = one => Number(/\.(\d+)$/.exec(subs.name[one])?.[1] || 0);
    const beside = [...files.subs.of(subs.file[sub])].filter(
        one => is_begin(subs.name[one]) && first(one) === first(sub));
    return beside.length === count && beside.every(one => subs.package[one] === subs.package[sub])
        ? beside.sort((a, b) => number(a) - number(b)).indexOf(sub)
        : -1;
}

/* Returns what an item of NEW's tree or of OLD's loads: {module, text}. The line of a BEGIN block names it.
 * If it has several uses, it is the one whose import the block calls, or else the nth of as many blocks.
 * Without source, it is the package of the import. */
async function named_load(profile, item, in_old) {
    const {subs} = recorded, own = load_of(subs.name[item.sub]);
    if (own)
        return {module: own.what, text: own.word + ' ' + own.what};
    const module = item.loads >= 0 ? load_of(subs.name[item.loads]).what : null;
    const line = await first_line_of(item.sub, in_old), uses = uses_in(line),
          of_module = name => uses.find(use => use.module === name);
    if (module)
        return of_module(module) || {module, text: line.trim() || 'use ' + module};
    if (uses.length === 1)
        return uses[0];
    for (const callee of callees_of(profile, item.sub, in_old)) {
        const import_of = /^(.*)::(?:un)?import$/.exec(subs.name[callee]);
        if (import_of && of_module(import_of[1]))
            return of_module(import_of[1]);
        if (import_of && !uses.length)
            return {module: import_of[1], text: 'use ' + import_of[1]};
    }
    return uses[nth_begin(item.sub, in_old, uses.length)] || {module: null, text: line.trim() || 'BEGIN'};
}
