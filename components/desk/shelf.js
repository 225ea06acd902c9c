// Storage of a desk in the browser, in addition to its acts: unfinished text, drafts, codes.

const AS_JSON = { parse: JSON.parse, print: JSON.stringify };
/** @typedef {{parse(text: string): any, print(value: any): string}} Form  of a value, as text */

/** For a shelf that holds a text as it is.
 * @type {Form} */
export const AS_TEXT = { parse: (text) => text, print: (text) => text };

/** One value stored in this browser under `name` until null is written; without storage it lives as long as the tab.
 * @param {string} name
 * @param {Form} [form] */
export function shelfOf(name, { parse, print } = AS_JSON) {
  /** @type {any} */
  let current = null;
  return {
    read() {
      try {
        const text = localStorage.getItem(name);
        return (text === null ? null : parse(text)) ?? current;
      } catch {
        return current;
      }
    },
    /** @param {any} value */
    write(value) {
      current = value;
      try {
        if (value === null) localStorage.removeItem(name);
        else localStorage.setItem(name, print(value));
      } catch {
        return; // then it lives as long as the tab
      }
    },
  };
}

/** Unsent text and choices of a desk: {kept, keep(part), clear()}.
 * @template {object} Drafts
 * @param {string} kind  the desk's
 * @param {string} subject
 * @param {(stored: Record<string, any>) => Drafts} tidy  turns the stored value into valid drafts */
export function draftsOf(kind, subject, tidy) {
  const shelf = shelfOf(`edgewise.${kind}-draft.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  const drafts = tidy(read !== null && typeof read === "object" ? read : {});
  return {
    kept: drafts,
    /** @param {Partial<Drafts>} [part] */
    keep(part = {}) {
      Object.assign(drafts, part);
      shelf.write(drafts);
    },
    clear: () => shelf.write(null),
  };
}
