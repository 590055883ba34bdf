"""Check the site that was built: every internal link leads somewhere, and nothing is fetched.

    python docs/checked.py out/docs [--pictures FOLDER]

Where a Chromium is installed, pages are opened in it, in light, dark and at a phone's width: no
request may leave the page, no script may complain, no formula may be drawn red or lie under its
number, and nothing may be wider than the window.
"""

from __future__ import annotations

import argparse
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOOKED_AT = (
    "index", "start", "theory", "errata", "methods", "compare", "gallery/index",
    "gallery/rolling-disk", "api/running", "tutorials/01_first_run", "viewer", "accuracy",
    "cluster", "verdicts", "smaller_step", "reproduced/f08", "tutorials/08_hybrid",
)  # fmt: skip


# How many numbers of equations lie over their formula.
COVERED = """[...document.querySelectorAll("div.math")].filter((place) => {
  const number = place.querySelector(".eqno")?.getBoundingClientRect();
  return number && [...place.querySelectorAll(".katex .base")].some((x) => {
    const r = x.getBoundingClientRect(), seen = x.closest("div.math > *").getBoundingClientRect(); // a wide one scrolls
    return Math.min(r.right, seen.right) > number.left + 1 && r.left < number.right - 1 && r.bottom > number.top + 1 && r.top < number.bottom - 1;
  });
}).length"""  # noqa: E501


class Page(HTMLParser):
    """Links, anchors, and what a browser would fetch by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = {k: v for k, v in attrs if v is not None}
        self.anchors |= {found[k] for k in ("id", "name") if k in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") not in ("canonical", "search", "next", "prev"):
            self.fetched.append(found.get("href", ""))
        elif "src" in found:
            self.fetched.append(found["src"])


def problems(folder: Path) -> list[str]:
    """What is wrong with the files by themselves."""
    pages = {p: Page(p.read_text()) for p in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(folder)
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.fetched and parts.scheme != "data":
                    found.append(f"{where} fetches {link}")
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if not target.exists():
                found.append(f"{where}: {link} leads nowhere")
            elif parts.fragment and target in pages and link in page.links:
                if unquote(parts.fragment) not in pages[target].anchors:
                    found.append(f"{where}: {link} has no such place")
    for style in folder.rglob("*.css"):
        for address in re.findall(r"url\(\s*['\"]?(\w+://[^)'\"]+)", style.read_text()):
            found.append(f"{style.relative_to(folder)} fetches {address}")
    return found


def seen(folder: Path, pictures: Path | None = None) -> list[str]:
    """What is wrong in a browser; nothing if there is none."""
    from dalembert.viewer.browser import Browser, find_browser

    if find_browser() is None:
        print("no Chromium here: the pages were not opened in a browser", file=sys.stderr)
        return []
    found = []
    with Browser(1200, 900) as browser:
        for name in LOOKED_AT:
            page = folder / f"{name}.html"
            for theme, width in (("light", 1200), ("dark", 1200), ("light", 390)):
                browser.size(width, 900)
                browser.open("about:blank")
                browser.open(page.as_uri(), "document.readyState === 'complete'")
                browser.evaluate(f"document.body.dataset.theme = {theme!r}, 1")
                red = browser.evaluate("document.querySelectorAll('.katex-error').length")
                wide = browser.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
                covered = browser.evaluate(COVERED)
                if covered:
                    found.append(f"{name}: {covered} formulas lie under their number at {width}")
                if red:
                    found.append(f"{name}: {red} formulas are not understood")
                if wide > 1:
                    found.append(f"{name}: {wide} pixels too wide at {width}")
                if pictures is not None:
                    pictures.mkdir(parents=True, exist_ok=True)
                    file = f"{name.replace('/', '-')}-{theme}-{width}.png"
                    (pictures / file).write_bytes(browser.picture())
        found += browser.complaints()  # requests are among them
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--no-browser", action="store_true")
    ask = parser.parse_args()
    folder = ask.folder.resolve()
    found = problems(folder)
    if not ask.no_browser:
        found += seen(folder, ask.pictures)
    for text in found:
        print(text, file=sys.stderr)
    count = len(list(folder.rglob("*.html")))
    print(f"{count} pages, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
