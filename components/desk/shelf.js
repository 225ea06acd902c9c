// What a browser keeps of a desk beside its acts: half-typed text, drafts, codes.

const AS_JSON = { parse: JSON.parse, print: JSON.stringify };
/** For a shelf that holds a text as it is. */
export const AS_TEXT = { parse: (text) => text, print: (text) => text };

/** One value kept in this browser under `name` until null is written; without storage it lives as long as the tab. */
export function shelfOf(name, { parse, print } = AS_JSON) {
  let held = null;
  return {
    read() {
      try {
        const text = localStorage.getItem(name);
        return (text === null ? null : parse(text)) ?? held;
      } catch {
        return held;
      }
    },
    write(value) {
      held = value;
      try {
        if (value === null) localStorage.removeItem(name);
        else localStorage.setItem(name, print(value));
      } catch {
        return; // then it lives as long as the tab
      }
    },
  };
}

/** What is typed or chosen on a desk and not stored yet: {kept, keep(part), clear()}. `kind` is the desk's, `tidy` makes
 * of whatever lay there (null: nothing) what the desk believes. */
export function draftsOf(kind, subject, tidy) {
  const shelf = shelfOf(`edgewise.${kind}-draft.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  const kept = tidy(read !== null && typeof read === "object" ? read : {});
  return {
    kept,
    keep(part = {}) {
      Object.assign(kept, part);
      shelf.write(kept);
    },
    clear: () => shelf.write(null),
  };
}
