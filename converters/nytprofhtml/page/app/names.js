/* Names of subs and files, and links to them. */

/* "main::__ANON__[t.pl:3]" is in main: what follows "[" is a place. */
function package_of(name) {
    const bracket = name.indexOf('[');
    const last = name.lastIndexOf('::', bracket < 0 ? Infinity : bracket);
    return last < 0 ? '' : name.slice(0, last);
}

/* The last two parts of a long path. */
function short_path(path) {
    const eval_name = /^\(eval \d+\)\[(.*)\]$/.exec(path);
    if (eval_name)
        return path.slice(0, path.length - eval_name[1].length - 1) + short_path(eval_name[1]) + ']';
    const parts = path.split('/');
    return path.startsWith('/') && parts.length > 3 ? parts.slice(-2).join('/') : path;
}

/* Code outside of all subs calls under these names. */
function is_outside(sub) {
    const name = recorded.subs.name[sub];
    return name === 'main::RUNTIME' || name === 'main::NULL';
}

function sub_label(sub) {
    return is_outside(sub) ? recorded.subs.name[sub] + ' (outside of subs)' : recorded.subs.name[sub];
}

/* The text that appears when the pointer is on the name of a sub. */
function sub_title(sub) {
    const {name, explained} = recorded.subs;
    return name[sub] + (explained.has(sub) ? ': ' + explained.get(sub) : '');
}

/* A name in parts: where there is too little room in a table, what comes before the last :: or / gives way
 * first, and so do the directories in "main::__ANON__[/srv/shop.pl:7]" and the eval in "main::__ANON__[(eval
 * 1)[shop.pl:7]:1]"; then what comes before the place, in which such subs differ. */
function name_parts(text) {
    const bracket = text.indexOf('[') + 1, head = text.slice(0, bracket || undefined);
    const colons = head.lastIndexOf('::') + 2, cut = colons > 1 ? colons : head.lastIndexOf('/') + 1;
    const place =
        bracket ? Math.max(bracket, text.lastIndexOf('/') + 1, text.lastIndexOf('[') + 1) : text.length;
    const part = (of, from, to) => to > from && make('span', {class: of}, text.slice(from, to));
    return [
        part('outer', 0, cut), part(bracket ? 'middle' : 'inner', cut, head.length),
        part('outer', head.length, place), part('inner', place, text.length)
    ].filter(Boolean);
}

function sub_link(sub, text) {
    return make(
        'a', {href: sub_route(sub), title: sub_title(sub)}, name_parts(text || recorded.subs.name[sub]));
}

function file_link(file, line) {
    if (file < 0)
        return make('span.quiet', 'unknown');
    const name = recorded.files.name[file];
    const text = short_path(name) + (line ? ':' + line : '');
    return make(
        'a', {href: file_route(file, line), title: name + (line ? ':' + line : '')}, name_parts(text));
}

/* A link to a line, to which its text is added as soon as it is unpacked. */
function coded_link(file, line) {
    const link = file_link(file, line);
    link.dataset.line = line;
    if (file >= 0)
        source_of(file).then(text => text && text[line - 1] &&
                link.after(make('code.snippet', highlighted(text[line - 1].trim(), 0))),
            () => {});
    return link;
}

/* A link by a template, whose words in braces values has. */
function link_by(template, values, text) {
    const url = template.replace(/\{(\w+)\}/g,
        (all, word) => encodeURIComponent(values[word]).replace(/%2F/g, '/').replace(/%3A/g, ':'));
    return /^javascript:/i.test(url.trim())
        ? null
        : make('span', ' ', make('a', {href: url, rel: 'noopener noreferrer'}, text));
}

/* A link into an editor or a forge, where --url gave a template. */
function editor_link(file, line, sub) {
    const template = recorded.about.url;
    if (!template || file < 0)
        return null;
    const values = {
        file: recorded.files.name[file],
        line: line || 1,
        sub: sub === undefined ? '' : recorded.subs.name[sub],
        package: sub === undefined ? '' : package_of(recorded.subs.name[sub])
    };
    return link_by(template, values, 'Open in the editor');
}

/* A link to the trace of the longest request, where --trace-url gave a template and it has ids. */
function trace_link(label) {
    const template = recorded.about.trace_url, {trace_id, span_id} = recorded.labels;
    return template && trace_id && trace_id[label]
        ? link_by(template, {trace_id: trace_id[label], span_id: span_id[label]}, 'Its trace')
        : null;
}

/* The whole path of a place. */
function whole_place(file, line) {
    return file < 0 ? '' : recorded.files.name[file] + (line ? ':' + line : '');
}

/* "lib/Shop.pm:12", where a sub is; false if that is not known. */
function place_text(sub) {
    const {subs, files} = recorded;
    return subs.file[sub] >= 0 &&
        short_path(files.name[subs.file[sub]]) + (subs.first[sub] ? ':' + subs.first[sub] : '');
}
