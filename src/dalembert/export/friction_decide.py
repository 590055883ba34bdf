"""The C text that decides which contacts hold, slide, lift and land, after a guard has vanished.

These are the rules of `hybrid.contact_decision` and `hybrid.rough_modes`, which explain them. `@`
stands for the prefix of all names.
"""

from __future__ import annotations

CHOOSE = """
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

/* whether a group slides with two rows, so that its slip has a direction */
static inline bool @turns(const @contacts *c, int g)
{
    return @is_on(c, g) && !(c->sticks[g] > 0) && @size_of[g] == 2;
}

/* the present directions of sliding groups */
static void @face(@contacts *c, const @facts *f)
{
    for (int g = 0; g < @GROUPS; ++g) {
        const real *slip = &f->slip[2 * g], *d = &c->toward[2 * g];
        if (!@turns(c, g) || !(@length(slip) > f->noise[g])) continue;
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

/* the slip acceleration that friction alone makes */
static real @push(const @run *r, const @node *at, const @contacts *c, const real *v, int g)
{
    @facts f;
    @look(r, at, c, v, &f);
    const real most = fmax(f.mu_static[2 * g], f.mu_static[2 * g + 1]);
    return most * fabs(f.press[g]) * @mobility(r, at, c, g) + 1e-300;
}

/* Group g begins to slide, pushed as it is while it sticks. */
static void @slide_from(const @run *r, const @node *at, @contacts *c, const real *v, int g)
{
    @facts f;
    real away[2];
    @look(r, at, c, v, &f);
    c->sticks[g] = 0;
    c->awake = 1;
    for (int i = 0; i < 2; ++i) {
        const real mu = f.mu_static[2 * g + i] > 0 ? f.mu_static[2 * g + i] : 1;
        away[i] = -f.pull[2 * g + i] / (mu * mu);
    }
    if (away[0] == 0 && away[1] == 0) {
        @point(c, g, away);
        @look(r, at, c, v, &f);
        memcpy(away, &f.slide[2 * g], sizeof away);
    }
    @point(c, g, away);
}

/* across and along a direction: the acceleration of a slip that begins there */
static void @aside(const @run *r, const @node *at, @contacts c, const real *v, int g, real angle,
    real *found)
{
    const real d[2] = {cos(angle), sin(angle)};
    @facts f;
    @point(&c, g, d);
    @look(r, at, &c, v, &f);
    found[0] = d[0] * f.slide[2 * g + 1] - d[1] * f.slide[2 * g];
    found[1] = d[0] * f.slide[2 * g] + d[1] * f.slide[2 * g + 1];
}

/* The angle nearest to the first one at which the acceleration is along the direction. */
static real @parallel(const @run *r, const @node *at, const @contacts *c, const real *v, int g,
    real first, real small)
{
    const real span = 3.141592653589793, step = (span - 0.05) / 62;
    real m[2], x = first, y = first + 1e-4, best = INFINITY, chosen = first;
    @aside(r, at, *c, v, g, first, m);
    for (int k = 0, ends = 0; k < 30 && !ends; ++k) { /* secants */
        const real fx = m[0];
        @aside(r, at, *c, v, g, y, m);
        if (fabs(m[0]) <= small && m[1] > -small) return y;
        ends = m[0] == fx || fabs(y - first) > span / 2;
        const real next = y - m[0] * (y - x) / (m[0] - fx);
        x = y;
        y = next;
    }
    for (int i = -63; i < 63; ++i) { /* a grid over all angles */
        real low = first + (i < 0 ? -(0.05 + (-i - 1) * step) : i == 0 ? 0 : 0.05 + (i - 1) * step);
        real high = first + (i < -1 ? -(0.05 + (-i - 2) * step) : i == -1 ? 0 : 0.05 + i * step);
        real a[2], b[2];
        @aside(r, at, *c, v, g, low, a);
        @aside(r, at, *c, v, g, high, b);
        if (!(a[0] == 0 || a[0] * b[0] < 0)) continue;
        for (int k = 0; k < 60; ++k) {
            const real middle = (low + high) / 2;
            @aside(r, at, *c, v, g, middle, m);
            if (m[0] * a[0] > 0) {
                low = middle;
                a[0] = m[0];
            } else high = middle;
        }
        @aside(r, at, *c, v, g, (low + high) / 2, m);
        if (m[1] > 0 && fabs((low + high) / 2 - first) < best) {
            chosen = (low + high) / 2;
            best = fabs(chosen - first);
        }
    }
    return chosen;
}

/* Directions of slips that begin, along their accelerations. */
static void @direct(const @run *r, const @node *at, @contacts *c, const real *v, const bool *began)
{
    int n = 0;
    for (int g = 0; g < @GROUPS; ++g) n += began[g] && @turns(c, g);
    for (int sweeps = 0; n && sweeps < 40; ++sweeps) {
        real change = 0;
        for (int g = 0; g < @GROUPS; ++g) {
            if (!began[g] || !@turns(c, g)) continue;
            const real first = atan2(c->toward[2 * g + 1], c->toward[2 * g]);
            const real scale = @push(r, at, c, v, g);
            real m[2], found = first;
            @aside(r, at, *c, v, g, first, m);
            if (!(fabs(m[0]) <= 1e-12 * fmax(fabs(m[1]), 1e-6 * scale)))
                found = @parallel(r, at, c, v, g, first, 1e-12 * scale);
            change = fmax(change, fabs(found - first));
            if (found != first) {
                const real d[2] = {cos(found), sin(found)};
                @point(c, g, d);
            }
        }
        if (change <= 1e-12 || n == 1) break;
    }
}

/* Rows that are redundant share their reaction by what friction can still hold there. */
static void @share(const @run *r, const @node *at, @contacts *c, const real *v)
{
    int n = 0;
    for (int g = 0; g < @GROUPS; ++g) n += c->sticks[g] > 0;
    if (!@REDUNDANT || n < 2) return;
    for (int k = 0; k < 3; ++k) {
        @facts f;
        real left[2 * @NL], sum = 0;
        int count = 0;
        @look(r, at, c, v, &f);
        for (int j = 0; j < 2 * @GROUPS; ++j) {
            const real most = f.mu_static[j] * fmax(f.press[j / 2], 0), other = f.pull[j ^ 1];
            left[j] = sqrt(fmax(most * most - other * other, 0.0025 * most * most));
            if (!(c->sticks[j / 2] > 0)) left[j] = 0;
            if (left[j] > 0) {
                sum += left[j];
                ++count;
            }
        }
        for (int j = 0; j < 2 * @GROUPS; ++j)
            c->soft[j] = left[j] > 0 ? fmin(fmax(sum / count / left[j], 1e-2), 1e2) : 1;
    }
}

/* Close contact i, which slides as it would if it were open; groups without a slip begin to. */
static void @close(const @run *r, const @node *at, @contacts *c, const @facts *f, const real *v,
    int i, bool *began)
{
    @mechanics m;
    real size[@NR];
    @weigh(r, at, c, v, &m);
    @sizes(&m, v, size);
    c->shut[i] = c->awake = 1;
    for (int g = 0; g < @GROUPS; ++g) {
        real noise = 0;
        if (@load_of[g] != i) continue;
        for (int k = 0; k < @size_of[g]; ++k) noise = fmax(noise, 1e-11 * size[@rows_of[g][k]]);
        const bool still = @length(&f->slip[2 * g]) <= noise;
        @point(c, g, still ? &f->slide[2 * g] : &f->slip[2 * g]);
        began[g] = began[g] || still;
    }
}

/* Correct the condition that is violated most; false: all hold. */
static bool @correct(const @run *r, const @node *at, @contacts *c, const @facts *f, const real *v,
    const bool *fixed, bool *began)
{
    const real slow = @slow(r, at, v);
    real size = 1e-9 * fmax(@largest(f->load, @KINDS), @weight(r, at, v)), worst = 0;
    int found = -1;
    if (@REDUNDANT) size *= 10;
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
        if (!(c->shut[i] > 0) && @touches(at, f, i) && f->lift[i] < -slow) {
            @close(r, at, c, f, v, i, began);
            return true;
        }
    for (int g = 0; g < @GROUPS; ++g)
        if (@is_on(c, g) && c->sticks[g] > 0 && -@cone(f, g) > fmax(size, worst)) {
            worst = -@cone(f, g);
            found = g;
        }
    if (found >= 0) {
        began[found] = true;
        @slide_from(r, at, c, v, found);
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

SETTLE = """
static inline bool @same(const @contacts *a, const @contacts *b)
{
    return memcmp(a->shut, b->shut, sizeof a->shut) == 0
        && memcmp(a->sticks, b->sticks, sizeof a->sticks) == 0
        && memcmp(a->toward, b->toward, sizeof a->toward) == 0
        && memcmp(a->soft, b->soft, sizeof a->soft) == 0;
}

/* the state in which some groups stick as well */
static @contacts @stuck(const @contacts *c, const bool *groups)
{
    @contacts found = *c;
    for (int g = 0; g < @GROUPS; ++g)
        if (groups[g] && @is_on(c, g)) found.sticks[g] = 1;
    return found;
}

/* The consistent state near `from`; groups in `given` begin to slide; `taken`: as it is. */
static int @consistent(const @run *r, const @node *at, const @contacts *from, const real *speeds,
    const bool *given, bool project, bool taken, @settled *out)
{
    enum { TRIALS = 4 * (@KINDS + @GROUPS) + 4 };
    @contacts c = *from, seen[TRIALS];
    bool fixed[@NL] = {false};
    real v[@NV], on[@NV];
    memcpy(v, speeds, sizeof v);
    for (int g = 0; g < @GROUPS; ++g) fixed[g] = given[g];
    memset(out, 0, sizeof *out);
    memcpy(out->began, fixed, sizeof fixed);
    for (int g = 0; g < @GROUPS; ++g)
        if (fixed[g] && c.sticks[g] > 0 && @is_on(&c, g)) {
            memcpy(on, v, sizeof on);
            if (project) @hold(r, at, &c, v, on);
            @slide_from(r, at, &c, on, g);
        }
    for (int trials = 0; trials < TRIALS; ++trials) {
        memcpy(on, v, sizeof on);
        if (project) { /* groups that begin have no slip yet: what is left of one is round-off */
            const @contacts stuck = @stuck(&c, out->began);
            @hold(r, at, &stuck, v, on);
        }
        @share(r, at, &c, on);
        if (!taken) @direct(r, at, &c, on, out->began);
        @look(r, at, &c, on, &out->f);
        if (!(out->f.minor > 0)) return @painleve;
        @contacts change = c;
        if (taken || !@correct(r, at, &change, &out->f, on, fixed, out->began)) {
            @face(&c, &out->f);
            out->c = c;
            memcpy(out->v, on, sizeof on);
            return 0;
        }
        for (int i = 0; i < trials; ++i)
            if (@same(&change, &seen[i])) return @painleve;
        seen[trials] = c;
        c = change;
    }
    return @painleve;
}

/* whether a slip that has a direction is against it */
static bool @reverses(const @contacts *c, const @facts *f)
{
    for (int g = 0; g < @GROUPS; ++g) {
        const real *slip = &f->slip[2 * g], *d = &c->toward[2 * g];
        if (!@is_on(c, g) || c->sticks[g] > 0 || !(@length(slip) > f->noise[g])) continue;
        if (slip[0] * d[0] + slip[1] * d[1] <= 0) return true;
    }
    return false;
}

/* The first move of slips that begin, by the trapezoidal rule. */
static int @with_first(const @run *r, const @node *at, @settled *found, const @contacts *from,
    const real *v, const bool *fixed, real size)
{
    for (;; size /= 8) {
        bool gentle[@NL] = {false}, some = false, slides = false;
        for (int g = 0; g < @GROUPS; ++g)
            if (found->began[g]) {
                const real push = @push(r, at, &found->c, found->v, g);
                gentle[g] = @length(&found->f.slide[2 * g]) <= 1e-6 * push;
                some = some || gentle[g];
            }
        const @contacts before = @stuck(&found->c, gentle);
        @settled then = *found;
        @node later;
        @facts f;
        real a[@NV], on[@NV];
        @ahead(r, at, &before, found->v, size, &later);
        @look(r, at, &before, found->v, &f);
        memcpy(a, f.acceleration, sizeof a);
        @look(r, &later, &found->c, later.v, &then.f);
        if (some) {
            @settled other;
            if (!@consistent(r, &later, from, later.v, fixed, true, false, &other)) then = other;
            bool began[@NL] = {false};
            for (int g = 0; g < @GROUPS; ++g) began[g] = then.began[g] || fixed[g];
            const int wrong = @consistent(r, at, &then.c, v, began, true, true, found);
            if (wrong) return wrong;
        }
        for (int g = 0; g < @GROUPS; ++g)
            if (found->began[g] && @turns(&found->c, g))
                slides = slides || @length(&then.f.slide[2 * g])
                        > 1e-12 * @push(r, at, &found->c, v, g);
        if (!slides) return 0; /* none has two rows, or other contacts hold those that have */
        for (int k = 0; k < @NV; ++k)
            on[k] = found->v[k] + size / 2 * (a[k] + then.f.acceleration[k]);
        real w[@NV];
        @hold(r, &later, &found->c, on, w);
        @look(r, &later, &found->c, w, &f);
        if (@reverses(&found->c, &f)) {
            if (size < 1e-12) return 0; /* a slip that vanishes right here stops with the others */
            continue;
        }
        found->moves = true;
        found->first = later;
        memcpy(found->first.v, w, sizeof w);
        return 0;
    }
}

static int @settle(const @run *r, const @node *at, const @contacts *from, const real *v,
    const bool *fixed, real h, bool project, @settled *out)
{
    bool some = false;
    const int wrong = @consistent(r, at, from, v, fixed, project, false, out);
    if (wrong) return wrong;
    for (int g = 0; g < @GROUPS; ++g) some = some || out->began[g];
    if (h > 0 && some) {
        const int failed = @with_first(r, at, out, from, v, fixed, 0.0078125 * h);
        if (failed) return failed;
    }
    const bool rests = @rests(r, at, &out->c, out->v);
    if (project && (rests || @largest(out->v, @NV) <= 1e-9 * @REST_SPEED))
        memset(out->v, 0, sizeof out->v);
    out->c.awake = rests ? 0 : 1;
    return 0;
}
"""

DECIDE = """
/* Stay in the same contacts, with other directions or shares. */
static int @same_mode(const @run *r, const @contacts *c, const @node *a)
{
    @set_contacts(r->s, c);
    @stand(r->s, a);
    return 0;
}

/* What follows after the guards `by`: the states of all contacts are decided together. */
static int @leave(const @run *r, const bool *by)
{
    @state *s = r->s;
    const @contacts old = @contacts_of(s);
    @contacts c = old;
    @node a = @here(s);
    @facts f;
    @settled found;
    real v[@NV], speed = 0, multiplier[@NC], residual;
    bool fixed[@NL] = {false}, hits[@NK] = {false}, stopped = false, slips = false, lands = false;
    int first = -1;
    s->begun = 1;
    s->whole = 0;
    @SETTLE_FIRST
    memcpy(v, a.v, sizeof v);
    for (int i = 0; i < @NT; ++i) {
        const int k = @index_of[i];
        if (!by[i]) continue;
        first = first < 0 ? i : first;
        switch (@kind_of[i]) {
        case @LANDS: hits[k] = lands = true; break;
        case @SINGULAR: return @painleve;
        case @LIFTS: @open(&c, k); break;
        case @SLIPS: fixed[k] = slips = true; break;
        default:
            @look(r, &a, &c, v, &f);
            stopped = true;
            if (@size_of[k] == 2
                && @length(&f.slip[2 * k]) > 1e-3 * r->h * @length(&f.slide[2 * k])) @face(&c, &f);
            else c.sticks[k] = c.awake = 1;
        }
    }
    if (slips && @REDUNDANT) {
        bool full = false;
        @share(r, &a, &c, v);
        @look(r, &a, &c, v, &f);
        for (int g = 0; g < @GROUPS; ++g) {
            const real most = fmax(f.mu_static[2 * g], f.mu_static[2 * g + 1]);
            if (!@is_on(&c, g) || !(c.sticks[g] > 0)) continue;
            if (@cone(&f, g) <= 1e-6 * most * fabs(f.press[g])) full = fixed[g] = true;
        }
        if (!full) return @same_mode(r, &c, &a); /* another split of the reactions holds */
    }
    if (stopped) { /* further slips that would vanish at once stop as well */
        bool some = false;
        @look(r, &a, &old, v, &f);
        for (int g = 0; g < @GROUPS; ++g) some = some || c.sticks[g] > old.sticks[g];
        for (int g = 0; some && g < @GROUPS; ++g)
            if (@is_on(&c, g) && !(c.sticks[g] > 0)
                && @length(&f.slip[2 * g]) <= 1e-6 * r->h * @length(&f.slide[2 * g]))
                c.sticks[g] = c.awake = 1;
    }
    @contacts turned = c;
    memcpy(turned.toward, old.toward, sizeof old.toward);
    if (@same(&turned, &old) && !lands && !slips) /* a slip that has turned */
        return @same_mode(r, &c, &a);
    if (lands) {
        const int wrong = @landed(r, &a, &c, hits, v);
        if (wrong) return wrong;
    }
    const int wrong = @settle(r, &a, &c, v, fixed, r->h, true, &found);
    if (wrong) return wrong;
    for (int i = 0; i < @NV; ++i) speed += a.v[i] * a.v[i];
    memcpy(a.v, found.v, sizeof a.v);
    @set_contacts(s, &found.c);
    if (@enter(r, 0, &a, sqrt(speed), multiplier, &residual)) return @jump_failed;
    @stand(s, &a);
    memset(s->scale, 0, sizeof s->scale); /* guards that did not apply were 1 */
    s->delicate = found.moves;
    s->first_t = found.first.t;
    memcpy(s->first_q, found.first.q, sizeof s->first_q);
    memcpy(s->first_v, found.first.v, sizeof s->first_v);
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
    const @node a = @here(r->s);
    @contacts c;
    @facts f;
    @mechanics m;
    @settled found;
    real size[@NR];
    const bool fixed[@NL] = {false};
    @everything(&c, 1);
    @look(r, &a, &c, a.v, &f);
    @weigh(r, &a, &c, a.v, &m);
    @sizes(&m, a.v, size);
    for (int i = 0; i < @KINDS; ++i) {
        if (f.gap[i] < -@near(&a)) return @wrong_mode;
        if (f.gap[i] > @near(&a) || fabs(f.rate[i]) > 1e-11 * size[@normals[i]]) @open(&c, i);
    }
    for (int g = 0; g < @GROUPS; ++g) {
        real still = 0;
        for (int i = 0; i < @size_of[g]; ++i) still = fmax(still, 1e-11 * size[@rows_of[g][i]]);
        if (!@is_on(&c, g) || !(@length(&f.slip[2 * g]) > still)) continue;
        c.sticks[g] = 0;
        @point(&c, g, &f.slip[2 * g]);
    }
    const int wrong = @settle(r, &a, &c, a.v, fixed, 0, false, &found);
    if (wrong) return wrong;
    @set_contacts(r->s, &found.c);
    return 0;
}
"""
