// The sweep: when the page names another node, the window goes there and only its outgoing edges stay lit.

/** {follow()} for the canvas `c`: to be called after each new data. */
function createSweep(c) {
  let sweptId = null;
  function follow() {
    const { sweep } = c.data;
    if (sweep === sweptId) return;
    sweptId = sweep;
    const name = c.sweepName();
    if (name === null) return c.panZoom.fit(true);
    Object.assign(c.ui, { armed: null, proposal: null, chosen: null, focus: null });
    c.draw();
    const box = c.scene.boxes.get(name);
    if (box) zoomTo(box);
    c.say(`Outgoing from ${name}. Any more?`);
    if (c.root.contains(c.root.getRootNode().activeElement)) c.viewport.focus({ preventScroll: true });
    return undefined;
  }

  /** Brings a box with a fair piece of its surroundings and the sinks of its edges into the window. */
  function zoomTo(box) {
    const { origin: [left, top], width, height } = c.data.figure;
    const [x, y] = centreOf(box);
    const around = atLeast(box, 0.42 * Math.max(width, height));
    const seen = [Math.max(around[0], left), Math.max(around[1], top), Math.min(around[2], left + width), Math.min(around[3], top + height)];
    const room = c.viewport.getBoundingClientRect();
    c.panZoom.panBy(0, 0); // ends a running movement, so that the numbers below hold
    const scale = Math.min(room.width / (seen[2] - seen[0]), room.height / (seen[3] - seen[1]));
    const ratio = scale / c.panZoom.scale;
    const at = c.panZoom.toScreen(x, y);
    const middle = { x: room.left + room.width / 2, y: room.top + room.height / 2 };
    if (Math.abs(1 - ratio) < 0.02) return c.panZoom.panBy(middle.x - at.x, middle.y - at.y, true);
    return c.panZoom.zoomBy(ratio, (middle.x - at.x * ratio) / (1 - ratio), (middle.y - at.y * ratio) / (1 - ratio), true);
  }

  return { follow };
}
