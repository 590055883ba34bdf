"""The C text of impacts with friction: the velocity after contacts have closed.

These are the rules of `hybrid.impacts`, which explains them. `@` stands for the prefix of all
names.
"""

from __future__ import annotations

STRIKE = """
/* an impact of contact c, while closed contacts push back with their own friction */
typedef struct @strike {
    const @mechanics *m;
    int c, bounds, bound[@NR];
    bool closed[@NK], holding[@NL], began[@NL];
    real inverse[@NV * @NV], toward[2 * @NL];
} @strike;
/* rates per unit of its normal impulse */
typedef struct @rates { real v[@NV], load[@NK], pull[2 * @NL]; } @rates;

static inline real @dot(const real *a, const real *b)
{
    real sum = 0;
    for (int k = 0; k < @NV; ++k) sum += a[k] * b[k];
    return sum;
}

static void @lifted(const @strike *k, const real *row, real *out)
{
    for (int i = 0; i < @NV; ++i) out[i] = @dot(&k->inverse[i * @NV], row);
}

/* whether a group is on a contact that touches */
static inline bool @struck_on(const @strike *k, int g)
{
    const int c = @load_of[g];
    return c >= 0 && c < @NK && (c == k->c || k->closed[c]);
}

static void @slip_of(const @mechanics *m, int g, const real *v, real *slip)
{
    slip[0] = slip[1] = 0;
    for (int i = 0; i < @size_of[g]; ++i)
        slip[i] = @dot(&m->rows[@rows_of[g][i] * @NV], v) - m->offset[@rows_of[g][i]];
}

/* the slip below which a group counts as not slipping */
static real @trifle(const @mechanics *m, int g, const real *v)
{
    real found = 0;
    for (int i = 0; i < @size_of[g]; ++i) {
        real sum = 0;
        for (int k = 0; k < @NV; ++k) sum += fabs(m->rows[@rows_of[g][i] * @NV + k]) * fabs(v[k]);
        found = fmax(found, sum);
    }
    return 1e-11 * found;
}

static bool @slips_now(const @strike *k, int g, const real *v)
{
    real slip[2];
    @slip_of(k->m, g, v, slip);
    return @length(slip) > @trifle(k->m, g, v);
}

/* rows that are held: bound ones, normals of closed contacts, rows of holding groups */
static int @held_rows(const @strike *k, bool groups, int *at)
{
    int n = 0;
    for (int i = 0; i < k->bounds; ++i) at[n++] = k->bound[i];
    for (int i = 0; i < @KINDS; ++i)
        if (k->closed[i]) at[n++] = @normals[i];
    for (int g = 0; groups && g < @GROUPS; ++g)
        for (int i = 0; k->holding[g] && i < @size_of[g]; ++i) at[n++] = @rows_of[g][i];
    return n;
}

static int @rates_of(const @strike *k, const real *v, @rates *out)
{
    const real *rows = k->m->rows;
    real push[@NK + 1][@NV], driven[@NK + 1][@NV], raised[@NR][@NV];
    real A[@NR * @NR], hold[@NR * @NR], lam[@NR][@NK + 1], load[@NK + 1];
    int at[@NR], column[@NK], closed = 0;
    memset(push, 0, sizeof push);
    for (int i = 0; i < @KINDS; ++i)
        if (k->closed[i]) column[i] = closed++;
    column[k->c] = closed;
    memcpy(push[closed], &rows[@normals[k->c] * @NV], sizeof push[closed]);
    for (int g = 0; g < @GROUPS; ++g) {
        if (!@struck_on(k, g) || k->holding[g]) continue;
        const real *mu = &k->m->mu[2 * g];
        real slip[2], d[2] = {k->toward[2 * g], k->toward[2 * g + 1]};
        if (@size_of[g] == 2 && @slips_now(k, g, v)) {
            @slip_of(k->m, g, v, slip);
            const real sign = slip[0] * d[0] + slip[1] * d[1] >= 0 ? 1 : -1;
            for (int i = 0; i < 2; ++i) d[i] = sign * slip[i];
        }
        const real pushed[2] = {mu[0] * d[0], @size_of[g] == 2 ? mu[1] * d[1] : 0};
        const real size = @length(pushed);
        for (int i = 0; size > 0 && i < @size_of[g]; ++i)
            for (int j = 0; j < @NV; ++j)
                push[column[@load_of[g]]][j] -=
                    mu[i] * pushed[i] / size * rows[@rows_of[g][i] * @NV + j];
    }
    const int n = @held_rows(k, true, at);
    for (int j = 0; j <= closed; ++j) @lifted(k, push[j], driven[j]);
    for (int i = 0; i < n; ++i) @lifted(k, &rows[at[i] * @NV], raised[i]);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) A[i * n + j] = @dot(&rows[at[i] * @NV], raised[j]);
    @pseudo_inverse(n, A, hold);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= closed; ++j) {
            lam[i][j] = 0;
            for (int l = 0; l < n; ++l)
                lam[i][j] -= hold[i * n + l] * @dot(&rows[at[l] * @NV], driven[j]);
        }
    real matrix[@NK * @NK], right[@NK];
    for (int i = 0; i < closed; ++i) {
        right[i] = lam[k->bounds + i][closed];
        for (int j = 0; j < closed; ++j)
            matrix[i * closed + j] = (i == j) - lam[k->bounds + i][j];
    }
    if (!(@eliminate(closed, matrix, right, load) > 0)) return @painleve;
    load[closed] = 1;
    memset(out, 0, sizeof *out);
    for (int i = 0, j = 0; i < @KINDS; ++i)
        if (k->closed[i]) out->load[i] = load[j++];
    for (int j = 0; j <= closed; ++j)
        for (int i = 0; i < @NV; ++i) out->v[i] += driven[j][i] * load[j];
    for (int i = 0, next = k->bounds + closed; i < n; ++i) {
        real reaction = 0;
        for (int j = 0; j <= closed; ++j) reaction += lam[i][j] * load[j];
        for (int j = 0; j < @NV; ++j) out->v[j] += raised[i][j] * reaction;
        for (int g = 0, m = next; g < @GROUPS; ++g)
            for (int l = 0; k->holding[g] && l < @size_of[g]; ++l, ++m)
                if (m == i) out->pull[2 * g + l] = reaction;
    }
    return 0;
}

static int @slip_rate(const @strike *k, int g, const real *v, real *found)
{
    @rates now;
    const int wrong = @rates_of(k, v, &now);
    if (wrong) return wrong;
    found[0] = found[1] = 0;
    for (int i = 0; i < @size_of[g]; ++i)
        found[i] = @dot(&k->m->rows[@rows_of[g][i] * @NV], now.v);
    return 0;
}

static void @unit(real *out, const real *d)
{
    const real size = @length(d);
    out[0] = d[0] / size;
    out[1] = d[1] / size;
}

/* A group slides from now on, in the direction in which it is pushed. */
static int @strike_begin(@strike *k, int g, const real *v, const real *pull)
{
    real away[2];
    for (int i = 0; i < 2; ++i) {
        const real mu = k->m->mu[2 * g + i] > 0 ? k->m->mu[2 * g + i] : 1;
        away[i] = -pull[i] / (mu * mu);
    }
    @unit(&k->toward[2 * g], away);
    k->holding[g] = false;
    k->began[g] = true;
    for (int trials = 0; @size_of[g] == 2 && trials < 200; ++trials) {
        real pushed[2], d[2];
        const int wrong = @slip_rate(k, g, v, pushed);
        if (wrong) return wrong;
        if (!(@length(pushed) > 0)) return 0;
        @unit(d, pushed);
        for (int i = 0; i < 2; ++i) d[i] += k->toward[2 * g + i];
        if (!(@length(d) > 0)) return 0;
        @unit(&k->toward[2 * g], d);
    }
    return 0;
}

/* Contacts that would pull open, and groups slide that would leave their cone. */
static int @strike_settle(@strike *k, const real *v)
{
    for (int g = 0; g < @GROUPS; ++g) { /* the direction of a slip of two rows turns */
        real slip[2], *d = &k->toward[2 * g];
        if (!@struck_on(k, g) || k->holding[g] || !@slips_now(k, g, v)) continue;
        @slip_of(k->m, g, v, slip);
        if (slip[0] * d[0] + slip[1] * d[1] > 0) @unit(d, slip);
    }
    for (int trials = 0; trials < 8 * @GROUPS + 8; ++trials) {
        @rates now;
        real size = 1, least = 0, most = 0;
        int worst = -1, back = -1;
        const int wrong = @rates_of(k, v, &now);
        if (wrong) return wrong;
        size = 1e-9 * fmax(size, @largest(now.load, @KINDS));
        for (int i = 0; i < @KINDS; ++i)
            if (k->closed[i] && now.load[i] < -size && now.load[i] < least) {
                least = now.load[i];
                worst = i;
            }
        if (worst >= 0) {
            k->closed[worst] = false;
            for (int g = 0; g < @GROUPS; ++g) k->holding[g] = k->holding[g] && @struck_on(k, g);
            continue;
        }
        for (int g = 0; g < @GROUPS; ++g) {
            if (!k->holding[g]) continue;
            real scaled[2] = {0}, mu = 0;
            for (int i = 0; i < @size_of[g]; ++i) {
                const real own = k->m->mu[2 * g + i] > 0 ? k->m->mu[2 * g + i] : 1e-300;
                scaled[i] = now.pull[2 * g + i] / own;
                mu = fmax(mu, own);
            }
            const real load = @load_of[g] == k->c ? 1 : now.load[@load_of[g]];
            if (@length(scaled) > load + size / fmax(mu, 1e-9)
                && @length(&now.pull[2 * g]) > most) {
                most = @length(&now.pull[2 * g]);
                worst = g;
            }
        }
        if (worst >= 0) {
            const int failed = @strike_begin(k, worst, v, &now.pull[2 * worst]);
            if (failed) return failed;
            continue;
        }
        for (int g = 0; g < @GROUPS && back < 0; ++g) {
            real rate[2];
            if (!k->began[g] || k->holding[g] || @slips_now(k, g, v)) continue;
            const int failed = @slip_rate(k, g, v, rate);
            if (failed) return failed;
            if (rate[0] * k->toward[2 * g] + rate[1] * k->toward[2 * g + 1] < -size) back = g;
        }
        if (back < 0) return 0;
        k->holding[back] = true;
        k->began[back] = false;
    }
    return @painleve;
}

/* velocity and work of the striking contact after its impulse has grown by s, by RK4 */
static int @flow(const @strike *k, const real *x, real s, real *out)
{
    const real *n = &k->m->rows[@normals[k->c] * @NV], share[4] = {0, 0.5, 0.5, 1};
    const real weight[4] = {1, 2, 2, 1};
    real y[@NV + 1], slope[@NV + 1] = {0}, found[@NV + 1];
    memcpy(found, x, sizeof found);
    for (int stage = 0; stage < 4; ++stage) {
        @rates now;
        for (int i = 0; i <= @NV; ++i) y[i] = x[i] + share[stage] * s * slope[i];
        const int wrong = @rates_of(k, y, &now);
        if (wrong) return wrong;
        memcpy(slope, now.v, sizeof now.v);
        slope[@NV] = @dot(n, y);
        for (int i = 0; i <= @NV; ++i) found[i] += s / 6 * weight[stage] * slope[i];
    }
    memcpy(out, found, sizeof found);
    return 0;
}

/* What ends a part of an impact where it falls through zero: the rebound (-1), the approach (-2),
   or the slip of group `which`. */
static real @strike_value(const @strike *k, int which, real left, const real *x)
{
    real slip[2];
    if (which == -1) return left - x[@NV];
    if (which == -2) return -@dot(&k->m->rows[@normals[k->c] * @NV], x);
    @slip_of(k->m, which, x, slip);
    return slip[0] * k->toward[2 * which] + slip[1] * k->toward[2 * which + 1];
}

static int @strike_when(const @strike *k, int which, real left, const real *x, real step, real *out)
{
    real low = 0, high = step, y[@NV + 1];
    for (int trials = 0; trials < 100; ++trials) {
        const real middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        const int wrong = @flow(k, x, middle, y);
        if (wrong) return wrong;
        if (@strike_value(k, which, left, y) > 0) low = middle;
        else high = middle;
    }
    *out = high;
    return 0;
}

static int @strike_run(@strike *k, real *v)
{
    enum { PIECES = 256 };
    const real e = k->m->restitution[k->c], *n = &k->m->rows[@normals[k->c] * @NV];
    real x[@NV + 1], after[@NV + 1], work = 0, lifted[@NV], A[@NR * @NR], hold[@NR * @NR], w[@NR];
    int at[@NR];
    bool turned = false;
    for (int g = 0; g < @GROUPS; ++g) {
        real slip[2];
        if (!@struck_on(k, g)) continue;
        @slip_of(k->m, g, v, slip);
        if (!@slips_now(k, g, v)) k->holding[g] = true;
        else if (!k->holding[g]) @unit(&k->toward[2 * g], slip);
    }
    int wrong = @strike_settle(k, v);
    if (wrong) return wrong;
    memcpy(x, v, sizeof(real) * @NV);
    x[@NV] = 0;
    /* the impulse that would end the approach without friction, in PIECES steps */
    const int rows = @held_rows(k, false, at);
    @lifted(k, n, lifted);
    real moved = @dot(n, lifted);
    for (int i = 0; i < rows; ++i) {
        real raised[@NV];
        w[i] = @dot(&k->m->rows[at[i] * @NV], lifted);
        @lifted(k, &k->m->rows[at[i] * @NV], raised);
        for (int j = 0; j < rows; ++j) A[i * rows + j] = @dot(&k->m->rows[at[j] * @NV], raised);
    }
    @pseudo_inverse(rows, A, hold);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) moved -= w[i] * hold[i * rows + j] * w[j];
    const real step = -@dot(n, v) / moved / PIECES;
    for (int trials = 0; trials < 200 * PIECES; ++trials) {
        enum { ENDS, STOPS, TURNS, NOTHING };
        const real left = work * (1 - e * e);
        real length = step, when;
        int what = NOTHING;
        if ((wrong = @flow(k, x, step, after))) return wrong;
        for (int which = -2; which < @GROUPS; ++which) {
            const int kind = which == -1 ? ENDS : which == -2 ? TURNS : STOPS;
            if (kind == TURNS ? turned : kind == ENDS ? !turned
                    : !@struck_on(k, which) || k->holding[which]) continue;
            if (!(@strike_value(k, which, left, after) <= 0)) continue;
            if ((wrong = @strike_when(k, which, left, x, step, &when))) return wrong;
            if (what == NOTHING || when < length || (when == length && kind < what)) {
                length = when;
                what = kind;
            }
        }
        if ((wrong = @flow(k, x, length, x))) return wrong;
        if (what == TURNS) {
            turned = true;
            work = x[@NV];
        }
        if (what == ENDS || (turned && e == 0)) {
            memcpy(v, x, sizeof(real) * @NV);
            return 0;
        }
        if (what == STOPS)
            for (int g = 0; g < @GROUPS; ++g)
                if (@struck_on(k, g) && !k->holding[g] && !@slips_now(k, g, x)) {
                    k->holding[g] = true;
                    k->began[g] = false;
                }
        if ((wrong = @strike_settle(k, x))) return wrong;
    }
    return @painleve;
}
"""

LANDED = """
/* The impacts of contacts that close; those that rebound slowly stay closed. */
static int @landed(const @run *r, const @node *at, @contacts *c, const bool *hits, real *v)
{
    @mechanics m;
    @strike k;
    @facts f;
    int waiting[@NK], count = 0, strikes = 0;
    bool closed[@NK] = {false}, still[@NL] = {false};
    real size[@NK] = {0}, sizes[@NR];
    @weigh(r, at, c, v, &m);
    for (int i = 0; i < @KINDS; ++i) {
        closed[i] = c->shut[i] > 0;
        if (hits[i]) waiting[count++] = i;
        for (int j = 0; j < @NV; ++j)
            size[i] += 1e-12 * fabs(m.rows[@normals[i] * @NV + j]) * fabs(v[j]);
    }
    for (int g = 0; g < @GROUPS; ++g) still[g] = @is_on(c, g) && c->sticks[g] > 0;
    for (;; ++strikes) {
        real least = 0;
        int which = -1, left = 0;
        if (strikes == 200) return @painleve;
        for (int i = 0; i < count; ++i) {
            const real speed = @dot(&m.rows[@normals[waiting[i]] * @NV], v);
            if (speed < -size[waiting[i]] && speed < least) {
                least = speed;
                which = waiting[i];
            }
        }
        if (which < 0) break;
        memset(&k, 0, sizeof k);
        k.m = &m;
        k.c = which;
        @invert(&m, k.inverse);
        for (int i = 0; i < @NR; ++i) {
            bool own = false;
            for (int j = 0; j < @KINDS; ++j) own = own || @normals[j] == i;
            for (int g = 0; g < @GROUPS; ++g)
                for (int j = 0; j < @size_of[g]; ++j) own = own || @rows_of[g][j] == i;
            if (m.on[i] > 0 && !own) k.bound[k.bounds++] = i;
        }
        for (int i = 0; i < @KINDS; ++i) k.closed[i] = closed[i] && i != which;
        for (int g = 0; g < @GROUPS; ++g) k.holding[g] = @struck_on(&k, g) && still[g];
        const int wrong = @strike_run(&k, v);
        if (wrong) return wrong;
        for (int g = 0; g < @GROUPS; ++g) {
            if (@struck_on(&k, g)) still[g] = k.holding[g];
            if (@load_of[g] < 0) still[g] = !@slips_now(&k, g, v);
        }
        for (int i = 0; i < @KINDS; ++i)
            if (closed[i] && i != which && !k.closed[i]) { /* pulled open; it may close again */
                closed[i] = false;
                waiting[count++] = i;
            }
        if (@dot(&m.rows[@normals[which] * @NV], v) <= @REST_SPEED) {
            closed[which] = true;
            for (int i = 0; i < count; ++i)
                if (waiting[i] != which) waiting[left++] = waiting[i];
            count = left;
        }
    }
    /* a contact that neither approaches nor separates was stopped by the others */
    for (int i = 0; i < count; ++i)
        if (fabs(@dot(&m.rows[@normals[waiting[i]] * @NV], v)) <= size[waiting[i]])
            closed[waiting[i]] = true;
    for (int i = 0; i < @KINDS; ++i) {
        if (closed[i]) c->shut[i] = c->awake = 1;
        else if (hits[i] || c->shut[i] > 0) @open(c, i);
    }
    @look(r, at, c, v, &f);
    @weigh(r, at, c, v, &m);
    @sizes(&m, v, sizes);
    for (int g = 0; g < @GROUPS; ++g) {
        real most = 0;
        if (!@is_on(c, g)) continue;
        for (int i = 0; i < @size_of[g]; ++i) most = fmax(most, sizes[@rows_of[g][i]]);
        c->sticks[g] = still[g] || @length(&f.slip[2 * g]) <= 1e-11 * most;
        if (!(c->sticks[g] > 0)) @point(c, g, &f.slip[2 * g]);
    }
    return 0;
}
"""
