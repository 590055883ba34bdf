"""The C text of a hybrid run: how a step finds the zeros of guards, and jumps.

These are the rules of `hybrid.guards` and `hybrid.hybrid_run`, which explain them, on functions
that are written from tapes: `try` (a step of any size from a node), `guards`, `enter` (the start of
a mode) and `leap` (a jump). One rule differs. If a guard dips to zero within a step, a run in
Python sees this from the next row, and goes back. C code that has returned a row cannot go back. So
it measures the rate of a guard that is near zero before it accepts a step.

`@` stands for the prefix of all names.
"""

from __future__ import annotations

TYPES = """
typedef struct @node { real t, q[@NQ], v[@NV], frame[@NF]; } @node;
/* a step of any size: its end, the guards there, and whether it failed */
typedef struct @trial {
    @node at;
    real multiplier[@NC], residual, g[@NG], carry[@NA];
    int result;
} @trial;
/* the end of a mode: the guards that vanish there, and the step that leads there */
typedef struct @end { bool any, here, by[@NG]; @trial at; } @end;
typedef struct @run { const @parameters *p; const @inputs *u; @state *s; real h; } @run;
typedef struct @arrival { int outcome; real x, value, ahead; } @arrival;
"""

SEARCH = """
enum { @NONE, @CROSSES, @ARRIVES, @TURNS, @BLOCKED }; /* how a guard that falls ends */

static const real @at_zero = 1e-11;  /* of the largest value seen: below it a guard may be zero */
static const real @together = 1e-9;  /* of a step: zeros that are nearer are simultaneous */
static const real @eps = 2.220446049250313e-16;
static const real @short = 0.000244140625; /* 2^-12: the shortest step that probes a guard */

static inline int @sign_of(real x) { return (x > 0) - (x < 0); }

static inline bool @crossed(int64_t side, real g, int direction)
{
    const int after = @sign_of(g);
    return side != 0 && after != side && (direction == 0 || direction == -(int)side);
}

/* whether guard i ends the mode when it comes to zero */
static inline bool @counts(const @run *r, int i)
{
    const int64_t side = r->s->side[i];
    return side != 0 && @direction[r->s->mode][i] * side <= 0;
}

static inline real @scale_of(const @run *r, int i) { return r->s->scale[r->s->mode * @NG + i]; }

static void @saw(const @run *r, const real *g)
{
    for (int i = 0; i < @count[r->s->mode]; ++i) {
        real *scale = &r->s->scale[r->s->mode * @NG + i];
        if (isfinite(g[i]) && fabs(g[i]) > *scale) *scale = fabs(g[i]);
    }
}

static @node @here(const @state *s)
{
    @node a;
    memset(&a, 0, sizeof a);
    a.t = s->t;
    memcpy(a.q, s->q, sizeof s->q);
    memcpy(a.v, s->v, sizeof s->v);
    @COPY_FRAME_OUT
    return a;
}

static void @stand(@state *s, const @node *a)
{
    s->t = a->t;
    memcpy(s->q, a->q, sizeof s->q);
    memcpy(s->v, a->v, sizeof s->v);
    @COPY_FRAME_IN
}

/* Sides of the guards at the beginning of an arc; `past` are those past their zeros already. */
static int @begin(const @run *r, real at_zero, bool *past, bool *far)
{
    const @node a = @here(r->s);
    const int n = @count[r->s->mode];
    real g0[@NG] = {0};
    bool near[@NG] = {false}, clear = true, open = false;
    r->s->begun = 0;
    @guards(r, &a, g0);
    for (int i = 0; i < n; ++i)
        if (isnan(g0[i])) return @guard_not_finite;
    @saw(r, g0);
    for (int i = 0; i < n; ++i) {
        r->s->rate[i] = NAN;
        r->s->side[i] = @sign_of(g0[i]);
        clear = clear && fabs(g0[i]) > at_zero * @scale_of(r, i) && @scale_of(r, i) > fabs(g0[i]);
    }
    @BEGUN_SLIPS
    if (!clear) { /* some are at zero, or no other value is known: where do they go? */
        @trial b;
        bool known = true;
        for (int i = 0; i < n; ++i) known = known && @scale_of(r, i) > fabs(g0[i]);
        if (!known) {
            @try(r, &a, r->h, &b);
            if (b.result == 0) @saw(r, b.g);
        }
        for (int i = 0; i < n; ++i) {
            near[i] = fabs(g0[i]) <= at_zero * @scale_of(r, i);
            open = open || near[i];
            if (near[i]) r->s->side[i] = 0;
        }
        for (real share = @short; open && share <= 1; share *= 8) {
            @try(r, &a, share * r->h, &b);
            open = false;
            for (int i = 0; i < n; ++i) {
                const real least = 64 * fmax(fabs(g0[i]), @eps * @scale_of(r, i));
                if (near[i] && b.result == 0 && fabs(b.g[i]) > least) {
                    r->s->side[i] = @sign_of(b.g[i]);
                    near[i] = false;
                }
                open = open || near[i];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const int required = @required[r->s->mode][i];
        @UNDECIDED
        past[i] = required != 0 && r->s->side[i] == -required;
        far[i] = past[i] && fabs(g0[i]) > at_zero * @scale_of(r, i);
    }
    return 0;
}

/* Reach a zero by steps that are halved where they fail or lead past it. */
static bool @approach(const @run *r, @node a, real size, int i, @trial *out)
{
    const real side = (real)r->s->side[i], zero = @at_zero * @scale_of(r, i);
    real left = size, length = size / 2, best = INFINITY;
    bool some = false;
    for (int trials = 0; trials < 400; ++trials) {
        @trial b;
        @try(r, &a, fmin(length, left), &b);
        const real value = b.result == 0 ? side * b.g[i] : -1;
        if (b.result == 0 && fabs(value) <= zero) {
            *out = b;
            return true;
        }
        if (!(value >= 0) || (some && value > best)) {
            length /= 2;
            if (length <= 4 * @eps * fmax(fabs(a.t), size)) return some && best <= 1e3 * zero;
            continue;
        }
        left -= b.at.t - a.t;
        a = b.at;
        *out = b;
        some = true;
        best = value;
    }
    return false;
}

/* The zero of guard i in a step, by Chandrupatla's method; `here`: it never was on its side. */
static int @zero(const @run *r, const @node *a, real size, const @trial *end, int i, @trial *out,
    bool *here)
{
    const int64_t side = r->s->side[i];
    @trial b;
    real g0[@NG] = {0}, low = 0, high = size, f_low, f_high = end->g[i];
    *out = *end;
    *here = false;
    @guards(r, a, g0);
    f_low = g0[i];
    if (@sign_of(f_low) != side || fabs(f_low) <= @at_zero * @scale_of(r, i)) {
        for (low = size / 2;; low /= 2) { /* the motion has just left this zero */
            if (low < size * @short) {
                *here = true;
                return 0;
            }
            @try(r, a, low, &b);
            if (b.result) return @approach(r, *a, size, i, out) ? 0 : @not_located;
            if (@sign_of(b.g[i]) == side) break;
            high = low;
            f_high = b.g[i];
            *out = b;
        }
        f_low = b.g[i];
    }
    if (f_high == 0) { /* it must go on to the other side */
        @try(r, a, high + size / 16, &b);
        if (b.result == 0 && @sign_of(b.g[i]) != -side) return @not_located;
        return 0;
    }
    if (@sign_of(f_low) == @sign_of(f_high)) return 0;
    real xa = high, xb = low, xc = low, fa = f_high, fb = f_low, fc = f_low, best = fabs(f_high);
    real x = low + (high - low) * f_low / (f_low - f_high);
    for (int trials = 0; trials < 200; ++trials) {
        @try(r, a, x, &b);
        if (b.result || !isfinite(b.g[i]))
            return @approach(r, *a, size, i, out) ? 0 : @not_located;
        const real f = b.g[i];
        if (fabs(f) < best) {
            best = fabs(f);
            *out = b;
        }
        if (@sign_of(f) == @sign_of(fa)) {
            xc = xa;
            fc = fa;
        } else {
            xc = xb;
            fc = fb;
            xb = xa;
            fb = fa;
        }
        xa = x;
        fa = f;
        const real xi = (xa - xb) / (xc - xb), phi = (fa - fb) / (fc - fb);
        real share = 0.5;
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
            share = fa / (fb - fa) * fc / (fb - fc)
                + (xc - xa) / (xb - xa) * fa / (fc - fa) * fb / (fc - fb);
            if (!isfinite(share)) share = 0.5;
        }
        const real least = 2 * @eps * size / fabs(xb - xa);
        if (!(least <= 0.5) || f == 0) break;
        share = fmin(fmax(share, least), 1 - least);
        x = xa + share * (xb - xa);
    }
    return 0;
}

/* The first zero in a step among guards that have changed their sign at its end. */
static int @first(const @run *r, const @node *a, real size, const @trial *end, const bool *hits,
    @end *e)
{
    const int64_t m = r->s->mode;
    real when[@NG] = {0}, earliest = INFINITY;
    int first = -1;
    bool own = false;
    @trial b, found = *end;
    for (int i = 0; i < @count[m]; ++i) {
        bool here = false, same = false;
        when[i] = INFINITY;
        if (!hits[i]) continue;
        for (int j = 0; j < i && !same; ++j) {
            same = hits[j] && @group[m][j] == @group[m][i];
            if (same) when[i] = when[j];
        }
        if (same) continue;
        const int wrong = @zero(r, a, size, end, i, &b, &here);
        if (wrong) return wrong;
        when[i] = here ? a->t : b.at.t;
        if (first < 0 || earliest - when[i] > @together * r->h) {
            first = i;
            own = here;
            found = b;
        }
        earliest = fmin(earliest, when[i]);
    }
    if (first < 0 || (e->any && (e->here || e->at.at.t <= when[first]))) return 0;
    e->any = true;
    e->here = own;
    e->at = found;
    for (int i = 0; i < @count[m]; ++i)
        e->by[i] = hits[i] && when[i] - earliest <= @together * r->h;
    return 0;
}
"""

FOLLOW = """
static real @value(const @run *r, const @node *a, real x, int i, @trial *b)
{
    @try(r, a, x, b);
    return b->result == 0 ? (real)r->s->side[i] * b->g[i] : NAN;
}

/* Follow a guard down from `start` > 0: does it reach zero in the step? (It may turn there.) */
static @arrival @arrive(const @run *r, const @node *a, int i, real start, real size, real zero)
{
    const @arrival none = {@NONE, 0, 0, 0};
    @trial b;
    real x = 0, y = start, high = size, above = NAN, rate = NAN, probe = size;
    bool is_end = true, shorten = false;
    for (int k = 0; k < 6; ++k) {
        probe /= 64;
        const real fall = y - @value(r, a, probe, i, &b);
        const real half = y - @value(r, a, probe / 2, i, &b);
        rate = 2 * half / probe;
        if (0 < fall && fall <= y / 2 && fabs(fall - 2 * half) <= fall / 2) break;
    }
    for (int trials = 0; trials < 200; ++trials) {
        if (!(rate > 0)) return none;
        const real ahead = y / rate;
        const bool full = rate * x >= 0.1 * start;
        if (y <= zero) {
            const real stretch[3] = {2, 8, 64};
            for (int k = 0; k < 3; ++k)
                if (@value(r, a, x + stretch[k] * ahead, i, &b) < -zero)
                    return (@arrival){@CROSSES, x + stretch[k] * ahead, -zero, 0};
            return (@arrival){full ? @ARRIVES : @TURNS, x, y, ahead};
        }
        const real left = high - x, close = fmax(1e-12 * size, zero / rate);
        const bool jump = !(above - y <= rate * left);
        if (!is_end && (left <= close || (ahead > 2 * left && !jump))) {
            if (ahead <= 2 * close && full) return (@arrival){@ARRIVES, x, y, ahead};
            return (@arrival){jump ? @BLOCKED : @TURNS, x, y, ahead};
        }
        real length = 31.0 / 32.0 * ahead;
        if (is_end && x + ahead > high) length = left;
        else if (!is_end && (shorten || length > 0.98 * left)) length = left / 2;
        const real at = x + length, value = @value(r, a, at, i, &b);
        if (value < 0) return (@arrival){@CROSSES, at, value, 0};
        const bool follows = y - value >= rate * length / 2;
        if (follows && is_end && at >= high) {
            if (value > zero) return none;
            x = at;
            y = value;
            continue;
        }
        const real step = follows ? length / 64 : 0;
        const real beyond = follows ? @value(r, a, at + step, i, &b) : value;
        shorten = !(follows && beyond < value);
        if (shorten) {
            high = at + step;
            above = beyond;
            is_end = false;
        } else {
            rate = (value - beyond) / step;
            x = at;
            y = value;
        }
    }
    return none;
}

/* Whether guard i reaches its zero in a step, in shorter and shorter steps towards it. */
static int @follow(const @run *r, const @node *from, real size, int i, bool fails, @end *e)
{
    const real side = (real)r->s->side[i], zero = @at_zero * @scale_of(r, i);
    @node a = *from;
    @trial b;
    real g0[@NG] = {0}, length = size;
    @arrival last = {@NONE, 0, 0, 0};
    if (!@counts(r, i)) return 0;
    @guards(r, &a, g0);
    real start = side * g0[i];
    while (start > zero) {
        const @arrival found = @arrive(r, &a, i, start, length, zero);
        if (found.outcome == @NONE) break;
        if (found.outcome == @CROSSES || found.outcome == @ARRIVES) {
            @value(r, &a, found.x, i, &b);
            if (found.outcome == @CROSSES) {
                bool hits[@NG] = {false};
                for (int j = 0; j < @count[r->s->mode]; ++j)
                    hits[j] = j == i
                        || @crossed(r->s->side[j], b.g[j], @direction[r->s->mode][j]);
                return @first(r, &a, found.x, &b, hits, e);
            }
            if (!e->any || b.at.t < e->at.at.t) {
                e->any = true;
                e->here = false;
                e->at = b;
                for (int j = 0; j < @count[r->s->mode]; ++j) e->by[j] = j == i;
            }
            return 0;
        }
        last = found;
        const real nearer = 0.75 * found.x, there = @value(r, &a, nearer, i, &b);
        if (!(zero < found.value && found.value < start / 2 && there < 0.75 * start)) break;
        start = there;
        a = b.at;
        length = fmin(length - nearer, 4 * (found.x + found.ahead - nearer));
    }
    if (last.outcome == @BLOCKED && last.ahead <= (fails ? 1 : 0.1) * size) return @not_located;
    return 0;
}

/* The longest step that succeeds, or a shorter one that leads across a zero. */
static bool @last_good(const @run *r, const @node *a, real size, @trial *good, bool *across)
{
    real low = 0, high = size;
    bool some = false;
    *across = false;
    while (high - low > 2 * @eps * size) {
        const real middle = (low + high) / 2;
        @trial b;
        @try(r, a, middle, &b);
        if (b.result) {
            high = middle;
            if (high < size * @short) break;
            continue;
        }
        *good = b;
        some = true;
        low = middle;
        for (int i = 0; i < @count[r->s->mode]; ++i)
            *across = *across || @crossed(r->s->side[i], b.g[i], @direction[r->s->mode][i]);
        if (*across) break;
    }
    return some;
}

/* Whether guard i, on its side at both ends of a step, may have been beyond zero in it. */
static int @dip(const @run *r, const @node *a, real size, int i, const real *rate, real y, real y1,
    @end *e)
{
    const real side = (real)r->s->side[i], fall = side * rate[i] * size, bend = y1 - y - fall;
    if (!(fall < 0 && bend > 0 && -fall < 2 * bend)) return 0;
    if (!(y - fall * fall / (4 * bend) < 0.5 * fmin(y, y1))) return 0;
    for (int j = 1; j <= 8; ++j) {
        @trial b;
        @try(r, a, (real)j * size / 8, &b);
        if (b.result || side * b.g[i] >= 0) continue;
        bool hits[@NG] = {false};
        for (int k = 0; k < @count[r->s->mode]; ++k)
            hits[k] = k == i || @crossed(r->s->side[k], b.g[k], @direction[r->s->mode][k]);
        return @first(r, a, (real)j * size / 8, &b, hits, e);
    }
    return 0;
}

/* One step from the present node, and where in it the mode ends, if it does. */
static int @move(const @run *r, real size, @trial *b, @end *e)
{
    @state *s = r->s;
    const @node a = @here(s);
    const int n = @count[s->mode];
    real g0[@NG] = {0}, rate[@NG];
    bool hits[@NG] = {false}, some = false, rated = false;
    memset(e, 0, sizeof *e);
    @MARCH_OR_TRY
    if (n == 0) return b->result;
    @guards(r, &a, g0);
    if (b->result) {
        @trial good;
        bool across;
        const bool any = @last_good(r, &a, size, &good, &across);
        if (!across) { /* no step leads across a zero, but one may lead to it */
            for (int i = 0; any && i < n; ++i)
                if (fabs(good.g[i]) <= @at_zero * @scale_of(r, i) && @counts(r, i)) {
                    e->any = e->by[i] = true;
                    e->at = good;
                    return 0;
                }
            for (int i = 0; i < n; ++i) {
                const int wrong = @follow(r, &a, size, i, true, e);
                if (wrong) return wrong;
            }
            return e->any ? 0 : b->result;
        }
        *b = good;
        size = good.at.t - a.t;
    }
    for (int i = 0; i < n; ++i) {
        if (isnan(b->g[i])) return @guard_not_finite;
        hits[i] = @crossed(s->side[i], b->g[i], @direction[s->mode][i]);
        some = some || hits[i];
        rated = rated || isnan(s->rate[i]);
    }
    if (rated) { /* at the beginning of an arc */
        @trial c;
        @try(r, &a, size / 64, &c);
        for (int i = 0; i < n; ++i) s->rate[i] = (c.g[i] - g0[i]) / (size / 64);
    }
    memcpy(rate, s->rate, sizeof rate);
    if (some) {
        const int wrong = @first(r, &a, size, b, hits, e);
        if (wrong) return wrong;
    }
    for (int i = 0; i < n; ++i) {
        const int sign = @sign_of(g0[i]);
        const real y = fabs(g0[i]), y1 = fabs(b->g[i]);
        if (hits[i] || !@counts(r, i) || sign != s->side[i] || sign != @sign_of(b->g[i])) continue;
        if (y <= @at_zero * @scale_of(r, i)) continue;
        int wrong = 0;
        if (y + 1.25 * sign * s->rate[i] * size <= 0) wrong = @follow(r, &a, size, i, false, e);
        else if (fmin(y, y1) < 2 * fmax(fabs(y1 - y), fabs(s->rate[i]) * size)) {
            if (!rated) {
                @trial c;
                @try(r, &a, size / 64, &c);
                for (int j = 0; j < n; ++j) rate[j] = (c.g[j] - g0[j]) / (size / 64);
                rated = true;
            }
            wrong = @dip(r, &a, size, i, rate, y, y1, e);
        }
        if (wrong) return wrong;
    }
    if (e->any) return 0;
    @saw(r, b->g);
    for (int i = 0; i < n; ++i) {
        s->rate[i] = (b->g[i] - g0[i]) / size;
        if (s->side[i] != 0 && b->g[i] != 0) s->side[i] = @sign_of(b->g[i]);
    }
    return 0;
}
"""


def text(prefix: str, part: str) -> str:
    """Return a part of the code with the prefix in place of `@`."""
    return part.strip("\n").replace("@", f"{prefix}_")
