"""The C text that decides which contacts hold, slide and lift, after a guard has vanished.

These are the rules of `hybrid.rough_modes`, which explains them. `@` stands for the prefix of all
names. A landing is not decided here: its impact is integrated over the impulse, in Python.
"""

from __future__ import annotations

TYPES = """
/* which contacts are closed and which groups hold (1 or 0), directions of slips, 0 if all rests */
typedef struct @contacts { real shut[@NK], sticks[@NL], toward[2 * @NL], awake; } @contacts;
/* loads, slips and accelerations of the contacts in a state; two numbers for each group */
typedef struct @facts {
    real gap[@NK], rate[@NK], load[@NK], lift[@NK], slip[2 * @NL], pull[2 * @NL], slide[2 * @NL];
    real press[@NL], mu[2 * @NL], mu_static[2 * @NL], minor;
} @facts;
/* the metric, all rows with their right-hand sides, and which act */
typedef struct @mechanics { real G[@NV * @NV], rows[@NR * @NV], offset[@NR], on[@NR]; } @mechanics;
"""

STATE = """
static inline bool @is_on(const @contacts *c, int g)
{
    return @load_of[g] < 0 || c->shut[@load_of[g]] > 0;
}

static @contacts @contacts_of(const @state *s)
{
    @contacts c;
    memcpy(c.shut, s->shut, sizeof c.shut);
    memcpy(c.sticks, s->sticks, sizeof c.sticks);
    memcpy(c.toward, s->toward, sizeof c.toward);
    c.awake = s->awake;
    return c;
}

static void @set_contacts(@state *s, const @contacts *c)
{
    memcpy(s->shut, c->shut, sizeof c->shut);
    memcpy(s->sticks, c->sticks, sizeof c->sticks);
    memcpy(s->toward, c->toward, sizeof c->toward);
    s->awake = c->awake;
    s->contacts = 0;
    for (int i = 0; i < @KINDS; ++i) s->contacts |= (int64_t)(c->shut[i] > 0) << i;
    for (int g = 0; g < @GROUPS; ++g)
        s->contacts |= (int64_t)(@is_on(c, g) && c->sticks[g] > 0) << (@KINDS + g);
}
"""

LOOK = """
static void @look(const @run *r, const @contacts *given, const real *v, @facts *f)
{
    @contacts c = *given;
    @node a = @here(r->s);
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    memset(f, 0, sizeof *f);
    @facts_at(r->p, r->u, &c, &a, f);
}

static void @weigh(const @run *r, const @contacts *given, const real *v, @mechanics *m)
{
    @contacts c = *given;
    @node a = @here(r->s);
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    memset(m, 0, sizeof *m);
    @mechanics_at(r->p, r->u, &c, &a, m);
}

/* the velocity nearest to v that satisfies the rows of a state */
static void @hold(const @run *r, const @contacts *given, const real *v, real *out)
{
    @contacts c = *given;
    @node a = @here(r->s);
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    @held_at(r->p, r->u, &c, &a, out);
}
"""

CHOOSE = """
static inline real @length(const real *d) { return sqrt(d[0] * d[0] + d[1] * d[1]); }

static inline real @largest(const real *x, int n)
{
    real found = 0;
    for (int i = 0; i < n; ++i) found = fmax(found, fabs(x[i]));
    return found;
}

static void @point(@contacts *c, int g, const real *d)
{
    const real size = @length(d);
    for (int i = 0; i < 2; ++i) c->toward[2 * g + i] = size > 0 ? d[i] / size : 0;
    c->awake = 1;
}

static void @open(@contacts *c, int i)
{
    c->shut[i] = 0;
    c->awake = 1;
    for (int g = 0; g < @GROUPS; ++g)
        if (@load_of[g] == i) c->sticks[g] = 0;
}

/* the present directions of sliding groups */
static void @face(@contacts *c, const @facts *f)
{
    for (int g = 0; g < @GROUPS; ++g) {
        const real *slip = &f->slip[2 * g], *d = &c->toward[2 * g];
        if (!@is_on(c, g) || c->sticks[g] > 0 || @size_of[g] != 2 || !(@length(slip) > 0)) continue;
        if (slip[0] * d[0] + slip[1] * d[1] > 0 || @length(slip) > 1e-6) @point(c, g, slip);
    }
}

/* mu_s load - |pull|: negative outside of the cone */
static real @cone(const @facts *f, int g)
{
    const real most = fmax(f->mu_static[2 * g], f->mu_static[2 * g + 1]);
    real pull[2];
    for (int i = 0; i < 2; ++i) {
        const real mu = f->mu_static[2 * g + i];
        pull[i] = f->pull[2 * g + i] * (mu > 0 ? most / mu : 1);
    }
    return most * f->press[g] - @length(pull);
}

static void @everything(@contacts *c, real holds)
{
    for (int i = 0; i < @NK; ++i) c->shut[i] = holds;
    for (int g = 0; g < @NL; ++g) {
        c->sticks[g] = c->toward[2 * g] = holds;
        c->toward[2 * g + 1] = 0;
    }
    c->awake = 1;
}

/* the size of forces: the largest reaction if everything stuck */
static real @weight(const @run *r, const real *v)
{
    @contacts c;
    @facts f;
    @everything(&c, 1);
    @look(r, &c, v, &f);
    return fmax(@largest(f.load, @KINDS), @largest(f.pull, 2 * @GROUPS)) + 1e-300;
}

/* an acceleration that is round-off beside those of the free motion */
static real @slow(const @run *r, const real *v)
{
    @contacts c;
    @facts f;
    @everything(&c, 0);
    @look(r, &c, v, &f);
    return 1e-9 * fmax(@largest(f.lift, @KINDS), @largest(f.slide, 2 * @GROUPS)) + 1e-300;
}

static bool @touches(const @run *r, const @facts *f, int i)
{
    return fabs(f->gap[i]) <= 1e-9 * fmax(1, @largest(r->s->q, @NQ)) && fabs(f->rate[i]) <= 1e-9;
}

/* an estimate of the acceleration along the rows of a group for a force */
static real @mobility(const @run *r, const @contacts *c, int g)
{
    const real still[@NV] = {0};
    @mechanics m;
    real found = 0;
    @weigh(r, c, still, &m);
    for (int i = 0; i < @size_of[g]; ++i) {
        real raised[@NV];
        @raise(&m, &m.rows[@rows_of[g][i] * @NV], raised);
        for (int j = 0; j < @size_of[g]; ++j) {
            real sum = 0;
            for (int k = 0; k < @NV; ++k) sum += m.rows[@rows_of[g][j] * @NV + k] * raised[k];
            found = fmax(found, fabs(sum));
        }
    }
    return found;
}

/* across and along a direction: the acceleration of a slip that begins there */
static void @aside(const @run *r, @contacts c, int g, const real *on, real angle, real *found)
{
    const real d[2] = {cos(angle), sin(angle)};
    @facts f;
    @point(&c, g, d);
    @look(r, &c, on, &f);
    found[0] = d[0] * f.slide[2 * g + 1] - d[1] * f.slide[2 * g];
    found[1] = d[0] * f.slide[2 * g] + d[1] * f.slide[2 * g + 1];
}

/* Group g begins to slide, from zero slip, in the direction in which it then goes. */
static void @slide_from(const @run *r, @contacts *c, const real *v, int g)
{
    const @contacts old = *c;
    @facts f;
    real away[2], on[@NV], at[2], best = INFINITY, chosen;
    @look(r, c, v, &f);
    c->sticks[g] = 0;
    c->awake = 1;
    for (int i = 0; i < 2; ++i) {
        const real mu = f.mu_static[2 * g + i] > 0 ? f.mu_static[2 * g + i] : 1;
        away[i] = -f.pull[2 * g + i] / (mu * mu);
    }
    if (away[0] == 0 && away[1] == 0) {
        @facts other;
        @point(c, g, away);
        @look(r, c, v, &other);
        away[0] = other.slide[2 * g];
        away[1] = other.slide[2 * g + 1];
    }
    @point(c, g, away);
    if (@size_of[g] == 1) return;
    const real first = atan2(away[1], away[0]);
    @hold(r, &old, v, on);
    @aside(r, *c, g, on, first, at);
    const real size = @length(&f.pull[2 * g]) * @mobility(r, &old, g);
    if (fabs(at[0]) <= 1e-10 * fmax(size, fabs(at[1]))) return;
    /* the angle nearest to the first one at which the acceleration is along the direction */
    const real span = 3.141592653589793, step = (span - 0.05) / 62;
    chosen = first;
    for (int i = -63; i < 63; ++i) {
        real low = first + (i < 0 ? -(0.05 + (-i - 1) * step) : i == 0 ? 0 : 0.05 + (i - 1) * step);
        real high = first + (i < -1 ? -(0.05 + (-i - 2) * step) : i == -1 ? 0 : 0.05 + i * step);
        real a[2], b[2], m[2];
        @aside(r, *c, g, on, low, a);
        @aside(r, *c, g, on, high, b);
        if (!(a[0] == 0 || a[0] * b[0] < 0)) continue;
        for (int k = 0; k < 60; ++k) {
            const real middle = (low + high) / 2;
            @aside(r, *c, g, on, middle, m);
            if (m[0] * a[0] > 0) {
                low = middle;
                a[0] = m[0];
            } else high = middle;
        }
        @aside(r, *c, g, on, (low + high) / 2, m);
        if (m[1] > 0 && fabs((low + high) / 2 - first) < best) {
            chosen = (low + high) / 2;
            best = fabs(chosen - first);
        }
    }
    const real d[2] = {cos(chosen), sin(chosen)};
    @point(c, g, d);
}

/* Correct the condition that is violated most; false: all hold. */
static bool @correct(const @run *r, @contacts *c, const @facts *f, const real *v,
    const bool *fixed, bool *began)
{
    const real size = 1e-9 * fmax(@largest(f->load, @KINDS), @weight(r, v)), slow = @slow(r, v);
    real worst = 0;
    int found = -1;
    for (int i = 0; i < @KINDS; ++i)
        if (c->shut[i] > 0 && -f->load[i] > fmax(size, worst)) {
            worst = -f->load[i];
            found = i;
        }
    if (found >= 0) {
        @open(c, found);
        return true;
    }
    for (int i = 0; i < @KINDS; ++i)
        if (!(c->shut[i] > 0) && @touches(r, f, i) && f->lift[i] < -slow) {
            c->shut[i] = c->awake = 1;
            return true;
        }
    for (int g = 0; g < @GROUPS; ++g)
        if (@is_on(c, g) && c->sticks[g] > 0 && -@cone(f, g) > fmax(size, worst)) {
            worst = -@cone(f, g);
            found = g;
        }
    if (found >= 0) {
        began[found] = true;
        @slide_from(r, c, v, found);
        return true;
    }
    for (int g = 0; g < @GROUPS; ++g) {
        const real *a = &f->slide[2 * g], *d = &c->toward[2 * g];
        if (!began[g] || fixed[g] || c->sticks[g] > 0 || !@is_on(c, g)) continue;
        if (a[0] * d[0] + a[1] * d[1] < -slow) {
            c->sticks[g] = c->awake = 1;
            return true;
        }
    }
    return false;
}
"""

DECIDE = """
/* The consistent state of the contacts near c, and v projected on it; `fixed` groups slide. */
static int @settle(const @run *r, @contacts *c, real *v, const bool *fixed, bool project)
{
    bool began[@NL] = {false};
    for (int g = 0; g < @GROUPS; ++g) began[g] = fixed[g];
    for (int trials = 0; trials < 4 * (@KINDS + @GROUPS) + 4; ++trials) {
        real on[@NV];
        @facts f;
        memcpy(on, v, sizeof on);
        if (project) @hold(r, c, v, on);
        @look(r, c, on, &f);
        if (!(f.minor > 0)) return @painleve;
        if (@correct(r, c, &f, on, fixed, began)) continue;
        @face(c, &f);
        const bool rests = @rests(r, c, on);
        c->awake = rests ? 0 : 1;
        if (project) memcpy(v, on, sizeof on);
        if (project && (rests || @largest(on, @NV) <= 1e-9 * @REST_SPEED))
            memset(v, 0, sizeof on);
        return 0;
    }
    return @painleve;
}

/* A small slip for groups of two rows that begin to slide from zero: it has a direction then. */
static void @nudge(const @run *r, const @contacts *c, real *v, const bool *began)
{
    for (int g = 0; g < @GROUPS; ++g) {
        if (!began[g] || @size_of[g] < 2 || c->sticks[g] > 0 || !@is_on(c, g)) continue;
        @facts f;
        @mechanics m;
        real raised[@MOST][@NV], A[@MOST * @MOST], b[@MOST] = {0}, x[@MOST];
        int at[@MOST], n = 0;
        @look(r, c, v, &f);
        @weigh(r, c, v, &m);
        const real push = fmax(f.mu[2 * g], f.mu[2 * g + 1]) * f.press[g] * @mobility(r, c, g);
        for (int i = 0; i < 2; ++i) {
            b[n] = 1e-8 * r->h * push * c->toward[2 * g + i] - f.slip[2 * g + i];
            at[n++] = @rows_of[g][i];
        }
        for (int i = 0; i < @NR; ++i)
            if (m.on[i] > 0) at[n++] = i;
        for (int i = 0; i < n; ++i) @raise(&m, &m.rows[at[i] * @NV], raised[i]);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                A[i * n + j] = 0;
                for (int k = 0; k < @NV; ++k)
                    A[i * n + j] += m.rows[at[i] * @NV + k] * raised[j][k];
            }
        @solve(n, A, b, x);
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < @NV; ++k) v[k] += raised[i][k] * x[i];
    }
}

/* What follows after the guards `by`: the states of all contacts are decided together. */
static int @leave(const @run *r, const bool *by)
{
    @state *s = r->s;
    const @contacts old = @contacts_of(s);
    @contacts c = old;
    @node a = @here(s);
    @facts f;
    real v[@NV], speed = 0, multiplier[@NC], residual;
    bool fixed[@NL] = {false}, stopped = false;
    int first = -1;
    memcpy(v, s->v, sizeof v);
    for (int i = 0; i < @NT; ++i) {
        const int k = @index_of[i];
        if (!by[i]) continue;
        first = first < 0 ? i : first;
        switch (@kind_of[i]) {
        case @LANDS: return @lands;
        case @SINGULAR: return @painleve;
        case @LIFTS: @open(&c, k); break;
        case @SLIPS:
            @slide_from(r, &c, v, k);
            fixed[k] = true;
            break;
        default:
            @look(r, &c, v, &f);
            stopped = true;
            if (@size_of[k] == 2
                && @length(&f.slip[2 * k]) > 1e-3 * r->h * @length(&f.slide[2 * k])) @face(&c, &f);
            else c.sticks[k] = c.awake = 1;
        }
    }
    if (stopped) { /* further slips that would vanish at once stop as well */
        bool some = false;
        @look(r, &old, v, &f);
        for (int g = 0; g < @GROUPS; ++g) some = some || c.sticks[g] > old.sticks[g];
        for (int g = 0; some && g < @GROUPS; ++g)
            if (@is_on(&c, g) && !(c.sticks[g] > 0)
                && @length(&f.slip[2 * g]) <= 1e-6 * r->h * @length(&f.slide[2 * g]))
                c.sticks[g] = c.awake = 1;
    }
    s->begun = 1;
    if (memcmp(c.shut, old.shut, sizeof c.shut) == 0
        && memcmp(c.sticks, old.sticks, sizeof c.sticks) == 0) { /* a slip that has turned */
        @set_contacts(s, &c);
        return 0;
    }
    const int wrong = @settle(r, &c, v, fixed, true);
    if (wrong) return wrong;
    @nudge(r, &c, v, fixed);
    for (int i = 0; i < @NV; ++i) speed += a.v[i] * a.v[i];
    memcpy(a.v, v, sizeof a.v);
    @set_contacts(s, &c);
    if (@enter(r, 0, &a, sqrt(speed), multiplier, &residual)) return @jump_failed;
    @stand(s, &a);
    memcpy(s->multiplier, multiplier, sizeof s->multiplier);
    s->residual = fmax(s->residual, residual);
    s->jump_t[s->jumps % @JUMPS] = a.t;
    s->jump_by[s->jumps % @JUMPS] = first;
    s->jump_to[s->jumps % @JUMPS] = s->contacts;
    ++s->jumps;
    if (s->jumps >= @JUMPS && s->jump_t[s->jumps % @JUMPS] > a.t - r->h) return @zeno;
    return 0;
}

/* The state of the contacts that initial data have. */
static int @state_of_contacts(const @run *r)
{
    @contacts c;
    @facts f;
    @mechanics m;
    real size[@NR], v[@NV];
    const bool fixed[@NL] = {false};
    const real tolerance = 1e-9 * fmax(1, @largest(r->s->q, @NQ));
    memcpy(v, r->s->v, sizeof v);
    @everything(&c, 1);
    @look(r, &c, v, &f);
    @weigh(r, &c, v, &m);
    for (int i = 0; i < @NR; ++i) {
        size[i] = fabs(m.offset[i]) + 1e-300;
        for (int k = 0; k < @NV; ++k) size[i] += fabs(m.rows[i * @NV + k]) * fabs(v[k]);
    }
    for (int i = 0; i < @KINDS; ++i) {
        if (f.gap[i] < -tolerance) return @wrong_mode;
        if (f.gap[i] > tolerance || fabs(f.rate[i]) > 1e-11 * size[@normals[i]]) @open(&c, i);
    }
    for (int g = 0; g < @GROUPS; ++g) {
        real still = 0;
        for (int i = 0; i < @size_of[g]; ++i) still = fmax(still, 1e-11 * size[@rows_of[g][i]]);
        if (!@is_on(&c, g) || !(@length(&f.slip[2 * g]) > still)) continue;
        c.sticks[g] = 0;
        @point(&c, g, &f.slip[2 * g]);
    }
    const int wrong = @settle(r, &c, v, fixed, false);
    if (wrong) return wrong;
    @set_contacts(r->s, &c);
    return 0;
}

/* A step that fails, in parts that are halved and then grow: a small slip turns fast. */
static int @in_parts(const @run *r, real end, int failed, @trial *b, @end *e)
{
    real size = (end - r->s->t) / 2;
    for (int trials = 0; trials < 400; ++trials) {
        const real left = end - r->s->t;
        if (size > 0.6 * left) size = left;
        const int wrong = @move(r, size, b, e);
        if (!wrong && e->any) return 0;
        if (wrong) {
            size /= 2;
            if (size < 5.960464477539063e-08 * r->h) return failed;
            continue;
        }
        if (size == left) return 0;
        @stand(r->s, &b->at);
        size *= 2;
    }
    return failed;
}
"""
