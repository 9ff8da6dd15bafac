/* schema.sql: types, keys and views for the tables in SQLite. */
#pragma once

#include "nytprof-model.h"

#define CSV_SCHEMA "schema.sql"

void csv_schema_write(const nytp_profile *profile, FILE *out);
