// Life cycle of a component: created once for its root, given new data by every rerun, closed after its removal.

/** Run `end` when Streamlit has really removed the component. Streamlit also calls the cleanup of a render that a
 * faster one overtook, while the component stays on the page; ending then would lose the zoom.
 * @param {Node} parentElement
 * @param {() => void} end */
function whenRemoved(parentElement, end) {
  return () =>
    setTimeout(() => {
      if (!parentElement.isConnected) end();
    }, 0);
}

/** @template Data @typedef {import("./types.d.ts").Component<Data>} Component */
/** @template Data @typedef {import("./types.d.ts").Mounted<Data>} Mounted */

/** A component's entry point. `create` makes the object of its root; data about another subject closes it and makes a
 * new one.
 * @template Data
 * @param {(parentElement: import("./types.d.ts").Host, data: Data) => Component<Data>} create */
export function mountOnce(create) {
  /** @type {WeakMap<Node, Component<Data>>} */
  const mounted = new WeakMap();
  return (/** @type {Mounted<Data & {subject?: string}>} */ { parentElement, data, setStateValue }) => {
    let current = mounted.get(parentElement);
    if (current !== undefined && current.subject !== data.subject) {
      current.close();
      current = undefined;
    }
    if (current === undefined) {
      current = create(parentElement, data);
      mounted.set(parentElement, current);
    }
    current.receive(data, setStateValue);
    return whenRemoved(parentElement, () => {
      if (mounted.get(parentElement) !== current) return;
      mounted.delete(parentElement);
      current.close();
    });
  };
}
