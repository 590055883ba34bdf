/* What a patient person would write by hand: the baselines of `make bench`.

   Each program takes the number of steps, runs as often as asked, and prints the best time per
   step (and member) in ns, then the final state, by which the caller sees that both codes computed
   the same thing. Build: cc -O3 -march=native -o baselines baselines.c -lm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static inline double larger(double a, double b) { return a > b ? a : b; } /* fmax is a call */

/* -- (4.18) on (5.5) [MP], n = 3: q = (x, y1..y3, z1..z3), unit mass and coupling --------------
   The constraint at the end is linear in the multiplier here, because dx + y dz pushes x and z
   only: one division a step. `real` is a number or a SIMD vector of them. */

#define DIM 7
typedef double vector __attribute__((vector_size(64)));
#define LANES 8

#define DEFINE_LEAPFROG(name, real)                                                               \
  static inline void name(real *q, real *v, double h, long steps) {                               \
    for (long k = 0; k < steps; k++) {                                                            \
      for (int i = 0; i < DIM; i++) q[i] += 0.5 * h * v[i];                                       \
      real *y = q + 1, *z = q + 4, *vy = v + 1, *vz = v + 4;                                      \
      real ym[3] = {y[0], y[1], y[2]};                                                            \
      real zz[3] = {z[0] * z[0], z[1] * z[1], z[2] * z[2]};                                       \
      v[0] -= h * q[0];                                                                           \
      for (int i = 0; i < 3; i++) vy[i] -= h * (y[i] + y[i] * zz[i]);                             \
      vz[0] -= h * z[0] * (1.0 + y[0] * y[0] + zz[1]);                                            \
      vz[1] -= h * z[1] * (1.0 + y[1] * y[1] + zz[0]);                                            \
      vz[2] -= h * z[2] * (1.0 + y[2] * y[2]);                                                    \
      for (int i = 0; i < 3; i++) y[i] += 0.5 * h * vy[i];                                        \
      real top = v[0], bottom = ym[0] * y[0] + 1.0;                                               \
      for (int i = 0; i < 3; i++) top += y[i] * vz[i];                                            \
      for (int i = 1; i < 3; i++) bottom += ym[i] * y[i];                                         \
      real impulse = -top / bottom;                                                               \
      v[0] += impulse;                                                                            \
      for (int i = 0; i < 3; i++) vz[i] += ym[i] * impulse;                                       \
      q[0] += 0.5 * h * v[0];                                                                     \
      for (int i = 0; i < 3; i++) z[i] += 0.5 * h * vz[i];                                        \
    }                                                                                             \
  }
DEFINE_LEAPFROG(leapfrog_one, double)
DEFINE_LEAPFROG(leapfrog_many, vector)

/* -- GNI, midpoint rule, Chaplygin sleigh: metric and constraint turn with the heading --------- */

typedef struct { double m, J, a; } Sleigh;

static void sleigh_step(const Sleigh *s, double h, double *q, double *p, double *move) {
  double m = s->m, a = s->a, inertia = s->J + m * a * a;
  double v[3] = {move[0] / h, move[1] / h, move[2] / h};
  for (int k = 0; k < 20; k++) {
    double th = q[2] + 0.5 * h * v[2], S = sin(th), C = cos(th), w = v[2];
    double along = v[0] * C + v[1] * S, across = v[1] * C - v[0] * S;
    double f[3] = {m * (v[0] - a * w * S) - p[0], m * (v[1] + a * w * C) - p[1],
                   m * a * across + inertia * w + 0.5 * h * m * a * w * along - p[2]};
    /* the heading moves by h w/2, so w enters through the sines as well */
    double d = 0.5 * h;
    double J[3][3] = {{m, 0, -m * a * (S + w * C * d)},
                      {0, m, m * a * (C - w * S * d)},
                      {m * a * (-S + d * w * C), m * a * (C + d * w * S),
                       inertia - m * a * along * d + d * m * a * (along + w * across * d)}};
    double r0 = J[2][0] / m, r1 = J[2][1] / m;
    double dw = (f[2] - r0 * f[0] - r1 * f[1]) / (J[2][2] - r0 * J[0][2] - r1 * J[1][2]);
    double dx[3] = {(f[0] - J[0][2] * dw) / m, (f[1] - J[1][2] * dw) / m, dw};
    double step = 0, size = 0;
    for (int i = 0; i < 3; i++) {
      v[i] -= dx[i];
      step = larger(step, fabs(dx[i]));
      size = larger(size, fabs(v[i]));
    }
    if (!(step > 1e-8 * size)) break;
  }
  double th = q[2] + 0.5 * h * v[2], S = sin(th), C = cos(th), w = v[2];
  double along = v[0] * C + v[1] * S, across = v[1] * C - v[0] * S;
  double plus[3] = {m * (v[0] - a * w * S), m * (v[1] + a * w * C),
                    m * a * across + inertia * w - 0.5 * h * m * a * w * along};
  for (int i = 0; i < 3; i++) {
    double moved = h * v[i];
    q[i] += moved;
    v[i] = 2 * moved - move[i]; /* the next guess, by extrapolation */
    move[i] = v[i];
  }
  /* reflect in the blade: G^-1 mu^T and G^-1 p by the same elimination as above */
  S = sin(q[2]), C = cos(q[2]);
  double schur = s->J; /* inertia - m a^2 */
  double pw = (plus[2] + a * (S * plus[0] - C * plus[1])) / schur;
  double vx = plus[0] / m + a * S * pw, vy = plus[1] / m - a * C * pw;
  double mw = a / schur; /* angular part of G^-1 mu^T, mu = (S, -C, 0) */
  double mx = S / m + a * S * mw, my = -C / m - a * C * mw;
  double impulse = -2 * (S * vx - C * vy) / (S * mx - C * my);
  p[0] = plus[0] + S * impulse, p[1] = plus[1] - C * impulse, p[2] = plus[2];
}

/* -- DLA, midpoint rule, Chaplygin sleigh: the multiplier of the step is an unknown, too --------- */

static void sleigh_dla_step(const Sleigh *s, double h, double *q, double *v, double *bend, double *lam) {
  double m = s->m, a = s->a, inertia = s->J + m * a * a, d = 0.5 * h;
  double s0 = sin(q[2]), c0 = cos(q[2]);
  double p[3] = {m * (v[0] - a * v[2] * s0), m * (v[1] + a * v[2] * c0),
                 m * a * (v[1] * c0 - v[0] * s0) + inertia * v[2]};
  double u[3], l = *lam;
  for (int i = 0; i < 3; i++) u[i] = v[i] + h * bend[i];
  for (int k = 0; k < 20; k++) {
    double th = q[2] + d * u[2], S = sin(th), C = cos(th), w = u[2];
    double along = u[0] * C + u[1] * S, across = u[1] * C - u[0] * S;
    double f[4] = {m * (u[0] - a * w * S) - p[0] - h * l * s0, m * (u[1] + a * w * C) - p[1] + h * l * c0,
                   m * a * across + inertia * w + d * m * a * w * along - p[2], -across};
    double J02 = -m * a * (S + w * C * d), J12 = m * a * (C - w * S * d);
    double J20 = m * a * (-S + d * w * C), J21 = m * a * (C + d * w * S);
    double J22 = inertia - m * a * along * d + d * m * a * (along + w * across * d);
    /* du_i = (f_i - J_i2 dw - J_il dl)/m for both i; what is left are two equations for dw and dl */
    double r0 = J20 / m, r1 = J21 / m, x0 = S / m, x1 = -C / m, J0l = -h * s0, J1l = h * c0;
    double A = J22 - r0 * J02 - r1 * J12, B = -r0 * J0l - r1 * J1l, g = f[2] - r0 * f[0] - r1 * f[1];
    double D = along * d - x0 * J02 - x1 * J12, E = -x0 * J0l - x1 * J1l, e = f[3] - x0 * f[0] - x1 * f[1];
    double det = 1 / (A * E - B * D), dw = (g * E - B * e) * det, dl = (A * e - g * D) * det;
    double dx[4] = {(f[0] - J02 * dw - J0l * dl) / m, (f[1] - J12 * dw - J1l * dl) / m, dw, dl};
    double step = fabs(dl), size = fabs(l -= dl);
    for (int i = 0; i < 3; i++) {
      u[i] -= dx[i];
      step = larger(step, h * fabs(dx[i]));
      size = larger(size, h * fabs(u[i]));
    }
    if (!(step > 1e-8 * size)) break;
  }
  double th = q[2] + d * u[2], S = sin(th), C = cos(th), w = u[2];
  double along = u[0] * C + u[1] * S, across = u[1] * C - u[0] * S;
  double plus[3] = {m * (u[0] - a * w * S), m * (u[1] + a * w * C),
                    m * a * across + inertia * w - d * m * a * w * along};
  for (int i = 0; i < 3; i++) q[i] += h * u[i];
  /* onto the blade, as a reflection above */
  S = sin(q[2]), C = cos(q[2]);
  double pw = (plus[2] + a * (S * plus[0] - C * plus[1])) / s->J, mw = a / s->J;
  double vx = plus[0] / m + a * S * pw, vy = plus[1] / m - a * C * pw;
  double mx = S / m + a * S * mw, my = -C / m - a * C * mw;
  double impulse = (S * vx - C * vy) / (S * mx - C * my);
  v[0] = vx - mx * impulse, v[1] = vy - my * impulse, v[2] = pw - mw * impulse;
  for (int i = 0; i < 3; i++) bend[i] = (v[i] - u[i]) / h;
  *lam = l;
}

/* -- GNI, trapezoidal rule, homogeneous ball on a turntable, reduced: (37) [F15] --------------- */

typedef struct { double m, r, I, Theta; } Ball;

static void ball_step(const Ball *b, double h, double *q, double *p, double *turn, double *W) {
  /* |p| h/I = (1 + s^2/4) s for the length s of the Cayley coordinate; its direction is that of p */
  double size = sqrt(p[2] * p[2] + p[3] * p[3] + p[4] * p[4]), wanted = size * h / b->I, s = *turn;
  for (int k = 0; k < 20; k++) {
    double ds = ((1 + 0.25 * s * s) * s - wanted) / (1 + 0.75 * s * s);
    s -= ds;
    if (!(fabs(ds) > 1e-8 * fabs(s))) break;
  }
  *turn = s;
  double scale = size > 0 ? s / size : 0, x = p[2] * scale, y = p[3] * scale, z = p[4] * scale;
  q[0] += h * p[0] / b->m;
  q[1] += h * p[1] / b->m;
  double d = 1 / (1 + 0.25 * (x * x + y * y + z * z)), old[9];
  double R[9] = {1 - 0.5 * d * (y * y + z * z), d * (0.5 * x * y - z), d * (0.5 * x * z + y),
                 d * (0.5 * x * y + z), 1 - 0.5 * d * (x * x + z * z), d * (0.5 * y * z - x),
                 d * (0.5 * x * z - y), d * (0.5 * y * z + x), 1 - 0.5 * d * (x * x + y * y)};
  memcpy(old, W, sizeof old);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      W[3 * i + j] = old[3 * i] * R[j] + old[3 * i + 1] * R[3 + j] + old[3 * i + 2] * R[6 + j];
  double C = 1 / b->m + b->r * b->r / b->I;
  double l0 = -2 * (p[0] / b->m - b->r * p[3] / b->I + b->Theta * q[1]) / C;
  double l1 = -2 * (p[1] / b->m + b->r * p[2] / b->I - b->Theta * q[0]) / C;
  p[0] += l0, p[1] += l1, p[2] += b->r * l1, p[3] -= b->r * l0;
}

/* -- main: NAME STEPS REPEATS H state... ------------------------------------------------------- */

static double best = 1e300;
/* The same by what the library does: the equation of all five coordinates by Newton's method, with
   a Jacobian, elimination with scaled rows and pivots, a certificate at the root; the frame brought
   back to the rotations; the momentum projected twice; finite numbers and the constraint looked at. */

static void kinetic(const double *s, double sign, const double *w, double T[3][3], double *f) {
  double x = sign * s[0], y = sign * s[1], z = sign * s[2];
  double M[3][3] = {{1 + 0.25 * x * x, 0.25 * x * y - 0.5 * z, 0.25 * x * z + 0.5 * y},
                    {0.25 * x * y + 0.5 * z, 1 + 0.25 * y * y, 0.25 * y * z - 0.5 * x},
                    {0.25 * x * z - 0.5 * y, 0.25 * y * z + 0.5 * x, 1 + 0.25 * z * z}};
  memcpy(T, M, sizeof M);
  for (int j = 0; j < 3; j++) f[j] = w[0] * T[0][j] + w[1] * T[1][j] + w[2] * T[2][j];
}

static int solve3(double J[3][3], const double *f, double *x) {
  double A[3][4], column[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    double over = 1 / larger(larger(fabs(J[i][0]), fabs(J[i][1])), fabs(J[i][2]));
    for (int j = 0; j < 3; j++) A[i][j] = J[i][j] * over, column[j] = larger(column[j], fabs(A[i][j]));
    A[i][3] = f[i] * over;
  }
  for (int j = 0; j < 3; j++) {
    for (int i = j + 1; i < 3; i++)
      if (fabs(A[i][j]) > fabs(A[j][j]))
        for (int k = j; k < 4; k++) {
          double t = A[i][k];
          A[i][k] = A[j][k], A[j][k] = t;
        }
    if (!(fabs(A[j][j]) > 2.3e-13 * column[j])) return 0;
    double over = 1 / A[j][j];
    for (int k = j + 1; k < 4; k++) A[j][k] *= over;
    for (int i = j + 1; i < 3; i++)
      for (int k = j + 1; k < 4; k++) A[i][k] -= A[i][j] * A[j][k];
  }
  x[2] = A[2][3], x[1] = A[1][3] - A[1][2] * x[2], x[0] = A[0][3] - A[0][1] * x[1] - A[0][2] * x[2];
  return 1;
}

/* x: q, p_minus, move, change, W and the largest residual; 0 if a step fails */
static int ball_step_alike(const Ball *b, double h, double *x) {
  double *q = x, *p = x + 2, *move = x + 7, *change = x + 12, *W = x + 17, over_h = 1 / h;
  double mass[5] = {b->m, b->m, b->I, b->I, b->I}, s[5], f[5], w[5], T[3][3], residual = 1;
  for (int i = 0; i < 5; i++) s[i] = move[i] + change[i];
  int goes_on = 1;
  for (int k = 0; goes_on && k < 20; k++) {
    double J[3][3], dx[5], terms[5], biggest = 0, step = 0, size = 0, error = 0, least = 0, left = 0;
    for (int i = 0; i < 5; i++) w[i] = mass[i] * s[i] * over_h;
    kinetic(s + 2, -1, w + 2, T, f + 2);
    f[0] = w[0], f[1] = w[1];
    for (int i = 0; i < 5; i++) error = larger(error, fabs(f[i] -= p[i]));
    /* d/ds_k of sum_i w_i T_ij: through w, and through T */
    double I = b->I * over_h, *u = s + 2, *z = w + 2, dot = u[0] * z[0] + u[1] * z[1] + u[2] * z[2];
    double hat[3][3] = {{0, -z[2], z[1]}, {z[2], 0, -z[0]}, {-z[1], z[0], 0}};
    for (int j = 0; j < 3; j++)
      for (int l = 0; l < 3; l++)
        J[j][l] = I * T[l][j] + 0.25 * (z[l] * u[j] + (j == l ? dot : 0)) - 0.5 * hat[j][l];
    if (!solve3(J, f + 2, dx + 2)) return 0;
    dx[0] = f[0] / (b->m * over_h), dx[1] = f[1] / (b->m * over_h);
    for (int i = 0; i < 5; i++) {
      s[i] -= dx[i];
      step = larger(step, fabs(dx[i])), size = larger(size, fabs(s[i]));
    }
    terms[0] = b->m * over_h * fabs(s[0]), terms[1] = b->m * over_h * fabs(s[1]);
    least = b->m * over_h;
    for (int j = 0; j < 3; j++) {
      terms[2 + j] = 0;
      for (int l = 0; l < 3; l++) terms[2 + j] += fabs(J[j][l]) * fabs(s[2 + l]), least = larger(least, fabs(J[j][l]));
    }
    for (int i = 0; i < 5; i++) w[i] = mass[i] * s[i] * over_h, biggest = larger(biggest, terms[i]);
    kinetic(s + 2, -1, w + 2, T, f + 2);
    f[0] = w[0], f[1] = w[1];
    int settled = 1;
    for (int i = 0; i < 5; i++) {
      double off = fabs(f[i] - p[i]);
      settled &= off <= 4.4e-16 * terms[i], left = larger(left, off);
    }
    double scale = larger(biggest, 1e-4 * least);
    goes_on = !settled && step > 1e-8 * size && error > 1e-10 * scale;
    residual = left / scale;
  }
  if (!(residual <= 1e-10)) return 0;
  double plus[5] = {w[0], w[1]}, v[5], R[9], N[9], old[9], G[9];
  kinetic(s + 2, 1, w + 2, T, plus + 2);
  q[0] += s[0], q[1] += s[1];
  double X = s[2], Y = s[3], Z = s[4], d = 1 / (4 + X * X + Y * Y + Z * Z), c = 4 - X * X - Y * Y - Z * Z;
  double cay[9] = {d * (c + 2 * X * X), d * (2 * X * Y - 4 * Z), d * (2 * X * Z + 4 * Y),
                   d * (2 * X * Y + 4 * Z), d * (c + 2 * Y * Y), d * (2 * Y * Z - 4 * X),
                   d * (2 * X * Z - 4 * Y), d * (2 * Y * Z + 4 * X), d * (c + 2 * Z * Z)};
  memcpy(R, cay, sizeof R), memcpy(old, W, sizeof old);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      N[3 * i + j] = old[3 * i] * R[j] + old[3 * i + 1] * R[3 + j] + old[3 * i + 2] * R[6 + j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      G[3 * i + j] = (i == j ? 1.5 : 0) - 0.5 * (N[i] * N[j] + N[3 + i] * N[3 + j] + N[6 + i] * N[6 + j]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      W[3 * i + j] = N[3 * i] * G[j] + N[3 * i + 1] * G[3 + j] + N[3 * i + 2] * G[6 + j];
  /* mu = (1 0 0 -r 0; 0 1 r 0 0), b = Theta (-y, x); G and C are diagonal */
  double r = b->r, m1 = 1 / b->m, I1 = 1 / b->I, C1 = 1 / (m1 + r * r * I1), defect[2] = {0, 0}, off[2];
  for (int i = 0; i < 5; i++) v[i] = plus[i] * (i < 2 ? m1 : I1), change[i] = s[i] - move[i], move[i] = s[i];
  for (int turn = 0; turn < 3; turn++) {
    off[0] = v[0] - r * v[3] + b->Theta * q[1], off[1] = v[1] + r * v[2] - b->Theta * q[0];
    if (turn == 2 && fabs(off[0]) <= 9e-16 * (fabs(v[0]) + r * fabs(v[3])) &&
        fabs(off[1]) <= 9e-16 * (fabs(v[1]) + r * fabs(v[2])))
      break;
    double l0 = off[0] * C1, l1 = off[1] * C1;
    v[0] -= m1 * l0, v[1] -= m1 * l1, v[3] += I1 * r * l0, v[2] -= I1 * r * l1;
    defect[0] += l0, defect[1] += l1;
  }
  double l0 = -2 * defect[0], l1 = -2 * defect[1], total = q[0] + q[1];
  p[0] = plus[0] + l0, p[1] = plus[1] + l1, p[2] = plus[2] + r * l1, p[3] = plus[3] - r * l0, p[4] = plus[4];
  for (int i = 0; i < 5; i++) total += v[i] + p[i];
  double e0 = fabs(v[0]) + r * fabs(v[3]) + 2 * fabs(b->Theta * q[1]);
  double e1 = fabs(v[1]) + r * fabs(v[2]) + 2 * fabs(b->Theta * q[0]);
  x[26] = larger(x[26], residual);
  return fabs(off[0]) <= 9e-13 * e0 && fabs(off[1]) <= 9e-13 * e1 && total - total == 0;
}

#define TIMED(setup, work, count)                                                                 \
  for (int r = 0; r < repeats; r++) {                                                             \
    setup;                                                                                        \
    double begin = now();                                                                         \
    work;                                                                                         \
    best = fmin(best, (now() - begin) / (count)*1e9);                                             \
  }

static void show(const double *x, int n) {
  for (int i = 0; i < n; i++) printf(" %.17g", x[i]);
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: %s NAME STEPS REPEATS H state...\n", argv[0]), 2;
  const char *name = argv[1];
  long steps = atol(argv[2]);
  int repeats = atoi(argv[3]), given = argc - 5;
  double h = atof(argv[4]), start[32], x[32];
  for (int i = 0; i < given && i < 32; i++) start[i] = atof(argv[5 + i]);

  if (!strcmp(name, "leapfrog") && given == 2 * DIM) {
    TIMED(memcpy(x, start, sizeof x), leapfrog_one(x, x + DIM, h, steps), steps)
    printf("%.6g", best), show(x, DIM);
  } else if (!strcmp(name, "leapfrog-simd") && given == 2 * DIM) {
    vector s[2 * DIM];
    TIMED(for (int i = 0; i < 2 * DIM; i++) for (int j = 0; j < LANES; j++) s[i][j] = start[i],
          leapfrog_many(s, s + DIM, h, steps), (double)steps * LANES)
    for (int i = 0; i < DIM; i++) x[i] = s[i][LANES - 1];
    printf("%.6g", best), show(x, DIM);
  } else if (!strcmp(name, "sleigh") && given == 12) { /* m J a, q, p_minus, first move */
    Sleigh s = {start[0], start[1], start[2]};
    TIMED(memcpy(x, start + 3, 9 * sizeof *x),
          for (long k = 0; k < steps; k++) sleigh_step(&s, h, x, x + 3, x + 6), steps)
    printf("%.6g", best), show(x, 3);
  } else if (!strcmp(name, "ball") && given == 11) { /* m r I Theta, q, p_minus */
    Ball b = {start[0], start[1], start[2], start[3]};
    double turn = 0, W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    TIMED((memcpy(x, start + 4, 7 * sizeof *x), turn = 0),
          for (long k = 0; k < steps; k++) ball_step(&b, h, x, x + 2, &turn, W), steps)
    printf("%.6g", best), show(x, 2);
  } else if (!strcmp(name, "ball-alike") && given == 16) { /* m r I Theta, q, p_minus, first move */
    Ball b = {start[0], start[1], start[2], start[3]};
    int fine = 1;
    TIMED((memset(x, 0, sizeof x), memcpy(x, start + 4, 12 * sizeof *x), x[17] = x[21] = x[25] = 1),
          for (long k = 0; fine && k < steps; k++) fine = ball_step_alike(&b, h, x), steps)
    if (!fine) return fprintf(stderr, "a step of the ball failed\n"), 1;
    printf("%.6g", best), show(x, 2);
  } else if (!strcmp(name, "sleigh-dla") && given == 9) { /* m J a, q, v */
    Sleigh s = {start[0], start[1], start[2]};
    TIMED((memset(x, 0, sizeof x), memcpy(x, start + 3, 6 * sizeof *x)),
          for (long k = 0; k < steps; k++) sleigh_dla_step(&s, h, x, x + 3, x + 6, x + 9), steps)
    printf("%.6g", best), show(x, 3);
  } else {
    return fprintf(stderr, "unknown baseline or wrong number of values: %s\n", name), 2;
  }
  return puts(""), 0;
}
