"""The C text of the small linear systems that the decision about contacts solves.

`@` stands for the prefix of all names.
"""

from __future__ import annotations

SOLVE = """
/* x with A x = b, by elimination with the largest pivot of a column; returns the determinant */
static real @eliminate(int n, real *A, real *b, real *x)
{
    real determinant = 1;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        if (best != k) {
            for (int j = 0; j < n; ++j) {
                const real y = A[k * n + j];
                A[k * n + j] = A[best * n + j];
                A[best * n + j] = y;
            }
            const real y = b[k];
            b[k] = b[best];
            b[best] = y;
            determinant = -determinant;
        }
        determinant *= A[k * n + k];
        if (!(fabs(A[k * n + k]) > 0)) return 0;
        for (int i = k + 1; i < n; ++i) {
            const real share = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; ++j) A[i * n + j] -= share * A[k * n + j];
            b[i] -= share * b[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        real sum = b[i];
        for (int j = i + 1; j < n; ++j) sum -= A[i * n + j] * x[j];
        x[i] = sum / A[i * n + i];
    }
    return determinant;
}

/* G^-1 row */
static void @raise(const @mechanics *m, const real *row, real *out)
{
    real G[@NV * @NV], b[@NV];
    memset(out, 0, sizeof b);
    memcpy(G, m->G, sizeof G);
    memcpy(b, row, sizeof b);
    @eliminate(@NV, G, b, out);
}
"""

PSEUDO = """
static void @invert(const @mechanics *m, real *out)
{
    for (int i = 0; i < @NV; ++i) {
        real row[@NV] = {0};
        row[i] = 1;
        @raise(m, row, &out[i * @NV]);
    }
}

/* The pseudo-inverse of a symmetric matrix, by Jacobi's rotations; A is overwritten. */
static void @pseudo_inverse(int n, real *A, real *out)
{
    real V[@NR * @NR], most = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) V[i * n + j] = i == j;
    for (int sweeps = 0; sweeps < 60; ++sweeps) {
        bool changed = false;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                const real a = A[p * n + p], b = A[q * n + q], c = A[p * n + q];
                if (fabs(c) <= 1e-17 * (fabs(a) + fabs(b))) continue;
                const real theta = (b - a) / (2 * c);
                const real t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                const real cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
                changed = true;
                for (int k = 0; k < n; ++k) {
                    const real x = A[k * n + p], y = A[k * n + q];
                    A[k * n + p] = cosine * x - sine * y;
                    A[k * n + q] = sine * x + cosine * y;
                }
                for (int k = 0; k < n; ++k) {
                    const real x = A[p * n + k], y = A[q * n + k];
                    A[p * n + k] = cosine * x - sine * y;
                    A[q * n + k] = sine * x + cosine * y;
                }
                for (int k = 0; k < n; ++k) {
                    const real x = V[k * n + p], y = V[k * n + q];
                    V[k * n + p] = cosine * x - sine * y;
                    V[k * n + q] = sine * x + cosine * y;
                }
            }
        if (!changed) break;
    }
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(A[i * n + i]));
    for (int i = 0; i < n * n; ++i) out[i] = 0;
    for (int k = 0; k < n; ++k) {
        if (!(fabs(A[k * n + k]) > 1e-10 * most)) continue;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                out[i * n + j] += V[i * n + k] * V[j * n + k] / A[k * n + k];
    }
}
"""

RESTS = """
/* Whether nothing can move: every direction is held, and all surfaces are at rest. */
static bool @rests(const @run *r, const @node *at, const @contacts *c, const real *v)
{
    @mechanics m;
    real basis[@NV][@NV], L[@NV * @NV];
    int rank = 0;
    if (@MOVES || @GROUPS == 0) return false;
    for (int g = 0; g < @GROUPS; ++g)
        if (@is_on(c, g) && !(c->sticks[g] > 0)) return false;
    @weigh(r, at, c, v, &m);
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
