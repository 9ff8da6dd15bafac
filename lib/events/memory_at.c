#include "events/memory_at.h"

#include "events/numbers.h"

bool nytp_memory_at_read(nytp_str value, nytp_memory_at *memory)
{
    enum { TICKS, RSS, VALUES, NUMBERS };
    double number[NUMBERS];
    if (!nytp_numbers_read(value, number, NUMBERS) || number[RSS] < 1)
        return false;
    *memory = (nytp_memory_at){number[TICKS], number[RSS], number[VALUES]};
    return true;
}
