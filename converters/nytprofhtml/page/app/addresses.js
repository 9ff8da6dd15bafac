/* Addresses of subs and files by their names, which stay when a profile is recorded again: files without the
 * directory of @INC that they are in, unless another has that name, and a number after what is not the only
 * one of its name. */

/* {of: address by number, numbers: number by address}. */
function numbered_addresses(names) {
    const of = [], numbers = new Map();
    for (const name of names) {
        let address = name;
        for (let again = 2; numbers.has(address); again++)
            address = name + '~' + again;
        numbers.set(address, of.length);
        of.push(address);
    }
    return {of, numbers};
}

/* A path in brackets is that of a file: "main::__ANON__[/usr/share/perl5/A.pm:12]". */
function with_short_path(name, numbers, addresses) {
    const open = name.indexOf('[') + 1, end = name.lastIndexOf(':');
    const file = open > 0 && end > open ? numbers.get(name.slice(open, end)) : undefined;
    return file === undefined ? name : name.slice(0, open) + addresses[file] + name.slice(end);
}

/* names: number by the whole name. */
const file_addresses = once_for(({files}) => {
    const names = new Map(files.name.map((name, file) => [name, file])), seen = new Set(),
          below = files.name.map((name, file) => name.split('/').slice(files.below[file]).join('/'));
    const short = below.map((name, file) => seen.has(name) ? files.name[file] : (seen.add(name), name));
    return {...numbered_addresses(short.map(name => with_short_path(name, names, short))), names};
});

const sub_addresses = once_for(({subs}) => {
    const {of, names} = file_addresses(recorded);
    return numbered_addresses(
        subs.name.map(name => name.includes('[') ? with_short_path(name, names, of) : name));
});

function number_within(text, count) {
    return /^\d+$/.test(text) && Number(text) < count ? Number(text) : -1;
}

/* The sub that an address names, by its number, too; -1: there is none. */
function sub_at(address = '') {
    const sub = sub_addresses(recorded).numbers.get(address);
    return sub === undefined ? number_within(address, recorded.subs.count) : sub;
}

/* The only file whose path ends so; undefined: there is none, or several. */
function file_ending(text) {
    const ends = '/' + text,
          [file, other] = recorded.files.name.flatMap((name, number) => name.endsWith(ends) ? [number] : []);
    return other === undefined ? file : undefined;
}

/* {file, line}: that of "A.pm:12", also with the whole path, its end or the number of the file; file is -1 if
 * there is none, and line 0. */
function place_at(address = '') {
    const {numbers, names} = file_addresses(recorded);
    const [, name, line] = /^(.*?)(?:[:/](\d+))?$/s.exec(address);
    for (const [text, at] of [[address, 0], [name, Number(line || 0)]]) {
        const file = [
            numbers.get(text), names.get(text), number_within(text, recorded.files.count), file_ending(text)
        ].find(one => one >= 0);
        if (file !== undefined)
            return {file, line: at};
    }
    return {file: -1, line: 0};
}

function sub_address(sub) {
    return sub_addresses(recorded).of[sub];
}

function file_address(file) {
    return file_addresses(recorded).of[file];
}

/* That of a string eval in a stack leads to the statement that runs it. */
function sub_route(sub) {
    const {subs} = recorded;
    if (is_eval(sub) && subs.file[sub] >= 0)
        return file_route(subs.file[sub], subs.first[sub]);
    return route_text('sub', [sub_address(sub)]);
}

function file_route(file, line) {
    return route_text('file', [file_address(file) + (line ? ':' + line : '')]);
}
