#ifndef PROF_SLOWOPS_H
#define PROF_SLOWOPS_H

#include "context.h"

void prof_each_slowop(void (*use)(const prof_handler *handler));

#endif
