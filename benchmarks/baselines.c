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
      step = fmax(step, fabs(dx[i]));
      size = fmax(size, fabs(v[i]));
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
  } else {
    return fprintf(stderr, "unknown baseline or wrong number of values: %s\n", name), 2;
  }
  return puts(""), 0;
}
