// The judge's reasoning, fetched when it is opened: of the open item, or all of it. Its quotes lead to their places.

import { make, pushButton, setText } from "../desk/dom.js";

/** {element, toggle(), draw()} for the desk `c`. */
export function createReasoning(c) {
  const body = make("div", { class: "vd-wrote", tabindex: "0", role: "document", "aria-label": "Judge's reasoning" });
  const open = pushButton("Judge's reasoning", () => toggle(), { title: "What it wrote of this item (r)" });
  const whole = pushButton("All of it", () => show(""), {
    title: "Everything that the judge wrote. Labels that you give of this answer afterwards are not blind.",
  });
  const element = make("div", { class: "vd-reasoning" }, make("div", { class: "cv-row" }, open, whole), body);
  let shown = null; // item of the text, "" for all of it
  let requests = 0;

  async function show(item) {
    const request = ++requests;
    shown = item;
    body.replaceChildren("Loading…");
    c.draw();
    const reply = await fetched(item === "" ? c.data.reasoning : `${c.data.reasoning}?item=${item}`);
    if (request === requests && shown === item) body.replaceChildren(...pieces(reply));
  }

  /** The text with its quotes: those in the paper's text are links, the others are struck through. */
  function pieces(said) {
    const quotes = c.item().quotes.map((each) => ({ ...each, at: said.indexOf(each.quote) }));
    const quoted = quotes.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
    const parts = [];
    let place = 0;
    for (const { quote, at, start, end } of quoted) {
      if (at < place) continue;
      parts.push(said.slice(place, at));
      if (end === 0) parts.push(make("s", { text: quote, title: "Not in the text" }));
      else parts.push(pushButton(quote, () => c.text.showAt(start), { class: "vd-quoted", title: "Show in the text" }));
      place = at + quote.length;
    }
    return [...parts, said.slice(place)];
  }

  function close() {
    requests += 1;
    shown = null;
    body.replaceChildren();
    c.draw();
  }

  function toggle() {
    const item = c.item();
    if (item.judges.length === 0) return void c.say("Compare this item first (Enter).");
    if (shown === item.number) close();
    else show(item.number);
  }

  return {
    element,
    toggle,
    draw() {
      const item = c.item();
      if (shown !== null && shown !== "" && shown !== item.number) {
        requests += 1;
        shown = null;
        body.replaceChildren();
      }
      element.hidden = item.judges.length === 0;
      body.hidden = shown === null;
      open.setAttribute("aria-expanded", String(shown !== null));
      setText(open, shown === item.number ? "Hide reasoning" : "Judge's reasoning");
      whole.hidden = !(c.data.is_whole || c.data.may_show_whole) || shown === "";
    },
  };
}

async function fetched(url) {
  try {
    const answer = await fetch(url);
    return await answer.text();
  } catch {
    return "The reasoning did not arrive: no connection.";
  }
}
