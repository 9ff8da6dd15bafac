#include "names/labelcache.h"

#include "basics/alloc.h"
#include "base/hash.h"
#include "labels/sqltext.h"

void prof_labels_want(prof_labels *labels)
{
    if (labels->slots != NULL)
        return;
    labels->slots = prof_alloc(sizeof *labels->slots << PROF_LABEL_BITS);
    labels->kept = prof_alloc(sizeof *labels->kept << PROF_KEPT_TEXT_BITS);
}

void prof_labels_init(pTHX_ prof_labels *labels, const char *text, bool complains)
{
    prof_rules_parse(aTHX_ & labels->rules, text, complains);
    if (labels->rules.kinds != 0 || labels->rules.count > 0)
        prof_labels_want(labels);
}

void prof_labels_free(pTHX_ prof_labels *labels)
{
    prof_rules_free(aTHX_ & labels->rules);
    SvREFCNT_dec(labels->ids_of_span);
    free(labels->slots);
    for (size_t i = 0; labels->kept != NULL && i >> PROF_KEPT_TEXT_BITS == 0; i++)
        free(labels->kept[i].copy);
    free(labels->kept);
}

void prof_labels_forget(prof_labels *labels)
{
    if (labels->slots == NULL)
        return;
    memset(labels->ruled, 0, sizeof labels->ruled);
    memset(labels->slots, 0, sizeof *labels->slots << PROF_LABEL_BITS);
    for (size_t i = 0; i >> PROF_KEPT_TEXT_BITS == 0; i++)
        labels->kept[i].at = NULL;
}

static size_t clean_pattern(const prof_label_text *text, char *clean)
{
    static const char flags[] = "msix"; /* in the order of enum prof_pattern_flag */
    char pattern[PROF_LABEL_RAW_MAX];
    size_t length = 0;
    const size_t most = sizeof pattern - sizeof "//msix";
    pattern[length++] = '/';
    memcpy(pattern + length, text->bytes, text->length < most ? text->length : most);
    length += text->length < most ? text->length : most;
    pattern[length++] = '/';
    for (unsigned i = 0; i < sizeof flags - 1; i++)
        if (text->variant >> i & 1)
            pattern[length++] = flags[i];
    return prof_label_clean(pattern, length, text->utf8, clean);
}

static size_t clean_sql(const prof_label_text *text, char *clean)
{
    char sql[PROF_SQL_MAX];
    const size_t length = prof_sql_normalise(text->bytes, text->length, (prof_sql_dialect)text->variant, sql);
    return prof_label_clean(sql, length, text->utf8, clean);
}

/* What becomes no longer when it is normalised. */
static size_t clean_shortened(const prof_label_text *text, size_t normalise(const char *, size_t, char *),
                              char *clean)
{
    char shorter[PROF_LABEL_RAW_MAX];
    const size_t length = normalise(text->bytes, text->length, shorter);
    return prof_label_clean(shorter, length, text->utf8, clean);
}

/* So bytes and characters become the same label. */
size_t prof_label_text_clean(const prof_label_text *text, char *clean)
{
    prof_label_text t = *text;
    t.utf8 = t.utf8 || prof_text_is_utf8(t.bytes, t.length);
    switch (t.form) {
    case PROF_LABEL_PATTERN: return clean_pattern(&t, clean);
    case PROF_LABEL_URL: return clean_shortened(&t, prof_url_normalise, clean);
    case PROF_LABEL_DSN: return clean_shortened(&t, prof_dsn_normalise, clean);
    case PROF_LABEL_SQL: return clean_sql(&t, clean);
    default: return prof_label_clean(t.bytes, t.length, t.utf8, clean);
    }
}

static void keep_whole_text(prof_sub *sub, const prof_label *label, const char *clean)
{
    if (!label->is_cut || sub->whole_text != NULL)
        return;
    sub->whole_text = prof_alloc(sizeof *sub->whole_text + label->whole_length + 1);
    sub->whole_text->hash = label->hash;
    memcpy(sub->whole_text->bytes, clean, label->whole_length);
}

/* Returns whether one more label is allowed, and counts it. */
static bool may_add(prof *p, uint32_t base, bool is_constant)
{
    prof_sub *sub = &p->subs.at[base];
    if (p->labels.count >= PROF_LABELS_AT_MOST ||
        (!is_constant && sub->label_count >= (uint32_t)p->options.labelmax))
        return false;
    sub->label_count += !is_constant;
    p->labels.count++;
    return true;
}

/* Returns the sub with that label of `length` bytes, and adds it if it is allowed. */
static uint32_t find_clean(pTHX_ prof *p, uint32_t base, const prof_label_text *text, const char *clean,
                           size_t length)
{
    static const char others[] = "(others)";
    prof_label label;
    prof_label_cut(clean, length, (size_t)p->options.labellen, text->form == PROF_LABEL_SQL, &label);
    uint32_t sub = prof_sub_find_labelled(aTHX_ p, base, label.bytes, label.length);
    if (sub != PROF_SUB_NONE)
        return sub;
    if (!may_add(p, base, text->is_constant))
        return prof_sub_add_labelled(aTHX_ p, base, others, sizeof others - 1);
    sub = prof_sub_add_labelled(aTHX_ p, base, label.bytes, label.length);
    keep_whole_text(&p->subs.at[sub], &label, clean);
    return sub;
}

static inline prof_label_slot *slot_of(const prof_labels *labels, uint64_t hash)
{
    return &labels->slots[hash >> (64 - PROF_LABEL_BITS)];
}

static inline bool slot_is(const prof_label_slot *slot, uint64_t hash, size_t length)
{
    return slot->hash == hash && slot->length == (uint32_t)length && slot->sub != 0;
}

/* Many texts, such as statements with other literals, become the same label. */
static uint32_t find_new(pTHX_ prof *p, uint32_t base, const prof_label_text *text)
{
    char clean[PROF_LABEL_CLEAN_MAX];
    const size_t length = prof_label_text_clean(text, clean);
    if (length == 0)
        return PROF_SUB_NONE;
    const uint64_t hash = nytp_hash_mix(~(uint64_t)base, nytp_hash_bytes(clean, length), length);
    prof_label_slot *slot = slot_of(&p->labels, hash);
    if (!slot_is(slot, hash, length)) {
        const uint32_t sub = find_clean(aTHX_ p, base, text, clean, length);
        *slot = (prof_label_slot){hash, (uint32_t)length, sub + 1};
    }
    return slot->sub - 1;
}

static inline uint64_t hash_of(const void *package, const void *name, const prof_label_text *text)
{
    const size_t length = text->length < PROF_LABEL_RAW_MAX ? text->length : PROF_LABEL_RAW_MAX;
    const uint64_t base = nytp_hash_mix(text->variant, (uintptr_t)package, (uintptr_t)name);
    return nytp_hash_mix(base, nytp_hash_bytes(text->bytes, length), text->utf8);
}

static __attribute__((noinline)) uint32_t fill_slot(pTHX_ prof *p, uint32_t base, uint64_t hash,
                                                    const prof_label_text *text)
{
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    const uint32_t sub = find_new(aTHX_ p, base, text);
    if (sub != PROF_SUB_NONE)
        *slot_of(&p->labels, hash) = (prof_label_slot){hash, (uint32_t)text->length, sub + 1};
    RESTORE_ERRNO;
    return sub;
}

static void keep(prof *p, const void *package, const void *of, const prof_label_text *text, uint32_t sub)
{
    prof_kept_text *kept = prof_kept_slot(&p->labels, package, of, text->bytes);
    const uint32_t length = (uint32_t)text->length;
    if (kept->cap <= length) {
        prof_probe_note_unusual(p);
        free(kept->copy);
        kept->cap = length + 1;
        kept->copy = prof_alloc(kept->cap);
    }
    memcpy(kept->copy, text->bytes, length);
    kept->at = text->bytes;
    kept->package = package;
    kept->of = of;
    kept->length = length;
    kept->variant = text->variant;
    kept->utf8 = text->utf8;
    kept->sub = sub;
}

/* op_type 0: of the sub base. */
static uint32_t find(pTHX_ prof *p, const void *package, const void *of, int op_type, uint32_t base,
                     const prof_label_text *text)
{
    const uint64_t hash = hash_of(package, of, text);
    const prof_label_slot *slot = slot_of(&p->labels, hash);
    uint32_t sub = slot->sub - 1;
    if (UNLIKELY(!slot_is(slot, hash, text->length)))
        sub = fill_slot(aTHX_ p, op_type != 0 ? prof_sub_of_op(aTHX_ p, op_type) : base, hash, text);
    if (text->stays && text->length <= PROF_KEPT_TEXT_MAX && sub != PROF_SUB_NONE)
        keep(p, package, of, text, sub);
    return sub;
}

uint32_t prof_label_find_op(pTHX_ prof *p, int op_type, const prof_label_text *text)
{
    HEK *package = NULL;
    const HEK *name = prof_name_of_op(aTHX_ op_type, &package);
    return find(aTHX_ p, package, name, op_type, 0, text);
}

uint32_t prof_label_find_sub(pTHX_ prof *p, uint32_t base, const prof_label_text *text)
{
    return find(aTHX_ p, NULL, NUM2PTR(const void *, base + 1), 0, base, text);
}

void prof_label_write_whole(prof *p, uint32_t sub)
{
    const prof_whole_text *text = p->subs.at[sub].whole_text;
    char key[sizeof "label_" + 8];
    if (text == NULL || p->out == NULL)
        return;
    my_snprintf(key, sizeof key, "label_%08x", text->hash);
    prof_output_attribute(p->out, key, (nytp_str){text->bytes, strlen(text->bytes), true});
}
