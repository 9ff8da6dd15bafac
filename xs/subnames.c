#include "subnames.h"

#include "alloc.h"

void prof_name_append(prof_name *n, const char *bytes, STRLEN length)
{
    n->bytes = prof_realloc(n->bytes, n->length + length + 1);
    memcpy(n->bytes + n->length, bytes, length);
    n->length += length;
    n->bytes[n->length] = '\0';
}

static void convert_to_utf8(pTHX_ prof_name *n)
{
    STRLEN length = n->length;
    char *converted = (char *)bytes_to_utf8((U8 *)n->bytes, &length);
    n->length = 0;
    prof_name_append(n, converted, length);
    Safefree(converted);
}

void prof_name_append_part(pTHX_ prof_name *n, const char *bytes, STRLEN length, bool utf8)
{
    if (!utf8 && n->utf8) {
        char *converted = (char *)bytes_to_utf8((U8 *)bytes, &length);
        prof_name_append(n, converted, length);
        Safefree(converted);
        return;
    }
    if (utf8 && !n->utf8 && n->length > 0)
        convert_to_utf8(aTHX_ n);
    n->utf8 = n->utf8 || utf8;
    prof_name_append(n, bytes, length);
}

prof_name prof_name_join(pTHX_ const HEK *package, const HEK *name)
{
    prof_name n = {0};
    if (package != NULL)
        prof_name_append_part(aTHX_ & n, HEK_KEY(package), (STRLEN)HEK_LEN(package), HEK_UTF8(package));
    else
        prof_name_append(&n, "__GONE__", 8);
    n.package_length = n.length;
    prof_name_append(&n, "::", 2);
    prof_name_append_part(aTHX_ & n, HEK_KEY(name), (STRLEN)HEK_LEN(name), HEK_UTF8(name));
    if (package != NULL && HEK_UTF8(name) && !HEK_UTF8(package)) /* the package was converted */
        n.package_length = n.length - (STRLEN)HEK_LEN(name) - 2;
    return n;
}
