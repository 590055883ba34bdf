"""The pages of the site without building it: links, code, command lines, messages, completeness.

`make docs` builds and executes all of it; this is what can be told in seconds.
"""

import ast
import importlib.util
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer.main

import dalembert as da
from dalembert.cli.commands import app  # which registers all commands

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TUTORIALS = ROOT / "examples" / "tutorials"
MADE = ("tutorials", "gallery")  # pages that are written when the site is built
PAGES = sorted(
    p
    for p in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    if p.relative_to(ROOT).parts[1:2] not in [(x,) for x in MADE]
)
OPTIONS = re.compile(r"\A---\n.*?^---\n|\A(:\w+:.*\n)+", re.MULTILINE | re.DOTALL)  # of a cell
BLOCK = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def module(name):
    """One of the programs of docs/."""
    sys.path.insert(0, str(DOCS))
    try:
        spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        return made
    finally:
        sys.path.remove(str(DOCS))


def slug(heading):
    """The anchor of a heading, as MyST makes it."""
    text = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")


def anchors(page):
    text = BLOCK.sub("", page.read_text())
    headings = {slug(x) for x in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    return headings | set(re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE))  # MyST's targets


def is_made(target):
    """Whether the building of the site writes this page."""
    folder, name = target.parent.name, target.stem
    if folder == "tutorials":
        return name == "index" or (TUTORIALS / f"{name}.py").exists()
    return folder == "gallery" and (name == "index" or name in da.systems.registry)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text())
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"\w+:", link):
            assert not link.startswith("http:") and "invalid" not in link
            continue
        path, _, place = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists() or is_made(target), f"{page.name}: {link}"
        if place and target.exists():
            assert place in anchors(target), f"{page.name}: {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_code_compiles_and_command_lines_are_understood(page):
    """`make docs` runs all of it; here it is read, by the real command with all its options."""
    programs = module("programs")
    for kind, code in BLOCK.findall(page.read_text()):
        if kind in ("python", "{code-cell}"):
            code = OPTIONS.sub("", code)
            compile(code, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for piece in programs.of_page(page):
        if piece.kind == "console":
            programs.run_console(piece, really=False)
    for piece in programs.inline(page):
        programs.check_inline(piece)


def test_wrong_command_lines_are_seen():
    programs = module("programs")
    for text in (
        "dalembert run chaplygin-sleigh --hh 0.1",
        "dalembert run chaplygin-sleigh --h tenth",
        "dalembert run chaplygin-slay --h 0.1",
        "dalembert run chaplygin-sleigh --method gaus-2",
        "dalembert runs chaplygin-sleigh",
        "dalembert reproduce mp-fig60",
        "python benchmarks/no_such.py",
        "make nothing",
    ):
        with pytest.raises((Exception, SystemExit)):
            programs.check_inline(programs.Piece("here", "inline", text))


def test_examples_of_the_help_are_understood():
    programs = module("programs")
    group = typer.main.get_command(app)
    lines = [x for c in group.commands.values() for x in (c.epilog or "").split("\n\n")]
    lines = [x for x in lines if x.startswith("dalembert ")]
    assert len(lines) > 20
    for line in lines:
        programs.understood(shlex.split(line)[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_that_are_named_are_there(page):
    named = r"`(?:python )?((?:examples|tests|benchmarks|docs|src|methods|reproduce)/[\w./-]+)"
    for path in re.findall(named, page.read_text()):
        assert (ROOT / path).exists() or (ROOT / "src" / "dalembert" / path).exists(), path


# modules whose examples take long
LONG = tuple(
    f"dalembert.{x}"
    for x in ("testing", "reproduce", "plots", "parts", "parts.machine", "geometry")
)


def test_code_of_docstrings_that_takes_long_runs():
    programs = module("programs")
    ran = programs.Ran()
    programs.run_docstrings(ran, only=LONG)
    assert not ran.failed, ran.failed
    assert ran.done >= len(LONG)


def test_code_of_the_reference_and_of_docstrings_runs():
    """The other pages have cells, which `make docs` executes, or tests of their own."""
    programs = module("programs")
    ran = programs.Ran()
    programs.run_pages([*sorted((DOCS / "api").glob("*.md")), DOCS / "cluster.md"], ran)
    programs.run_docstrings(ran, LONG)
    assert not ran.failed, ran.failed
    assert ran.done > 15 and len(ran.left) == 4  # the cluster with GPUs, and that of SLURM


def test_numbers_in_the_text_have_their_command_beside_them():
    figures = module("figures")
    for page in figures.pages():
        for found in figures.of_page(page):
            assert found.by, found
    bare = "# Speed\n\nIt takes 3.2 ms, 40 times less than 1e-3 of it.\n"
    assert [x for _, body in figures.sections(bare) for x in figures.MEASURED.findall(body)] == [
        "3.2 ms", "40 times", "1e-3"]  # fmt: skip


def test_every_public_name_has_a_place_in_the_reference():
    text = "".join(p.read_text() for p in (DOCS / "api").glob("*.md"))
    modules = set(re.findall(r"automodule:: dalembert\.(\w+)", text))
    # their names are listed one by one
    gathered = ("designs", "errors", "groupoids", "groups", "rules", "saving")
    for name in {*dir(da), *da.__all__}:
        if name.startswith("__") or name in ("systems", "testing", "methods", *gathered):
            continue
        found = re.search(rf":: dalembert\.{name}$", text, re.MULTILINE) or name in modules
        assert found, f"{name} is on no page of docs/api"


@pytest.mark.parametrize("part", ["distribution", "symmetry", "reduction"])
def test_the_pages_of_the_geometry_name_all_of_their_names(part):
    page = (DOCS / "api" / f"geometry-{part}.md").read_text()
    module = getattr(da.geometry, part)
    assert sorted(re.findall(r"`(\w+)`", page)) == sorted(module.__all__)
    assert set(module.__all__) <= set(da.geometry.__all__)
    for name in module.__all__:  # one object, whatever the path to it
        assert getattr(da.geometry, name) is getattr(module, name)


def test_pages_are_in_the_table_of_contents():
    listed = re.findall(r"^([\w/\[\]*-]+)$", (DOCS / "index.md").read_text(), re.MULTILINE)
    for page in DOCS.glob("*.md"):
        if page.stem != "index":
            assert any(Path(page.stem).match(x) for x in listed), page.name


def test_pages_that_programs_write_are_theirs():
    verdicts = module("verdicts")
    page = (DOCS / "verdicts.md").read_text()
    assert page.startswith("# Verdicts on the zoo\n\nWritten by `python docs/verdicts.py`")
    table = page.partition("## Systems\n")[2].partition("## Symmetries")[0]
    names = [line.split(" | ")[0].strip("| ") for line in table.splitlines() if " | " in line][1:]
    assert names == list(verdicts.EVERY)
    code = (ROOT / "benchmarks" / "tolerances.py").read_text()
    head = re.search(r'^HEAD = """(.*?)"""', code, re.MULTILINE | re.DOTALL)[1]
    assert (DOCS / "tolerances.md").read_text().startswith(head)


def test_limits_of_the_engines_are_those_of_the_code():
    text = (DOCS / "engines.md").read_text()
    found = {}
    for name in ("ir/record", "ir/tape", "gpu/ptx", "ir/matrix_rules"):
        code = (ROOT / "src" / "dalembert" / "compile" / f"{name}.py").read_text()
        found[name] = dict(re.findall(r"^(_?[A-Z_]+) = ([\d_]+)\b", code, re.MULTILINE))
    visits = int(found["ir/record"]["_MOST_VISITS"])
    with_memory = int(found["ir/record"]["_MOST_VISITS_WITH_MEMORY"])
    turns, rows = found["ir/record"]["_LONGEST_SCAN"], found["ir/matrix_rules"]["_LARGEST"]
    assert f"above {with_memory:,} numbers" in text and f"up to {turns} iterations" in text
    assert f"({visits:,} on a GPU and for Taylor)" in text
    assert f"more than {int(found['ir/tape']['LARGEST'])} operations" in text
    assert f"more than {int(found['gpu/ptx']['LARGEST']):,} operations" in text
    assert f"up to {rows} x {rows}" in text


def test_messages_of_the_faq_are_those_of_the_code():
    constants = []
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.append(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (x.value if isinstance(x, ast.Constant) else "\0" for x in node.values)
                constants.append("".join(parts))
    said = "\n".join(constants)
    text = (DOCS / "faq.md").read_text().partition("## Questions")[0]
    terms = re.findall(r"^((?:`[^`]+`(?: \([^)]*\))?,? ?)+)\n: ", text, re.MULTILINE)
    assert len(terms) > 12
    for term in terms:
        for message in re.findall(r"`([^`]+)`", term):
            for piece in re.split(r"\.\.\.|'", message):
                assert piece.strip(" ;,:") in said, f"no message says {piece!r}"


def test_every_system_has_a_picture_and_a_card():
    stills, written = module("stills"), module("written")
    total = 0
    for name in da.systems.registry:
        size = stills.picture(name).stat().st_size
        total += size
        assert size < 60_000  # rattleback: 41 kB
    assert total < 25_000 * len(da.systems.registry)
    card = written.card("chaplygin-sleigh")
    assert r"\theta'^{2}/2" in card and "`theta_dot`" in card and "| `a` | 0.2 | m |" in card
    assert "$ dalembert run chaplygin-sleigh --h" in card
    assert {p.stem for p in stills.FOLDER.glob("*.webp")} == set(da.systems.registry)


def test_formulas_of_docstrings():
    tex = module("formula").tex
    assert tex("m (x'^2 + y'^2)/2") == r"m \,(x'^{2} + y'^{2})/2"
    assert tex("sqrt(I1) Omega_1") == r"\sqrt{I_{1}}\,\Omega_{1}"
    assert tex("x <= 0").split() == ["x", r"\le", "0"]


def test_tutorials_are_scripts_and_pages():
    written = module("written")
    scripts = sorted(TUTORIALS.glob("*.py"))
    assert len(scripts) == 12
    for script in scripts:
        compile(script.read_text(), str(script), "exec")
        page = written.notebook(script)
        assert page.startswith("---\nfile_format: mystnb")
        assert page.count("{code-cell}") >= 2 and written.title(page)
        assert not re.search(r"da\._|dalembert\.[\w.]*\._", script.read_text())


def test_docstrings_are_read_as_plain_text():
    to_rst = module("docstrings").to_rst
    lines = to_rst(["`h` is |a| * b_, `u`s `w`.", "", "    x = f(1)", "", "Args:", "    q: where."])
    assert lines[0] == r"``h`` is \|a\| \* b\_, ``u``\ s ``w``\ ."
    assert ".. code-block:: python" in lines and "Args:" in lines


def test_systems_are_counted_right():
    for page in (ROOT / "README.md", DOCS / "start.md"):
        (count,) = re.findall(r"\b(\d+) systems", page.read_text())
        assert int(count) == len(da.systems.registry)


def test_the_citation_names_this_version():
    assert f"version: {da.__version__}\n" in (ROOT / "CITATION.cff").read_text()
