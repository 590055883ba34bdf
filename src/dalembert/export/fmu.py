"""FMUs of FMI 3.0 for co-simulation and model exchange, built on the C code of `export.c`."""

from __future__ import annotations

import dataclasses
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..hybrid import Modes
from ..hybrid.rough_modes import RoughModes
from ..methods import Method
from ..request.validate import check_times
from ..system import System
from .c import hybrid_start, one_method, saying_why, start_data
from .c_source import Source
from .ctext import literal
from .fmu_code import functions
from .friction_c import FrictionSource
from .friction_model import friction_model_of
from .hybrid_c import HybridSource
from .hybrid_model import hybrid_model_of
from .model import model_of

# Base units of SI as attributes of FMI's <BaseUnit>; derived units by their exponents.
_BASE = {"kg": "kg", "m": "m", "s": "s", "A": "A", "K": "K", "mol": "mol", "cd": "cd", "rad": "rad"}
_DERIVED = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
}


@dataclasses.dataclass(frozen=True)
class FmuFile:
    """The FMU that was written: its path, its variables, and the platform of its binary."""

    path: Path
    prefix: str
    variables: tuple[str, ...]
    binary: str  # such as "x86_64-linux"; "" if there was no compiler (sources only)

    def __str__(self) -> str:
        built = self.binary or "sources only, not compiled"
        return f"{self.path.name}: {len(self.variables)} variables ({built})"


def fmu(
    system: System | Modes,
    method: Method | Mapping[str, Method] | None = None,
    path: PathLike | None = None,
    h: float = 0.01,
    *,
    name: str | None = None,
    q0: Any = None,
    v0: Any = None,
    mode: str | None = None,
    names: Mapping[str, str] | None = None,
    compiler: str | None = "cc",
) -> FmuFile:
    """Write an FMU (FMI 3.0) for co-simulation and model exchange: FILE.fmu.

        da.export.fmu(sleigh, da.Gauss(), "sleigh.fmu", h=0.01)

    Parameters, inputs, q, v, multipliers and the energy are named variables with units and start
    values; `h` is a parameter as well. In co-simulation the method makes steps of h. If a
    communication step is not a multiple of h, it is divided into equal steps shorter than h (or
    refused, if the method cannot change its step). In model exchange the importing tool integrates
    q and v itself, and nothing holds them on the constraint. The start must satisfy the constraint;
    otherwise the FMU refuses it with a message.

    A hybrid system (`hybrid.Modes`) has the variables `mode`, `jumps` and `mode_start` as well. In
    co-simulation its jumps happen inside of a step. In model exchange its guards are event
    indicators, scheduled jumps are time events, and the FMU jumps when the tool reports the event.
    Contacts with friction (`hybrid.with_friction`) are for co-simulation only, because a slip that
    begins needs a first move and separate short steps. Their variable `contacts` has one bit for
    each contact (1: closed), then one bit for each group of contact directions (1: holds).

    Args:
        system, method, h, q0, v0, mode, name, names: as for `export.c`.
        path: the file, by default named after the system.
        compiler: the C compiler that builds the binary for this machine. With None the FMU has no
            binary; it contains the C sources in any case.
    """
    size = float(check_times(h, 0.0)[0])
    target = None if path is None else check_writable(path, (".fmu",))
    if compiler not in (None, "cc") and shutil.which(compiler) is None:
        raise UsageError(f"no compiler '{compiler}' was found on the PATH")
    model: Any
    first, guards, fixed, contacts = 0, 0, "", isinstance(system, RoughModes)
    if isinstance(system, RoughModes):
        model = friction_model_of(system, method, None, name, names)
        _, q, v = system.started(mode, q0, v0, 0.0)
        q, v = start_data(system.rough, q, v)
        source = FrictionSource(model)
    elif isinstance(system, Modes):
        model = hybrid_model_of(system, method, None, name, names)
        first, q, v = hybrid_start(system, mode, q0, v0)
        source = HybridSource(model, exchange=True)
        guards = source.guards
    else:
        if mode is not None:
            raise UsageError(
                "mode= is the start mode of a hybrid system; this system is not hybrid"
            )
        chosen = one_method(method)
        model = model_of(system, chosen, None, name, names, jacobians=False)
        q, v = start_data(system, q0, v0)
        source = Source(model, single=False)
        fixed = "" if chosen.traits.carry == "node" else chosen.name
    target = check_writable(f"{model.prefix}.fmu", (".fmu",)) if target is None else target
    with saying_why(source.title()):
        text = source.text(f"{model.prefix}.h")
    texts = {f"{model.prefix}.h": source.header(f"{model.prefix}.h"), f"{model.prefix}.c": text}
    rows, xml = _description(model, size, q, v, first if guards else None, guards, contacts)
    content = "".join(texts.values()) + xml
    # A hash of the content: equal tokens mean the same model.
    token = "{" + hashlib.sha256(content.encode()).hexdigest()[:32] + "}"

    def listed(values: Any) -> str:
        return ", ".join(literal(float(x), False) for x in [*np.ravel(values), 0.0])

    texts["fmi3.c"] = functions(
        model,
        token,
        literal(size, False),
        listed(np.concatenate([np.zeros(0), *(np.ravel(x.value) for x in model.parameters)])),
        listed(q),
        listed(v),
        source.messages(),
        fixed,
        guards,
        first,
        contacts,
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for file, text in texts.items():
            (place / file).write_text(text, encoding="utf-8")
        binary = _compiled(model.prefix, place, compiler)
        with replacing(target) as temporary:
            _zip(temporary, model.prefix, texts, xml.replace("TOKEN", token), binary)
    return FmuFile(target, model.prefix, tuple(rows), binary[0] if binary else "")


def _zip(
    place: Path, prefix: str, texts: Mapping[str, str], xml: str, binary: tuple[str, Path] | None
) -> None:
    sources = "".join(f'<SourceFile name="{x}"/>' for x in texts if x.endswith(".c"))
    build = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">'
        f'<BuildConfiguration modelIdentifier="{prefix}"><SourceFileSet language="C99">{sources}'
        '</SourceFileSet><Library name="m" external="true"/></BuildConfiguration>'
        "</fmiBuildDescription>\n"
    )
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("modelDescription.xml", xml)
        out.writestr("sources/buildDescription.xml", build)
        for file, text in texts.items():
            out.writestr(f"sources/{file}", text)
        if binary is not None:
            tuple_of, file = binary
            out.write(file, f"binaries/{tuple_of}/{file.name}")


def _compiled(prefix: str, place: Path, compiler: str | None) -> tuple[str, Path] | None:
    """Compile the library and return (platform, path); None if there is no compiler."""
    path = shutil.which(compiler) if compiler else None
    if path is None:
        return None
    system = {"linux": ("linux", "so"), "darwin": ("darwin", "dylib")}.get(sys.platform)
    system = system or ("windows", "dll")
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    out = place / f"{prefix}.{system[1]}"
    command = [path, "-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-o", str(out)]
    command += [str(place / f"{prefix}.c"), str(place / "fmi3.c"), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UsageError(f"{compiler} failed on the FMU: {done.stderr.strip()[-600:]}")
    return f"{machine}-{system[0]}", out


# -- modelDescription.xml --------------------------------------------------------------------------


def _description(
    model: Any,
    h: float,
    q: np.ndarray,
    v: np.ndarray,
    first: int | None = None,
    guards: int = 0,
    contacts: bool = False,
) -> tuple[list[str], str]:
    """Return the variable names and modelDescription.xml, with TOKEN in place of the token.

    `first` is the mode that a hybrid system starts in, `guards` the number of its event indicators;
    `contacts` says whether its modes are states of contacts.
    """
    system, lines, names, units = model.system, [], [], {"s": None}
    at = 0

    def variable(
        label: str, unit: str = "", about: str = "", kind: str = "Float64", **attributes: Any
    ) -> int:
        nonlocal at
        name = label if label not in names else f"{attributes['causality']}.{label}"
        while name in names:
            name += "_"
        if unit:
            units[unit] = None
            attributes["unit"] = unit
        if about:
            attributes["description"] = about
        given = " ".join(f"{k}={quoteattr(str(x))}" for k, x in attributes.items())
        lines.append(f'    <{kind} name={quoteattr(name)} valueReference="{at}" {given}/>')
        names.append(name)
        at += 1
        return at - 1

    variable("time", "s", causality="independent", variability="continuous")
    variable("h", "s", "step of co-simulation", causality="parameter", variability="fixed",
             initial="exact", start=repr(h))  # fmt: skip
    for x in model.parameters:
        values = np.ravel(x.value)
        for i, value in enumerate(values):
            label = f"{x.label}[{i}]" if x.size else x.label
            variable(label, x.unit, x.doc, causality="parameter", variability="tunable",
                     initial="exact", start=repr(float(value)))  # fmt: skip
    for x in model.inputs:
        variable(x.label, x.unit, causality="input", variability="continuous", start="0.0")
    states, outputs, initial, indicators = [], [], [], []
    for group, values in ((model.q, q), (model.v, v)):
        for x, value in zip(group, values, strict=True):
            made = variable(x.label, x.unit, causality="output", variability="continuous",
                            initial="exact", start=repr(float(value)))  # fmt: skip
            states.append(made)
    outputs += states
    rates = []
    for state in states:
        made = variable(f"der({names[state]})", causality="local", variability="continuous",
                        initial="calculated", derivative=state)  # fmt: skip
        rates.append(made)
    for x in (*model.constraints, None):
        label = "energy" if x is None else x.label
        unit = "J" if x is None else x.unit
        outputs.append(
            variable(
                label, unit, causality="output", variability="continuous", initial="calculated"
            )
        )
        initial.append(outputs[-1])
    about, title = (type(system).__doc__ or "").strip().partition("\n")[0], system.name()
    if first is not None:
        text = "; ".join(f"{i}: {x.name.label}" for i, x in enumerate(model.each))
        about, title = f"modes {text}", model.modes.name
        variable("mode_start", about=f"at the start: {text}", kind="Int64", causality="parameter",
                 variability="fixed", initial="exact", start=first)  # fmt: skip
    counted: tuple[tuple[str, str], ...] = (("jumps", "number of jumps so far"),)
    if first is not None or contacts:
        if contacts:
            about, title = "; ".join(model.bits()), model.modes.name
        counted = (("contacts" if contacts else "mode", about.removeprefix("modes ")), *counted)
        for label, doc in counted:
            outputs.append(variable(label, about=doc, kind="Int64", causality="output",
                                    variability="discrete", initial="calculated"))  # fmt: skip
            initial.append(outputs[-1])
        for i in range(guards):
            made = variable(f"guard_{i}", about="of the mode; 1 if it has fewer", causality="local",
                            variability="continuous", initial="calculated")  # fmt: skip
            indicators.append(made)
    exchange = f'  <ModelExchange modelIdentifier="{model.prefix}" canGetAndSetFMUState="true"/>\n'
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(title)} '
        f'instantiationToken="TOKEN" description={quoteattr(about)} '
        f'generationTool="dalembert" variableNamingConvention="flat">\n'
        + exchange
        * (not contacts)
        + f'  <CoSimulation modelIdentifier="{model.prefix}" canGetAndSetFMUState="true" '
        'canHandleVariableCommunicationStepSize="true"/>\n'
    )
    body = ["  <UnitDefinitions>", *(f"    {_unit(x)}" for x in units), "  </UnitDefinitions>"]
    body += ['  <LogCategories><Category name="logStatusError"/></LogCategories>']
    body += [f'  <DefaultExperiment startTime="0.0" stopTime="{1000 * h!r}" stepSize="{h!r}"/>']
    body += ["  <ModelVariables>", *lines, "  </ModelVariables>", "  <ModelStructure>"]
    body += [f'    <Output valueReference="{i}"/>' for i in outputs]
    body += [f'    <ContinuousStateDerivative valueReference="{i}"/>' for i in rates]
    body += [f'    <InitialUnknown valueReference="{i}"/>' for i in (*rates, *initial)]
    body += [f'    <EventIndicator valueReference="{i}"/>' for i in indicators]
    body += ["  </ModelStructure>", "</fmiModelDescription>", ""]
    return names, head + "\n".join(body)


def _unit(text: str) -> str:
    """Return the <Unit> element, with exponents if the unit can be parsed."""
    powers = exponents(text)
    if powers is None:
        return f"<Unit name={quoteattr(text)}/>"
    given = " ".join(f'{k}="{n}"' for k, n in powers.items() if n)
    return f"<Unit name={quoteattr(text)}><BaseUnit {given}/></Unit>"


def exponents(text: str) -> dict[str, int] | None:
    """Parse a unit such as "kg m^2/s" into powers of base units; None if it cannot be parsed."""
    result: dict[str, int] = {}
    over = 1
    for part in re.findall(r"[A-Za-z]+(?:\^-?\d+)?|/|\S", text):
        if part == "/":
            over = -1  # all units after a slash are divided by: "kg/m s" is kg/(m s)
            continue
        word, _, power = part.partition("^")
        base = _DERIVED.get(word) or ({word: 1} if word in _BASE else None)
        if part == "1":
            continue
        if base is None:
            return None
        for unit, n in base.items():
            result[unit] = result.get(unit, 0) + over * n * int(power or 1)
        over = 1 if over == 1 else -1
    return result
