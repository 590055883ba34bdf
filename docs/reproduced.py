"""Write the pages of docs/reproduced: experiments with their pictures, an anchor for each claim.

    dalembert reproduce --all --out out/reproduce
    python docs/reproduced.py out/reproduce

The pages and their pictures (docs/_static/reproduced, WebP) are in the repository, so that the site
is built in minutes. Numbers and verdicts come from the records that `reproduce` wrote; nothing is
written by hand.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from dalembert.reproduce import Verdict, runner

HERE = Path(__file__).resolve().parent
PAGES, PICTURES = HERE / "reproduced", HERE / "_static" / "reproduced"
WIDTH, QUALITY = 1100, 60  # pixels; some 25 kB a picture, and lines stay sharp

FILES = {
    "Beyond the documents": "beyond",
    "Ferraro, Jiménez, Martín de Diego 2015": "f15",
    "Ferraro, Iglesias, Martín de Diego 2008": "f08",
    "McLachlan, Perlmutter 2006": "mp06",
    "Cortés 2002": "c02",
}
SIGNS = {
    Verdict.HOLDS: "\N{CHECK MARK}",
    Verdict.CORRECTED: "\N{ALMOST EQUAL TO}",
    Verdict.FAILS: "\N{MULTIPLICATION SIGN}",
    Verdict.UNPUBLISHED: "?",
}
Record = dict[str, Any]


def plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([\\*_<>|`\[\]$#~])", r"\\\1", text).replace("\n", " ")


def picture(name: str, folder: Path) -> str:
    """Copy a picture, smaller, as WebP; return its place on the site."""
    made = PICTURES / f"{Path(name).stem}.webp"
    with Image.open(folder / name) as image:
        small = image.convert("RGB")
        small.thumbnail((WIDTH, 4 * WIDTH))
        small.save(made, quality=QUALITY, method=6)
    return f"../_static/reproduced/{made.name}"


def check(found: Record) -> str:
    """Return a measured number with the bounds that decide."""
    text = f"{plain(found['what'])} **{plain(found['measured'])}**"
    if found["wanted"] == "for information":
        return text
    return f"{text} (wanted {plain(found['wanted'])}{'' if found['holds'] else ': outside'})"


def claim(name: str, k: int, found: Record) -> str:
    """Return a claim: its anchor, verdict, text and numbers."""
    sign = SIGNS[Verdict(found["verdict"])]
    lines = [check(x) for x in found["checks"]]
    lines += [f"corrected: {check(x)}" for x in found["corrected"]]
    lines += [plain(found["note"])] if found["note"] else []
    lines += [f"Chosen here: {plain(found['unpublished'])}"] if found["unpublished"] else []
    head = f"({name}-{k})=\n**{sign} {found['verdict']}**: {plain(found['text'])}"
    return "\n\n".join([head, *(f"- {line}" for line in lines[:1])]) + "".join(
        f"\n- {line}" for line in lines[1:]
    )


def section(record: Record, folder: Path) -> str:
    """Return an experiment: its title, pictures, claims, and the command that repeats it."""
    name = record["name"]
    parts = [f"({name})=\n## {plain(record['title'])}", f"*{plain(record['source'])}*"]
    parts.append(plain(record["see"]))
    if record["error"]:
        raise SystemExit(f"{name} ended with an error: {record['error']}")
    for each in record["pictures"]:
        place = picture(each["light"], folder)
        parts.append(f"![{plain(each['alt'])}]({place})")
        parts.append(f"*{plain(each['see'])}*")
    parts += [claim(name, k, x) for k, x in enumerate(record["claims"], 1)]
    parts += [plain(note) for note in record["notes"]]
    parts.append(f"```console\n$ dalembert reproduce {name}\n```")
    return "\n\n".join(parts)


def main(folder: Path) -> None:
    """Write all pages and the list of all claims."""
    for made in (PAGES, PICTURES):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
    groups = runner.kept(folder)
    missing = set(FILES) - set(groups)
    if missing:
        raise SystemExit(f"no records of {sorted(missing)}: run `dalembert reproduce --all` first")
    for group, records in groups.items():
        parts = [f"# {group}", *(section(record, folder) for record in records)]
        (PAGES / f"{FILES[group]}.md").write_text("\n\n".join(parts) + "\n")
    everything = [x for records in groups.values() for x in records]
    lines = ["# All claims", "", "Written by `python docs/reproduced.py` from the records of"]
    lines.append(
        "`dalembert reproduce --all`: every verdict is decided by a number within bounds.\n"
    )
    counts = runner.count(everything)
    lines.append(", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n) + ".\n")
    lines += ["| verdict | claim | source |", "|---|---|---|"]
    for group, records in groups.items():
        for record in records:
            for k, found in enumerate(record["claims"], 1):
                link = f"[{plain(found['text'])}]({FILES[group]}.md#{record['name']}-{k})"
                sign = SIGNS[Verdict(found["verdict"])]
                lines.append(f"| {sign} {found['verdict']} | {link} | {plain(record['source'])} |")
    names = "\n".join(FILES[group] for group in groups)
    lines += ["", f"```{{toctree}}\n:hidden:\n\n{names}\n```"]
    (PAGES / "index.md").write_text("\n".join(lines) + "\n")
    size = sum(p.stat().st_size for p in PICTURES.iterdir())
    print(f"{len(everything)} experiments, {size / 1e6:.1f} MB of pictures")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
