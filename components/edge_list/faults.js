// Lines to correct, stored in this browser until the user adds or discards them, regardless of the session.

import { count, make, pushButton, setText } from "../desk/dom.js";
import { shelfOf } from "../desk/shelf.js";

const MOST_SETTLED = 500;
const isSameLine = (one, other) => one.line === other.line && one.text === other.text;

/** Put a fault among `open`; it replaces the same line under another key and takes over its typed text. */
function putFault(open, key, fault) {
  let typed = fault.typed;
  for (const [otherKey, other] of open) {
    if (!isSameLine(other, fault)) continue;
    if (typed === fault.text) typed = other.typed;
    open.delete(otherKey);
  }
  open.set(key, { ...fault, typed });
}

/** Faults by key: those `open`, {line, text, message, offer, typed}, and the keys of those settled. */
function createFaultShelf(subject) {
  const shelf = shelfOf(`edgewise.faults.${encodeURIComponent(subject)}`);
  const stored = shelf.read();
  const isValid = Array.isArray(stored?.open) && Array.isArray(stored.settled); // else another script wrote it
  const open = new Map();
  for (const [key, fault] of isValid ? stored.open.filter((entry) => typeof entry?.[1]?.text === "string") : [])
    putFault(open, key, fault);
  const settled = new Set(isValid ? stored.settled : []);

  return {
    open,
    settled,
    keep() {
      const last = [...settled].slice(-MOST_SETTLED);
      const isEmpty = open.size === 0 && last.length === 0;
      shelf.write(isEmpty ? null : { open: [...open], settled: last });
    },
  };
}

export function createFaults(c, subject) {
  const faults = createFaultShelf(subject);
  const status = make("p", { class: "fault-count", role: "status" });
  const list = make("div", { class: "fault-list" });
  const box = make(
    "div",
    { class: "faults", role: "group", "aria-label": "Lines to correct", hidden: true },
    status,
    list,
  );
  const cards = new Map();

  function settle(key, text) {
    const fault = faults.open.get(key);
    if (fault === undefined || !c.isEditable()) return;
    faults.open.delete(key);
    faults.settled.add(key);
    for (const twin of c.data.faults) if (isSameLine(twin, fault)) faults.settled.add(twin.key);
    faults.keep();
    c.act("drop_fault", { text: fault.text }); // first, since the corrected line may be faulty in the same words
    if (text !== null && text.trim() !== "") c.addLines(text.trim(), false);
    draw();
    (list.querySelector("input") ?? c.line).focus();
  }

  function cardOf(key, fault) {
    const field = make("input", {
      type: "text",
      "aria-label": fault.line > 0 ? `Line ${fault.line}` : "Line",
      spellcheck: "false",
    });
    field.value = fault.typed;
    field.addEventListener("input", () => {
      fault.typed = field.value;
      faults.keep();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      settle(key, field.value);
    });
    const place = fault.line > 0 ? `Line ${fault.line}: ` : "";
    const card = make(
      "div",
      { class: "card" },
      make("p", {}, make("b", { text: place }), document.createTextNode(fault.message)),
      make(
        "div",
        { class: "entry" },
        field,
        pushButton("Add", () => settle(key, field.value)),
        pushButton("Discard", () => settle(key, null)),
      ),
    );
    if (fault.offer) {
      card.append(
        make(
          "p",
          { class: "offer" },
          pushButton("Add as", () => settle(key, fault.offer)),
          make("code", { text: fault.offer }),
        ),
      );
    }
    return card;
  }

  function draw() {
    for (const [key, card] of cards) {
      if (faults.open.has(key)) continue;
      card.remove();
      cards.delete(key);
    }
    for (const [key, fault] of faults.open) {
      if (cards.has(key)) continue;
      cards.set(key, cardOf(key, fault));
      list.append(cards.get(key));
    }
    for (const field of list.querySelectorAll("input")) field.readOnly = !c.isEditable();
    for (const control of list.querySelectorAll("button")) control.disabled = !c.isEditable();
    box.hidden = faults.open.size === 0 || !c.data.editable;
    setText(status, faults.open.size === 0 ? "" : `${count(faults.open.size, "line")} to correct`);
  }

  return {
    element: box,
    draw,
    /** Add the faults that are new and not settled; of two faults of one line the last one counts. */
    take(incoming) {
      const unsettled = incoming.filter((fault) => !faults.settled.has(fault.key));
      const fresh = unsettled.filter(
        (fault, place) =>
          !faults.open.has(fault.key) && !unsettled.slice(place + 1).some((later) => isSameLine(later, fault)),
      );
      for (const fault of fresh) putFault(faults.open, fault.key, { ...fault, typed: fault.text });
      if (fresh.length > 0) faults.keep();
    },
  };
}
