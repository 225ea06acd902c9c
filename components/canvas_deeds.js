// What a person can do on the canvas, whatever it is done with: each key, click and button ends in one of these.

/** The deeds on the canvas `c`. The names of those that keys set off stand in the table of keys. */
function createDeeds(c) {
  const { ui } = c;
  const view = () => c.graph.view();
  const node = (name) => view().nodes.get(name) ?? null;
  const sourceNow = () => ui.armed ?? c.sweepName();

  function existing(name) {
    if (node(name) !== null) return name;
    const folded = foldName(name);
    for (const other of view().nodes.keys()) if (foldName(other) === folded) return other;
    return null;
  }

  // -- names

  function placeWord({ name, word }) {
    const [x, y] = centreOf(word.box);
    const box = c.clipped(word.box);
    c.act("place_node", { name, ...c.inside(x, y), box, origin: "printed" });
  }

  /** The name of a node for what was pressed or typed; a printed name that is none yet is taken. Null if it may not be. */
  function ensure(place) {
    const known = existing(place.name);
    if (known !== null) return known;
    if (place.word) placeWord(place);
    return node(place.name) === null ? null : place.name;
  }

  function arm(name) {
    ui.armed = name;
    ui.proposal = null;
    c.say(`${name} is the source. Now the sink.`);
  }

  function disarm() {
    ui.armed = null;
    ui.sign = "";
    ui.delay = false;
    ui.typed = "";
  }

  function connect(source, sink) {
    const { sign, delay } = ui;
    const same = [...view().edges.values()].find((edge) => edge.source === source && edge.sink === sink && (sign === "" || edge.sign === sign));
    if (same) {
      chooseLine(same.key);
      c.say(`${source} to ${sink} is drawn already; it is chosen now.`);
      return;
    }
    const act = c.act("connect", { source, sink, sign, delay });
    if (act === null) return;
    chooseLine(act.id);
    c.say(`Drawn: ${source} to ${sink}${sign ? `, ${signWord(sign)}` : ""}${delay ? ", delay" : ""}.`);
  }

  /** A name was picked: it becomes the source, or the sink of the source that waits. */
  function pickName(name, keep = false) {
    const source = sourceNow();
    ui.chosen = { kind: "node", key: name };
    if (!c.isEditable()) c.say(`${name} is chosen.`);
    else if (source === null) {
      if (keep) c.say(`${name} is taken.`);
      else arm(name);
    } else if (source === name && ui.armed === name) {
      disarm();
      c.say(`${name} is put away. L draws an edge from a name to itself.`);
    } else {
      connect(source, name);
      ui.sign = "";
      ui.delay = false;
      if (!keep) disarm();
    }
    c.draw();
  }

  function pickPlace(place, keep) {
    if (!c.isEditable()) {
      ui.chosen = { kind: place.kind, key: place.key };
      return c.draw();
    }
    const name = ensure(place);
    return name === null ? undefined : pickName(name, keep);
  }

  function connectPlaces(from, to) {
    const [source, sink] = [ensure(from), ensure(to)];
    if (source === null || sink === null) return;
    connect(source, sink);
    disarm();
    c.draw();
  }

  /** A name from the name box: find it, or make it at `point` (null: where there is room). */
  function takeName(name, point, from) {
    if (from !== null) ui.armed = ensure(from);
    const known = existing(name);
    const word = c.scene.places.find((place) => place.kind === "word" && (place.name === name || foldName(place.name) === foldName(name)));
    if (known !== null && point !== null && !c.scene.boxes.has(known)) c.act("move_node", { node: known, ...point });
    else if (known === null && word && point === null) placeWord(word);
    else if (known === null) c.act("place_node", { name, ...(point ?? c.freeSpot()), box: null, origin: "drawn" });
    const made = known ?? (node(name) ? name : word && node(word.name) ? word.name : null);
    if (made === null) return;
    pickName(made);
    c.focusOn("node", made);
  }

  function openNames({ point = null, from = null, value = "", label = "Name" }) {
    const box = point === null ? null : [point.x, point.y, point.x, point.y];
    c.nameBox.open({
      box, value, label, names: c.allNames(), at: point, mode: "place",
      onTake: (name) => takeName(name, point, from),
      onLeave: () => c.home().focus({ preventScroll: true }),
    });
  }

  function rename(name, value = name) {
    const at = c.scene.boxes.get(name) ?? null;
    c.nameBox.open({
      box: at, value, label: `New name of ${name}`, names: c.allNames().filter((other) => other !== name), at: null, mode: "rename",
      onTake: (text) => {
        if (text !== name && node(name) !== null && c.act("rename_node", { node: name, name: text }) !== null) {
          c.hints.carry(name, text);
          for (const part of ["armed", "focus"]) if (ui[part] === name) ui[part] = text;
          if (ui.chosen?.key === name) ui.chosen = { kind: "node", key: text };
          c.say(`Renamed to ${text}.`);
        }
        c.draw();
        c.focusOn("node", text);
      },
      onLeave: () => c.focusOn("node", name),
    });
  }

  function moveTo(name, point) {
    if (c.act("move_node", { node: name, ...point }) !== null) c.say(`${name} is placed.`);
    ui.chosen = { kind: "node", key: name };
    c.draw();
    c.focusOn("node", name);
  }

  function removeNode(name) {
    const degree = [...view().edges.values()].filter((edge) => edge.source === name || edge.sink === name).length;
    if (c.act("delete_node", { node: name }) === null) return;
    if (ui.armed === name) disarm();
    if (ui.focus === name) ui.focus = null;
    ui.chosen = null;
    c.say(`Removed: ${name}${degree ? ` and ${count(degree, "edge")}` : ""}. Ctrl Z brings it back.`);
    c.draw();
  }

  // -- edges

  function chooseLine(key) {
    ui.chosen = { kind: "edge", key };
    ui.last = key;
    ui.proposal = null;
  }

  const signEdge = () => view().edges.get(ui.chosen?.kind === "edge" ? ui.chosen.key : ui.last) ?? null;

  function edit(field, value) {
    const edge = signEdge();
    if (edge === null) return c.say("No edge is chosen.");
    if (edge[field] === value) return undefined;
    const { id, source, sink } = edge;
    if (c.act("edit_edge", { edge_id: id, source, sink, field, value }) === null) return undefined;
    const told = { sign: signWord(value), delay: value ? "delay" : "no delay", flag: value || "no flag" }[field];
    c.say(`${source} to ${sink}: ${told}.`);
    return c.draw();
  }

  function setSign(sign) {
    if (sourceNow() === null || (ui.armed === null && ui.chosen?.kind === "edge")) return edit("sign", sign);
    ui.sign = ui.sign === sign ? "" : sign;
    return c.draw();
  }

  function toggleDelay() {
    if (sourceNow() !== null && !(ui.armed === null && ui.chosen?.kind === "edge")) {
      ui.delay = !ui.delay;
      return c.draw();
    }
    return edit("delay", !signEdge()?.delay);
  }

  function removeEdge(edge) {
    const { id, source, sink } = edge;
    if (c.act("delete_edge", { edge_id: id, source, sink }) === null) return;
    ui.chosen = null;
    ui.last = null;
    c.say(`Removed: ${source} to ${sink}. Ctrl Z brings it back.`);
    c.draw();
  }

  function timeTravel(kind) {
    if (!c.can(kind)) return c.say(`Nothing to ${kind}.`);
    disarm();
    if (c.act(kind, {}) !== null) c.say(kind === "undo" ? "Undone." : "Done again.");
    return c.draw();
  }

  // -- proposals

  const inOrder = () => [...view().proposals.values()]
    .map((proposal, place) => ({ proposal, place }))
    .sort((a, b) => b.proposal.is_doubtful - a.proposal.is_doubtful || (a.proposal.confidence ?? 0) - (b.proposal.confidence ?? 0) || a.place - b.place)
    .map(({ proposal }) => proposal);

  function showProposal(id) {
    disarm();
    ui.proposal = id;
    ui.chosen = { kind: "proposal", key: id };
    c.draw();
    c.focusOn("proposal", id);
    const proposal = view().proposals.get(id);
    c.say(spokenLine("proposal", proposal));
  }

  /** After one was ruled: the one that stood behind it. */
  function rule(kind) {
    const ids = inOrder().map(({ id }) => id);
    if (ui.proposal === null || !ids.includes(ui.proposal)) return c.say("No proposal is lit; P goes to the next.");
    const rest = ids.slice(ids.indexOf(ui.proposal) + 1).concat(ids.slice(0, ids.indexOf(ui.proposal)));
    const { source, sink } = view().proposals.get(ui.proposal);
    const id = ui.proposal;
    if (c.act(kind, { proposal_ids: [id] }) === null) return undefined;
    ui.proposal = null;
    ui.chosen = null;
    if (kind === "accept") ui.last = `proposal:${id}`;
    const told = `${kind === "accept" ? "Accepted" : "Refused"}: ${source} to ${sink}.`;
    if (rest.length > 0) showProposal(rest[0]);
    else c.home().focus({ preventScroll: true });
    c.say(rest.length > 0 ? `${told} Next: ${spokenLine("proposal", view().proposals.get(rest[0]))}` : `${told} No proposal is left.`);
    return c.draw();
  }

  const keyDeeds = {
    pick(event) {
      if (ui.move !== null) return deeds.putHere();
      const at = c.focused();
      if (at !== null) return deeds.press(at.kind, at.key, event.shiftKey);
      return ui.proposal === null ? c.say("Arrows go to a name, Enter picks it.") : rule("accept");
    },
    step(event) {
      if (ui.move !== null) return c.nudge(event.key, 6);
      const from = c.whereNow();
      const key = neighbourOf(c.scene.places, from.at, event.key, from.key);
      const place = c.scene.places.find((each) => each.key === key);
      if (!place) return c.say("No name in that direction.");
      ui.chosen = { kind: place.kind, key };
      ui.proposal = null;
      c.draw();
      return c.focusOn(place.kind, key);
    },
    pan(event) {
      if (ui.move !== null) return c.nudge(event.key, 40);
      const [dx, dy] = ARROWS[event.key];
      return c.panZoom.panBy(-dx * PANZOOM_PAN_PX, -dy * PANZOOM_PAN_PX, true);
    },
    find: () => c.isEditable() && openNames({ label: "Find or make a name" }),
    takeBack() {
      if (ui.typed !== "") ui.typed = ui.typed.slice(0, -1);
      else if (ui.armed !== null) disarm();
      c.draw();
    },
    cancel: () => deeds.cancel(),
    loop() {
      const place = c.here();
      if (place === null) return c.say("Go to a name first.");
      return connectPlaces(place, place);
    },
    move() {
      const place = c.here();
      if (place === null || node(place.name) === null || !c.isEditable()) return c.say("Go to a name of the graph first.");
      const box = c.scene.boxes.get(place.name);
      const [x, y] = box ? centreOf(box) : centreOf(c.panZoom.seen());
      ui.move = { name: place.name, x, y };
      c.home().focus({ preventScroll: true });
      return c.draw();
    },
    rename() {
      const place = c.here();
      if (place !== null && node(place.name) !== null && c.isEditable()) rename(place.name);
    },
    remove: () => deeds.remove(),
    undo: () => timeTravel("undo"),
    redo: () => timeTravel("redo"),
    sign: (event) => setSign({ "+": "+", "=": "+", "-": "-", "−": "-", 0: "" }[event.key]),
    delay: () => toggleDelay(),
    flag() {
      const flags = ["", ...c.data.flags];
      edit("flag", flags[(flags.indexOf(signEdge()?.flag ?? "") + 1) % flags.length]);
    },
    nextEdge() {
      const name = ui.chosen?.kind === "edge" ? ui.edgesOf : c.here()?.name ?? null;
      const edges = [...view().edges.values()].filter((edge) => name === null || edge.source === name || edge.sink === name);
      if (edges.length === 0) return c.say("No edge here.");
      ui.edgesOf = name;
      const next = edges[(edges.findIndex((edge) => edge.key === ui.chosen?.key) + 1) % edges.length];
      chooseLine(next.key);
      c.draw();
      c.focusOn("edge", next.key);
      return c.say(spokenLine("edge", next));
    },
    hints: () => c.setHints(!ui.hints),
    focus() {
      const name = c.here()?.name ?? null;
      ui.focus = ui.focus !== null && (name === null || ui.focus === name) ? null : name;
      c.say(ui.focus === null ? "All edges are shown." : `Only ${ui.focus} and its edges.`);
      c.draw();
    },
    zoom(event) {
      const letter = event.key.toUpperCase();
      if (letter === "F") c.panZoom.fit(true);
      else c.panZoom.zoomBy(letter === "I" ? PANZOOM_STEP : 1 / PANZOOM_STEP, undefined, undefined, true);
    },
    help: () => c.sheet.open(),
    nextProposal() {
      const ids = inOrder().map(({ id }) => id);
      if (ids.length === 0) return c.say("There are no proposals.");
      return showProposal(ids[(ids.indexOf(ui.proposal) + 1) % ids.length]);
    },
    accept: () => rule("accept"),
    refuse: () => rule("refuse"),
    acceptCertain() {
      const ids = inOrder().filter((proposal) => !proposal.is_doubtful).map(({ id }) => id).slice(0, 1000);
      if (ids.length === 0) return c.say("No certain proposal is left.");
      if (c.act("accept", { proposal_ids: ids }) === null) return undefined;
      if (!view().proposals.has(ui.proposal)) ui.proposal = null;
      c.say(`Accepted: ${count(ids.length, "certain proposal")}.`);
      return c.draw();
    },
    tick() {
      const name = c.sweepName() ?? c.here()?.name ?? null;
      const found = name === null ? null : node(name);
      if (found === null) return c.say("Go to a name of the graph first.");
      if (c.act("attest", { node: name, swept: !found.swept }) === null) return undefined;
      c.say(found.swept ? `${name}: not swept.` : `${name} is swept: nothing more goes out from it.`);
      return c.draw();
    },
  };

  const deeds = {
    ...keyDeeds,
    pickName, pickPlace, connectPlaces, moveTo, rename, setSign, toggleDelay, openNames, removeNode, showProposal,
    setFlag: (flag) => edit("flag", flag),
    home: () => c.home(),
    press(kind, key, shift) {
      if (kind === "edge") {
        chooseLine(key);
        ui.edgesOf = null;
        return c.draw();
      }
      if (kind === "proposal") return ui.proposal === key && c.focused()?.key === key ? rule("accept") : showProposal(key);
      const place = c.placeOf(kind, key);
      return place && pickPlace(place, shift);
    },
    /** A press on bare figure: a name box where nothing is printed as text, otherwise everything is put away. */
    bare(point) {
      const typed = c.nameBox.isOpen() ? c.nameBox.typed() : "";
      if (c.isEditable() && (c.data.words.length === 0 || typed !== "")) return openNames({ point, value: typed });
      c.nameBox.close();
      disarm();
      Object.assign(ui, { chosen: null, proposal: null, focus: null });
      return c.draw();
    },
    nameAt: (point, from) => c.isEditable() && openNames({ point, from }),
    cancel() {
      const had = ui.move ?? (ui.typed || ui.armed || ui.proposal || ui.chosen || ui.focus);
      c.pointer.release();
      if (ui.move !== null) ui.move = null;
      else if (ui.typed !== "" || ui.armed !== null || ui.sign !== "" || ui.delay) disarm();
      else if (ui.proposal !== null) Object.assign(ui, { proposal: null, chosen: null });
      else if (ui.chosen !== null) ui.chosen = null;
      else ui.focus = null;
      if (!had) c.home().focus({ preventScroll: true });
      c.draw();
    },
    remove() {
      const edge = ui.chosen?.kind === "edge" ? view().edges.get(ui.chosen.key) : null;
      const name = c.here()?.name ?? null;
      if (edge) return removeEdge(edge);
      if (name !== null && node(name) !== null) return removeNode(name);
      return c.say("Nothing is chosen to remove.");
    },
    putHere() {
      const { name, x, y } = ui.move;
      ui.move = null;
      moveTo(name, c.inside(x, y));
    },
    menuHere() {
      const place = c.here();
      const box = c.viewport.getBoundingClientRect();
      const at = place && c.scene.boxes.has(place.name) ? c.panZoom.toScreen(...centreOf(c.scene.boxes.get(place.name))) : { x: box.left + 20, y: box.top + 20 };
      if (place !== null) deeds.menuOf(place, at.x, at.y);
    },
    menuOf(place, clientX, clientY) {
      const name = existing(place.name);
      const box = c.viewport.getBoundingClientRect();
      const goTo = (act) => () => {
        ui.chosen = { kind: "node", key: name };
        c.focusOn("node", name);
        act();
      };
      const taken = [["Rename", () => rename(name)], ["Move", goTo(keyDeeds.move)], ["Edge to itself", goTo(keyDeeds.loop)],
        [ui.focus === name ? "Show all edges" : "Only its edges", goTo(keyDeeds.focus)], ["Remove", () => removeNode(name)]];
      const items = name === null ? [["Take this name", () => pickPlace(place, true)], ["Draw from here", () => pickPlace(place, false)]] : taken;
      c.menu.open(clientX - box.left, clientY - box.top, place.name, c.isEditable() ? items : [items[3] ?? ["Close", () => {}]]);
    },
  };
  return deeds;
}
