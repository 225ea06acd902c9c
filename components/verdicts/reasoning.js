// What the judge wrote, fetched when it is opened: of the open item, or all of it. Its quotes lead to their places.

import { make, pushButton, setText } from "../desk/dom.js";

/** {element, toggle(), draw()} for the desk `c`. */
export function createReasoning(c) {
  const body = make("div", { class: "vd-wrote", tabindex: "0", role: "document", "aria-label": "Judge's reasoning" });
  const open = pushButton("Judge's reasoning", () => toggle(), { title: "What it wrote of this item (r)" });
  const whole = pushButton("All of it", () => show(""), {
    title: "Everything that the judge wrote. Labels that you give of this answer afterwards are not blind.",
  });
  const element = make("div", { class: "vd-reasoning" }, make("div", { class: "cv-row" }, open, whole), body);
  let shown = null; // of which item the text is, "" for all of it
  let asked = 0;

  async function show(item) {
    const mine = ++asked;
    shown = item;
    body.replaceChildren("Loading…");
    c.draw();
    const said = await fetched(item === "" ? c.data.reasoning : `${c.data.reasoning}?item=${item}`);
    if (mine === asked && shown === item) body.replaceChildren(...pieces(said));
  }

  /** The text with what it quotes: that which stands in the text leads there, the rest is struck. */
  function pieces(said) {
    const quotes = c.item().quotes.map((each) => ({ ...each, at: said.indexOf(each.quote) }));
    const found = quotes.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
    const made = [];
    let place = 0;
    for (const { quote, at, start, end } of found) {
      if (at < place) continue;
      made.push(said.slice(place, at));
      if (end === 0) made.push(make("s", { text: quote, title: "Not in the text" }));
      else made.push(pushButton(quote, () => c.text.showAt(start), { class: "vd-quoted", title: "Show in the text" }));
      place = at + quote.length;
    }
    return [...made, said.slice(place)];
  }

  function close() {
    asked += 1;
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
        asked += 1;
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
