// The left of the desk: context, the paragraphs of evidence, and the page on which the chosen one is printed.

import { changes, make, pushButton, scrollTo, setText, targetOf } from "../desk/dom.js";
import { createPageView } from "./page.js";

const NO_EVIDENCE =
  "The file has no evidence for this triplet. Score it from the paper (o opens it if its address is known).";
const NO_ABSTRACT =
  "The file has no abstract of this paper, and this form asks about it. Open the paper (o) if its address is known, or skip.";

/** {element, begin(), draw(), reveal(), panZoom(), close()} for the desk `c`. */
export function createEvidence(c) {
  const { claim } = c.data;
  const hasPage = claim.evidence.some(({ places }) => places.length > 0);
  const heading = make("h3", { text: "Context" });
  const context = make("p", { class: "sd-context" });
  const methods = make("p", { class: "cv-small" });
  const asksAbstract = claim.abstract !== null;
  const list = make("ol", { class: "sd-paragraphs" });
  const items = () => /** @type {HTMLElement[]} */ ([...list.children]);
  const note = make("p", { class: "cv-small sd-note" });
  const shown = asksAbstract ? "Abstract" : "Evidence";
  const reading = make(
    "div",
    { class: "sd-reading", tabindex: "0", role: "region", "aria-label": `Context and ${shown.toLowerCase()}` },
    heading,
    context,
    methods,
    make("h3", { text: shown }),
    list,
    note,
  );
  const page = hasPage ? createPageView(c) : null;
  const element = make("div", { class: "sd-left" }, reading, ...(page ? [page.element] : []));
  element.toggleAttribute("data-page", hasPage);
  const isNew = changes();

  function fill({ context: text, methods: named, evidence, evidence_note: said, abstract, abstract_note: sought }) {
    const hasAbstract = asksAbstract && abstract.length > 0;
    heading.hidden = context.hidden = asksAbstract && text === "";
    setText(context, text || "The file gives no context.");
    setText(methods, named ? `Identification: ${named}` : "");
    if (asksAbstract)
      list.replaceChildren(
        ...(hasAbstract ? [make("li", { class: "sd-abstract" }, make("p", {}, ...abstract.map(markedPart)))] : []),
      );
    else list.replaceChildren(...evidence.map(paragraph));
    setText(note, asksAbstract ? (hasAbstract ? sought : NO_ABSTRACT) : evidence.length === 0 ? NO_EVIDENCE : said);
  }

  /** A stretch of the abstract; one of a phrase is highlighted and names the phrase. */
  function markedPart({ text, of }) {
    return of ? make("mark", { class: "sd-lit", "data-of": of, text }) : text;
  }

  function paragraph({ text, found, flag, places }, n) {
    const label = [`Evidence ${n + 1}`, found].filter(Boolean).join(" · ");
    const head =
      places.length > 0
        ? pushButton(label, () => c.commands.chooseEvidence(n), { class: "sd-found", title: "Show on the page (e)" })
        : make("span", { class: "sd-found", text: label });
    const item = make(
      "li",
      { "data-n": String(n) },
      head,
      make("p", { text }),
      ...(flag ? [make("p", { class: "sd-flag", text: flag })] : []),
    );
    if (places.length > 0)
      item.addEventListener("click", (event) => targetOf(event).closest("button") ?? c.commands.chooseEvidence(n));
    return item;
  }

  function draw() {
    if (isNew(c.data.claim)) fill(c.data.claim);
    const { evidence } = c.data.claim;
    const isMany = hasPage && evidence.length > 1;
    for (const item of items()) {
      const isChosen = isMany && Number(item.dataset.n) === c.ui.evidence;
      item.toggleAttribute("data-chosen", isChosen);
      item.querySelector("button")?.setAttribute("aria-pressed", String(Number(item.dataset.n) === c.ui.evidence));
    }
    const { places } = evidence[c.ui.evidence] ?? { places: [] };
    if (page === null || places.length === 0) return;
    const n = Math.min(c.ui.turn, places.length - 1);
    const others = evidence
      .filter((_, place) => place !== c.ui.evidence)
      .flatMap((each) => each.places)
      .filter((place) => place.page === places[n].page)
      .flatMap(({ boxes }) => boxes);
    page.show(places, n, others, c.ui.whole);
  }

  return {
    element,
    draw,
    begin: () => page?.begin(claim.evidence.find(({ places }) => places.length > 0).places[0]),
    /** Reveal the chosen paragraph, without moving the page. */
    reveal() {
      const item = items()[c.ui.evidence];
      if (item) scrollTo(reading, item);
    },
    panZoom: () => page?.panZoom() ?? null,
    close: () => page?.close(),
  };
}
