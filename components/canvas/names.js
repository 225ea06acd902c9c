// The name box: a field with the names that may be meant, at a place of the figure; and the menu of a name.

import { make, pushButton, setText } from "../desk/dom.js";
import { cleanName, foldName } from "../desk/names.js";
import { correctionsOf } from "./corrections.js";
import { clampTo } from "./geometry.js";

const MAX_NAMES = 8;

/** Matches of `typed`, best first: equal, prefix, prefix of a word, all words within, letters in order. */
export function looseMatches(names, typed) {
  const query = foldName(typed);
  if (query === "") return names.slice(0, MAX_NAMES);
  const words = query.split(" ");
  /** @type {string[][]} */
  const ranks = [[], [], [], [], [], []];
  for (const name of names) {
    const folded = foldName(name);
    const starts = folded.split(/[^\p{L}\p{N}]+/u);
    if (folded === query) ranks[0].push(name);
    else if (folded.startsWith(query)) ranks[1].push(name);
    else if (words.every((word) => starts.some((start) => start.startsWith(word)))) ranks[2].push(name);
    else if (folded.includes(query)) ranks[3].push(name);
    else if (words.every((word) => folded.includes(word))) ranks[4].push(name);
    else if (query.length > 2 && isWithin(folded, query.replaceAll(" ", ""))) ranks[5].push(name);
  }
  return ranks.flat().slice(0, MAX_NAMES);
}

/** True if the text contains the letters in this order: a typist leaves letters out. */
function isWithin(text, letters) {
  let from = 0;
  for (const letter of letters) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/**
 * One name box. open({box or null, label, value, names, onTake, onLeave}) shows it below `box` (points) or in the middle.
 * onTake(name) gets the typed or chosen name, cleaned; an empty box is not accepted. In the mode "rename", corrections of
 * `value` come before `names`: the sure one is marked, so that Enter takes it, and typing replaces the doubtful letters.
 */
export function createNameBox(layer, { placeOn, canTake, onDraft, onRefused }) {
  const field = make("input", {
    type: "text",
    class: "cv-field",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "cv-names",
    "aria-autocomplete": "list",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    enterkeyhint: "done",
    maxlength: "300",
  });
  const list = make("ul", { class: "cv-names", role: "listbox", id: "cv-names", "aria-label": "Names", hidden: true });
  const why = make("p", { class: "cv-why" });
  const box = make("div", { class: "cv-namebox", "data-no-drag": true, hidden: true }, field, list, why);
  layer.append(box);
  /** The open request.
   * @type {any} */
  let openRequest = null;
  let options = [];
  let marked = -1;

  function offer() {
    const { names, value, mode } = openRequest;
    const corrections = mode === "rename" && field.value === value ? correctionsOf(value, names) : [];
    const texts = [...corrections.map(({ text }) => text), ...looseMatches(names, field.value)];
    options = [...new Set(texts)].slice(0, MAX_NAMES);
    marked = -1;
    list.replaceChildren(
      ...options.map((name, place) => {
        const item = make("li", { role: "option", id: `cv-name-${place}`, "aria-selected": "false", text: name });
        item.addEventListener("pointerdown", (event) => {
          event.preventDefault(); // the field keeps the focus
          take(name);
        });
        return item;
      }),
    );
    list.hidden = options.length === 0;
    field.setAttribute("aria-expanded", String(!list.hidden));
    field.removeAttribute("aria-activedescendant");
    return corrections;
  }

  function mark(place) {
    marked = place;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === place)));
    if (place < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", `cv-name-${place}`);
    return list.children[place].scrollIntoView({ block: "nearest" });
  }

  function take(text) {
    const name = cleanName(text);
    if (name === "") return;
    if (!canTake()) {
      setText(why, "Nothing can be added now. Your text stays here.");
      return void onRefused();
    }
    const { onTake } = openRequest;
    close();
    onTake(name);
  }

  function close() {
    box.hidden = true;
    openRequest = null;
    onDraft(null);
  }

  function leave() {
    const { onLeave } = openRequest;
    close();
    onLeave();
  }

  field.addEventListener("input", () => {
    setText(why, "");
    offer();
    onDraft({ text: field.value, at: openRequest.at, mode: openRequest.mode });
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    event.stopPropagation(); // no canvas key fires while a name is typed
    if (event.key === "Enter") take(marked >= 0 ? options[marked] : field.value);
    else if (event.key === "Escape") leave();
    else if (options.length === 0) return;
    else if (event.key === "ArrowDown") mark((marked + 1) % options.length);
    else if (event.key === "ArrowUp") mark(marked <= 0 ? options.length - 1 : marked - 1);
    else if (event.key === "Tab" && field.value !== "" && !event.shiftKey) {
      field.value = options[Math.max(marked, 0)];
      offer();
    } else return;
    event.preventDefault();
  });

  return {
    isOpen: () => openRequest !== null,
    typed: () => field.value,
    open(request) {
      openRequest = { names: [], onLeave: () => {}, at: null, mode: "", ...request };
      field.value = openRequest.value ?? "";
      field.setAttribute("aria-label", openRequest.label);
      field.placeholder = openRequest.label;
      setText(why, "");
      box.hidden = false;
      placeOn(box, openRequest.box);
      const [first] = offer();
      field.focus({ preventScroll: true });
      field.setSelectionRange(first?.start ?? 0, first?.end ?? field.value.length);
      if (first?.isSure) mark(0);
    },
    close: () => openRequest !== null && close(),
    leave: () => openRequest !== null && leave(),
  };
}

/** A menu at a point of the window (pixels within `layer`); items: [label, act]. */
export function createMenu(layer, { onClose }) {
  const list = make("div", { class: "cv-menu", role: "menu", "data-no-drag": true, hidden: true });
  layer.append(list);
  const items = () => /** @type {HTMLElement[]} */ ([...list.children]);

  function close(refocus = true) {
    if (list.hidden) return;
    list.hidden = true;
    if (refocus) onClose();
  }

  list.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const { activeElement } = /** @type {ShadowRoot} */ (list.getRootNode());
    const at = items().findIndex((item) => item === activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) items()[(at + step + items().length) % items().length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("focusout", (event) => {
    if (!list.contains(/** @type {Node | null} */ (event.relatedTarget))) close(false);
  });

  return {
    isOpen: () => !list.hidden,
    close,
    open(x, y, label, entries) {
      list.setAttribute("aria-label", label);
      list.replaceChildren(
        ...entries.map(([text, act]) => {
          const item = pushButton(text, () => close(), { role: "menuitem", tabindex: "-1" });
          item.addEventListener("click", act);
          return item;
        }),
      );
      list.hidden = false;
      const room = layer.getBoundingClientRect();
      list.style.left = `${clampTo(x, 4, Math.max(4, room.width - list.offsetWidth - 4))}px`;
      list.style.top = `${clampTo(y, 4, Math.max(4, room.height - list.offsetHeight - 4))}px`;
      items()[0].focus({ preventScroll: true });
    },
  };
}
