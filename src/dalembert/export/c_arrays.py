"""Write operations on whole arrays as C99; the tapes of large machines have arrays, not scalars.

An array is a local variable, stored row by row without gaps. Nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..compile.ir.tape import Memory, Unsupported, runs

# Limit of the bytes of all arrays in one function: a stack has 8 MB on a desktop, less elsewhere.
LARGEST_STACK = 4 << 20

ROUTINES = {
    "matmul": """/* out = a b, or a^T b if the steps of a are exchanged */
static inline void {prefix}matmul(real *out, const real *a, int down, int along, const real *b,
    int rows, int columns, int inner) {{
    for (int i = 0; i < rows; ++i) {{
        for (int j = 0; j < columns; ++j) out[i * columns + j] = 0;
        for (int k = 0; k < inner; ++k) {{
            const real x = a[i * down + k * along];
            for (int j = 0; j < columns; ++j) out[i * columns + j] += x * b[k * columns + j];
        }}
    }}
}}""",
    "matvec": """/* out = a x */
static inline void {prefix}matvec(real *out, const real *a, const real *x, int rows, int columns) {{
    for (int i = 0; i < rows; ++i) {{
        real sum = 0;
        for (int j = 0; j < columns; ++j) sum += a[i * columns + j] * x[j];
        out[i] = sum;
    }}
}}""",
    "products": """/* out = a b of n matrices, entry by entry: (p x q) by (q x r) */
static inline void {prefix}products(real *out, const real *a, const real *b, int p, int q, int r,
    int n) {{
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < r; ++j)
            for (int c = 0; c < n; ++c) {{
                real sum = 0;
                for (int k = 0; k < q; ++k)
                    sum += a[(i * q + k) * n + c] * b[(k * r + j) * n + c];
                out[(i * r + j) * n + c] = sum;
            }}
}}""",
    "cross": """/* out = a x b of n vectors, entry by entry */
static inline void {prefix}cross(real *out, const real *a, const real *b, int n) {{
    for (int i = 0; i < 3; ++i) {{
        const int j = (i + 1) % 3 * n, k = (i + 2) % 3 * n;
        for (int c = 0; c < n; ++c) out[i * n + c] = a[j + c] * b[k + c] - a[k + c] * b[j + c];
    }}
}}""",
    "factor": """/* f: L below the diagonal, D L^T from it on, then 1/D; NaN if a pivot is small */
static inline void {prefix}factor(real *f, const real *a, int n, real least) {{
    for (int i = 0; i < n * n; ++i) f[i] = a[i];
    for (int i = 0; i < n; ++i) {{
        const real own = f[i * n + i], over = 1 / (own > least * a[i * n + i] ? own : NAN);
        f[n * n + i] = over;
        for (int r = i + 1; r < n; ++r) {{
            const real s = f[i * n + r] * over;
            for (int j = r; j < n; ++j) f[r * n + j] -= s * f[i * n + j];
            f[r * n + i] = s;
        }}
    }}
}}""",
    "solve_spd": """/* x = a^-1 b by the factor of a */
static inline void {prefix}solve_spd(real *x, const real *f, const real *b, int n, int m) {{
    for (int i = 0; i < n * m; ++i) x[i] = b[i];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            for (int j = 0; j < m; ++j) x[i * m + j] -= f[i * n + k] * x[k * m + j];
    for (int i = n - 1; i >= 0; --i) {{
        for (int k = i + 1; k < n; ++k)
            for (int j = 0; j < m; ++j) x[i * m + j] -= f[i * n + k] * x[k * m + j];
        for (int j = 0; j < m; ++j) x[i * m + j] *= f[n * n + i];
    }}
}}""",
    "solve": """/* x = a^-1 b, by elimination of rows of unit size; w: n n + n numbers of work */
static inline void {prefix}solve(real *x, real *w, const real *a, const real *b, int n, int m,
    real least) {{
    for (int i = 0; i < n; ++i) {{
        real size = 0;
        for (int j = 0; j < n; ++j) size = fmax(size, fabs(a[i * n + j]));
        const real over = 1 / (size > 0 ? size : NAN);
        for (int j = 0; j < n; ++j) w[i * n + j] = a[i * n + j] * over;
        for (int j = 0; j < m; ++j) x[i * m + j] = b[i * m + j] * over;
    }}
    for (int j = 0; j < n; ++j) {{
        real size = 0;
        for (int i = 0; i < n; ++i) size = fmax(size, fabs(w[i * n + j]));
        w[n * n + j] = size;
    }}
    for (int k = 0; k < n; ++k) {{
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(w[i * n + k]) > fabs(w[best * n + k])) best = i;
        for (int j = k; j < n; ++j) {{
            const real y = w[k * n + j];
            w[k * n + j] = w[best * n + j];
            w[best * n + j] = y;
        }}
        for (int j = 0; j < m; ++j) {{
            const real y = x[k * m + j];
            x[k * m + j] = x[best * m + j];
            x[best * m + j] = y;
        }}
        const real own = w[k * n + k];
        const real over = 1 / (fabs(own) > least * w[n * n + k] ? own : NAN);
        w[n * n + k] = over;
        for (int i = k + 1; i < n; ++i) {{
            const real s = w[i * n + k] * over;
            for (int j = k + 1; j < n; ++j) w[i * n + j] -= s * w[k * n + j];
            for (int j = 0; j < m; ++j) x[i * m + j] -= s * x[k * m + j];
        }}
    }}
    for (int i = n - 1; i >= 0; --i) {{
        for (int k = i + 1; k < n; ++k)
            for (int j = 0; j < m; ++j) x[i * m + j] -= w[i * n + k] * x[k * m + j];
        for (int j = 0; j < m; ++j) x[i * m + j] *= w[n * n + i];
    }}
}}""",
}
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def declared(w: Any, array: Memory) -> str:
    """Declare the variable of an array and return its name."""
    size = array.size + (array.shape[1] if array.op == "factor" else 0)
    w.stack += size * (4 if w.single else 8)
    if w.stack > LARGEST_STACK:
        raise Unsupported(f"arrays of more than {LARGEST_STACK >> 20} MB in one function")
    name = w.fresh()
    w.say(f"real {name}[{size}];")
    return name


def copied(w: Any, to: str, source: str, array: Memory) -> None:
    """Copy an array."""
    w.say(f"memcpy({to}, {source}, sizeof {to});")


def operation(w: Any, item: Memory) -> str:
    """Write an operation on whole arrays, and return the name of its result."""
    arrays = [x for x in item.operands if isinstance(x, Memory)]
    names = [w.names[x.number][0] for x in arrays]
    sizes = [x.shape for x in arrays]
    rows, columns = item.shape
    out = declared(w, item)
    w.operations += item.size
    if item.op == "pack":
        _pack(w, item, out)
        return out
    if item.op == "map":
        _map(w, item, out)
        return out
    if item.op == "reduce":
        _reduce(w, item.how[0], out, names[0], sizes[0])
        return out
    if item.op not in ROUTINES:
        raise Unsupported(f"the operation '{item.op}' of an array in C")
    w.helpers.add(item.op)
    given: Sequence[Any]
    if item.op == "matmul":
        down, along = (1, sizes[0][1]) if item.how[0] else (sizes[0][1], 1)
        given = out, names[0], down, along, names[1], rows, columns, sizes[1][0]
    elif item.op == "matvec":
        given = out, *names, *sizes[0]
    elif item.op == "products":
        given = out, *names, *item.how, columns
    elif item.op == "cross":
        given = out, *names, columns
    elif item.op == "factor":
        given = out, names[0], columns, w.number_of(item.how[0])
    elif item.op == "solve_spd":
        given = out, *names, rows, columns
    else:
        work = w.fresh()
        w.stack += 8 * rows * (rows + 1)
        w.say(f"real {work}[{rows * (rows + 1)}];")
        given = out, work, *names, rows, columns, w.number_of(item.how[0])
    w.say(f"{w.prefix}{item.op}({', '.join(map(str, given))});")
    return out


def _map(w: Any, item: Memory, out: str) -> None:
    op, *how = item.how
    operands, given = iter(item.operands), []
    for x in how:
        value = next(operands) if x is None else None
        if value is None:
            given.append(w.number_of(x))
        elif isinstance(value, Memory):
            given.append(f"{w.names[value.number][0]}[i]")
        else:
            given.append(f"({w.read(value)})")
    if op in _INFIX:
        text = f"{given[0]} {_INFIX[op]} {given[1]}"
    elif op == "neg":
        text = f"-{given[0]}"
    elif op == "select":
        text = f"{given[0]} ? {given[2]} : {given[1]}"
    elif op in ("max", "min"):
        w.helpers.add(op)
        text = f"{w.prefix}{op}({given[0]}, {given[1]})"
    elif op in ("abs", "sqrt"):
        text = f"{'fabs' if op == 'abs' else op}{'f' if w.single else ''}({given[0]})"
    else:
        raise Unsupported(f"the operation '{op}' of an array in C")
    w.say(f"for (int i = 0; i < {item.size}; ++i) {out}[i] = {text};")


def _reduce(w: Any, op: str, out: str, x: str, size: tuple[int, int]) -> None:
    """Write out[j] = op over all rows of x[i, j]."""
    rows, columns = size
    w.say(f"for (int j = 0; j < {columns}; ++j) {out}[j] = {x}[j];")
    at, entry = f"{out}[j]", f"{x}[i * {columns} + j]"
    if op == "add":
        step = f"{at} += {entry};"
    else:
        w.helpers.add(op)
        step = f"{at} = {w.prefix}{op}({at}, {entry});"
    w.say(f"for (int i = 1; i < {rows}; ++i)")
    w.say(f"    for (int j = 0; j < {columns}; ++j) {step}")


def _pack(w: Any, item: Memory, out: str) -> None:
    """Write a matrix from entries of other arrays, scalars and known numbers."""
    copies, places, fixed = item.how
    covered = sum(len(to) for to, _ in copies) + sum(map(len, places)) + len(fixed)
    if covered < item.size:
        w.say(f"for (int i = 0; i < {item.size}; ++i) {out}[i] = 0;")
    for i, x in fixed:
        w.say(f"{out}[{i}] = {w.number_of(float(x))};")
    for source, (to, at) in zip(item.operands[: len(copies)], copies):
        name = w.names[source.number][0]
        for first, start, step, count in runs(to, at):
            if count == 1:
                w.say(f"{out}[{first}] = {name}[{start}];")
                continue
            index = "k" if step == 1 else f"{step} * k"
            w.say(
                f"for (int k = 0; k < {count}; ++k) {out}[{first} + k] = {name}[{start} + {index}];"
            )
    for value, where in zip(item.operands[len(copies) :], places):
        for i in where:
            w.say(f"{out}[{i}] = {w.read(value)};")
