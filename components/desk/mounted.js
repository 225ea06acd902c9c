// Life cycle of a component: created once for its root, given new data by every rerun, closed after its removal.

/** Run `end` when Streamlit has really removed the component. Streamlit also calls the cleanup of a render that a
 * faster one overtook, while the component stays on the page; ending then would lose the zoom. */
function whenRemoved(parentElement, end) {
  return () =>
    setTimeout(() => {
      if (!parentElement.isConnected) end();
    }, 0);
}

/** A component's entry point. `create(parentElement, data)` makes the object of its root, {subject, receive(data,
 * setStateValue), close()}; data about another subject closes it and makes a new one. */
export function mountOnce(create) {
  const mounted = new WeakMap();
  return ({ parentElement, data, setStateValue }) => {
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
