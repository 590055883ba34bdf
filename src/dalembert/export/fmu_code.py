"""The functions of FMI 3.0 around an exported model, as C99.

Value references are 0 (time), 1 (h), then parameters, inputs, q, v, their rates, multipliers,
energy. The code reads no files, and allocates memory for instances and their saved states only.
"""

from __future__ import annotations

from typing import Any

_TYPES = "Float32 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String".split()
_C_TYPES = {
    "Float32": "float", "Float64": "double", "Int8": "int8_t", "UInt8": "uint8_t",
    "Int16": "int16_t", "UInt16": "uint16_t", "Int32": "int32_t", "UInt32": "uint32_t",
    "Int64": "int64_t", "UInt64": "uint64_t", "Boolean": "bool", "String": "const char *",
}  # fmt: skip

_HEAD = """/* FMI 3.0 of {prefix}: co-simulation, model exchange. Made by dalembert.export.fmu. */
#include "{prefix}.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef enum {{ fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal }} fmi3Status;
typedef void (*logger)(void *, fmi3Status, const char *, const char *);
typedef uint32_t reference;

enum {{
    NP = {NP}, NU = {NU}, NQ = {NQ}, NV = {NV}, NC = {NC},
    AT_P = 2, AT_U = AT_P + NP, AT_Q = AT_U + NU, AT_V = AT_Q + NQ,
    AT_QDOT = AT_V + NV, AT_VDOT = AT_QDOT + NQ, AT_C = AT_VDOT + NV, AT_E = AT_C + NC,
    {more_places}
}};

typedef struct {{
    {prefix}_parameters p;
    {prefix}_inputs u;
    {prefix}_state s;
    double h;
    double rates[NQ + NV + NC + 2]; /* of q and v, multipliers, energy */
    bool fresh;                     /* whether the rates are those of the state */
    bool exchange;                  /* of models, in place of co-simulation */
    bool begun;
{hybrid_members}    void *environment;
    logger log;
}} instance;

static const double start_p[NP + 1] = {{{p}}};
static const double start_q[NQ + 1] = {{{q}}};
static const double start_v[NV + 1] = {{{v}}};

static fmi3Status fail(instance *m, const char *what, int result)
{{
    static const char *const reasons[] = {{{messages}}};
    char text[256];
    const bool known = result > 0 && result < (int)(sizeof reasons / sizeof *reasons);
    snprintf(text, sizeof text, "%s: %s (t = %g)", what, known ? reasons[result] : "", m->s.t);
    if (m->log) m->log(m->environment, fmi3Error, "logStatusError", text);
    return fmi3Error;
}}

static double *number(instance *m, reference r)
{{
    if (r == 1) return &m->h;
    if (r >= AT_P && r < AT_U) return (double *)&m->p + (r - AT_P);
    if (r >= AT_U && r < AT_Q) return (double *)&m->u + (r - AT_U);
{state}    return NULL;
}}

{known_function}static fmi3Status rates(instance *m)
{{
    if (m->fresh) return fmi3OK;
{known}    const int result = {prefix}_dynamics({given}&m->p, &m->u, {mode}m->s.t, {q_of}, m->s.v,
        m->rates, m->rates + NQ, m->rates + NQ + NV, m->rates + NQ + NV + NC);
    m->fresh = result == 0;
    return result == 0 ? fmi3OK : fail(m, "rates", result);
}}

static void set_up(instance *m)
{{
    memset(&m->s, 0, sizeof m->s);
    memset(&m->u, 0, sizeof m->u);
    memcpy(&m->p, start_p, NP * sizeof(double));
    m->h = {h};
    for (int i = 0; i < NQ; ++i) *number(m, (reference)(AT_Q + i)) = start_q[i];
    for (int i = 0; i < NV; ++i) m->s.v[i] = start_v[i];
    m->fresh = m->begun = false;
{hybrid_setup}}}

static instance *made(const char *token, bool exchange, void *environment, logger log)
{{
    if (!token || strcmp(token, "{token}") != 0) {{
        if (log) log(environment, fmi3Error, "logStatusError", "wrong instantiationToken");
        return NULL;
    }}
    instance *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->exchange = exchange;
    m->environment = environment;
    m->log = log;
    set_up(m);
    return m;
}}

EXPORT const char *fmi3GetVersion(void) {{ return "3.0"; }}

EXPORT fmi3Status fmi3SetDebugLogging(void *m, bool on, size_t n, const char *const names[])
{{
    (void)m; (void)on; (void)n; (void)names;
    return fmi3OK;
}}

EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *place,
    bool visible, bool logging, void *environment, logger log)
{{
    (void)name; (void)place; (void)visible; (void)logging;
{exchanged}}}

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *place,
    bool visible, bool logging, bool events, bool early, const reference *required, size_t count,
    void *environment, logger log, void *update)
{{
    (void)name; (void)place; (void)visible; (void)logging; (void)events; (void)early;
    (void)required; (void)count; (void)update;
    return made(token, false, environment, log);
}}

EXPORT void *fmi3InstantiateScheduledExecution(const char *name, const char *token,
    const char *place, bool visible, bool logging, void *environment, logger log, void *clock,
    void *lock, void *unlock)
{{
    (void)name; (void)token; (void)place; (void)visible; (void)logging; (void)environment;
    (void)log; (void)clock; (void)lock; (void)unlock;
    return NULL;
}}

EXPORT void fmi3FreeInstance(void *m) {{ free(m); }}

EXPORT fmi3Status fmi3EnterInitializationMode(void *at, bool defined, double tolerance,
    double start, bool ends, double stop)
{{
    instance *m = at;
    (void)defined; (void)tolerance; (void)ends; (void)stop;
    m->s.t = start;
    m->fresh = false;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3ExitInitializationMode(void *at)
{{
    instance *m = at;
    double q[NQ + 1], v[NV];
    for (int i = 0; i < NQ; ++i) q[i] = *number(m, (reference)(AT_Q + i));
    memcpy(v, m->s.v, sizeof v);
    if (!(m->h > 0 && isfinite(m->h))) return fail(m, "h must be positive and finite", 0);
    const int result = {prefix}_start(&m->s, &m->p, &m->u, m->h, {start}m->s.t, q, v);
    m->fresh = false;
    m->begun = true;
    return result == 0 ? fmi3OK : fail(m, "start", result);
}}

EXPORT fmi3Status fmi3Reset(void *m) {{ set_up(m); return fmi3OK; }}

EXPORT fmi3Status fmi3GetFloat64(void *at, const reference *r, size_t n, double *x, size_t count)
{{
    instance *m = at;
    if (n != count) return fail(m, "fmi3GetFloat64: counts differ", 0);
    for (size_t i = 0; i < n; ++i) {{
        const double *place = number(m, r[i]);
        if (r[i] == 0) x[i] = m->s.t;
        else if (place) x[i] = *place;
        else if (r[i] >= AT_QDOT && r[i] <= AT_E) {{
{multiplier}            if (rates(m) != fmi3OK) return fmi3Error;
            x[i] = m->rates[r[i] - AT_QDOT];
{absent}        }} {guard}else return fail(m, "fmi3GetFloat64: no such reference", 0);
    }}
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetFloat64(void *at, const reference *r, size_t n, const double *x,
    size_t count)
{{
    instance *m = at;
    if (n != count) return fail(m, "fmi3SetFloat64: counts differ", 0);
    for (size_t i = 0; i < n; ++i) {{
        double *place = number(m, r[i]);
        if (!place) return fail(m, "fmi3SetFloat64: this number cannot be set", 0);
        if (r[i] >= AT_Q && m->begun && !m->exchange)
            return fail(m, "fmi3SetFloat64: a state is set before the start", 0);
        *place = x[i];
    }}
    m->fresh = false;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetFMUState(void *m, void **state)
{{
    if (!*state) *state = malloc(sizeof(instance));
    if (!*state) return fmi3Fatal;
    memcpy(*state, m, sizeof(instance));
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetFMUState(void *m, void *state)
{{
    memcpy(m, state, sizeof(instance));
    return fmi3OK;
}}

EXPORT fmi3Status fmi3FreeFMUState(void *m, void **state)
{{
    (void)m;
    free(*state);
    *state = NULL;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3UpdateDiscreteStates(void *m, bool *more, bool *ends, bool *nominals,
    bool *values, bool *planned, double *next)
{{
    (void)m; (void)next;
    *more = *ends = *nominals = *values = *planned = false;
{update}    return fmi3OK;
}}

EXPORT fmi3Status fmi3CompletedIntegratorStep(void *m, bool final, bool *event, bool *ends)
{{
    (void)m; (void)final;
    *event = *ends = false;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetTime(void *at, double t)
{{
    instance *m = at;
    m->s.t = t;
    m->fresh = false;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetContinuousStates(void *at, const double *x, size_t n)
{{
    instance *m = at;
    if (n != NQ + NV) return fail(m, "fmi3SetContinuousStates: wrong count", 0);
    for (int i = 0; i < NQ + NV; ++i) *number(m, (reference)(AT_Q + i)) = x[i];
    m->fresh = false;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetContinuousStates(void *at, double *x, size_t n)
{{
    instance *m = at;
    if (n != NQ + NV) return fail(m, "fmi3GetContinuousStates: wrong count", 0);
    for (int i = 0; i < NQ + NV; ++i) x[i] = *number(m, (reference)(AT_Q + i));
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetContinuousStateDerivatives(void *at, double *x, size_t n)
{{
    instance *m = at;
    if (n != NQ + NV) return fail(m, "fmi3GetContinuousStateDerivatives: wrong count", 0);
    if (rates(m) != fmi3OK) return fmi3Error;
    memcpy(x, m->rates, n * sizeof *x);
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(void *m, double *x, size_t n)
{{
    (void)m;
    for (size_t i = 0; i < n; ++i) x[i] = 1;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetNumberOfContinuousStates(void *m, size_t *n)
{{
    (void)m;
    *n = NQ + NV;
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetNumberOfEventIndicators(void *m, size_t *n)
{{
    (void)m;
    *n = {indicators};
    return fmi3OK;
}}

EXPORT fmi3Status fmi3GetEventIndicators(void *m, double *x, size_t n)
{{
{indicate}}}

EXPORT fmi3Status fmi3DoStep(void *at, double t, double size, bool final, bool *events, bool *ends,
    bool *early, double *last)
{{
    instance *m = at;
    (void)t; (void)final;
    *events = *ends = *early = false;
    *last = m->s.t;
    if (!(size >= 0)) return fail(m, "fmi3DoStep: the step is negative", 0);
    double n = rint(size / m->h), h = m->h;
    if (fabs(n * h - size) > 1e-9 * size) {{ /* no multiple of h */
{other}    }}
    const int result = {prefix}_steps(&m->s, &m->p, &m->u, h, (int64_t)n);
    m->fresh = false;
    *last = m->s.t;
    return result == 0 ? fmi3OK : fail(m, "fmi3DoStep", result);
}}
"""
_SHORTER = """        n = ceil(size / h);
        h = size / n;
"""
_REFUSED = """        return fail(m, "fmi3DoStep: {method} takes steps of one size: "
            "the communication step must be a multiple of h", 0);
"""

# Functions that a hybrid system adds.
_INT64 = """
EXPORT fmi3Status fmi3GetInt64(void *at, const reference *r, size_t n, int64_t *x, size_t count)
{{
    instance *m = at;
    if (n != count) return fail(m, "fmi3GetInt64: counts differ", 0);
    for (size_t i = 0; i < n; ++i) {{
        if (r[i] == AT_START) x[i] = m->first;
        else if (r[i] == AT_MODE) x[i] = m->begun ? m->s.mode : m->first;
        else if (r[i] == AT_JUMPS) x[i] = m->s.jumps;
        else return fail(m, "fmi3GetInt64: no such reference", 0);
    }}
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetInt64(void *at, const reference *r, size_t n, const int64_t *x,
    size_t count)
{{
    instance *m = at;
    if (n != count) return fail(m, "fmi3SetInt64: counts differ", 0);
    for (size_t i = 0; i < n; ++i) {{
        if (r[i] != AT_START || m->begun || x[i] < 0 || x[i] >= {modes})
            return fail(m, "fmi3SetInt64: only the mode of the start is set, before it", 0);
        m->first = m->s.mode = x[i];
    }}
    return fmi3OK;
}}
"""
_CONTACTS = """
EXPORT fmi3Status fmi3GetInt64(void *at, const reference *r, size_t n, int64_t *x, size_t count)
{{
    instance *m = at;
    {prefix}_state w;
    if (n != count) return fail(m, "fmi3GetInt64: counts differ", 0);
    for (size_t i = 0; i < n; ++i) {{
        if (r[i] == AT_MODE) x[i] = known(m, &w)->contacts;
        else if (r[i] == AT_JUMPS) x[i] = m->s.jumps;
        else return fail(m, "fmi3GetInt64: no such reference", 0);
    }}
    return fmi3OK;
}}

EXPORT fmi3Status fmi3SetInt64(void *at, const reference *r, size_t n, const int64_t *x,
    size_t count)
{{
    (void)r; (void)x; (void)count;
    return n == 0 ? fmi3OK : fail(at, "fmi3SetInt64: the states of contacts are not set", 0);
}}
"""
# Before the FMU has been started, the states of contacts follow from (q, v).
_KNOWN = """static const {prefix}_state *known(instance *m, {prefix}_state *w)
{{
    if (m->begun) return &m->s;
    {prefix}_start(w, &m->p, &m->u, m->h, m->s.t, m->s.q, m->s.v);
    return w;
}}

"""
_UPDATE = """    instance *i = m;
    if (i->begun && i->exchange) {{
        const int64_t jumps = i->s.jumps;
        const int result = {prefix}_event(&i->s, &i->p, &i->u, i->h);
        if (result) return fail(i, "event", result);
        *values = i->s.jumps != jumps;
        i->fresh = false;
        const double due = {prefix}_next_time(&i->s);
        *planned = isfinite(due);
        if (*planned) *next = due;
    }}
"""
_INDICATE = """    instance *i = m;
    if (n != {guards}) return fail(i, "fmi3GetEventIndicators: wrong count", 0);
    {prefix}_indicators(&i->s, &i->p, &i->u, x);
    return fmi3OK;
"""
_GUARD = """else if (r[i] > AT_JUMPS && r[i] <= AT_JUMPS + {guards}) {{
            double g[{guards}];
            {prefix}_indicators(&m->s, &m->p, &m->u, g);
            x[i] = g[r[i] - AT_JUMPS - 1];
        }} """
_NO_INDICATORS = """    (void)m; (void)x;
    return n == 0 ? fmi3OK : fmi3Error;
"""

# _FINE: functions that do nothing and succeed. _ABSENT: functions that are not supported.
_FINE = "EnterEventMode EnterStepMode EnterContinuousTimeMode EvaluateDiscreteStates Terminate"
_FINE += " EnterConfigurationMode ExitConfigurationMode"
_ABSENT = (
    "GetNumberOfVariableDependencies GetVariableDependencies SerializedFMUStateSize "
    "SerializeFMUState DeserializeFMUState GetDirectionalDerivative GetAdjointDerivative "
    "GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal "
    "SetIntervalFraction SetShiftDecimal SetShiftFraction GetOutputDerivatives "
    "ActivateModelPartition GetBinary SetBinary GetClock SetClock"
)


def functions(
    model: Any, token: str, h: str, p: str, q: str, v: str, messages: list[str], other: str,
    guards: int = 0, first: int = 0, contacts: bool = False,
) -> str:  # fmt: skip
    """Return the C text of FMI's functions; `other` names a method that allows no other step size.

    For a hybrid system, `guards` counts its guards and `first` is the mode in which it starts. A
    system with `contacts` has neither.
    """
    sizes = {"NU": model.inputs, "NQ": model.q, "NV": model.v, "NC": model.constraints}
    counts = {key: len(x) for key, x in sizes.items()}
    counts["NP"] = sum(x.size or 1 for x in model.parameters)
    of_q = "    if (r >= AT_Q && r < AT_V) return &m->s.q[r - AT_Q];\n" if model.q else ""
    state = of_q + "    if (r >= AT_V && r < AT_QDOT) return &m->s.v[r - AT_V];\n"
    multiplier = (
        "            if (!m->exchange && m->begun && r[i] >= AT_C && r[i] < AT_E) {\n"
        "                x[i] = m->s.multiplier[r[i] - AT_C];\n"
        + "                if (isnan(x[i])) x[i] = 0; /* no row of this mode */\n"
        * bool(guards or contacts)
        + "                continue;\n"
        "            }\n"
    )
    text = _HEAD.format(
        prefix=model.prefix,
        token=token,
        h=h,
        p=p,
        q=q,
        v=v,
        q_of="m->s.q" if model.q else "NULL",
        messages=", ".join(f'"{x}"' for x in messages),
        state=state,
        multiplier=multiplier if model.constraints else "",
        other=_REFUSED.format(method=other) if other else _SHORTER,
        mode="m->s.mode, " if guards else "",
        more_places="AT_MODE = AT_E + 1, AT_JUMPS"
        if contacts
        else "AT_START = AT_E + 1, AT_MODE, AT_JUMPS /* of a hybrid system */",
        known_function=_KNOWN.format(prefix=model.prefix) if contacts else "",
        known=f"    {model.prefix}_state w;\n" if contacts else "",
        given="known(m, &w), " if contacts else "",
        exchanged="    (void)token; (void)environment; (void)log;\n    return NULL;\n"
        if contacts
        else "    return made(token, true, environment, log);\n",
        start="m->first, " if guards else "",
        hybrid_members="    int64_t first; /* the mode of the start */\n" if guards else "",
        hybrid_setup=f"    m->first = m->s.mode = {first};\n" if guards else "",
        absent="            if (isnan(x[i]) && r[i] >= AT_C && r[i] < AT_E) x[i] = 0;\n"
        if guards or contacts
        else "",
        update=_UPDATE.format(prefix=model.prefix) if guards else "",
        indicators=guards,
        guard=_GUARD.format(prefix=model.prefix, guards=guards) if guards else "",
        indicate=_INDICATE.format(prefix=model.prefix, guards=guards) if guards else _NO_INDICATORS,
        **counts,
    )
    if guards:
        text += _INT64.format(modes=len(model.each))
    if contacts:
        text += _CONTACTS.format(prefix=model.prefix)
    for name in _TYPES:
        if (guards or contacts) and name == "Int64":
            continue
        kind = _C_TYPES[name]
        for way, const in (("Get", ""), ("Set", "const ")):
            text += (
                f"\nEXPORT fmi3Status fmi3{way}{name}(void *m, const reference *r, size_t n, "
                f"{const}{kind} *x, size_t count)\n{{\n    (void)m; (void)r; (void)x; "
                "(void)count;\n    return n == 0 ? fmi3OK : fmi3Error;\n}\n"
            )
    for name in _FINE.split():
        text += f"\nEXPORT fmi3Status fmi3{name}(void *m) {{ (void)m; return fmi3OK; }}\n"
    for name in _ABSENT.split():  # without the other arguments: they are never read
        text += f"\nEXPORT fmi3Status fmi3{name}(void *m) {{ (void)m; return fmi3Error; }}\n"
    return text
