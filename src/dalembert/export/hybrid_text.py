"""The C text of the jumps of a hybrid run, and of its events for model exchange.

`@` stands for the prefix of all names, as in `hybrid_search`.
"""

from __future__ import annotations

LEAVE = """
/* The jump by the first of these transitions whose condition holds. */
static int @leave(const @run *r, const bool *by)
{
    @state *s = r->s;
    @node a = @here(s), b;
    real speed = 0, multiplier[@NC], residual;
    bool must = false;
    int taken = -1;
    if (@settles[s->mode]) { /* the method's error of the constraint is no part of the jump */
        const int wrong = @enter(r, s->mode, &a, 0, multiplier, &residual);
        if (wrong && wrong != @inconsistent) return wrong;
    }
    for (int i = 0; i < @NT && taken < 0; ++i) {
        must = must || (by[i] && @must[i]);
        if (by[i] && @leap(r, i, &a, &b)) taken = i;
    }
    s->begun = 1;
    s->whole = 0;
    if (taken < 0) return must ? @no_transition : 0;
    const int64_t mode = @target[taken] < 0 ? s->mode : @target[taken];
    real sum = 0;
    for (int i = 0; i < @NQ; ++i) sum += b.q[i];
    for (int i = 0; i < @NV; ++i) {
        sum += b.v[i];
        speed += a.v[i] * a.v[i];
    }
    if (!isfinite(sum)) return @jump_failed;
    if (@enter(r, mode, &b, sqrt(speed), multiplier, &residual)) return @jump_failed;
    @stand(s, &b);
    memcpy(s->multiplier, multiplier, sizeof s->multiplier);
    s->residual = fmax(s->residual, residual);
    s->mode = mode;
    s->jump_t[s->jumps % @JUMPS] = a.t;
    s->jump_by[s->jumps % @JUMPS] = taken;
    s->jump_to[s->jumps % @JUMPS] = mode;
    ++s->jumps;
    /* all of the ring within h: jumps heap up (Zeno) */
    if (s->jumps >= @JUMPS && s->jump_t[s->jumps % @JUMPS] > a.t - r->h) return @zeno;
    return 0;
}
"""

ADVANCE = """
/* On to the next node t0 + k h of the grid, through all jumps before it. */
static int @advance(const @run *r)
{
    @state *s = r->s;
    const real goal = s->t0 + (real)(s->k + 1) * r->h;
    for (;;) {
        bool by[@NT] = {false}, past[@NG] = {false}, far[@NG] = {false};
        int due = -1;
        if (s->begun) {
            bool some = false;
            const int wrong = @begin(r, @at_zero, past, far);
            if (wrong) return wrong;
            for (int i = 0; i < @count[s->mode]; ++i)
                if (past[i]) some = by[@leaving[s->mode][i]] = true;
            if (some) {
                const int left = @leave(r, by);
                if (left) return left;
                continue;
            }
        }
        for (int i = 0; i < @ND; ++i) { /* scheduled jumps */
            if (s->due[i] || @due_t[i] < s->t - 1e-9 * r->h) s->due[i] = 1;
            else if (due < 0 && @ends[@due_by[i]][s->mode] && @due_t[i] <= goal) due = i;
        }
        if (due >= 0 && s->whole > 1) s->whole = 1; /* the step to it starts anew, as in a run */
        const real end = due < 0 ? goal : @due_t[due], size = end - s->t;
        /* a jump at the node, or just before it: no step of the new mode, as in a run */
        const bool stepped = size > 1e-3 * r->h;
        if (size > 4 * @eps * fmax(fabs(end), r->h)) {
            @trial b;
            @end e;
            @MOVE_ON
            if (wrong) return wrong;
            if (e.any) {
                if (!e.here) @stand(s, &e.at.at);
                for (int i = 0; i < @count[s->mode]; ++i)
                    if (e.by[i]) by[@leaving[s->mode][i]] = true;
                const int left = @leave(r, by);
                if (left) return left;
                continue;
            }
            @stand(s, &b.at);
            @KEEP_CARRY
            memcpy(s->multiplier, b.multiplier, sizeof s->multiplier);
            s->residual = fmax(s->residual, b.residual);
            if (b.at.t < end - 4 * @eps * fmax(fabs(end), r->h)) continue;
        }
        s->t = end;
        if (due < 0) {
            ++s->k;
            if (stepped && s->whole < 2) ++s->whole;
            return 0;
        }
        s->due[due] = 1;
        by[@due_by[due]] = true;
        const int left = @leave(r, by);
        if (left) return left;
    }
}
"""

# What model exchange needs: another program integrates, and finds the zeros.
EXCHANGE = """
/* The guards of the mode; 1 where it has fewer than another one. */
void @indicators(const @state *s, const @parameters *p, const @inputs *u, real *g)
{
    @state w = *s;
    const @run r = {p, u, &w, w.h};
    const @node a = @here(s);
    for (int i = 0; i < @NG; ++i) g[i] = 1;
    @guards(&r, &a, g);
}

/* The jumps at an instant that another program has found; how near it is to a zero is its own. */
int @event(@state *s, const @parameters *p, const @inputs *u, real h)
{
    const @run r = {p, u, s, h};
    for (;;) {
        bool by[@NT] = {false}, past[@NG] = {false}, far[@NG] = {false}, some = false;
        const @node a = @here(s);
        real g[@NG] = {0};
        @trial b;
        @guards(&r, &a, g);
        @try(&r, &a, @short * h, &b);
        for (int i = 0; i < @count[s->mode]; ++i) {
            if (isnan(g[i])) return @guard_not_finite;
            if (!@crossed(s->side[i], g[i], @direction[s->mode][i])) continue;
            /* one that has just left its zero by a jump comes back to its side */
            if (b.result == 0 && @sign_of(b.g[i] - g[i]) == s->side[i]) continue;
            some = by[@leaving[s->mode][i]] = true;
        }
        @saw(&r, g);
        for (int i = 0; i < @ND; ++i)
            if (!s->due[i] && fabs(@due_t[i] - s->t) <= 1e-9 * h && @ends[@due_by[i]][s->mode])
                some = by[@due_by[i]] = s->due[i] = 1;
        if (!some) return 0;
        const int left = @leave(&r, by);
        if (left) return left;
        const int wrong = @begin(&r, 1e-6, past, far);
        if (wrong) return wrong;
    }
}

/* The next scheduled jump of the mode, or infinity. */
real @next_time(const @state *s)
{
    for (int i = 0; i < @ND; ++i)
        if (!s->due[i] && @due_t[i] > s->t && @ends[@due_by[i]][s->mode]) return @due_t[i];
    return INFINITY;
}
"""

INTERFACE = """
/* From (t, q, v) in a mode, projected onto its constraints; see the header. */
SIGNATURE_START
{
    @MODE
    @H
    @run r = {p, u, s, h};
    @node a;
    real multiplier[@NC];
    bool past[@NG] = {false}, far[@NG] = {false};
    memset(s, 0, sizeof *s);
    if (mode < 0 || mode >= @NM) return @wrong_mode;
    memset(&a, 0, sizeof a);
    a.t = t;
    memcpy(a.q, q, sizeof s->q);
    memcpy(a.v, v, sizeof s->v);
    @IDENTITY
    s->mode = mode;
    s->h = h;
    s->t0 = t;
    @CONTACTS
    @HELD
    const int result = @enter(&r, mode, &a, 0, multiplier, &s->residual);
    @stand(s, &a);
    memcpy(s->multiplier, multiplier, sizeof s->multiplier);
    if (result && result != @inconsistent) return result;
    for (int i = 0; i < @ND; ++i) s->due[i] = @due_t[i] < t - 1e-9 * h;
    const int wrong = @begin(&r, @at_zero, past, far);
    if (wrong) return wrong;
    for (int i = 0; i < @count[mode]; ++i)
        if (past[i] && far[i]) return @wrong_mode;
    s->begun = 1;
    return result;
}

/* n steps of h with the inputs held; if one fails, the state is left as it was. */
SIGNATURE_STEPS
{
    @H
    @state w = *s;
    const @run r = {p, u, &w, h};
    if (n <= 0) return 0;
    if (h != w.h) { /* times are counted anew from here */
        w.t0 = w.t;
        w.k = 0;
        w.h = h;
        if (w.whole > 1) w.whole = 1;
    }
    @AGAIN
    w.residual = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int result = @advance(&r);
        if (result) return result;
    }
    *s = w;
    return 0;
}

SIGNATURE_STEP
{
    return @steps(s, p, u@PASS_H, 1);
}

/* Rates of q (as it is stored) and v in a mode, reactions, and the energy. */
SIGNATURE_DYNAMICS
{
    @NO_ROWS
    switch (mode) {
    @CASES
    default: return @wrong_mode;
    }
}
"""
