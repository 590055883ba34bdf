"""The C text of small matrices: what the decision about contacts solves.

`@` stands for the prefix of all names.
"""

from __future__ import annotations

SOLVE = """
/* x with A x = b, for a symmetric matrix that is not negative; pivots of round-off are left out */
static void @solve(int n, real *A, real *b, real *x)
{
    int order[@MOST];
    real most = 0;
    for (int i = 0; i < n; ++i) {
        order[i] = i;
        most = fmax(most, A[i * n + i]);
    }
    int rank = 0;
    for (; rank < n; ++rank) { /* elimination with the largest pivot of the diagonal */
        int best = rank;
        for (int i = rank; i < n; ++i)
            if (A[order[i] * n + order[i]] > A[order[best] * n + order[best]]) best = i;
        const int k = order[best];
        order[best] = order[rank];
        order[rank] = k;
        const real pivot = A[k * n + k];
        if (!(pivot > 1e-12 * most)) break;
        for (int i = rank + 1; i < n; ++i) {
            const int row = order[i];
            const real share = A[row * n + k] / pivot;
            for (int j = rank; j < n; ++j) A[row * n + order[j]] -= share * A[k * n + order[j]];
            b[row] -= share * b[k];
        }
    }
    for (int i = 0; i < n; ++i) x[i] = 0;
    for (int i = rank - 1; i >= 0; --i) {
        const int k = order[i];
        real sum = b[k];
        for (int j = i + 1; j < rank; ++j) sum -= A[k * n + order[j]] * x[order[j]];
        x[k] = sum / A[k * n + k];
    }
}

/* G^-1 row */
static void @raise(const @mechanics *m, const real *row, real *out)
{
    real G[@NV * @NV], b[@NV];
    memcpy(G, m->G, sizeof G);
    memcpy(b, row, sizeof b);
    @solve(@NV, G, b, out);
}
"""

RESTS = """
/* Whether nothing can move: every direction is held, and all surfaces are at rest. */
static bool @rests(const @run *r, const @contacts *c, const real *v)
{
    @mechanics m;
    real basis[@NV][@NV], L[@NV * @NV];
    int rank = 0;
    if (@MOVES || @GROUPS == 0) return false;
    for (int g = 0; g < @GROUPS; ++g)
        if (@is_on(c, g) && !(c->sticks[g] > 0)) return false;
    @weigh(r, c, v, &m);
    memcpy(L, m.G, sizeof L);
    for (int j = 0; j < @NV; ++j) { /* Cholesky: L L^T = G */
        for (int k = 0; k < j; ++k)
            for (int i = j; i < @NV; ++i) L[i * @NV + j] -= L[i * @NV + k] * L[j * @NV + k];
        const real pivot = sqrt(L[j * @NV + j]);
        for (int i = j; i < @NV; ++i) L[i * @NV + j] /= pivot;
    }
    for (int i = 0; i < @NR && rank < @NV; ++i) { /* independent rows, by orthogonalization */
        real x[@NV], size = 0, left = 0;
        if (!(m.on[i] > 0)) continue;
        for (int j = 0; j < @NV; ++j) {
            x[j] = m.rows[i * @NV + j];
            for (int k = 0; k < j; ++k) x[j] -= L[j * @NV + k] * x[k];
            x[j] /= L[j * @NV + j];
            size += x[j] * x[j];
        }
        for (int twice = 0; twice < 2; ++twice)
            for (int b = 0; b < rank; ++b) {
                real sum = 0;
                for (int j = 0; j < @NV; ++j) sum += x[j] * basis[b][j];
                for (int j = 0; j < @NV; ++j) x[j] -= sum * basis[b][j];
            }
        for (int j = 0; j < @NV; ++j) left += x[j] * x[j];
        if (!(left > 1e-16 * size) || size == 0) continue;
        for (int j = 0; j < @NV; ++j) basis[rank][j] = x[j] / sqrt(left);
        ++rank;
    }
    return rank == @NV;
}
"""
