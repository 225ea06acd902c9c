// The adjudicator's own edge, which neither drew. (Edges that both drew are removed on their card.)

import { changes, make, setText } from "../desk/dom.js";
import { cleanName } from "../desk/names.js";
import { alignedName } from "./view.js";

/** {element, draw(), open()} for the desk `c`. */
export function createOwn(c) {
  const names = make("datalist", { id: "rd-names" });
  const field = (label) =>
    make("input", {
      class: "cv-field",
      type: "text",
      list: "rd-names",
      "aria-label": label,
      placeholder: label,
      maxlength: String(c.data.longest.name),
      autocomplete: "off",
    });
  const [source, sink] = [field("Source"), field("Sink")];
  const sign = make(
    "select",
    { class: "cv-field rd-sign", "aria-label": "Sign" },
    ...[
      ["", "no sign"],
      ["+", "+"],
      ["-", "−"],
    ].map(([value, text]) => make("option", { value, text })),
  );
  const delay = make("input", { type: "checkbox" });
  const add = make("button", { type: "submit", text: "Add", class: "cv-primary" });
  const status = make("p", { class: "cv-small", role: "status" });
  const form = make(
    "form",
    { class: "rd-own-form" },
    source,
    make("span", { "aria-hidden": "true", text: "→" }),
    sink,
    make(
      "div",
      { class: "cv-row rd-own-marks" },
      sign,
      make("label", { class: "rd-gapline" }, delay, "delay"),
      make("span", { class: "rd-gap" }),
      add,
    ),
    status,
    names,
  );
  const summary = make("summary", {});
  const element = make("details", { class: "rd-own" }, summary, form);
  const fields = [source, sink];
  const isNew = changes();
  let isFirst = true;

  for (const each of fields) {
    each.addEventListener("input", () => {
      c.drafts.change("own", { source: source.value, sink: sink.value });
      tell();
    });
  }
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    c.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [from, to] = fields.map(({ value }) => cleanName(value));
    if (from === "" || to === "") return void setText(status, "Name the source and the sink of the edge.");
    const mark = { sign: sign.value, delay: delay.checked };
    if (c.commands.setArrow(alignedName(c.data, from), alignedName(c.data, to), mark) === null) return;
    c.drafts.drop("own");
    for (const each of fields) each.value = "";
    sign.value = "";
    delay.checked = false;
    source.focus();
  });

  /** Announce that a name is new, before it becomes a variable of the ground truth. */
  function tell() {
    const known = new Set(c.data.nodes.flatMap(({ name, wording, a, b }) => [name, wording, a, b]));
    const fresh = fields.map(({ value }) => cleanName(value)).filter((name) => name !== "" && !known.has(name));
    setText(status, fresh.length > 0 ? `New node: ${fresh.map((name) => `“${name}”`).join(", ")}` : "");
  }

  function restore() {
    const draft = c.drafts.of("own");
    if (typeof draft.source === "string") source.value = draft.source;
    if (typeof draft.sink === "string") sink.value = draft.sink;
    element.open = source.value !== "" || sink.value !== "";
  }

  return {
    element,
    open() {
      element.open = true;
      source.focus();
    },
    draw() {
      setText(summary, "Add edge (a)");
      element.hidden = !c.isEditable();
      const wordings = c.data.nodes.map(({ wording }) => wording);
      if (!isNew(wordings)) return;
      if (isFirst) restore();
      isFirst = false;
      names.replaceChildren(...wordings.map((value) => make("option", { value })));
      tell();
    },
  };
}
