#include "calls/growth.h"

#include <math.h>
#include <string.h>

enum { Q = NYTP_QUANTITIES };

/* The means are those of all observations so far (Welford), so large sums do not lose small differences. */
void nytp_least_squares_add(nytp_least_squares *squares, const double value[NYTP_QUANTITIES + 1])
{
    double before[Q + 1], step[Q + 1];
    squares->count++;
    for (int i = 0; i <= Q; i++) {
        before[i] = value[i] - squares->mean[i];
        squares->mean[i] += before[i] / squares->count;
        step[i] = squares->count > 1 ? value[i] - squares->last[i] : 0;
        squares->last[i] = value[i];
    }
    for (int i = 0; i <= Q; i++)
        for (int k = 0; k <= i && before[i] != 0; k++)
            squares->product[i][k] += before[i] * (value[k] - squares->mean[k]);
    for (int i = 0; i <= Q; i++)
        for (int k = 0; k <= i && step[i] != 0; k++)
            squares->step[i][k] += step[i] * step[k];
}

/* A matrix and its inverse, side by side: that of correlations of the quantities that vary. */
typedef struct inversion {
    int count;
    int of[Q];       /* numbers of the quantities */
    double scale[Q]; /* roots of their sums of squares */
    double row[Q][2 * Q];
} inversion;

static double product_of(const nytp_least_squares *s, int i, int k)
{
    return s->product[i > k ? i : k][i > k ? k : i];
}

/* By how much the errors are larger than those of observations that do not follow one another. */
static double inflation(const nytp_least_squares *s, const nytp_fit *fit, double unexplained)
{
    const double most = 0.98;
    double multiple[Q + 1], steps = 0; /* of what is not explained: the sum of the squares of its steps */
    for (int i = 0; i <= Q; i++)
        multiple[i] = i < Q ? -fit->multiple[i] : 1;
    for (int i = 0; i <= Q; i++)
        for (int k = 0; k <= i; k++)
            steps += (i == k ? 1 : 2) * multiple[i] * multiple[k] * s->step[i][k];
    const double alike = unexplained > 0 ? fmin(fmax(1 - steps / unexplained / 2, 0), most) : 0;
    return sqrt((1 + alike) / (1 - alike));
}

static void begin(inversion *v, const nytp_least_squares *s)
{
    const double least_variance = 1e-9;
    *v = (inversion){0};
    for (int i = 0; i < Q; i++)
        if (s->product[i][i] > least_variance) {
            v->scale[v->count] = sqrt(s->product[i][i]);
            v->of[v->count++] = i;
        }
    for (int i = 0; i < v->count; i++) {
        for (int k = 0; k < v->count; k++)
            v->row[i][k] = product_of(s, v->of[i], v->of[k]) / v->scale[i] / v->scale[k];
        v->row[i][v->count + i] = 1;
    }
}

/* Gauss and Jordan. A correlation matrix is positive definite, so its pivots are on the diagonal. Where one
 * is nearly 0, quantities grow together; a little more lets their errors become large. */
static void invert(inversion *v)
{
    const double least_pivot = 1e-10;
    for (int p = 0; p < v->count; p++) {
        const double pivot = fmax(v->row[p][p], least_pivot);
        for (int k = 0; k < 2 * v->count; k++)
            v->row[p][k] = k == p ? 1 : v->row[p][k] / pivot;
        for (int i = 0; i < v->count; i++) {
            const double times = v->row[i][p];
            for (int k = 0; i != p && k < 2 * v->count; k++)
                v->row[i][k] -= times * v->row[p][k];
        }
    }
}

bool nytp_least_squares_fit(const nytp_least_squares *squares, nytp_fit *fit)
{
    inversion v;
    begin(&v, squares);
    const double freedom = squares->count - v.count - 1, all = squares->product[Q][Q];
    double explained = 0;
    *fit = (nytp_fit){.r2 = 0};
    if (freedom < 1 || !(all > 0))
        return false;
    invert(&v);
    for (int i = 0; i < v.count; i++) {
        double sum = 0;
        for (int k = 0; k < v.count; k++)
            sum += v.row[i][v.count + k] * squares->product[Q][v.of[k]] / v.scale[k];
        fit->multiple[v.of[i]] = sum / v.scale[i];
        explained += sum * squares->product[Q][v.of[i]] / v.scale[i];
    }
    fit->r2 = fmin(fmax(explained / all, 0), 1);
    const double unexplained = all * (1 - fit->r2), more = inflation(squares, fit, unexplained);
    for (int i = 0; i < v.count; i++)
        fit->error[v.of[i]] = more * sqrt(unexplained / freedom * fabs(v.row[i][v.count + i])) / v.scale[i];
    return true;
}
