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

/** Gives this process a window; each test takes a fresh one. */
export function openWindow({ local = createStorage(), session = createStorage() } = {}) {
  const heard = new EventTarget();
  const given = {
    localStorage: local,
    sessionStorage: session,
    document: { querySelector: () => null },
    addEventListener: heard.addEventListener.bind(heard),
    removeEventListener: heard.removeEventListener.bind(heard),
    dispatchEvent: heard.dispatchEvent.bind(heard),
  };
  for (const [name, value] of Object.entries(given)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
