/* Trees for flame graphs: the stacks of the profile, focused, folded, turned over, and laid out. */

/* A tree under construction. Node 0 is the root; a node comes after its parent. */
class Tree {
    constructor(keys, root_key) {
        this.keys = keys; /* how many keys there are, -1 (the root's) not among them */
        this.key = [root_key];
        this.parent = [-1];
        this.self = [0];
        this.calls = [0];
        this.children = new Map();
    }

    child(parent, key) {
        const place = parent * this.keys + key;
        let node = this.children.get(place);
        if (node === undefined) {
            node = this.key.length;
            this.children.set(place, node);
            this.key.push(key);
            this.parent.push(parent);
            this.self.push(0);
            this.calls.push(0);
        }
        return node;
    }

    add(node, ticks, calls) {
        this.self[node] += ticks;
        this.calls[node] += calls;
    }

    /* The node for key above node, itself among them, the root not; -1: none. */
    above(node, key) {
        for (; node > 0; node = this.parent[node])
            if (this.key[node] === key)
                return node;
        return -1;
    }
}

/* options: packages (whole packages instead of subs), fold (set of subs), recursion (false: collapsed), only
 * (function from sub to whether stacks begin there; null: all), requests (they are the roots), invert (callee
 * first), callers_of (a sub: it is the only root, with its callers below it), by ('time' or 'calls'), stacks
 * (in the place of the profile's). Nodes have subs as keys, or packages. */
function build_tree(profile, options) {
    const {subs} = profile, stacks = options.stacks || profile.stacks;
    if (!profile.difference && !options.packages && !options.invert && !options.only && !options.fold &&
        !options.requests && options.recursion !== false && !(options.callers_of >= 0))
        return whole_tree(profile);
    const keys = options.packages ? profile.packages.name.length : subs.count;
    const tree = new Tree(Math.max(keys, 1), -1);
    const key_of = options.packages ? sub => subs.package[sub] : sub => sub;
    const is_folded = sub => !!options.fold && options.fold.has(sub);
    const step = (parent, sub) => {
        const key = key_of(sub);
        if (is_folded(sub))
            return parent;
        if (options.packages && (tree.key[parent] === key && parent > 0 || is_eval(sub)))
            return parent;
        const same = options.recursion === false ? tree.above(parent, key) : -1;
        return same >= 0 ? same : tree.child(parent, key);
    };
    const {only} = options;
    if (options.callers_of >= 0)
        add_callers(tree, step, options.callers_of, stacks);
    else if (options.invert)
        add_inverted(tree, step, only, stacks);
    else
        add_stacks(tree, step, stacks,
            options.requests ? parent_in_requests(tree)
                : only       ? (sub, above = -1) => above < 0 && only(sub) ? 0 : above
                             : (sub, above = 0) => above,
            is_folded);
    return tree;
}

/* All stacks as they are: each node of the profile is one of the tree. */
function whole_tree({stacks, subs}) {
    const tree = new Tree(Math.max(subs.count, 1), -1);
    tree.key = [-1].concat(stacks.sub);
    tree.parent = [-1];
    tree.self = [0];
    tree.calls = [0].concat(stacks.calls);
    for (let node = 0; node < stacks.count; node++) {
        tree.parent.push(stacks.parent[node] + 1);
        tree.self.push(Math.max(0, stacks.excl[node]));
    }
    return tree;
}

/* Stacks of one outermost call, as a tree with the same nodes, of which that call is the root. */
function tree_of_stacks(stacks) {
    const tree = new Tree(Math.max(recorded.subs.count, 1), stacks.sub[0]);
    tree.key = stacks.sub;
    tree.parent = Array.from(stacks.parent);
    tree.self = stacks.excl.map(ticks => Math.max(0, ticks));
    tree.calls = stacks.calls;
    return tree;
}

/* parent_of(sub, above): the parent of a call of a sub; above is the node of its caller, undefined if it has
 * none, and -1 if that is left out. The calls of a folded sub are not its caller's. */
function add_stacks(tree, step, stacks, parent_of, is_folded) {
    const path = [];
    for (let node = 0; node < stacks.count; node++) {
        const depth = stacks.depth[node], sub = stacks.sub[node], parent = parent_of(sub, path[depth - 1]);
        path[depth] = parent < 0 ? -1 : step(parent, sub);
        if (path[depth] >= 0)
            tree.add(path[depth], Math.max(0, stacks.excl[node]), is_folded(sub) ? 0 : stacks.calls[node]);
    }
}

/* The calls within requests are below these, and all others below a root of their own. */
function parent_in_requests(tree) {
    return (sub, above) => label_of(sub) >= 0 && recorded.labels.kind[label_of(sub)] === span_kind
        ? 0
        : above ?? tree.child(0, beside_key);
}

function add_inverted(tree, step, only, stacks) {
    const inside = new Uint8Array(stacks.count);
    for (let node = 0; node < stacks.count; node++) {
        const parent = stacks.parent[node];
        inside[node] = !only || only(stacks.sub[node]) || (parent >= 0 && inside[parent]) ? 1 : 0;
        if (!inside[node] || (stacks.excl[node] <= 0 && stacks.calls[node] === 0))
            continue;
        const ticks = Math.max(0, stacks.excl[node]), calls = stacks.calls[node];
        let to = 0;
        for (let at = node; at >= 0 && inside[at]; at = stacks.parent[at])
            to = step(to, stacks.sub[at]);
        tree.add(to, ticks, calls);
    }
}

/* The calls of a sub, each with all of its time. Those within another call of it are a part of that. */
function add_callers(tree, step, sub, stacks) {
    for (let node = 0; node < stacks.count; node++) {
        if (stacks.sub[node] !== sub)
            continue;
        let to = 0;
        for (let at = node; at >= 0; at = stacks.parent[at])
            to = step(to, stacks.sub[at]);
        tree.add(to, stacks.incl[node], stacks.calls[node]);
        node = stacks.end[node] - 1;
    }
}

/* The nodes of a tree in pre-order, with positions from 0 to 1. by: 'time' or 'calls';
 * order: 'weight', 'name' or 'first'; name_of: from key to name. */
function lay_out(tree, {by = 'time', order = 'weight', name_of}) {
    const count = tree.key.length;
    const incl = Float64Array.from(tree.self), calls_below = Float64Array.from(tree.calls);
    for (let node = count - 1; node > 0; node--) {
        incl[tree.parent[node]] += incl[node];
        calls_below[tree.parent[node]] += calls_below[node];
    }
    const weight = by === 'calls' ? calls_below : incl;
    const {first, next} = ordered_children(tree, weight, order, name_of);
    const out = {
        count,
        by,
        total: weight[0],
        incl,
        calls_below,
        tree,
        node: new Uint32Array(count),
        x0: new Float64Array(count),
        x1: new Float64Array(count),
        depth: new Uint32Array(count),
        end: new Uint32Array(count),
        parent: new Int32Array(count)
    };
    const scale = weight[0] > 0 ? 1 / weight[0] : 0;
    const place_of = new Int32Array(count), at_x = new Float64Array(count);
    let place = 0;
    for (let node = 0; node >= 0; place++) {
        const parent = tree.parent[node];
        place_of[node] = place;
        out.node[place] = node;
        out.parent[place] = parent >= 0 ? place_of[parent] : -1;
        out.x0[place] = at_x[node] = parent >= 0 ? at_x[parent] : 0;
        out.x1[place] = out.x0[place] + weight[node] * scale;
        if (parent >= 0)
            at_x[parent] = out.x1[place];
        out.depth[place] = parent >= 0 ? out.depth[out.parent[place]] + 1 : 0;
        if (first[node] >= 0) {
            node = first[node];
            continue;
        }
        while (node >= 0 && next[node] < 0) {
            out.end[place_of[node]] = place + 1;
            node = tree.parent[node];
        }
        if (node >= 0) {
            out.end[place_of[node]] = place + 1;
            node = next[node];
        }
    }
    return out;
}

/* Children as linked lists in the wanted order: a node's first one, and the one after a node; -1: none. */
function ordered_children(tree, weight, order, name_of) {
    const count = tree.key.length, families = index_by(tree.parent, count), names = new Map();
    if (order === 'name')
        for (const key of new Set(tree.key))
            names.set(key, name_of(key));
    const by_weight = (a, b) =>
        (tree.key[a] === beside_key) - (tree.key[b] === beside_key) || weight[b] - weight[a] || a - b;
    const by_name = (a, b) => {
        const x = names.get(tree.key[a]), y = names.get(tree.key[b]);
        return x < y ? -1 : x > y ? 1 : a - b;
    };
    const first = new Int32Array(count).fill(-1), next = new Int32Array(count).fill(-1);
    for (let parent = 0; parent < count; parent++) {
        const children = families.of(parent);
        if (!children.length)
            continue;
        if (children.length > 1 && order !== 'first')
            children.sort(order === 'name' ? by_name : by_weight);
        first[parent] = children[0];
        for (let i = 1; i < children.length; i++)
            next[children[i - 1]] = children[i];
    }
    return {first, next};
}
