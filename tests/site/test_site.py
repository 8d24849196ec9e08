"""The built site in a real browser: what a reader does with it works, without an error and without another host."""

from __future__ import annotations

import functools
import json
import re
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from docs.traces import EXAMPLES, text
from swagcore.aggregators.flatfit import FlatFit
from swagcore.ledger import find_checkout

pytestmark = pytest.mark.site

SITE = Path(__file__).parent.parent.parent / "build" / "site"
WIDE, NARROW = (1280, 900), (390, 844)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    """The address of the site, served from the folder it was built into."""
    if not (SITE / "index.html").exists():
        pytest.fail("the site is not built; ci/site builds it", pytrace=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not binary or not driver:
        pytest.fail(
            "Chromium is missing; Debian has it: apt-get install chromium chromium-driver", pytrace=False
        )
    options = Options()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    running.set_page_load_timeout(120)
    yield running
    running.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The browser, in a wide window; at the end there must be no error, and no request to another host."""
    chromium.get("about:blank")
    _requests(chromium)  # what was seen before is not ours
    chromium.get_log("browser")  # type: ignore[no-untyped-call]
    resize(chromium, *WIDE)
    yield chromium
    errors = [
        entry["message"] for entry in chromium.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
    ]  # type: ignore[no-untyped-call]
    asked = _requests(chromium)
    assert asked, "no request was seen, so nothing was checked"
    assert {"errors": errors, "elsewhere": list(filter(is_elsewhere, asked))} == {
        "errors": [],
        "elsewhere": [],
    }


def _requests(browser: webdriver.Chrome) -> list[str]:
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    return [
        one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"
    ]


def is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme not in ("file", "data", "blob", "about", "chrome") and parts.hostname != "127.0.0.1"


def resize(browser: webdriver.Chrome, width: int, height: int) -> None:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def wait(browser: webdriver.Chrome, until: Any) -> Any:
    return WebDriverWait(browser, 60).until(until)


def search(browser: webdriver.Chrome, words: str) -> list[str]:
    """The addresses that a search finds, the best first."""
    box = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "input.md-search__input"))
    box.click()
    box.send_keys(words)
    found = "a.md-search-result__link"
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, found))
    return [link.get_attribute("href") for link in browser.find_elements(By.CSS_SELECTOR, found)]


def claims() -> list[Any]:
    checkout = find_checkout()
    assert checkout is not None
    return checkout.claims()


def test_the_front_page(browser: webdriver.Chrome, home: str) -> None:
    browser.get(home)
    body = browser.find_element(By.TAG_NAME, "article").text
    assert "make verify" in body
    row = re.search(r"^all (\d+) (\d+) (\d+) (\d+)$", body, re.MULTILINE)
    assert row, body[:2000]
    total, *verdicts = map(int, row.groups())
    assert total == sum(verdicts) == len(claims())
    false = browser.find_elements(By.XPATH, "//h2[contains(., 'are false')]/following-sibling::ul[1]/li")
    links = [one.find_element(By.TAG_NAME, "a").get_attribute("href") for one in false]
    assert all(re.search(r"/ledger/[SCAW]\.html#", link or "") for link in links)
    assert all("But" in one.text for one in false)


@pytest.mark.parametrize("words", ["Theorem 9", "Thm 9"])
def test_search_finds_a_claim_and_opens_it(browser: webdriver.Chrome, home: str, words: str) -> None:
    [wanted] = [claim.id for claim in claims() if claim.source == "W Thm 9"]
    browser.get(home)
    assert any(address.endswith(f"#{wanted}") for address in search(browser, words))
    link = next(
        one
        for one in browser.find_elements(By.CSS_SELECTOR, "a.md-search-result__link")
        if (one.get_attribute("href") or "").endswith(f"#{wanted}")
    )
    browser.execute_script("arguments[0].click()", link)  # type: ignore[no-untyped-call]
    heading = wait(browser, lambda b: b.find_element(By.ID, wanted))
    assert "Theorem 9 (Thm 9)" in heading.text
    wait(
        browser,
        lambda b: 0 <= b.execute_script("return arguments[0].getBoundingClientRect().top", heading) < 900,
    )


def test_search_from_a_folder(browser: webdriver.Chrome, home: str) -> None:
    """No server at all: the index comes as a script, and the worker in a frame."""
    browser.get((SITE / "index.html").as_uri())
    assert any("/ledger/W.html" in link for link in search(browser, "Theorem 9"))


def shown(browser: webdriver.Chrome) -> list[dict[str, str]]:
    """What the claims say of themselves that can be seen."""
    script = "return [...document.querySelectorAll('.claim')].filter(c => c.offsetParent).map(c => ({...c.dataset}))"
    return browser.execute_script(script)  # type: ignore[no-untyped-call, no-any-return]


@pytest.mark.parametrize("page", ["all", "S", "W", "O"])
def test_the_filter(browser: webdriver.Chrome, home: str, page: str) -> None:
    browser.get(f"{home}ledger/{page}.html")
    everything = shown(browser)
    assert len(everything) == sum(page in ("all", claim.source[0]) for claim in claims())
    for key, value in (
        ("verdict", "refuted"),
        ("kind", "statement"),
        ("topic", everything[-1]["topic"].split()[0]),
    ):
        select = Select(browser.find_element(By.CSS_SELECTOR, f".filter select[name={key}]"))
        select.select_by_value(value)
        wanted = [one for one in everything if value in one[key].split()]
        assert shown(browser) == wanted
        assert 0 < len(wanted) < len(everything)
        count = browser.find_element(By.CSS_SELECTOR, ".filter .count").text
        assert count == f"{len(wanted)} of {len(everything)} claims"
        select.select_by_value("")
    assert shown(browser) == everything


def test_a_filter_in_the_address(browser: webdriver.Chrome, home: str) -> None:
    browser.get(f"{home}techniques/flatfit.html")
    browser.execute_script("document.querySelector('a[href*=\"topic=flatfit\"]').click()")  # type: ignore[no-untyped-call]
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".filter"))
    found = shown(browser)
    assert found
    assert all("flatfit" in one["topic"].split() for one in found)


def cells(browser: webdriver.Chrome, part: str) -> list[str]:
    return [one.text for one in browser.find_elements(By.CSS_SELECTOR, f'.player [data-part="{part}"] .cell')]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_player_ends_where_the_code_ends(
    browser: webdriver.Chrome, home: str, size: tuple[int, int]
) -> None:
    """FlatFIT's example by the keyboard, a step at a time, against the technique itself."""
    example = EXAMPLES["flatfit"]
    window = FlatFit(example.aggregate)
    for value in example.before:
        window.insert(value)
    resize(browser, *size)
    browser.get(f"{home}techniques/flatfit.html")
    player = browser.find_element(By.CSS_SELECTOR, ".player")
    assert player.get_attribute("data-step") == "0"
    said = ""
    for number, (name, argument) in enumerate(example.steps(), start=1):
        player.send_keys(Keys.ARROW_RIGHT)
        getattr(window, name)(*([argument] if name == "insert" else []))
        assert player.get_attribute("data-step") == str(number)
        told = browser.find_element(By.CSS_SELECTOR, ".player .said").text
        assert told.startswith(name)
        assert told != said
        said = told
        if name == "query":
            assert cells(browser, "partials") == [text(partial) for partial in window._state()["partials"]]
    state = window._state()
    assert cells(browser, "pointers") == [str(pointer) for pointer in state["pointers"]]
    assert cells(browser, "partials") == [text(partial) for partial in state["partials"]]
    assert "21 so far" in browser.find_element(By.CSS_SELECTOR, ".player .count").text
    player.send_keys(Keys.ARROW_RIGHT)
    assert player.get_attribute("data-step") == str(number)
    player.send_keys(Keys.HOME)
    assert player.get_attribute("data-step") == "0"
    player.send_keys(Keys.END)
    assert cells(browser, "partials") == [text(partial) for partial in state["partials"]]


PAGES = [
    "index",
    "ledger/index",
    "ledger/A",
    "techniques/index",
    "optimizers",
    "coverage",
    "benchmarks",
    "howto/check",
    "reference",
]


@pytest.mark.parametrize("page", [*PAGES, *(f"techniques/{name}" for name in EXAMPLES)])
def test_a_page_in_a_narrow_window(browser: webdriver.Chrome, home: str, page: str) -> None:
    """Nothing sticks out; the fixture looks for errors. A player opens at its first step, and goes to its last."""
    resize(browser, *NARROW)
    browser.get(f"{home}{page}.html")
    for player in browser.find_elements(By.CSS_SELECTOR, ".player"):
        player.send_keys(Keys.END)
        assert player.get_attribute("data-step") != "0"
    wide = browser.execute_script("return document.documentElement.scrollWidth")  # type: ignore[no-untyped-call]
    assert wide <= NARROW[0]


def test_the_dark_theme(browser: webdriver.Chrome, home: str) -> None:
    """The player takes its colours from the theme."""
    colours = []
    for scheme in ("light", "dark"):
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        browser.get(f"{home}techniques/daba.html")
        browser.execute_script("localStorage.clear()")  # type: ignore[no-untyped-call]
        browser.refresh()
        cell = browser.find_element(By.CSS_SELECTOR, ".player .cell, .player .empty")
        colours.append((cell.value_of_css_property("background-color"), cell.value_of_css_property("color")))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.execute_script("localStorage.clear()")  # type: ignore[no-untyped-call]
    assert colours[0] != colours[1]
