/* Filters by regular expressions. An address may have any expression, so the time of each is limited. */

const most_pattern_ms = 1000;

/* How many characters of a text are looked at, by the number of repetitions in the expression: the time grows
 * with the length of the text to the power of that number and one more. */
const most_looked_at = [Infinity, 10000, 800, 200];

/* How many repetitions an expression has; Infinity where its time may double with each letter of the text:
 * what is repeated is a group, or it refers back to a group. */
function repetitions_in(text) {
    const bare = text.replace(/\\[1-9k]/g, '()+').replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
    return /\)(?:[*+]|\{)/.test(bare) ? Infinity : (bare.match(/[*+]|\{\d/g) || []).length;
}

class Pattern {
    /* Adds to problems what is wrong with the text. A text that is not a regular expression, or may take
     * long, is searched for as it is. */
    constructor(text, problems = []) {
        this.text = text;
        this.problems = problems;
        this.spent_ms = 0;
        const repetitions = repetitions_in(text), is_slow = repetitions >= most_looked_at.length;
        this.most = most_looked_at[is_slow ? 0 : repetitions];
        try {
            this.expression = new RegExp(is_slow ? literally(text) : text, 'i');
            if (is_slow)
                problems.push(`“${text}” could take too long, and is looked for as it is.`);
        } catch (wrong) {
            this.expression = new RegExp(literally(text), 'i');
            problems.push(`“${text}” is not a regular expression, and is looked for as it is.`);
        }
    }

    test(text) {
        if (this.spent_ms > most_pattern_ms)
            return false;
        const began = performance.now(),
              found = this.expression.test(text.length > this.most ? text.slice(0, this.most) : text);
        this.spent_ms += performance.now() - began;
        if (this.spent_ms > most_pattern_ms)
            this.problems.push(`“${this.text}” takes too long: what is shown is not all.`);
        return found;
    }
}

function literally(text) {
    return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
