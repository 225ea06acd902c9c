// Suggestions of names while one is typed.

import { count, make, setText } from "../desk/dom.js";
import { matches, needsQuotes, quoted } from "./names.js";

/** Span of the name in a field with one name and nothing else. */
export const wholeSpan = (field) => ({ start: 0, end: field.value.length, query: field.value, plain: true });

/** One popup for all name fields. `spanOf(field)`: the part of the field that is the name. */
export function createCompletion(root, namesNow) {
  const list = make("ul", { class: "names", role: "listbox", id: "names", "aria-label": "Names", hidden: true });
  const status = make("span", { class: "unseen", "aria-live": "polite" });
  root.append(list, status);
  /** The field that is typed into, and the span of the name in it.
   * @type {any} */
  let field = null;
  /** @type {any} */
  let span = null;
  let options = [];
  let chosen = -1;

  function close() {
    if (field !== null) field.removeAttribute("aria-activedescendant");
    list.hidden = true;
    options = [];
    chosen = -1;
    setText(status, "");
  }

  function choose(index) {
    chosen = index;
    for (const [at, item] of [...list.children].entries()) {
      item.setAttribute("aria-selected", String(at === index));
    }
    if (index < 0) {
      field.removeAttribute("aria-activedescendant");
      return;
    }
    field.setAttribute("aria-activedescendant", `name-${index}`);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function place() {
    const at = field.getBoundingClientRect();
    const desk = root.getBoundingClientRect();
    list.style.left = `${at.left - desk.left}px`;
    list.style.top = `${at.bottom - desk.top + 2}px`;
    list.style.width = `${Math.min(Math.max(at.width, 200), desk.right - at.left)}px`;
  }

  function open(into, spanOf, { all = false } = {}) {
    field = into;
    span = spanOf(into);
    options = span.query.trim() === "" && !all ? [] : matches(namesNow(), span.query);
    if (options.length === 0) {
      close();
      return;
    }
    list.replaceChildren(
      ...options.map((name, index) => {
        const item = make("li", { role: "option", id: `name-${index}`, "aria-selected": "false", text: name });
        item.addEventListener("mousedown", (event) => {
          event.preventDefault(); // the field keeps its caret
          take(index);
        });
        return item;
      }),
    );
    list.hidden = false;
    chosen = -1;
    place();
    setText(status, `${count(options.length, "name")}, first ${options[0]}`);
  }

  function take(index) {
    const name = options[index];
    const text = span.plain || !(span.isQuoted || needsQuotes(name)) ? name : quoted(name);
    field.setRangeText(text, span.start, span.end, "end");
    const into = field;
    close();
    into.dispatchEvent(new Event("input", { bubbles: true }));
    close(); // the inserted name needs no suggestion
  }

  /** Return true if the key was the popup's. Enter inserts only a chosen name: a new name may be part of an old one. */
  function onKey(event) {
    if (list.hidden) return false;
    if (event.key === "ArrowDown") choose((chosen + 1) % options.length);
    else if (event.key === "ArrowUp") choose(chosen <= 0 ? options.length - 1 : chosen - 1);
    else if (event.key === "Tab" && !event.shiftKey) take(Math.max(chosen, 0));
    else if (event.key === "Enter" && chosen >= 0) take(chosen);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { open, close, onKey };
}
