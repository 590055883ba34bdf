"""The C text of contacts: their state, their gaps, loads and slips, and parts of a step.

These are the rules of `hybrid.contact_facts` and `hybrid.contact_steps`, which explain them. `@`
stands for the prefix of all names.
"""

from __future__ import annotations

TYPES = """
/* which contacts are closed and which groups hold (1 or 0), directions of slips, compliances of
   rows that share a reaction, 0 if all rests */
typedef struct @contacts {
    real shut[@NK], sticks[@NL], toward[2 * @NL], soft[2 * @NL], awake;
} @contacts;
/* loads, slips and accelerations of the contacts in a state; two numbers for each group */
typedef struct @facts {
    real gap[@NK], rate[@NK], load[@NK], lift[@NK], slip[2 * @NL], pull[2 * @NL], slide[2 * @NL];
    real press[@NL], mu[2 * @NL], mu_static[2 * @NL], acceleration[@NV], noise[@NL], minor;
} @facts;
/* the metric, all rows with their right-hand sides, which of them act, and the laws */
typedef struct @mechanics {
    real G[@NV * @NV], rows[@NR * @NV], offset[@NR], on[@NR], mu[2 * @NL], restitution[@NK];
} @mechanics;
/* a consistent state, its velocity, and the groups that began to slide; their first move */
typedef struct @settled {
    @contacts c;
    @facts f;
    real v[@NV];
    bool began[@NL], moves;
    @node first;
} @settled;
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
    memcpy(c.soft, s->soft, sizeof c.soft);
    c.awake = s->awake;
    return c;
}

static void @set_contacts(@state *s, const @contacts *c)
{
    memcpy(s->shut, c->shut, sizeof c->shut);
    memcpy(s->sticks, c->sticks, sizeof c->sticks);
    memcpy(s->toward, c->toward, sizeof c->toward);
    memcpy(s->soft, c->soft, sizeof c->soft);
    s->awake = c->awake;
    s->contacts = 0;
    for (int i = 0; i < @KINDS; ++i) s->contacts |= (int64_t)(c->shut[i] > 0) << i;
    for (int g = 0; g < @GROUPS; ++g)
        s->contacts |= (int64_t)(@is_on(c, g) && c->sticks[g] > 0) << (@KINDS + g);
}
"""

LOOK = """
static void @look(const @run *r, const @node *at, const @contacts *given, const real *v, @facts *f)
{
    @contacts c = *given;
    @node a = *at;
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    memset(f, 0, sizeof *f);
    @facts_at(r->p, r->u, &c, &a, f);
}

static void @weigh(const @run *r, const @node *at, const @contacts *given, const real *v,
    @mechanics *m)
{
    @contacts c = *given;
    @node a = *at;
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    memset(m, 0, sizeof *m);
    @mechanics_at(r->p, r->u, &c, &a, m);
}

/* the velocity nearest to v that satisfies the rows of a state */
static void @hold(const @run *r, const @node *at, const @contacts *given, const real *v, real *out)
{
    @contacts c = *given;
    @node a = *at;
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    @held_at(r->p, r->u, &c, &a, out);
}

/* where the motion in a state is after a short time */
static void @ahead(const @run *r, const @node *at, const @contacts *given, const real *v, real size,
    @node *out)
{
    @contacts c = *given;
    @node a = *at;
    c.awake = 1;
    memcpy(a.v, v, sizeof a.v);
    *out = *at;
    @ahead_at(r->p, r->u, &c, &a, size, out);
    out->t = at->t + size;
}

static inline real @length(const real *d) { return sqrt(d[0] * d[0] + d[1] * d[1]); }

static inline real @largest(const real *x, int n)
{
    real found = 0;
    for (int i = 0; i < n; ++i) found = fmax(found, fabs(x[i]));
    return found;
}

static void @everything(@contacts *c, real holds)
{
    for (int i = 0; i < @NK; ++i) c->shut[i] = holds;
    for (int g = 0; g < @NL; ++g) {
        c->sticks[g] = c->toward[2 * g] = holds;
        c->toward[2 * g + 1] = 0;
        c->soft[2 * g] = c->soft[2 * g + 1] = 1;
    }
    c->awake = 1;
}

/* the size of forces: the largest reaction if everything stuck */
static real @weight(const @run *r, const @node *at, const real *v)
{
    @contacts c;
    @facts f;
    @everything(&c, 1);
    @look(r, at, &c, v, &f);
    return fmax(@largest(f.load, @KINDS), @largest(f.pull, 2 * @GROUPS)) + 1e-300;
}

/* an acceleration that is round-off beside those of the free motion */
static real @slow(const @run *r, const @node *at, const real *v)
{
    @contacts c;
    @facts f;
    @everything(&c, 0);
    @look(r, at, &c, v, &f);
    return 1e-9 * fmax(@largest(f.lift, @KINDS), @largest(f.slide, 2 * @GROUPS)) + 1e-300;
}

static inline real @near(const @node *at) { return 1e-9 * fmax(1, @largest(at->q, @NQ)); }

static bool @touches(const @node *at, const @facts *f, int i)
{
    return fabs(f->gap[i]) <= @near(at) && fabs(f->rate[i]) <= 1e-9;
}

/* the sum of absolute terms in each row, the scale of its round-off */
static void @sizes(const @mechanics *m, const real *v, real *size)
{
    for (int i = 0; i < @NR; ++i) {
        size[i] = fabs(m->offset[i]) + 1e-300;
        for (int k = 0; k < @NV; ++k) size[i] += fabs(m->rows[i * @NV + k]) * fabs(v[k]);
    }
}

/* an estimate of the acceleration along the rows of a group for a force */
static real @mobility(const @run *r, const @node *at, const @contacts *c, int g)
{
    const real still[@NV] = {0};
    @mechanics m;
    real found = 0;
    @weigh(r, at, c, still, &m);
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
"""

PACE = """
/* of a slip of two rows that rubs, else 0: its size, its acceleration across and in all */
static void @beside(const @contacts *c, const @facts *f, int g, real *found)
{
    const real *s = &f->slip[2 * g], *a = &f->slide[2 * g], size = @length(s);
    const bool slides = @size_of[g] == 2 && @is_on(c, g) && !(c->sticks[g] > 0);
    const bool rubs = slides && fmax(f->mu[2 * g], f->mu[2 * g + 1]) > 0;
    const bool some = rubs && size > f->noise[g];
    found[0] = some ? size : 0;
    found[1] = some ? fabs(s[0] * a[1] - s[1] * a[0]) / size : 0;
    found[2] = some ? @length(a) : 0;
}

/* Note the sizes of slips at a node; one that does not slide begins anew. */
static void @note(const @run *r, const @node *at)
{
    const @contacts c = @contacts_of(r->s);
    @facts f;
    if (!@TWO_ROWS) return;
    @look(r, at, &c, at->v, &f);
    for (int g = 0; g < @GROUPS; ++g) {
        real x[3];
        @beside(&c, &f, g, x);
        r->s->most[g] = x[0] > 0 ? fmax(r->s->most[g], x[0]) : 0;
    }
}

/* The longest step from a node, where slips of two rows turn; infinite if steps of h will do. */
static real @pace(const @run *r, const @node *at)
{
    const @contacts c = @contacts_of(r->s);
    const real p = @ORDER;
    @facts f;
    real found = INFINITY;
    if (!@TWO_ROWS) return found;
    @look(r, at, &c, at->v, &f);
    for (int g = 0; g < @GROUPS; ++g) {
        real x[3];
        @beside(&c, &f, g, x);
        const real most = fmax(x[0], r->s->most[g]), sine = x[1] / x[2], share = x[0] / most;
        if (!(sine * share > 1e-12)) continue;
        if (share < 0.5) found = fmin(found, r->h * pow(pow(share, p) / sine, 1 / (p + 1)));
        found = fmin(found, x[0] / x[2] / 2);
    }
    return found < r->h ? found : INFINITY;
}

/* The guard of a slip that has turned and is about to vanish, and the time left; -1: none. */
static int @gone(const @run *r, const @node *at, real *left)
{
    const @contacts c = @contacts_of(r->s);
    @facts f;
    if (!@TWO_ROWS) return -1;
    @look(r, at, &c, at->v, &f);
    for (int g = 0; g < @GROUPS; ++g) {
        real x[3];
        @beside(&c, &f, g, x);
        if (!(0 < x[0] * x[1] && x[0] * x[1] <= 1e-12 * r->s->most[g] * x[2])) continue;
        *left = x[0] / x[2];
        for (int i = 0; i < @NT; ++i)
            if (@kind_of[i] == @STICKS && @index_of[i] == g) return i;
    }
    return -1;
}
"""

PARTS = """
/* values at a node that the mode has lasted for */
static void @passed(const @run *r, const real *g)
{
    @saw(r, g);
    for (int i = 0; i < @count[r->s->mode]; ++i) {
        if (r->s->side[i] != 0 && g[i] != 0) r->s->side[i] = @sign_of(g[i]);
        r->s->rate[i] = NAN;
    }
}

/* The end of the mode in a step of this size, by all means, or at this node, where a slip of two
   rows vanishes: its direction turns there faster than any step. */
static int @end_of_parts(const @run *r, real size, int failed, @trial *b, @end *e)
{
    const @node a = @here(r->s);
    const @trial part = *b;
    real g[@NG] = {0}, least = INFINITY;
    int found = -1;
    const int wrong = @move(r, size, b, e);
    if (!wrong && e->any) return 0;
    @guards(r, &a, g);
    for (int i = 0; i < @count[r->s->mode]; ++i)
        if (@kind_of[@leaving[r->s->mode][i]] == @STICKS && fabs(g[i]) < least) {
            least = fabs(g[i]);
            found = i;
        }
    if (!(least <= 1e-9)) return failed;
    memset(e, 0, sizeof *e);
    e->any = e->here = e->by[found] = true;
    *b = part;
    return 0;
}

/* A step in parts, that are halved where they fail and grow: a small slip turns fast. */
static int @in_parts(const @run *r, real end, int failed, @trial *b, @end *e)
{
    @state *s = r->s;
    real size = end - s->t, carry[@NA] = {0};
    bool warm = false;
    s->whole = 0;
    memset(e, 0, sizeof *e);
    if (s->delicate) { /* slips of two rows have just begun: their first move */
        @node there = @here(s);
        real g[@NG] = {0};
        bool some = false;
        there.t = s->first_t;
        memcpy(there.q, s->first_q, sizeof s->first_q);
        memcpy(there.v, s->first_v, sizeof s->first_v);
        s->delicate = 0;
        @guards(r, &there, g);
        size = fmin(size / 2, there.t - s->t);
        for (int i = 0; i < @count[s->mode]; ++i)
            some = some || @crossed(s->side[i], g[i], @direction[s->mode][i]);
        if (there.t < end && !some) {
            @stand(s, &there);
            @passed(r, g);
        }
    }
    for (int trials = 0; trials < 65536; ++trials) {
        const @node a = @here(s);
        const real left = end - s->t;
        bool crosses = false, turned = false;
        real time = 0;
        @note(r, &a);
        const int vanishes = @gone(r, &a, &time);
        const real pace = @pace(r, &a);
        size = fmin(size, pace);
        size = size > 0.6 * left && pace >= left ? left : fmin(size, left);
        if (vanishes >= 0) size = time; /* straight on to its end */
        if (warm) { /* from the guess that the last part leaves */
            @state w = *s;
            const @run again = {r->p, r->u, &w, size};
            w.t0 = a.t;
            w.k = 0;
            memcpy(w.carry, carry, sizeof w.carry);
            @march(&again, &a, b);
        } else @try(r, &a, size, b);
        if (vanishes >= 0) {
            e->any = e->by[vanishes] = true;
            e->here = b->result != 0;
            e->at = *b;
            return 0;
        }
        for (int i = 0; b->result == 0 && i < @count[s->mode]; ++i) {
            const int j = @leaving[s->mode][i];
            if (!@crossed(s->side[i], b->g[i], @direction[s->mode][i])) continue;
            crosses = true;
            turned = turned || (@kind_of[j] == @STICKS && @size_of[@index_of[j]] == 2);
        }
        /* a slip that begins turns much faster than its size changes: shorter parts tell */
        if (crosses && (size <= 9.5367431640625e-07 * r->h || (size == pace && !turned)))
            return @end_of_parts(r, size, failed, b, e);
        if (crosses || b->result) {
            size /= 2;
            if (size < 1.4901161193847656e-08 * r->h)
                return @end_of_parts(r, left, failed, b, e);
            continue;
        }
        if (size == left) {
            @passed(r, b->g);
            return 0;
        }
        memcpy(carry, b->carry, sizeof carry);
        warm = true;
        @stand(s, &b->at);
        @passed(r, b->g);
        size *= 1.7;
    }
    return failed;
}
"""
