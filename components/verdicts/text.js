// The text with what is marked of the open item; marks of other items lead to these.

import { changes, make, setText } from "../desk/dom.js";
import { itemAtMark, piecesOf } from "./view.js";

const TO_JUDGE = "addresses the judge";
const QUOTE = "quoted by the judge";
const OTHER = "of another item";

/** {element, draw(), next(), search} for the desk `c`. */
export function createText(c) {
  const body = make("div", { class: "vd-body", tabindex: "0", role: "document", "aria-label": "Text" });
  const search = make("input", {
    class: "cv-field",
    type: "search",
    placeholder: "Search the text",
    "aria-label": "Search the text",
  });
  const told = make("p", { class: "cv-small" });
  const quotes = make("ul", { class: "vd-quotes" });
  const element = make(
    "section",
    { class: "vd-text", "aria-label": "Text" },
    make("div", { class: "cv-row" }, told, search),
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
    const start = event.target.closest?.("mark")?.dataset.first;
    if (start === undefined) return;
    const n = itemAtMark(c.view.items, Number(start), c.ui.at);
    if (n >= 0 && n !== c.ui.at && !c.item().marks.some((mark) => mark.start === Number(start))) c.go(n);
  });

  function found() {
    const said = search.value.trim().toLowerCase();
    if (said.length < 2) return [];
    const text = c.data.text.toLowerCase();
    const places = [];
    for (let from = text.indexOf(said); from >= 0 && places.length < 200; from = text.indexOf(said, from + said.length))
      places.push({ start: from, end: from + said.length, kind: "searched" });
    return places;
  }

  /** Scrolls to the next mark of the open item. */
  function step() {
    const marks = [...body.querySelectorAll("mark[data-own]")];
    if (marks.length === 0) return void c.say("Nothing of this item is marked in the text.");
    at = (at + 1) % marks.length;
    const mark = marks[at];
    marks.forEach((each) => each.toggleAttribute("data-now", each === mark));
    show(mark);
    c.say(`${mark.textContent} (${mark.title})`);
  }

  function build(item, searched) {
    const own = searched.length > 0 ? searched : [...item.quotes.filter(({ end }) => end > 0), ...item.marks];
    const starts = new Set(own.map(({ start }) => start));
    const others = c.view.items
      .filter((each) => each !== item)
      .flatMap(({ marks }) => marks)
      .filter(({ start }) => !starts.has(start))
      .map(({ start, end }) => ({ start, end, kind: OTHER }));
    const toJudge = c.data.to_judge.map(({ start, end }) => ({ start, end, kind: TO_JUDGE }));
    const pieces = piecesOf(c.data.text, [...own, ...toJudge, ...others]).map(({ start, end, kinds, first }) => {
      const said = c.data.text.slice(start, end);
      if (kinds.length === 0) return document.createTextNode(said);
      const mark = make("mark", { title: kinds.join(", "), "data-first": String(first), text: said });
      mark.toggleAttribute(
        "data-own",
        kinds.some((kind) => kind !== OTHER && kind !== TO_JUDGE),
      );
      mark.toggleAttribute("data-quote", kinds.includes(QUOTE));
      mark.toggleAttribute("data-to-judge", kinds.includes(TO_JUDGE));
      return mark;
    });
    body.replaceChildren(...pieces);
    at = -1;
    step0();
  }

  /** A third from the top, so that what stands around it can be read. */
  function show(mark) {
    body.scrollTop = mark.offsetTop - body.clientHeight / 3;
  }

  /** Scrolls to the first mark without saying so. */
  function step0() {
    const first = body.querySelector("mark[data-own]");
    if (first) show(first);
  }

  return {
    element,
    search,
    next: step,
    draw() {
      const item = c.item();
      const searched = found();
      if (isNew(item.number, item.quotes, item.marks, searched, c.data.text.length)) build(item, searched);
      const kinds = [...new Set([...item.quotes.filter(({ end }) => end > 0), ...item.marks].map(({ kind }) => kind))];
      const many = body.querySelectorAll("mark[data-own]").length;
      setText(
        told,
        searched.length > 0
          ? `${searched.length} places found.`
          : many === 0
            ? "No sentence holds a name of this item."
            : `${many} marked: ${kinds.join(", ")}.`,
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
