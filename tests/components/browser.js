// What scripts find in a browser and node has not: storage, a window that hears events, a document with nothing in it.

/** A Storage whose `room` is in characters; a value that finds none is refused as a browser refuses it. */
export function createStorage(room = Infinity) {
  const store = Object.create({
    getItem: (name) => (Object.hasOwn(store, name) ? store[name] : null),
    setItem(name, value) {
      if (String(value).length > room) throw new Error("QuotaExceededError");
      store[name] = String(value);
    },
    removeItem: (name) => void delete store[name],
  });
  return store;
}

/** An element that holds what is put into it: nothing is laid out, nothing bubbles, selectors find nothing. */
export class PlainElement extends EventTarget {
  attributes = new Map();
  children = [];
  dataset = {};
  parent = null;
  textContent = "";

  append(...parts) {
    for (const part of parts) {
      part.remove?.();
      if (part instanceof PlainElement) part.parent = this;
      this.children.push(part);
    }
  }
  prepend(...parts) {
    const rest = this.children.splice(0);
    this.append(...parts);
    this.children.push(...rest.filter((part) => !parts.includes(part)));
  }
  replaceChildren(...parts) {
    this.children = [];
    this.append(...parts);
  }
  remove() {
    if (this.parent !== null) this.parent.children = this.parent.children.filter((one) => one !== this);
    this.parent = null;
  }
  get isConnected() {
    return true;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  contains(other) {
    return other === this || this.children.some((one) => one instanceof PlainElement && one.contains(other));
  }
  matches = () => false;
  querySelector = () => null;
  /** Every text in it, in order. */
  texts() {
    return [this.textContent, ...this.children.flatMap((one) => one.texts?.() ?? [one])].filter((text) => text !== "");
  }
}

/** Gives this process a window; each test takes a fresh one. */
export function openWindow({ local = createStorage(), session = createStorage() } = {}) {
  const heard = new EventTarget();
  const given = {
    localStorage: local,
    sessionStorage: session,
    document: { querySelector: () => null, createElement: () => new PlainElement(), activeElement: null },
    matchMedia: () => ({ matches: true }),
    PopStateEvent: Event,
    addEventListener: heard.addEventListener.bind(heard),
    removeEventListener: heard.removeEventListener.bind(heard),
    dispatchEvent: heard.dispatchEvent.bind(heard),
  };
  for (const [name, value] of Object.entries(given)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
