// Storage of a desk in the browser, in addition to its acts: unfinished text, drafts, codes.

const AS_JSON = { parse: JSON.parse, print: JSON.stringify };
/** For a shelf that holds a text as it is. */
export const AS_TEXT = { parse: (text) => text, print: (text) => text };

/** One value stored in this browser under `name` until null is written; without storage it lives as long as the tab. */
export function shelfOf(name, { parse, print } = AS_JSON) {
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

/** Unsent text and choices of a desk: {kept, keep(part), clear()}. `kind` is the desk's, `tidy` turns
 * the stored value (null: none) into valid drafts. */
export function draftsOf(kind, subject, tidy) {
  const shelf = shelfOf(`edgewise.${kind}-draft.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  const drafts = tidy(read !== null && typeof read === "object" ? read : {});
  return {
    kept: drafts,
    keep(part = {}) {
      Object.assign(drafts, part);
      shelf.write(drafts);
    },
    clear: () => shelf.write(null),
  };
}
