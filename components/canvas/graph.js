// The graph as it will be when every act on its way is stored: the page's data with the acts laid over it.
// A view is never changed, only replaced: {nodes: name -> node, edges: key -> edge, proposals: id -> proposal,
// dismissed: printed texts, folded, that are no variables}.

import { foldName } from "../desk/names.js";

/** @typedef {import("./types.d.ts").GraphData} GraphData */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ViewNode} ViewNode */
/** @typedef {import("./types.d.ts").ViewEdge} ViewEdge */
/** @typedef {import("./types.d.ts").CanvasActs} CanvasActs */

/** The view of the page's own data. `aliases` (edge id -> key) lets an edge keep the key it was drawn under.
 * @param {GraphData} data
 * @param {Map<string, string>} aliases
 * @returns {View} */
function baseView(data, aliases) {
  const nameOf = new Map(data.nodes.map((node) => [node.id, node.name]));
  return {
    nodes: new Map(data.nodes.map((node) => [node.name, { ...node, state: "" }])),
    edges: new Map(
      data.edges.flatMap((edge) => {
        const [source, sink] = [nameOf.get(edge.source_id), nameOf.get(edge.sink_id)];
        if (source === undefined || sink === undefined) return [];
        const key = aliases.get(edge.id) ?? edge.id;
        const { id, sign, delay, flag, path } = edge;
        return [[key, { key, id, source, sink, sign, delay, flag, path, state: "" }]];
      }),
    ),
    proposals: new Map(data.proposals.map((proposal) => [proposal.id, proposal])),
    dismissed: new Set(data.words.filter(({ dismissed }) => dismissed).map(({ text }) => foldName(text))),
    isGuess: false,
  };
}

/** @type {(view: View, node: ViewNode) => View} */
const withNode = (view, node) => ({ ...view, nodes: new Map(view.nodes).set(node.name, node) });
/** @type {(id: string, name: string) => ViewNode} */
const bareNode = (id, name) => ({ id, name, box: null, at: null, swept: false, state: "saving" });
/** @type {(view: View, keep: (edge: ViewEdge) => boolean) => Map<string, ViewEdge>} */
const onlyEdges = (view, keep) => new Map([...view.edges].filter(([, edge]) => keep(edge)));

/** The view with the ends of an edge made if they are missing: a name may still be refused, the edge then goes too.
 * @type {(view: View, id: string, ...ends: string[]) => View} */
function withEnds(view, id, ...ends) {
  return ends.reduce((now, name) => (now.nodes.has(name) ? now : withNode(now, bareNode(`${id}:${name}`, name))), view);
}

/** @type {(view: View, from: string, to: string) => View} */
function renamed(view, from, to) {
  const node = view.nodes.get(from);
  if (node === undefined || from === to) return view;
  const merges = view.nodes.has(to);
  const nodes = new Map(
    [...view.nodes]
      .filter(([name]) => name !== from || !merges)
      .map(([name, each]) => (name === from ? [to, { ...each, name: to, state: "saving" }] : [name, each])),
  );
  const moved = (end) => (end === from ? to : end);
  const seen = new Set();
  const edges = new Map();
  for (const [key, edge] of view.edges) {
    const next =
      edge.source === from || edge.sink === from
        ? { ...edge, source: moved(edge.source), sink: moved(edge.sink), state: "saving" }
        : edge;
    const identity = JSON.stringify([next.source, next.sink, next.sign]);
    if (seen.has(identity)) continue; // two names became one, and with them two edges
    seen.add(identity);
    edges.set(key, next);
  }
  return { ...view, nodes, edges };
}

/** @type {(view: View, ids: string[]) => View} */
function accepted(view, ids) {
  let now = view;
  for (const id of ids) {
    const proposal = view.proposals.get(id);
    if (proposal === undefined) continue;
    now = withEnds(now, `proposal:${id}`, proposal.source, proposal.sink);
    const { source, sink, sign, delay, path } = proposal;
    const key = `proposal:${id}`;
    const edge = { key, id: key, source, sink, sign, delay, flag: "", path, state: "saving" };
    now = { ...now, edges: new Map(now.edges).set(key, edge) };
  }
  return withoutProposals(now, ids);
}

/** A proposal accepted between other names: on its printed course, which is turned with them.
 * @type {(view: View, act: CanvasActs["accept_as"]) => View} */
function acceptedAs(view, { proposal_id: id, source, sink }) {
  const proposal = view.proposals.get(id);
  if (proposal === undefined) return view;
  const isTurned = proposal.source === sink && proposal.sink === source;
  const path = isTurned ? turnedPath(proposal.path) : proposal.path;
  const mended = new Map(view.proposals).set(id, { ...proposal, source, sink, path });
  return accepted({ ...view, proposals: mended }, [id]);
}

const turnedPath = (path) => (path ? [...path].reverse() : path);

/** @type {(view: View, ids: string[]) => View} */
function withoutProposals(view, ids) {
  const gone = new Set(ids);
  return { ...view, proposals: new Map([...view.proposals].filter(([id]) => !gone.has(id))) };
}

/** What each act makes of a view; undo and redo are told apart by `afterAct`.
 * @type {{[Kind in Exclude<keyof CanvasActs, "undo" | "redo">]: (view: View, act: import("./types.d.ts").CanvasAct<Kind>) => View}} */
const APPLY = {
  place_node: (view, act) => {
    /** @type {ViewNode} */
    const node = {
      ...(view.nodes.get(act.name) ?? bareNode(act.id, act.name)),
      at: [act.x, act.y],
      box: act.box,
      state: "saving",
    };
    return withNode(view, node);
  },
  move_node: (view, act) => {
    const node = view.nodes.get(act.node);
    return node ? withNode(view, { ...node, at: [act.x, act.y], box: null, state: "saving" }) : view;
  },
  connect: (view, act) => {
    const now = withEnds(view, act.id, act.source, act.sink);
    const { id, source, sink, sign, delay } = act;
    const edge = { key: id, id, source, sink, sign, delay, flag: "", path: null, state: "saving" };
    return { ...now, edges: new Map(now.edges).set(id, edge) };
  },
  edit_edge: (view, act) => {
    const edge = edgeMeant(view, act);
    if (edge === null) return view;
    const now = act.field === "source" || act.field === "sink" ? withEnds(view, act.id, String(act.value)) : view;
    return { ...now, edges: new Map(now.edges).set(edge.key, { ...edge, [act.field]: act.value, state: "saving" }) };
  },
  reverse_edge: (view, act) => {
    const edge = edgeMeant(view, act);
    if (edge === null) return view;
    const turned = { ...edge, source: edge.sink, sink: edge.source, path: turnedPath(edge.path), state: "saving" };
    return { ...view, edges: new Map(view.edges).set(edge.key, turned) };
  },
  delete_edge: (view, act) => {
    const edge = edgeMeant(view, act);
    return edge === null ? view : { ...view, edges: onlyEdges(view, (each) => each.key !== edge.key) };
  },
  delete_node: (view, act) => {
    const nodes = new Map(view.nodes);
    nodes.delete(act.node);
    return { ...view, nodes, edges: onlyEdges(view, (edge) => edge.source !== act.node && edge.sink !== act.node) };
  },
  rename_node: (view, act) => renamed(view, act.node, act.name),
  accept: (view, act) => accepted(view, act.proposal_ids),
  accept_as: (view, act) => acceptedAs(view, act),
  refuse: (view, act) => withoutProposals(view, act.proposal_ids),
  attest: (view, act) => {
    const node = view.nodes.get(act.node);
    return node ? withNode(view, { ...node, swept: act.swept, state: "saving" }) : view;
  },
  not_a_variable: (view, act) => {
    const dismissed = new Set(view.dismissed);
    if (act.is_none) dismissed.add(foldName(act.text));
    else dismissed.delete(foldName(act.text));
    return { ...view, dismissed };
  },
};

/** The edge an act is about: by its key, or by the id that the store or the connect act gave it.
 * @type {(view: View, act: {edge_id: string}) => ViewEdge | null} */
function edgeMeant(view, act) {
  const byKey = view.edges.get(act.edge_id);
  if (byKey) return byKey;
  for (const edge of view.edges.values()) if (edge.id === act.edge_id) return edge;
  return null;
}

/** `view` after one act. `guesses` (act id -> view) says what an undo or redo brings back, where that is known.
 * @param {View} view
 * @param {import("../desk/types.d.ts").Act} act
 * @param {Map<string, View>} guesses
 * @returns {View} */
function afterAct(view, act, guesses) {
  if (act.kind === "undo" || act.kind === "redo") return guesses.get(act.id) ?? { ...view, isGuess: true };
  return Object.hasOwn(APPLY, act.kind) ? APPLY[act.kind](view, act) : view;
}

/** What a view says, without ids and places: two views that say the same are drawn the same.
 * @param {View} view */
function contentOf(view) {
  const nodes = [...view.nodes.values()].map(({ name, swept }) => [name, swept]);
  const edges = [...view.edges.values()].map(({ source, sink, sign, delay, flag }) => [
    source,
    sink,
    sign,
    delay,
    flag,
  ]);
  return JSON.stringify(
    [nodes, edges, [...view.dismissed]].map((list) => list.map((each) => JSON.stringify(each)).sort()),
  );
}

/**
 * The model: receive(data) takes one script run's data, did(act) one more act of the person. Acts come from the outbox.
 * It remembers the views before the person's own acts, so that undo is drawn at once when nobody else acted since.
 * @param {() => import("../desk/types.d.ts").Act[]} pending
 */
export function createGraph(pending) {
  /** @type {GraphData} */
  let data = { nodes: [], edges: [], proposals: [], words: [] };
  let base = baseView(data, new Map());
  let view = base;
  /** @type {View[]} */
  let past = []; // views before one's own acts
  /** @type {View[]} */
  let future = [];
  const aliases = new Map(); // edge id of the store -> key under which it was drawn here
  const guesses = new Map();
  const drawnHere = new Map(); // key -> [source, sink] of edges whose id from the store is not known yet

  let folded = ""; // which acts the view holds
  const listed = () =>
    pending()
      .map((act) => act.id)
      .join();

  function refold() {
    folded = listed();
    view = pending().reduce((now, act) => afterAct(now, act, guesses), base);
  }

  function learnAliases(next, before) {
    const waiting = new Set(pending().map((act) => act.id));
    const nameOf = new Map(next.nodes.map((node) => [node.id, node.name]));
    const known = new Set(before.edges.map((edge) => edge.id));
    const fresh = next.edges.filter((edge) => !known.has(edge.id) && !aliases.has(edge.id));
    for (const [key, { source, sink, act }] of drawnHere) {
      if (waiting.has(act)) continue;
      const at = fresh.findIndex(
        (edge) => edge.id === key || (nameOf.get(edge.source_id) === source && nameOf.get(edge.sink_id) === sink),
      );
      if (at >= 0) aliases.set(fresh.splice(at, 1)[0].id, key);
      drawnHere.delete(key);
    }
  }

  function note(act) {
    if (act.kind === "connect") drawnHere.set(act.id, { source: act.source, sink: act.sink, act: act.id });
    if (act.kind === "accept_as")
      drawnHere.set(`proposal:${act.proposal_id}`, { source: act.source, sink: act.sink, act: act.id });
    for (const id of act.kind === "accept" ? act.proposal_ids : []) {
      const proposal = view.proposals.get(id);
      if (proposal) drawnHere.set(`proposal:${id}`, { ...proposal, act: act.id });
    }
  }

  return {
    view: () => view,
    data: () => data,
    receive(next) {
      const expected = contentOf(view);
      learnAliases(next, data);
      data = next;
      base = baseView(next, aliases);
      refold();
      if (contentOf(view) === expected) return;
      // A refusal, somebody else's act or the list's: what an undo will bring back is no longer known here.
      past = [];
      future = [];
      guesses.clear();
      refold();
    },
    /** Whether acts came to the outbox, or left it, without the person; then the view holds them now. */
    sync() {
      if (folded === listed()) return false;
      refold();
      return true;
    },
    did(act) {
      folded = listed();
      if (act.kind === "undo" || act.kind === "redo") {
        const [from, to] = act.kind === "undo" ? [past, future] : [future, past];
        if (from.length > 0) {
          guesses.set(act.id, from.pop());
          to.push(view);
        }
      } else {
        past.push(view);
        if (past.length > 200) past.shift();
        future = [];
      }
      note(act);
      view = afterAct(view, act, guesses);
    },
  };
}
