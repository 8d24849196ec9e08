"""Checks the built site: `python docs/check.py [FOLDER]`. Every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parent.parent / "build" / "site"
LOADED = {
    "link": "href",
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "embed": "src",
}


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.styles = ""
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        self._in_style = tag == "style"
        self.styles += values.get("style", "") + "\n"
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in LOADED and LOADED[tag] in values:
            self.loads.append(values[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.styles += data


@cache
def _page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def is_elsewhere(address: str) -> bool:
    """Whether an address is on another host.

    >>> [is_elsewhere(one) for one in ("https://x.y/z.js", "//x.y/z.js", "a/b.js", "data:image/png;base64,x")]
    [True, True, False, False]
    """
    return bool(urlsplit(address).netloc) or address.startswith(("http:", "https:"))


def style_loads(css: str) -> list[str]:
    """What a style sheet loads.

    >>> style_loads("@import 'https://a.b/c.css'; p{background:url(x.png)}")
    ['x.png', 'https://a.b/c.css']
    """
    return re.findall(r"""url\(\s*['"]?([^'")]+)""", css) + re.findall(r"""@import\s+['"]([^'"]+)""", css)


def problems(site: Path) -> Iterator[str]:
    """Each problem of the site in a line."""
    pages = sorted(site.rglob("*.html"))
    if not pages:
        yield f"{site} has no page; ci/site builds it"
    for path in pages:
        page, name = _page(path), path.relative_to(site).as_posix()
        for address in page.loads + style_loads(page.styles):
            if is_elsewhere(address):
                yield f"{name} loads {address}"
        for address in page.links + page.loads:
            problem = _broken(site, path, address)
            if problem:
                yield f"{name}: {address}: {problem}"
    for path in sorted(site.rglob("*.css")):
        for address in style_loads(path.read_text(encoding="utf-8")):
            if is_elsewhere(address):
                yield f"{path.relative_to(site).as_posix()} loads {address}"


def _broken(site: Path, path: Path, address: str) -> str | None:
    parts = urlsplit(address)
    if is_elsewhere(address) or parts.scheme:
        return None
    # 404.html alone is written for the root of a host.
    base = site if path.name == "404.html" and parts.path.startswith("/") else path.parent
    target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "there is no such file"
    if (
        parts.fragment
        and target.suffix == ".html"
        and unquote(parts.fragment) not in _page(target).ids | {"__top"}
    ):
        return "the page has no such anchor"
    return None


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE))
    print("\n".join(found) if found else "every link leads somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(found))
