// The edge desk: type edges, correct faulty lines, work the list. One desk lives on one shadow root; every rerun
// only hands it new data, so that the caret, typed text and focus survive. Names are hostile: text goes in by
// textContent and value, lookups by name go through Map and Set.

const MAX_LINES_CHARS = 200_000;
const MAX_OPTIONS = 8;
const FILTER_FROM = 16;
const CONNECTOR = /<->|->[+\-−]?|[;\n]/y;
const SHORT_FLAGS = new Map([
  ["ambiguous arrow", "ambiguous"],
  ["illegible label", "illegible"],
  ["arrow without head", "no head"],
]);
const KEYS = [
  ["In the line", [
    ["Enter", "add what is typed"],
    ["Shift Enter", "one more line"],
    ["Tab", "take the first or chosen name"],
    ["↑ ↓", "choose a name; ↓ in an empty line goes to the list"],
    ["Esc", "close the names; else to the figure"],
  ]],
  ["In the list", [
    ["↑ ↓ Home End", "move"],
    ["+ − 0", "sign: plus, minus, none"],
    ["d", "delay mark on or off"],
    ["f", "next flag"],
    ["n", "note"],
    ["Enter", "edit source and sink"],
    ["Delete", "remove the edge"],
    ["Esc", "back to the line"],
  ]],
  ["Anywhere on the desk", [
    ["Ctrl Z", "undo"],
    ["Ctrl Shift Z, Ctrl Y", "redo"],
    ["?", "this sheet (outside text fields)"],
  ]],
  ["What the line takes", [
    ["A -> B", "an edge"],
    ["A ->+ B   A ->- B", "with its sign"],
    ["A -> B; C", "several sinks"],
    ["A -> B -> C", "a chain"],
    ["A <-> B", "both ways"],
    ['"A; old" -> B', "quotes around a name that holds ; or ->"],
  ]],
];

// ---- small pieces --------------------------------------------------------------------------------------------

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function button(label, act, attributes = {}) {
  const node = el("button", { type: "button", text: label, ...attributes });
  node.addEventListener("click", act);
  return node;
}

const fold = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const needsQuotes = (name) => /->|<-|[;"]/.test(name);
const isSameLine = (one, other) => one.line === other.line && one.text === other.text;
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** The name being typed at the caret: where it starts and ends in `text`, and what is typed of it. */
function nameAt(text, caret) {
  let start = 0;
  let end = text.length;
  let inQuotes = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') inQuotes = !inQuotes;
    CONNECTOR.lastIndex = at;
    const match = inQuotes ? null : CONNECTOR.exec(text);
    if (match === null) continue;
    if (at + match[0].length <= caret) {
      start = at + match[0].length;
      at = start - 1;
    } else {
      end = at;
      break;
    }
  }
  const typed = text.slice(start, caret).trimStart();
  return {
    start: caret - typed.length,
    end: Math.max(caret, start + text.slice(start, end).trimEnd().length),
    query: typed.startsWith('"') ? typed.slice(1).replaceAll('""', '"') : typed,
    isQuoted: typed.startsWith('"'),
  };
}

/** Names that hold `query`: the name itself, then those with it at the start, at the start of a word, anywhere. */
function matches(names, query) {
  const sought = fold(query);
  const typed = query.trim();
  const ranks = [[], [], [], [], []];
  for (const [name, folded] of names) {
    const at = folded.indexOf(sought);
    if (at < 0) continue;
    if (name === typed) ranks[0].push(name);
    else if (folded === sought) ranks[1].push(name);
    else if (at === 0) ranks[2].push(name);
    else if (/[^\p{L}\p{N}]/u.test(folded[at - 1])) ranks[3].push(name);
    else ranks[4].push(name);
  }
  return ranks.flat().slice(0, MAX_OPTIONS);
}

// What is typed but not accepted, per subject. Without storage it lives as long as the tab.
function shelf(name) {
  return {
    read() {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        if (text === "") localStorage.removeItem(name);
        else localStorage.setItem(name, text);
      } catch {
        return false;
      }
      return true;
    },
  };
}

// ---- completion ----------------------------------------------------------------------------------------------

/** One popup for every field that takes names. `spanOf(field)` says which part of the field is the name. */
function createCompletion(root, namesNow) {
  const list = el("ul", { class: "names", role: "listbox", id: "names", "aria-label": "Names", hidden: true });
  const said = el("span", { class: "unseen", "aria-live": "polite" });
  root.append(list, said);
  let field = null;
  let span = null;
  let options = [];
  let chosen = -1;

  function close() {
    if (field !== null) field.removeAttribute("aria-activedescendant");
    list.hidden = true;
    options = [];
    chosen = -1;
    setText(said, "");
  }

  function choose(index) {
    chosen = index;
    for (const [place, item] of [...list.children].entries()) {
      item.setAttribute("aria-selected", String(place === index));
    }
    if (index < 0) {
      field.removeAttribute("aria-activedescendant");
      return;
    }
    field.setAttribute("aria-activedescendant", `name-${index}`);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function place() {
    const at = field.getBoundingClientRect();
    const desk = root.getBoundingClientRect();
    list.style.left = `${at.left - desk.left}px`;
    list.style.top = `${at.bottom - desk.top + 2}px`;
    list.style.width = `${Math.min(Math.max(at.width, 200), desk.right - at.left)}px`;
  }

  function open(into, spanOf, { all = false } = {}) {
    field = into;
    span = spanOf(into);
    options = span.query.trim() === "" && !all ? [] : matches(namesNow(), span.query);
    if (options.length === 0) {
      close();
      return;
    }
    list.replaceChildren(...options.map((name, index) => {
      const item = el("li", { role: "option", id: `name-${index}`, "aria-selected": "false", text: name });
      item.addEventListener("mousedown", (event) => {
        event.preventDefault(); // the field keeps its caret
        take(index);
      });
      return item;
    }));
    list.hidden = false;
    chosen = -1;
    place();
    setText(said, `${count(options.length, "name")}, first ${options[0]}`);
  }

  function take(index) {
    const name = options[index];
    const text = span.plain || !(span.isQuoted || needsQuotes(name)) ? name : quoted(name);
    field.setRangeText(text, span.start, span.end, "end");
    const into = field;
    close();
    into.dispatchEvent(new Event("input", { bubbles: true }));
    close(); // the name just taken needs no offer
  }

  /** True if the key was the popup's. Enter takes only a name that was chosen: a new name may be part of an old one. */
  function onKey(event) {
    if (list.hidden) return false;
    if (event.key === "ArrowDown") choose((chosen + 1) % options.length);
    else if (event.key === "ArrowUp") choose(chosen <= 0 ? options.length - 1 : chosen - 1);
    else if (event.key === "Tab" && !event.shiftKey) take(Math.max(chosen, 0));
    else if (event.key === "Enter" && chosen >= 0) take(chosen);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { open, close, onKey, isOpen: () => !list.hidden };
}

// ---- the desk ------------------------------------------------------------------------------------------------

function createDesk(host, subject) {
  const root = el("section", { class: "desk", "aria-label": "Edges" });
  const draft = shelf(`edgewise.draft.${encodeURIComponent(subject)}`);
  const faultShelf = shelf(`edgewise.faults.${encodeURIComponent(subject)}`);
  let data = { nodes: [], edges: [], names: [], faults: [], flags: [], editable: false, halted: false };
  let names = [];
  let isFirst = true;
  let pasted = false;
  const rows = new Map();
  let view = []; // the edges with the waiting acts laid over them
  let loners = [];
  let activeId = null;
  let adding = null; // {before, newest} while typed lines wait: nothing is chosen, so that no act hits another edge
  let editing = null; // {kind: "ends" | "note" | "node", id, ...}
  const isEditable = () => data.editable && !data.halted;

  const outbox = createOutbox({ subject: `desk ${subject}`, send: () => {}, onChange: () => draw() });

  function act(kind, payload) {
    if (!isEditable()) return;
    outbox.add(kind, payload);
  }

  /** Send typed lines; the newest of their edges will be the chosen one, unless the person chooses another first. */
  function addLines(text, isPasted) {
    if (!isEditable()) return;
    adding ??= { before: activeId, newest: null };
    activeId = null;
    act("lines", { text, pasted: isPasted });
  }

  // -- top: receipt, undo, redo
  const receipt = el("p", { class: "receipt", role: "status" });
  const undo = button("Undo", () => act("undo", {}), { title: "Ctrl+Z" });
  const redo = button("Redo", () => act("redo", {}), { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const help = button("?", () => sheet.showModal(), { class: "square", "aria-label": "All keys", title: "All keys (?)" });
  const top = el("div", { class: "top" }, receipt, undo, redo, help);

  function receiptText() {
    const { waiting, quietMs, connected, halted, kept } = outbox.status();
    const acts = count(waiting, "act");
    if (halted) return waiting > 0 ? `Stopped: ${acts} kept on this machine, not sent` : "Stopped: nothing is sent";
    if (waiting === 0) return data.receipt ?? "";
    const where = kept ? "kept on this machine" : "only in this tab: do not close it";
    if (!connected) return `Not connected: ${acts} ${where}, will be sent`;
    if (quietMs > 4000) return `Saving… no answer for ${Math.round(quietMs / 1000)} s: ${acts} ${where}`;
    return "Saving…";
  }

  function drawWaiting() {
    setText(receipt, receiptText());
    const { waiting, connected, halted } = outbox.status();
    receipt.dataset.state = halted || !connected ? "held" : waiting > 0 ? "saving" : "saved";
    undo.disabled = !isEditable() || !(data.can_undo || waiting > 0);
    redo.disabled = !isEditable() || !(data.can_redo || waiting > 0);
  }

  // -- the line
  const line = el("textarea", {
    class: "line", rows: "1", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    placeholder: "Price -> Demand     A -> B; C     A ->- B", "aria-label": "Type an edge",
    "aria-autocomplete": "list", "aria-controls": "names", enterkeyhint: "done",
  });
  const addButton = button("Add", () => accept(), { class: "primary" });
  const lineHint = el("p", { class: "hint", role: "status" });
  const entry = el("div", { class: "entry" }, line, addButton);

  function fitLine() {
    line.style.height = "auto";
    line.style.height = `${Math.min(line.scrollHeight + 2, 190)}px`;
    const lines = line.value.split("\n").filter((text) => text.trim() !== "").length;
    const tooLong = line.value.length > MAX_LINES_CHARS;
    setText(lineHint, tooLong
      ? `Too long to send at once: ${line.value.length} of at most ${MAX_LINES_CHARS} characters. Paste it in parts.`
      : lines > 1 ? `${lines} lines: Enter adds all` : "");
    addButton.disabled = !isEditable() || tooLong || line.value.trim() === "";
  }

  function accept() {
    if (addButton.disabled) return;
    const text = line.value.trimEnd(); // leading empty lines count in the numbers of faulty ones
    completion.close();
    line.value = "";
    draft.write("");
    addLines(text, pasted);
    pasted = false;
    fitLine();
    line.focus();
  }

  const lineSpan = (field) => nameAt(field.value, field.selectionStart);
  const wholeSpan = (field) => ({ start: 0, end: field.value.length, query: field.value, plain: true });

  line.addEventListener("input", () => {
    draft.write(line.value);
    if (line.value === "") pasted = false;
    fitLine();
    if (line.value.includes("\n")) completion.close();
    else completion.open(line, lineSpan);
  });
  line.addEventListener("paste", (event) => {
    pasted ||= (event.clipboardData?.getData("text/plain") ?? "").trim().includes("\n");
  });
  line.addEventListener("blur", () => completion.close());
  line.addEventListener("keydown", (event) => {
    if (event.isComposing || completion.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      accept();
    } else if (event.key === "ArrowDown" && !line.value.includes("\n")) {
      event.preventDefault();
      if (line.value === "") focusRow();
      else completion.open(line, lineSpan, { all: true });
    } else if (event.key === "Escape") dispatchEvent(new Event("edgewise:to-figure")); // the canvas hears it, if there is one
  });
  const toLine = () => isEditable() && line.focus({ preventScroll: true });
  addEventListener("edgewise:to-line", toLine);

  // -- acts the server refused
  const notices = el("div", { class: "notices", role: "status" });

  function describe({ kind, ...rest }) {
    const edge = data.edges.find((one) => one.id === rest.edge_id);
    const what = edge ? `${edge.source} → ${edge.sink}` : data.nodes.find(([id]) => id === rest.node_id)?.[1] ?? "";
    const value = rest.value ?? rest.name;
    return [kind.replace("_", " "), rest.field, what, typeof value === "string" && value !== "" ? `“${value}”` : ""]
      .filter(Boolean).join(" · ");
  }

  function notice(text) {
    const card = el("div", { class: "card" }, el("p", { text }));
    card.append(button("Dismiss", () => card.remove()));
    notices.append(card);
    while (notices.children.length > 5) notices.firstChild.remove();
  }

  // -- lines to correct: kept here until the person adds or discards them, whatever becomes of the session
  const faultBox = el("div", { class: "faults", role: "group", "aria-label": "Lines to correct", hidden: true });
  const faultCount = el("p", { class: "fault-count", role: "status" });
  const faultList = el("div", { class: "fault-list" });
  faultBox.append(faultCount, faultList);
  const faults = readFaults();
  const faultCards = new Map();

  /** Put a fault among `open`; the same line under another key gives way and hands on what was typed into it. */
  function putFault(open, key, fault) {
    let typed = fault.typed;
    for (const [otherKey, other] of open) {
      if (!isSameLine(other, fault)) continue;
      if (typed === fault.text) typed = other.typed;
      open.delete(otherKey);
    }
    open.set(key, { ...fault, typed });
  }

  function readFaults() {
    try {
      const kept = JSON.parse(faultShelf.read() ?? "{}");
      const open = new Map();
      for (const [key, fault] of kept.open ?? []) putFault(open, key, fault);
      return { open, settled: new Set(kept.settled ?? []) };
    } catch {
      return { open: new Map(), settled: new Set() };
    }
  }

  function keepFaults() {
    const settled = [...faults.settled].slice(-500);
    const isEmpty = faults.open.size === 0 && settled.length === 0;
    faultShelf.write(isEmpty ? "" : JSON.stringify({ open: [...faults.open], settled }));
  }

  function takeFaults(incoming) {
    const unsettled = incoming.filter((fault) => !faults.settled.has(fault.key));
    const fresh = unsettled.filter((fault, place) => !faults.open.has(fault.key) &&
      !unsettled.slice(place + 1).some((later) => isSameLine(later, fault)));
    for (const fault of fresh) putFault(faults.open, fault.key, { ...fault, typed: fault.text });
    if (fresh.length > 0) keepFaults();
  }

  function settleFault(key, text) {
    const fault = faults.open.get(key);
    if (fault === undefined || !isEditable()) return;
    faults.open.delete(key);
    faults.settled.add(key);
    for (const twin of data.faults) if (isSameLine(twin, fault)) faults.settled.add(twin.key);
    keepFaults();
    act("drop_fault", { text: fault.text }); // first, since the corrected line may be faulty in the same words
    if (text !== null && text.trim() !== "") addLines(text.trim(), false);
    drawFaults();
    (faultList.querySelector("input") ?? line).focus();
  }

  function faultCard(key, fault) {
    const field = el("input", { type: "text", "aria-label": fault.line > 0 ? `Line ${fault.line}` : "Line", spellcheck: "false" });
    field.value = fault.typed;
    field.addEventListener("input", () => {
      fault.typed = field.value;
      keepFaults();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      settleFault(key, field.value);
    });
    const place = fault.line > 0 ? `Line ${fault.line}: ` : "";
    const card = el("div", { class: "card" },
      el("p", {}, el("b", { text: place }), document.createTextNode(fault.message)),
      el("div", { class: "entry" }, field,
        button("Add", () => settleFault(key, field.value)),
        button("Discard", () => settleFault(key, null))));
    if (fault.offer) {
      card.append(el("p", { class: "offer" },
        button("Add as", () => settleFault(key, fault.offer)), el("code", { text: fault.offer })));
    }
    return card;
  }

  function drawFaults() {
    for (const [key, card] of faultCards) {
      if (faults.open.has(key)) continue;
      card.remove();
      faultCards.delete(key);
    }
    for (const [key, fault] of faults.open) {
      if (faultCards.has(key)) continue;
      faultCards.set(key, faultCard(key, fault));
      faultList.append(faultCards.get(key));
    }
    for (const field of faultList.querySelectorAll("input")) field.readOnly = !isEditable();
    for (const control of faultList.querySelectorAll("button")) control.disabled = !isEditable();
    faultBox.hidden = faults.open.size === 0 || !data.editable;
    setText(faultCount, faults.open.size === 0 ? "" : `${count(faults.open.size, "line")} to correct`);
  }

  // -- the list
  const filter = el("input", { type: "search", "aria-label": "Find a variable", placeholder: "find a variable", spellcheck: "false" });
  const found = el("span", { class: "found", role: "status" });
  const finder = el("div", { class: "finder", hidden: true }, filter, found);
  const head = el("div", { class: "row head", role: "row" },
    ...["source", "sign", "sink", "marks"].map((text) => el("span", { role: "columnheader", text })));
  const body = el("div", { role: "rowgroup" });
  const waitingBody = el("div", { role: "rowgroup" });
  const empty = el("p", { class: "empty", text: "No edges yet. Type one above: source -> sink." });
  const grid = el("div", { class: "grid", role: "grid", "aria-label": "Edges", "aria-colcount": "4" },
    el("div", { role: "rowgroup", class: "heads" }, head), body, waitingBody);
  const list = el("div", { class: "list" }, grid, empty);

  filter.addEventListener("input", () => drawFilter());
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && filter.value !== "") {
      filter.value = "";
      drawFilter();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      focusRow();
    }
  });

  function drawFilter() {
    const sought = finder.hidden ? "" : fold(filter.value);
    let shown = 0;
    for (const edge of view) {
      const isShown = sought === "" || fold(edge.source).includes(sought) || fold(edge.sink).includes(sought);
      rows.get(edge.id).node.hidden = !isShown;
      shown += isShown ? 1 : 0;
    }
    setText(found, sought === "" ? count(view.length, "edge") : `${shown} of ${view.length}`);
  }

  /** The edges as they will be when the waiting acts are stored. */
  function overlay() {
    const nodeNames = new Map(data.nodes);
    const edges = new Map(data.edges.map((edge) => [edge.id, { ...edge, state: "" }]));
    const renamed = new Map();
    const gone = new Set();
    const lines = [];
    for (const one of outbox.pending()) {
      const edge = edges.get(one.edge_id);
      if (one.kind === "lines") lines.push(one);
      else if (one.kind === "edit_edge" && edge && Object.hasOwn(edge, one.field)) {
        edge[one.field] = one.value;
        edge.state = "saving";
      } else if (one.kind === "delete_edge" && edge) edge.state = "gone";
      else if (one.kind === "rename_node" && nodeNames.has(one.node_id)) {
        renamed.set(nodeNames.get(one.node_id), one.name);
      } else if (one.kind === "delete_node") gone.add(one.node_id);
    }
    for (const edge of edges.values()) {
      for (const end of ["source", "sink"]) {
        if (!renamed.has(edge[end])) continue;
        edge[end] = renamed.get(edge[end]);
        edge.state ||= "saving";
      }
    }
    const touched = new Set(data.edges.flatMap((edge) => [edge.source, edge.sink]));
    const bare = data.nodes.filter(([, name]) => !touched.has(name)).map(([id, name]) => ({
      id, name: renamed.get(name) ?? name, state: gone.has(id) ? "gone" : renamed.has(name) ? "saving" : "",
    }));
    return { edges: [...edges.values()], lines, bare };
  }

  const signText = (sign) => (sign === "+" ? "+" : sign === "-" ? "−" : "→");
  const signWord = (sign) => (sign === "+" ? "plus" : sign === "-" ? "minus" : "no sign");

  function spoken(edge) {
    return [`${edge.source} to ${edge.sink}`, signWord(edge.sign), edge.delay && "delay", edge.flag,
      edge.note && `note: ${edge.note}`, edge.warning && `warning: ${edge.warning}`,
      edge.state === "gone" ? "being removed" : edge.state].filter(Boolean).join(", ");
  }

  function makeRow(id) {
    const source = el("span", { class: "name" });
    const sink = el("span", { class: "name" });
    const sign = button("", () => cycleSign(id), { class: "sign", tabindex: "-1" });
    const marks = el("span", { class: "marks", role: "gridcell" });
    const cells = [el("span", { role: "gridcell", class: "source" }, source),
      el("span", { role: "gridcell", class: "signcell" }, sign), el("span", { role: "gridcell", class: "sink" }, sink), marks];
    const node = el("div", { class: "row", role: "row", tabindex: "-1" }, ...cells);
    node.addEventListener("click", (event) => {
      if (event.target.closest("input")) return;
      activate(id);
      if (!event.target.closest("button")) node.focus({ preventScroll: true });
    });
    node.addEventListener("dblclick", (event) => {
      if (!event.target.closest("button, input")) editEnds(id, cells[2].contains(event.target) ? "sink" : "source");
    });
    node.addEventListener("focus", () => activate(id));
    return { node, source, sink, sign, marks, drawn: "" };
  }

  function drawRow(row, edge) {
    const drawn = JSON.stringify([edge, isEditable()]);
    if (row.drawn === drawn) return;
    row.drawn = drawn;
    setText(row.source, edge.source);
    setText(row.sink, edge.sink);
    setText(row.sign, signText(edge.sign));
    row.sign.dataset.sign = edge.sign;
    row.sign.disabled = !isEditable();
    row.sign.setAttribute("aria-label", `Sign: ${signWord(edge.sign)}`);
    row.sign.title = `Sign: ${signWord(edge.sign)} (keys + - 0)`;
    row.node.dataset.state = edge.state;
    row.node.setAttribute("aria-label", spoken(edge));
    const marks = [];
    if (edge.delay) marks.push(el("span", { class: "mark", text: "delay" }));
    if (edge.note) marks.push(el("span", { class: "mark", text: "note", title: edge.note }));
    if (edge.flag) marks.push(el("span", { class: "mark doubt", text: SHORT_FLAGS.get(edge.flag) ?? edge.flag, title: edge.flag }));
    if (edge.warning) marks.push(el("span", { class: "mark doubt", text: edge.warning, title: edge.warning }));
    if (edge.state) marks.push(el("span", { class: "mark", text: edge.state === "gone" ? "removing" : edge.state }));
    row.marks.replaceChildren(...marks);
  }

  function drawList(lines) {
    const known = new Set(view.map((edge) => edge.id));
    for (const [id, row] of rows) {
      if (known.has(id)) continue;
      leave(id, row);
    }
    let newest = null;
    view.forEach((edge, place) => {
      let row = rows.get(edge.id);
      if (row === undefined) {
        row = makeRow(edge.id);
        rows.set(edge.id, row);
        newest = row.node;
        if (adding !== null) adding.newest = edge.id;
        if (!isFirst) shine(row.node);
      }
      drawRow(row, edge);
      if (body.children[place] !== row.node) body.insertBefore(row.node, body.children[place] ?? null);
    });
    const before = waitingBody.children.length;
    waitingBody.replaceChildren(...lines.flatMap(waitingRows));
    finder.hidden = view.length < FILTER_FROM;
    empty.hidden = view.length + lines.length > 0;
    grid.hidden = !empty.hidden;
    drawFilter();
    if (adding !== null && lines.length === 0) {
      activeId = adding.newest ?? adding.before;
      adding = null;
    }
    if (adding === null && !rows.has(activeId)) activeId = view.at(-1)?.id ?? null;
    markActive();
    if (waitingBody.children.length > before || isFirst) list.scrollTop = list.scrollHeight;
    else if (newest !== null) reveal(newest);
  }

  function waitingRows({ text }) {
    const all = text.split("\n").map((part) => part.trim()).filter(Boolean);
    const shown = all.length > 4 ? [...all.slice(0, 3), `and ${all.length - 3} more lines`] : all;
    return shown.map((part) => el("div", { class: "row waiting", role: "row" },
      el("span", { role: "gridcell", "aria-colspan": "3", text: part }),
      el("span", { role: "gridcell", class: "marks" }, el("span", { class: "mark", text: data.halted ? "waits" : "saving" }))));
  }

  /** A row whose edge is gone: hand focus and what was being typed on. */
  function leave(id, row) {
    const next = row.node.nextElementSibling ?? row.node.previousElementSibling;
    const nextId = [...rows].find(([, other]) => other.node === next)?.[0] ?? null;
    const hadFocus = row.node.contains(host.activeElement);
    if (editing?.id === id) {
      if (editing.kind === "ends") notice(`The edge is gone; you had typed: ${editing.fields.map((field) => field.value).join(" -> ")}`);
      else notice(`The edge is gone; you had typed: ${editing.field.value}`);
      stopEditing(false);
    }
    row.node.remove();
    rows.delete(id);
    if (activeId !== id) return;
    activeId = nextId;
    if (hadFocus) (rows.get(nextId)?.node ?? line).focus({ preventScroll: true });
  }

  function shine(node) {
    node.classList.add("new");
    setTimeout(() => node.classList.remove("new"), 1800);
  }

  // Not scrollIntoView: it would move the page and push the entry line off the screen.
  function reveal(node) {
    const headHeight = head.offsetHeight;
    const rowTop = node.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (rowTop < headHeight) list.scrollTop += rowTop - headHeight;
    else if (rowTop + node.offsetHeight > list.clientHeight) list.scrollTop += rowTop + node.offsetHeight - list.clientHeight;
  }

  function markActive() {
    const entryId = activeId ?? view.at(-1)?.id; // Tab reaches the list even while no edge is chosen
    for (const [id, { node }] of rows) {
      const isActive = id === activeId;
      node.tabIndex = id === entryId ? 0 : -1;
      node.setAttribute("aria-selected", String(isActive));
    }
    drawTools();
  }

  function activate(id) {
    adding = null;
    if (activeId === id) return;
    activeId = id;
    markActive();
  }

  function focusRow(id = activeId ?? view.at(-1)?.id) {
    const target = rows.get(id)?.node;
    const row = target && !target.hidden ? target : shownRows()[0];
    if (row === undefined) return;
    row.focus({ preventScroll: true });
    reveal(row);
  }

  const shownRows = () => [...body.children].filter((row) => !row.hidden);
  const active = () => view.find((edge) => edge.id === activeId);

  function step(target) {
    const shown = shownRows();
    if (shown.length === 0) return;
    const at = shown.indexOf(rows.get(activeId)?.node);
    const to = target === "first" ? 0 : target === "last" ? shown.length - 1 : at + target;
    const row = shown[Math.max(0, Math.min(shown.length - 1, to))];
    row.focus({ preventScroll: true });
    reveal(row);
  }

  const setField = (id, field, value) => act("edit_edge", { edge_id: id, field, value });

  function setSign(sign) {
    const edge = active();
    if (edge && edge.sign !== sign) setField(edge.id, "sign", sign);
  }

  function cycleSign(id) {
    const sign = view.find((edge) => edge.id === id)?.sign;
    activate(id);
    setField(id, "sign", sign === "" ? "+" : sign === "+" ? "-" : "");
  }

  function toggleDelay() {
    const edge = active();
    if (edge) setField(edge.id, "delay", !edge.delay);
  }

  function nextFlag() {
    const edge = active();
    const all = ["", ...data.flags];
    if (edge) setField(edge.id, "flag", all[(all.indexOf(edge.flag) + 1) % all.length]);
  }

  function remove() {
    const edge = active();
    if (!edge || edge.state === "gone") return;
    const shown = shownRows();
    const at = shown.indexOf(rows.get(edge.id).node);
    act("delete_edge", { edge_id: edge.id });
    const next = shown[at + 1] ?? shown[at - 1];
    if (next && rows.get(edge.id)?.node.contains(host.activeElement)) next.focus({ preventScroll: true });
  }

  const ROW_KEYS = new Map([
    ["ArrowDown", () => step(1)], ["ArrowUp", () => step(-1)], ["PageDown", () => step(8)], ["PageUp", () => step(-8)],
    ["Home", () => step("first")], ["End", () => step("last")], ["Escape", () => line.focus()],
    ["+", () => setSign("+")], ["=", () => setSign("+")], ["-", () => setSign("-")], ["−", () => setSign("-")],
    ["0", () => setSign("")], ["d", toggleDelay], ["f", nextFlag], ["n", () => editNote()],
    ["Enter", () => editEnds(activeId)], ["Delete", remove], ["Backspace", remove],
  ]);

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target)) return;
    if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
    const deed = ROW_KEYS.get(event.key);
    if (deed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  });

  // -- the acts on the chosen edge, for mouse and touch
  const plus = button("+", () => setSign("+"), { class: "square", "aria-label": "Plus", title: "Plus (+)" });
  const minus = button("−", () => setSign("-"), { class: "square", "aria-label": "Minus", title: "Minus (-)" });
  const none = button("→", () => setSign(""), { class: "square", "aria-label": "No sign", title: "No sign (0)" });
  const delay = button("Delay", toggleDelay, { title: "Delay mark (d)" });
  const flag = el("select", { "aria-label": "Flag", title: "Flag (f)" });
  flag.addEventListener("change", () => setField(activeId, "flag", flag.value));
  const noteButton = button("Note", () => editNote(), { title: "Note (n)" });
  const editButton = button("Edit", () => editEnds(activeId), { title: "Edit source and sink (Enter)" });
  const removeButton = button("Remove", () => remove(), { title: "Remove the edge (Delete)" });
  const bar = el("div", { class: "bar", role: "toolbar", "aria-label": "Chosen edge" },
    el("span", { class: "joined" }, plus, minus, none), delay, flag, noteButton, editButton, removeButton);
  const details = el("p", { class: "details" });
  const editor = el("div", { class: "entry editor", hidden: true });
  const tools = el("div", { class: "tools" }, bar, editor, details);

  function drawTools() {
    const edge = active();
    const cannot = !isEditable() || edge === undefined || edge.state === "gone";
    for (const control of bar.querySelectorAll("button, select")) control.disabled = cannot;
    for (const [control, sign] of [[plus, "+"], [minus, "-"], [none, ""]]) {
      control.setAttribute("aria-pressed", String(edge?.sign === sign));
    }
    delay.setAttribute("aria-pressed", String(edge?.delay ?? false));
    if (flag.options.length !== data.flags.length + 1) {
      flag.replaceChildren(el("option", { value: "", text: "No flag" }), ...data.flags.map((text) => el("option", { value: text, text })));
    }
    flag.value = edge?.flag ?? "";
    const told = [edge?.warning && `Check: ${edge.warning}`, edge?.note && `Note: ${edge.note}`].filter(Boolean).join("   ");
    setText(details, told);
    details.hidden = told === "";
    tools.hidden = editing === null && (view.length === 0 || !data.editable);
  }

  function showEditor(...parts) {
    editor.replaceChildren(...parts);
    editor.hidden = false;
    bar.hidden = true;
  }

  function stopEditing(refocus = true) {
    if (editing === null) return;
    const { id, kind, fields = [] } = editing;
    editing = null;
    completion.close();
    for (const field of fields) {
      field.previousElementSibling.hidden = false;
      field.remove();
    }
    editor.hidden = true;
    bar.hidden = false;
    if (refocus && kind === "node") (lonerBox.querySelector("button") ?? line).focus();
    else if (refocus) focusRow(id);
  }

  function editorKeys(field, save, saveAll = save) {
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || completion.onKey(event)) return;
      if (event.key === "Enter") (event.ctrlKey || event.metaKey ? saveAll : save)();
      else if (event.key === "Escape") stopEditing();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  function nameField(label, value) {
    const field = el("input", { type: "text", "aria-label": label, spellcheck: "false", autocomplete: "off",
      "aria-autocomplete": "list", "aria-controls": "names" });
    field.value = value;
    field.addEventListener("input", () => completion.open(field, wholeSpan));
    field.addEventListener("blur", () => completion.close());
    return field;
  }

  function editNote() {
    const edge = active();
    if (!edge || !isEditable()) return;
    stopEditing(false);
    const field = el("input", { type: "text", "aria-label": `Note on ${edge.source} to ${edge.sink}`, maxlength: "2000", placeholder: "note" });
    field.value = edge.note;
    const save = () => {
      const note = field.value.trim();
      stopEditing();
      if (note !== edge.note) setField(edge.id, "note", note);
    };
    editorKeys(field, save);
    showEditor(field, button("Save", save), button("Cancel", () => stopEditing()));
    editing = { kind: "note", id: edge.id, field };
    field.focus();
  }

  function editEnds(id, first = "source") {
    const edge = view.find((one) => one.id === id);
    const row = rows.get(id);
    if (!edge || !row || !isEditable() || edge.state === "gone") return;
    stopEditing(false);
    activate(id);
    const fields = ["source", "sink"].map((end) => {
      const field = nameField(end === "source" ? "Source" : "Sink", edge[end]);
      row[end].hidden = true;
      row[end].after(field);
      return field;
    });
    editing = { kind: "ends", id, fields };
    const changed = () => ["source", "sink"].map((end, place) => [end, edge[end], fields[place].value.trim()])
      .filter(([, before, after]) => after !== "" && after !== before);
    const save = () => {
      const changes = changed();
      stopEditing();
      for (const [end, , after] of changes) setField(id, end, after);
    };
    const saveAll = () => {
      const changes = changed();
      stopEditing();
      for (const [, before, after] of changes) {
        const node = data.nodes.find(([, name]) => name === before);
        if (node) act("rename_node", { node_id: node[0], name: after });
      }
    };
    for (const field of fields) editorKeys(field, save, saveAll);
    showEditor(button("Save this edge", save, { title: "Enter" }),
      button("Rename everywhere", saveAll, { title: "Ctrl+Enter" }), button("Cancel", () => stopEditing(), { title: "Esc" }));
    const field = fields[first === "source" ? 0 : 1];
    field.focus();
    field.select();
  }

  // -- nodes without edges
  const lonerBox = el("div", { class: "loners", role: "group", "aria-label": "Nodes without edges", hidden: true });

  function drawLoners() {
    const drawn = JSON.stringify([loners, isEditable()]);
    if (lonerBox.dataset.drawn === drawn) return;
    lonerBox.dataset.drawn = drawn;
    lonerBox.hidden = loners.length === 0;
    lonerBox.replaceChildren(el("span", { class: "label", text: `Nodes without edges (${loners.length})` }), ...loners.map((node) => {
      const chip = el("span", { class: "chip", "data-state": node.state });
      const rename = button(node.name, () => editNode(node), { title: "Rename", "aria-label": `Rename ${node.name}` });
      const drop = button("×", () => act("delete_node", { node_id: node.id }), { class: "square", "aria-label": `Remove ${node.name}`, title: "Remove" });
      rename.disabled = drop.disabled = !isEditable() || node.state === "gone";
      chip.append(rename, drop);
      return chip;
    }));
  }

  function editNode(node) {
    stopEditing(false);
    const field = nameField(`New name of ${node.name}`, node.name);
    const save = () => {
      const name = field.value.trim();
      stopEditing();
      if (name !== "" && name !== node.name) act("rename_node", { node_id: node.id, name });
    };
    editorKeys(field, save);
    showEditor(field, button("Rename", save), button("Cancel", () => stopEditing()));
    editing = { kind: "node", id: node.id, field };
    drawTools();
    field.focus();
    field.select();
  }

  // -- keys
  const caption = el("p", { class: "caption" });
  for (const [key, word] of [["Enter", "add"], ["↑↓", "list"], ["+ − 0", "sign"], ["d", "delay"],
    ["f", "flag"], ["n", "note"], ["Del", "remove"], ["Ctrl Z", "undo"], ["?", "all keys"]]) {
    caption.append(el("span", {}, el("b", { text: key }), document.createTextNode(` ${word}`)), " ");
  }
  const sheet = el("dialog", { class: "sheet", "aria-label": "Keys of the edge desk" });
  const closeSheet = button("Close", () => sheet.close());
  sheet.append(el("div", { class: "sheet-head" }, el("h2", { text: "Keys" }), closeSheet), ...KEYS.map(([title, pairs]) =>
    el("section", {}, el("h3", { text: title }), el("dl", {}, ...pairs.flatMap(([key, word]) => [el("dt", { text: key }), el("dd", { text: word })])))));
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });

  const isText = (node) => node.matches?.("textarea, input, select");

  root.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const typing = isText(event.target) && !(event.target === line && line.value === "");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y") && !typing) {
      event.preventDefault();
      event.stopPropagation();
      const isRedo = key === "y" || event.shiftKey;
      if (!(isRedo ? redo : undo).disabled) act(isRedo ? "redo" : "undo", {});
      return;
    }
    if (event.key === "?" && !isText(event.target) && !sheet.open) {
      event.preventDefault();
      event.stopPropagation();
      sheet.showModal();
      return;
    }
    // The page's own one-letter keys look at event.target, which is this component's host, not the field.
    if (isText(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });

  const foot = el("div", { class: "foot" }, lonerBox, caption);
  root.append(top, entry, lineHint, notices, faultBox, finder, list, tools, foot, sheet);
  const completion = createCompletion(root, () => names);
  host.append(root);

  function draw() {
    const { edges, lines, bare } = overlay();
    const room = list.clientHeight;
    view = edges;
    loners = bare;
    drawFaults(); // first: it takes room from the list
    drawList(lines);
    drawLoners();
    drawWaiting();
    if (list.clientHeight < room && rows.has(activeId)) reveal(rows.get(activeId).node);
  }

  /** A person at a keyboard can type at once; on touch a focused field would raise the keyboard over the figure. */
  function takeFocus() {
    if (!data.takes_focus || !isEditable() || document.activeElement !== document.body || !matchMedia("(pointer: fine)").matches) return;
    line.focus({ preventScroll: true });
  }

  line.value = draft.read() ?? "";

  return {
    subject,
    /** Take the data of one script run. */
    receive(next, setStateValue) {
      data = next;
      names = [...new Set([...next.nodes.map(([, name]) => name), ...next.names])].map((name) => [name, fold(name)]);
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      for (const { act: refused, message } of returned) {
        const isLines = refused.kind === "lines";
        if (isLines) takeFaults([{ key: refused.id, line: 0, text: refused.text, message, offer: "" }]);
        if (!isLines) notice(`${message} (${describe(refused)})`);
        else if (!next.editable) notice(`${message} (${refused.text})`); // the lines to correct are not shown then
      }
      if (next.editable) takeFaults(next.faults);
      root.style.setProperty("--list-height", `${next.list_height}px`);
      root.dataset.version = next.version;
      root.dataset.editable = String(isEditable());
      line.readOnly = !isEditable();
      entry.hidden = !next.editable && line.value === "";
      draw();
      fitLine();
      if (isFirst) takeFocus();
      isFirst = false;
    },
    close() {
      removeEventListener("edgewise:to-line", toLine);
      outbox.close();
      root.remove();
    },
  };
}

export default keptOn((parentElement, { subject }) => createDesk(parentElement, subject));
