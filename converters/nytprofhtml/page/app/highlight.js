/* A light touch of colour for Perl: comments, POD, strings, keywords, variables. It looks at one line at a
 * time, so strings over several lines and here-documents stay plain. */

const plain_line = 0, pod_line = 1, data_line = 2;

/* Which lines are POD, or data after __END__. */
function classify_lines(lines) {
    const found = new Uint8Array(lines.length);
    let pod = false, data = false;
    lines.forEach((line, i) => {
        const directive = /^=[a-zA-Z]/.test(line);
        if (directive)
            pod = true;
        found[i] = pod ? pod_line : data ? data_line : plain_line;
        if (pod && /^=cut\b/.test(line))
            pod = false;
        if (!pod && /^__(END|DATA)__\b/.test(line))
            data = true;
    });
    return found;
}

const keywords = [
    'my our local state sub return if elsif else unless while until for foreach do eval last next redo use',
    'no require package BEGIN END and or not xor eq ne lt gt le ge cmp die warn print push shift map grep',
    'sort keys values defined ref bless scalar wantarray undef exists delete join split qw qr'
].join(' ').replace(/ /g, '|');

const tokens = new RegExp(
    [
        '(?<comment>(?<![$@%&\\\\])#(?![{$]).*$)',
        '(?<string>"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`)',
        '(?<variable>[$@%&]#?\\$*(?:::)?\\w+(?:::\\w+)*|[$@]\\{\\^?\\w+\\})',
        '(?<keyword>(?<![\\w$@%&>{-])(?:' + keywords + ')\\b(?!\\s*=>))',
        '(?<number>(?<![\\w.])\\d[\\d_]*(?:\\.\\d+)?(?:e[+-]?\\d+)?\\b)', '(?<word>\\w+)'
    ].join('|'),
    'g');

/* Controls, those of writing direction too, and what has no width: is_hidden() in lib/base/shown.c has the
 * same. */
const hidden =
    new RegExp('([\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e' +
            '\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}])',
        'u');

/* The text, with spans for what would not be seen, or would change the order of what is. */
function visible(text) {
    return text.split(hidden).map((part, i) => {
        const code = part.codePointAt(0);
        return i % 2 === 0
            ? part
            : make('span.escape',
                  code < 256 ? '\\x' + code.toString(16).padStart(2, '0') : '\\x{' + code.toString(16) + '}');
    });
}

/* The line as text and spans. */
function highlighted(code, kind) {
    const most = 2000; /* characters; longer lines are data */
    if (!code)
        return '';
    if (kind)
        return make('span', {class: kind === pod_line ? 'pod' : 'comment'}, visible(code));
    if (code.length > most)
        return [visible(code.slice(0, most)), ' …'];
    const parts = [];
    let from = 0;
    for (const match of code.matchAll(tokens)) {
        const name = Object.keys(match.groups).find(group => match.groups[group] !== undefined);
        if (name === 'word')
            continue;
        if (match.index > from)
            parts.push(visible(code.slice(from, match.index)));
        parts.push(make('span', {class: name}, visible(match[0])));
        from = match.index + match[0].length;
    }
    parts.push(visible(code.slice(from)));
    return parts;
}
