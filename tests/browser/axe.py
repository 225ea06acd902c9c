"""axe on a page as it stands: nothing serious, nothing critical."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import settle
from tests.everything import EVERYTHING, usual

SIZES: dict[str, ViewportSize] = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
WIDE, NARROW = ("desktop", "light"), ("phone", "dark")
LOOKS = usual([WIDE, ("desktop", "dark"), NARROW, ("phone", "light")], ("desktop", "dark"), ("phone", "light"))
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}  # what a theme can change
# Fading stays as it is: Streamlit lets a part fade so slowly while it runs that a short run is not seen.
STILL = "*, ::before, ::after { transition-property: opacity !important; animation: none !important; }"
MENU = "[data-testid=stSidebar]"  # the same on every screen, and a quarter of what axe has to do on each
COMPONENT = "[data-testid='stBidiComponentIsolated']"  # where our own components stand
# Contrast is three quarters of what axe does. It follows from a text's colours, size and weight and from what is
# painted behind it: a text with all of that like one that was looked at on this page has its contrast, and is not
# looked at again. Gives the texts that are, each with all of that.
NEW_PAIRINGS = """(within, without) => {
    const known = (window.__pairings ??= new Set());
    const UNTOLD = ":disabled, [aria-disabled=true], [aria-hidden=true], [inert]";  // axe passes over these
    const behind = (element) => {
        const layers = [];
        for (let each = element; each; each = each.assignedSlot ?? each.parentElement ?? each.getRootNode().host) {
            const look = getComputedStyle(each);
            if (each.matches(UNTOLD) || each.control?.disabled) layers.push("untold");
            if (look.opacity !== "1") layers.push(look.opacity);
            if (!["static", "relative"].includes(look.position)) layers.push(look.position, each.className);
            if (look.backgroundImage !== "none") layers.push(look.backgroundImage);
            if (look.backgroundColor !== "rgba(0, 0, 0, 0)") layers.push(look.backgroundColor);
        }
        return layers.join();
    };
    const pairing = (element) => {
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
        return [color, fontSize, fontWeight, textShadow, behind(element)].join("|");
    };
    const saysSomething = (element) => Boolean(element.value || element.placeholder)
        || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const found = new Map();
    const walk = (element) => {
        if (without && element.matches(without)) return;
        if (saysSomething(element) && element.checkVisibility()) {
            const said = pairing(element);
            if (!known.has(said)) found.set(element, said);
            known.add(said);
        }
        for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) walk(child);
    };
    (within ? document.querySelectorAll(within) : [document.body]).forEach(walk);
    return found;
}"""
# Without rules of less weight, which nobody here is told of, and which would look at all of a page (`region`), and
# without reading every style sheet and film again for rules that are off. A quarter of the work.
RUN = f"""async ([within, without, options, isEachText]) => {{
    const slight = axe._audit.rules.filter(({{ impact }}) => impact === "minor" || impact === "moderate");
    const off = Object.fromEntries(slight.map(({{ id }}) => [id, {{ enabled: false }}]));
    const contrast = axe._audit.getRule("color-contrast");
    const texts = isEachText ? new Map() : ({NEW_PAIRINGS})(within, without);
    window.__allTexts ??= contrast.selector;
    contrast.selector = isEachText ? window.__allTexts : "[data-looked-at]";
    for (const text of texts.keys()) text.setAttribute("data-looked-at", "");
    try {{
        const found = await axe.run(within ?? (without ? {{ exclude: [[without]] }} : document), {{
            preload: false, resultTypes: ["violations", "incomplete"], elementRef: true,
            ...options, rules: {{ ...off, ...options.rules }},
        }});
        for (const {{ nodes }} of found.incomplete.filter(({{ id }}) => id === "color-contrast"))
            for (const {{ element }} of nodes) window.__pairings?.delete(texts.get(element));
        return found.violations
            .filter(({{ impact }}) => impact === "serious" || impact === "critical")
            .flatMap(({{ id, nodes }}) => nodes.map(({{ html }}) => [id, html]));
    }} finally {{
        for (const text of texts.keys()) text.removeAttribute("data-looked-at");
    }}
}}"""
IS_DARK = """(wanted) => {
    const [red] = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor.match(/\\d+/);
    return (Number(red) < 128) === wanted;
}"""


def faults(page: Page, where: str, *, to_and_fro: bool = True) -> list[str]:
    """What axe finds on the page as it stands: with everything in both themes and both sizes, in a usual run wide and
    light on half of the screens, narrow and dark on the others.

    Without `to_and_fro` the page stays in the theme and size that came last, and the next one begins there.
    """
    page.add_style_tag(content=STILL)  # half-way through a change of colour, contrast is neither here nor there
    assert page.viewport_size is not None
    first, second = (WIDE, NARROW) if page.viewport_size["width"] == SIZES["desktop"]["width"] else (NARROW, WIDE)
    alone = first if to_and_fro and crc32(where.encode()) % 2 else second
    looks: list[tuple[tuple[str, str], dict[str, Any]]] = [(alone, {})]
    if EVERYTHING:
        mixed = ((first[0], second[1]), (second[0], first[1]))
        looks = [(first, {}), *((each, {"runOnly": COLOURS}) for each in mixed), (second, {})]
    said = [fault for look, options in looks for fault in _look(page, where, *look, **options)]
    if to_and_fro:
        resize(page, first[0])
        turn(page, first[1])
    return said


def _look(page: Page, where: str, size: str, theme: str, **options: Any) -> list[str]:
    resize(page, size)
    turn(page, theme)
    return found(page, f"{where}, {size}, {theme}", **options)


def turn(page: Page, theme: str) -> None:
    if page.evaluate(IS_DARK, theme == "dark"):
        return
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.wait_for_function(IS_DARK, arg=theme == "dark")
    page.wait_for_timeout(250)  # Streamlit gives the new theme to one part of the page after another


def resize(page: Page, size: str) -> None:
    if page.viewport_size != SIZES[size]:
        page.set_viewport_size(SIZES[size])
        settle(page)


def found(
    page: Page, where: str, within: str | None = None, *, with_menu: bool = EVERYTHING, **options: Any
) -> list[str]:
    """Its serious and critical faults; all of the page but its menu, or
    `within` a selector that must match something. The walk looks at the menu in every theme and size, once in each."""
    if within:
        assert page.locator(within).count()
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(RUN, [within, None if within or with_menu else MENU, options, EVERYTHING])
    return [f"{where}: {rule}: {html[:300]}" for rule, html in violations]
