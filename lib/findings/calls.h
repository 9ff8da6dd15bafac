/* Rules about calls, from the arcs: what is called often, slowly, or deeply. */
#pragma once

#include "findings/finder.h"

void nytp_find_in_calls(nytp_finder *finder);
