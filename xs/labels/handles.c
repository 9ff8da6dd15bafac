#include "labels/handles.h"

#include "basics/symbols.h"

void prof_handles_init(pTHX_ prof_handles *handles)
{
    handles->held_statement = newSVpvs_share("Statement");
    handles->statement =
        prof_key_of(aTHX_ SvPVX_const(handles->held_statement), (I32)SvCUR(handles->held_statement));
}

void prof_handles_free(pTHX_ prof_handles *handles)
{
    SvREFCNT_dec(handles->held_statement);
    prof_hek_release(aTHX_ handles->held_class);
    memset(handles, 0, sizeof *handles);
}

/* The class of a handle's data is DBD::DRIVER::st_mem. */
static prof_sql_dialect dialect_of(const HEK *class)
{
    static const struct {
        const char *begin;
        prof_sql_dialect dialect;
    } drivers[] = {{"DBD::SQLite::", PROF_SQL_SQLITE},
                   {"DBD::Pg::", PROF_SQL_STANDARD},
                   {"DBD::mysql::", PROF_SQL_MYSQL},
                   {"DBD::MariaDB::", PROF_SQL_MYSQL},
                   {"DBD::Oracle::", PROF_SQL_STANDARD}};
    for (size_t i = 0; i < C_ARRAY_LENGTH(drivers); i++)
        if (strncmp(HEK_KEY(class), drivers[i].begin, strlen(drivers[i].begin)) == 0)
            return drivers[i].dialect;
    return PROF_SQL_UNKNOWN;
}

prof_sql_dialect prof_handle_find_dialect(pTHX_ prof_handles *handles, HEK *class)
{
    HEK *held = handles->held_class;
    handles->dialect = class != NULL ? dialect_of(class) : PROF_SQL_UNKNOWN;
    handles->held_class = prof_hek_hold(class);
    handles->class = class;
    prof_hek_release(aTHX_ held);
    return handles->dialect;
}
