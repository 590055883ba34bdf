"""Build wheel and sdist, and try each where nothing else is installed: `make release-check`.

    python docs/release.py --out out/release

Each is installed with what it depends on into a fresh environment, and used from an empty folder
with an empty home: version, a run, a picture, a page, the demo, and a run from Python. The sdist
must make the same wheel. Nothing outside of the package may be needed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMOKE = """
import dalembert as da
sleigh = da.systems.ChaplyginSleigh()
run = da.simulate(sleigh, h=0.05, steps=200)
print(da.diagnostics.report(sleigh, run))
da.plots.save(da.plots.overview(sleigh, run), "sleigh.png")
run.save("sleigh.zarr")
assert len(da.load("sleigh.zarr")) == 201
assert abs(da.diagnostics.constraint_residual(sleigh, run)).max() < 1e-14
"""


def told(command: list[object], **how: object) -> str:
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True, **how)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def built(out: Path) -> tuple[Path, Path]:
    """(wheel, sdist)."""
    import hatchling.build

    os.chdir(ROOT)
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("*.whl"), *out.glob("*.tar.gz")]:
        old.unlink()
    return out / hatchling.build.build_wheel(str(out)), out / hatchling.build.build_sdist(str(out))


def same_wheel(wheel: Path, sdist: Path, folder: Path) -> None:
    """Whether the sdist has all that it takes to make the wheel."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    program = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
    name = told([sys.executable, "-c", program, folder], cwd=top).split()[-1]
    contents = []
    for path in (wheel, folder / name):
        with zipfile.ZipFile(path) as archive:
            contents.append(
                {x.filename: x.CRC for x in archive.infolist() if "RECORD" not in x.filename}
            )
    if contents[0] != contents[1]:
        different = set(contents[0].items()) ^ set(contents[1].items())
        raise SystemExit(f"the sdist makes another wheel: {sorted({x for x, _ in different})}")


def tried(package: Path, folder: Path) -> None:
    """Install it into a fresh environment, and use it from an empty folder."""
    home, work = folder / "home", folder / "empty"
    venv.create(home, with_pip=True)
    work.mkdir()
    python = home / "bin" / "python"
    pins = ["-c", ROOT / "constraints.txt"]
    told([python, "-m", "pip", "install", "-qq", *pins, f"{package}[all]"])
    env = {
        "PATH": f"{home / 'bin'}{os.pathsep}{os.defpath}",
        "HOME": str(work),
        "JAX_PLATFORMS": "cpu",
    }

    def use(*command: object) -> str:
        return told([home / "bin" / str(command[0]), *command[1:]], env=env, cwd=work)

    where = use("python", "-c", "import dalembert; print(dalembert.__file__)")
    if not where.startswith(str(home)):
        raise SystemExit(f"not the installed package was imported: {where}")
    version = use("dalembert", "--version").split()[-1]
    line = (ROOT / "src/dalembert/__init__.py").read_text().split('__version__ = "')[1]
    if version != line.partition('"')[0]:
        raise SystemExit(f"the command says version {version}")
    use("dalembert", "run", "rolling-disk", "--h", 0.02, "--t", 2, "--out", "disk.nc")
    use("dalembert", "view", "disk.nc", "--out", "disk.html")
    use("python", "-c", SMOKE)
    use("dalembert", "demo", "--out", "demo")
    for name in ("disk.html", "sleigh.png", "demo/index.html"):
        if not (work / name).stat().st_size:
            raise SystemExit(f"{name} is empty")


def main() -> None:
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "release")
    parser.add_argument(
        "--wheel-only", action="store_true", help="leave out the second environment"
    )
    ask = parser.parse_args()
    wheel, sdist = built(ask.out.resolve())
    cited = (ROOT / "CITATION.cff").read_text()
    name = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
    version = wheel.name.split("-")[1]
    if f"version: {version}\n" not in cited:
        raise SystemExit(f"CITATION.cff does not name version {version}")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "again").mkdir()
        same_wheel(wheel, sdist, Path(folder) / "again")
        print(f"{name} {version}: the sdist makes the same wheel")
        for package in (wheel,) if ask.wheel_only else (wheel, sdist):
            place = Path(folder) / package.suffix.strip(".")
            place.mkdir()
            tried(package, place)
            print(
                f"{package.name} ({package.stat().st_size / 1e6:.2f} MB) works by itself",
                flush=True,
            )


if __name__ == "__main__":
    main()
