/* schema.sql: types, keys and views for the tables in SQLite. */
#pragma once

#include "nytprof-model.h"

#define CSV_SCHEMA       "schema.sql"
#define CSV_SCHEMA_BEGIN "-- Makes tables of the files in the current directory." /* and so it is known */

void csv_schema_write(const nytp_profile *profile, FILE *out);
