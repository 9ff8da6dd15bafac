/* Amounts of what was measured, and other numbers, as people read them. */
#pragma once

#include "model/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NYTP_AMOUNT_MAX = 48 };
typedef struct nytp_amount {
    char text[NYTP_AMOUNT_MAX];
} nytp_amount;

/* "1.23 s", "842 ms", "12.3 us", "350 ns": three digits, in the largest unit of which it is at least one.
 * amount is in the measure's base unit. */
nytp_amount nytp_amount_measured(const nytp_measure *measure, double amount);

/* Like nytp_amount_measured(), but of a sum of ticks: with no unit for averages ("0.35 us", "0.00 us") and
 * with no digits below a sample. */
nytp_amount nytp_amount_ticks(const nytp_measure *measure, double ticks);

/* Writes what printf("%.*f", decimals, number) writes, faster and without a terminating NUL. Returns the
 * length. */
enum { NYTP_NUMBER_MAX = 400 }; /* bytes; more than the digits of the largest double */
size_t nytp_number_write(char text[NYTP_NUMBER_MAX], double number, int decimals);

/* Writes number / 10^decimals in the same way, with that many decimals (at most 9), all of which are exact.
 */
enum { NYTP_EXACT_MAX = 24 }; /* bytes */
size_t nytp_exact_write(char text[NYTP_EXACT_MAX], uint64_t number, unsigned decimals);

/* The number with which a tie is rounded up, also where the sum that it is, in the order that it was added
 * in, is some bits less: amounts are the same in every program. What follows does so, but for counts. */
double nytp_ties_up(double number);

/* "1,272"; the second one rounds. */
nytp_amount nytp_amount_whole(uint64_t number);
nytp_amount nytp_amount_count(double value);

/* The same in at most seven characters: "999,999", "4.15 M". */
nytp_amount nytp_amount_short(double value);

/* "31 %", and below 1 % with a decimal. */
nytp_amount nytp_amount_percent(double share);

/* Returns the number and what is counted, in the plural unless it is one. */
nytp_amount nytp_amount_of_things(nytp_amount number, const char *thing, bool is_one);

/* "1 sample", "1,272 samples", "2 processes", "2 queries". */
nytp_amount nytp_amount_of(double value, const char *thing);
