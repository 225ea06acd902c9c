// Texts by their addresses: each is fetched once and cached as long as the page; a failed one is requested again.

/** Return {have(url), fault(url), ask(url)}; `fetched` is called after every answer.
 * @param {() => void} fetched */
export function createLibrary(fetched) {
  /** @type {Map<string, {text?: string, fault?: string}>} */
  const texts = new Map();
  return {
    have: (/** @type {string} */ url) => texts.get(url)?.text ?? null,
    fault: (/** @type {string} */ url) => texts.get(url)?.fault ?? "",
    /** @param {string} url */
    ask(url) {
      if (texts.has(url) && texts.get(url)?.fault === undefined) return;
      texts.set(url, {});
      fetch(url)
        .then(async (answer) => {
          const text = await answer.text();
          texts.set(url, answer.ok ? { text } : { fault: text.slice(0, 200) });
        })
        .catch(() => texts.set(url, { fault: "The text did not arrive: no connection." }))
        .then(fetched);
    },
  };
}
