// How a component lives on a page: made once for its root, handed new data by every rerun, closed when it has gone.

/** Runs `end` when Streamlit has really taken the component away. Streamlit also calls the cleanup of a render that a
 * faster one overtook, while the component stays on the page; ending then would lose the zoom. */
function whenRemoved(parentElement, end) {
  return () =>
    setTimeout(() => {
      if (!parentElement.isConnected) end();
    }, 0);
}

/** A component's entry. `create(parentElement, data)` makes what is kept on its root, {subject, receive(data,
 * setStateValue), close()}; data about another subject closes it and makes a new one. */
export function keptOn(create) {
  const kept = new WeakMap();
  return ({ parentElement, data, setStateValue }) => {
    let found = kept.get(parentElement);
    if (found !== undefined && found.subject !== data.subject) {
      found.close();
      found = undefined;
    }
    if (found === undefined) {
      found = create(parentElement, data);
      kept.set(parentElement, found);
    }
    found.receive(data, setStateValue);
    return whenRemoved(parentElement, () => {
      if (kept.get(parentElement) !== found) return;
      kept.delete(parentElement);
      found.close();
    });
  };
}
