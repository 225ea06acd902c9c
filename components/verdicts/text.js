// The text with the marks of the open item; marks of other items lead to these.

import { changes, count, make, oncePerFrame, setText, targetOf } from "../desk/dom.js";
import { itemAtMark, piecesOf, placesIn } from "./view.js";

const TO_JUDGE = "addresses the judge";
const QUOTES = ["quoted by the judge", "quoted in the judge's reasoning"];
const OTHER = "of another item";

/** Marks: of the open item, or matches of a search; those for the judge; those of other items. */
function marksOf(c, item, searched) {
  const own = searched.length > 0 ? searched : [...item.quotes.filter(({ end }) => end > 0), ...item.marks];
  const starts = new Set(own.map(({ start }) => start));
  const others = c.view.items
    .filter((each) => each !== item)
    .flatMap(({ marks }) => marks)
    .filter(({ start }) => !starts.has(start))
    .map(({ start, end }) => ({ start, end, kind: OTHER }));
  const toJudge = c.data.to_judge.map(({ start, end }) => ({ start, end, kind: TO_JUDGE }));
  return [...own, ...toJudge, ...others];
}

/** {element, draw(), next(), search} for the desk `c`. */
export function createText(c) {
  const body = make("div", { class: "vd-body", tabindex: "0", role: "document", "aria-label": "Text" });
  const search = make("input", {
    class: "cv-field",
    type: "search",
    placeholder: "Search the text",
    "aria-label": "Search the text",
  });
  const status = make("p", { class: "cv-small" });
  const quotes = make("ul", { class: "vd-quotes" });
  const element = make(
    "section",
    { class: "vd-text", "aria-label": "Text" },
    make("div", { class: "cv-row" }, status, search),
    body,
    quotes,
  );
  const isNew = changes();
  let at = -1;

  search.addEventListener("input", () => c.draw());
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") step();
    else if (event.key === "Escape") c.focus();
  });
  body.addEventListener("click", (event) => {
    const start = targetOf(event).closest?.("mark")?.dataset.first;
    if (start === undefined) return;
    const n = itemAtMark(c.view.items, Number(start), c.ui.at);
    if (n >= 0 && n !== c.ui.at && !c.item().marks.some((mark) => mark.start === Number(start))) c.go(n);
  });

  /** The marks of the open item. */
  const ownMarks = () => /** @type {HTMLElement[]} */ ([...body.querySelectorAll("mark[data-own]")]);

  /** Scroll to the next mark of the open item. */
  function step() {
    const marks = ownMarks();
    if (marks.length === 0) return void c.say("Nothing of this item is marked in the text.");
    at = (at + 1) % marks.length;
    const mark = marks[at];
    marks.forEach((each) => each.toggleAttribute("data-now", each === mark));
    show(mark);
    c.say(`${mark.textContent} (${mark.title})`);
  }

  function build(item, searched) {
    const pieces = piecesOf(c.data.text, marksOf(c, item, searched)).map(({ start, end, kinds, first }) => {
      const words = c.data.text.slice(start, end);
      if (kinds.length === 0) return document.createTextNode(words);
      const mark = make("mark", {
        title: kinds.join(", "),
        "data-first": String(first),
        "data-start": String(start),
        text: words,
      });
      mark.toggleAttribute(
        "data-own",
        kinds.some((kind) => kind !== OTHER && kind !== TO_JUDGE),
      );
      mark.toggleAttribute(
        "data-quote",
        QUOTES.some((kind) => kinds.includes(kind)),
      );
      mark.toggleAttribute("data-to-judge", kinds.includes(TO_JUDGE));
      return mark;
    });
    body.replaceChildren(...pieces);
    at = -1;
    showFirst();
  }

  /** Scroll it to a third from the top, so that its surroundings are legible. */
  function show(mark) {
    body.scrollTop = mark.offsetTop - body.clientHeight / 3;
  }

  /** Scroll to the first mark without saying so, unless another was chosen meanwhile. */
  const showFirst = oncePerFrame(() => {
    const [first] = ownMarks();
    if (first && at === -1) show(first);
  });

  return {
    element,
    search,
    next: step,
    /** Scroll to the mark that begins at a place of the text. */
    showAt(start) {
      const marks = ownMarks();
      const mark = marks.find((each) => Number(each.dataset.first) === start || Number(each.dataset.start) === start);
      if (mark === undefined) return;
      at = marks.indexOf(mark);
      marks.forEach((each) => each.toggleAttribute("data-now", each === mark));
      show(mark);
    },
    draw() {
      const item = c.item();
      const searched = placesIn(c.data.text, search.value);
      if (isNew(item.number, item.quotes, item.marks, searched, c.data.text.length)) build(item, searched);
      const kinds = [...new Set([...item.quotes.filter(({ end }) => end > 0), ...item.marks].map(({ kind }) => kind))];
      const many = body.querySelectorAll("mark[data-own]").length;
      setText(
        status,
        searched.length > 0
          ? `${searched.length} places found.`
          : many === 0
            ? "No sentence holds a name of this item."
            : `${count(many, "passage")} marked: ${kinds.join(", ")}.`,
      );
      const lost = item.quotes.filter(({ end }) => end === 0);
      quotes.hidden = lost.length === 0;
      quotes.replaceChildren(
        ...lost.map(({ quote }) =>
          make("li", {}, make("s", { text: quote }), make("span", { text: " not in the text" })),
        ),
      );
    },
  };
}
