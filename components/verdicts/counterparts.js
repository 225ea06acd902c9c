// Choice of a node's counterpart in the other graph: candidates by number, or another by its name.

import { keyButton, make, pushButton, setText } from "../desk/dom.js";
import { choicesOf, typedLink } from "./picture.js";

/** The graph of the possible counterparts. */
const otherGraph = (c) => (c.data.section.endsWith("recall") ? "prediction" : "truth");

/** {element, open(), choose(n), send(), draw()} for the desk `c`. */
export function createCounterparts(c) {
  const title = make("h3", {});
  const choices = make("div", { class: "vd-reasons" });
  const names = make("datalist", { id: "vd-others" });
  const fields = make("div", { class: "vd-typed" });
  const element = make(
    "div",
    { class: "vd-why", role: "group", "aria-label": "Counterpart", tabindex: "-1" },
    title,
    choices,
    fields,
    names,
    make(
      "div",
      { class: "cv-row" },
      pushButton("Save counterpart", () => send(), { class: "cv-primary" }),
      pushButton("Back", () => c.commands.stopReason()),
    ),
  );
  let offered = [];

  const inputs = () => [...fields.querySelectorAll("input")];

  function input(place) {
    const { name } = c.data.nodes[place];
    const field = make("input", {
      class: "cv-field",
      type: "text",
      list: "vd-others",
      placeholder: `Node of the ${otherGraph(c)}`,
      "aria-label": `${name} is the same as`,
      "data-place": String(place),
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") send();
      else if (event.key === "Escape") c.commands.stopReason();
      else return;
      event.preventDefault(); // the focus moves to a choice, which this same press would activate
    });
    return make("label", { class: "cv-small" }, make("span", { text: `${name} = ` }), field);
  }

  function send() {
    const typed = inputs().filter(({ value }) => value.trim() !== "");
    if (typed.length === 0) return void c.say("Choose a node by its number, or type its name.");
    const links = typed.map((field) => typedLink(c.data, Number(field.dataset.place), field.value));
    const unknown = links.indexOf(null);
    if (unknown >= 0) {
      typed[unknown].focus();
      return void c.say(`The ${otherGraph(c)} has no other node “${typed[unknown].value.trim()}”.`);
    }
    c.commands.linkAll(links);
  }

  return {
    element,
    send,
    choose: (n) => offered[n] !== undefined && c.commands.linkAll([offered[n]]),
    open() {
      const item = c.item();
      const other = otherGraph(c) === "prediction" ? "answer" : "truth";
      const side = other === "truth" ? "answer" : "truth";
      offered = choicesOf(c.data, c.view.links, item);
      choices.replaceChildren(
        ...offered.map(({ text }, n) =>
          keyButton(
            String(n + 1),
            () => c.commands.linkAll([offered[n]]),
            { class: "vd-reason" },
            make("span", { text }),
          ),
        ),
      );
      const places = [...new Set(item.at)].filter((place) => c.data.nodes[place][other] === 0);
      fields.replaceChildren(...places.map(input));
      const free = c.data.nodes.filter((node) => node[other] > 0 && node[side] === 0);
      names.replaceChildren(...free.map(({ name }) => make("option", { value: name })));
      (offered.length > 0 ? element : (inputs()[0] ?? element)).focus({ preventScroll: true });
    },
    draw() {
      element.hidden = c.ui.asks !== "link";
      if (!element.hidden) setText(title, offered.length > 0 ? "Which nodes are one?" : "Which node is it?");
    },
  };
}
