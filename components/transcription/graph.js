// The graph as it will be when every unsent act is stored: the page's data with the acts applied.
// A view is never changed, only replaced: {nodes: name -> node, edges: id -> edge, proposals: id -> proposal,
// dismissed: printed texts, folded, that are no variables, arrows: id -> path of a printed arrow without an edge}.
// Things that an act creates have their final id at once (uuid7.js).

import { foldName } from "../desk/names.js";
import { idWithin } from "../desk/uuid7.js";
import { centreOf } from "../canvas/geometry.js";
import { unionOf } from "../canvas/joining.js";

/** @typedef {import("./types.d.ts").GraphData} GraphData */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ViewNode} ViewNode */
/** @typedef {import("./types.d.ts").ViewEdge} ViewEdge */
/** @typedef {import("./types.d.ts").TranscriptionActs} TranscriptionActs */

/** The view of the page's own data.
 * @type {(data: GraphData) => View} */
function baseView(data) {
  const nameOf = new Map(data.nodes.map((node) => [node.id, node.name]));
  return {
    nodes: new Map(data.nodes.map((node) => [node.name, { ...node, state: "" }])),
    edges: new Map(
      data.edges.flatMap((edge) => {
        const [source, sink] = [nameOf.get(edge.source_id), nameOf.get(edge.sink_id)];
        if (source === undefined || sink === undefined) return [];
        const { source_id: _source, sink_id: _sink, ...rest } = edge;
        return [[edge.id, { ...rest, source, sink, state: "" }]];
      }),
    ),
    proposals: new Map(data.proposals.map((proposal) => [proposal.id, proposal])),
    dismissed: new Set(data.words.filter(({ dismissed }) => dismissed).map(({ text }) => foldName(text))),
    arrows: new Map(data.arrows.map(({ id, path }) => [id, path])),
  };
}

/** @type {(view: View, node: ViewNode) => View} */
const withNode = (view, node) => ({ ...view, nodes: new Map(view.nodes).set(node.name, node) });
/** @type {(id: string, name: string) => ViewNode} */
const bareNode = (id, name) => ({ id, name, box: null, at: null, swept: false, state: "saving" });
/** @type {(view: View, keep: (edge: ViewEdge) => boolean) => Map<string, ViewEdge>} */
const onlyEdges = (view, keep) => new Map([...view.edges].filter(([, edge]) => keep(edge)));

/** The view with the ends of an edge made if they are missing, numbered from `first` on: a name may still be refused,
 * the edge then goes too.
 * @type {(view: View, actId: string, first: number, ...ends: string[]) => View} */
function withEnds(view, actId, first, ...ends) {
  return ends.reduce(
    (now, name, place) => (now.nodes.has(name) ? now : withNode(now, bareNode(idWithin(actId, first + place), name))),
    view,
  );
}

/** The view with a new edge and its ends; one that is drawn already stays as it is.
 * @param {View} view
 * @param {{id: string}} act
 * @param {Pick<ViewEdge, "source" | "sink" | "sign" | "delay" | "path">} edge
 * @param {number} number The edge's in its act.
 * @param {number} firstEnd The source's; the sink's is the next.
 * @returns {View} */
function withEdge(view, act, { source, sink, sign, delay, path }, number = 0, firstEnd = 1) {
  for (const edge of view.edges.values())
    if (edge.source === source && edge.sink === sink && edge.sign === sign) return view;
  const now = withEnds(view, act.id, firstEnd, source, sink);
  const id = idWithin(act.id, number);
  /** @type {ViewEdge} */
  const edge = {
    ...{ id, source, sink, sign, delay, path },
    ...{ flag: "", note: "", printed_sign: "", printed_delay: false, state: "saving" },
  };
  return { ...now, edges: new Map(now.edges).set(id, edge) };
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
  const moved = (/** @type {string} */ end) => (end === from ? to : end);
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

/** The first node, or a new one, under the joined name, in a box around all; the other nodes' edges are its own.
 * @type {(view: View, act: import("./types.d.ts").TranscriptionAct<"join_names">) => View} */
function joinedIn(view, { id, name, nodes: [first, ...others], words }) {
  const parts = [first, ...others].map((each) => view.nodes.get(each)?.box ?? null);
  const boxes = [...parts, ...words.map(({ box }) => box)].filter((box) => box !== null);
  const merged = others.reduce((now, other) => renamed(now, other, first), view);
  const now = first === undefined ? withNode(merged, bareNode(idWithin(id, 0), name)) : renamed(merged, first, name);
  const node = now.nodes.get(name);
  if (node === undefined || boxes.length === 0) return now;
  const box = unionOf(boxes);
  return withNode(now, { ...node, box, at: centreOf(box), state: "saving" });
}

/** @type {(view: View, act: import("./types.d.ts").TranscriptionAct<"accept">) => View} */
function accepted(view, act) {
  const ids = act.proposal_ids;
  let now = view;
  ids.forEach((id, place) => {
    const proposal = view.proposals.get(id);
    if (proposal !== undefined) now = withEdge(now, act, proposal, place + 1, ids.length + 2 * place + 1);
  });
  return withoutProposals(now, ids);
}

/** A proposal accepted between other names: on its printed path, which is reversed with them.
 * @type {(view: View, act: import("./types.d.ts").TranscriptionAct<"accept_as">) => View} */
function acceptedAs(view, act) {
  const { proposal_id: id, source, sink } = act;
  const proposal = view.proposals.get(id);
  if (proposal === undefined) return view;
  const isTurned = proposal.source === sink && proposal.sink === source;
  const path = isTurned ? turnedPath(proposal.path) : proposal.path;
  return withoutProposals(withEdge(view, act, { ...proposal, source, sink, path }), [id]);
}

/** @param {ViewEdge["path"]} path
 * @returns {ViewEdge["path"]} */
const turnedPath = (path) => (path ? [...path].reverse() : path);

/** @type {(view: View, ids: string[]) => View} */
function withoutProposals(view, ids) {
  const gone = new Set(ids);
  return { ...view, proposals: new Map([...view.proposals].filter(([id]) => !gone.has(id))) };
}

/** @type {(view: View, id: string) => View} */
function withoutArrow(view, id) {
  const arrows = new Map(view.arrows);
  return arrows.delete(id) ? { ...view, arrows } : view;
}

/** Printed marks that an edit of a field answers.
 * @type {Partial<Record<import("../desk/types.d.ts").EdgeField, Partial<ViewEdge>>>} */
const ANSWERED = { sign: { printed_sign: "" }, delay: { printed_delay: false } };

/** @typedef {Exclude<keyof TranscriptionActs, "lines" | "drop_fault" | "undo" | "redo">} Applied */

/** Effect of each act on a view; `afterAct` handles undo and redo.
 * @type {{[Kind in Applied]: (view: View, act: import("./types.d.ts").TranscriptionAct<Kind>) => View}} */
const APPLY = {
  place_node: (view, act) => {
    /** @type {ViewNode} */
    const node = {
      ...(view.nodes.get(act.name) ?? bareNode(idWithin(act.id, 0), act.name)),
      at: [act.x, act.y],
      box: act.box,
      state: "saving",
    };
    return withNode(view, node);
  },
  join_names: joinedIn,
  move_node: (view, act) => {
    const node = view.nodes.get(act.node);
    return node ? withNode(view, { ...node, at: [act.x, act.y], box: null, state: "saving" }) : view;
  },
  connect: (view, act) =>
    withoutArrow(withEdge(view, act, { ...act, path: view.arrows.get(act.lit) ?? null }), act.lit),
  edit_edge: (view, act) => {
    const edge = view.edges.get(act.edge_id);
    if (edge === undefined) return view;
    const now = act.field === "source" || act.field === "sink" ? withEnds(view, act.id, 0, String(act.value)) : view;
    const printed = ANSWERED[act.field];
    const edited = { ...edge, ...printed, [act.field]: act.value, state: "saving" };
    return { ...now, edges: new Map(now.edges).set(edge.id, edited) };
  },
  reverse_edge: (view, act) => {
    const edge = view.edges.get(act.edge_id);
    if (edge === undefined) return view;
    const turned = { ...edge, source: edge.sink, sink: edge.source, path: turnedPath(edge.path), state: "saving" };
    return { ...view, edges: new Map(view.edges).set(edge.id, turned) };
  },
  delete_edge: (view, act) => ({ ...view, edges: onlyEdges(view, (edge) => edge.id !== act.edge_id) }),
  delete_node: (view, act) => {
    const nodes = new Map(view.nodes);
    nodes.delete(act.node);
    return { ...view, nodes, edges: onlyEdges(view, (edge) => edge.source !== act.node && edge.sink !== act.node) };
  },
  rename_node: (view, act) => renamed(view, act.node, act.name),
  accept: accepted,
  accept_as: acceptedAs,
  refuse: (view, act) => withoutProposals(view, act.proposal_ids),
  attest: (view, act) => {
    const node = view.nodes.get(act.node);
    return node ? withNode(view, { ...node, swept: act.swept, state: "saving" }) : view;
  },
  not_an_edge: (view, act) => (act.is_none ? withoutArrow(view, act.arrow) : view),
  not_a_variable: (view, act) => {
    const dismissed = new Set(view.dismissed);
    if (act.is_none) dismissed.add(foldName(act.text));
    else dismissed.delete(foldName(act.text));
    return { ...view, dismissed };
  },
};

/** `view` after one act. `guesses` (act id -> view): the expected result of an undo or redo, if known.
 * @param {View} view
 * @param {import("../desk/types.d.ts").Act} act
 * @param {Map<string, View>} guesses
 * @returns {View} */
function afterAct(view, act, guesses) {
  if (act.kind === "undo" || act.kind === "redo") return guesses.get(act.id) ?? view;
  const applied = /** @type {Record<string, (view: View, act: any) => View>} */ (APPLY);
  return Object.hasOwn(applied, act.kind) ? applied[act.kind](view, act) : view;
}

/** Content of a view, without ids and places: views of equal content are drawn the same.
 * @param {View} view */
function contentOf(view) {
  const nodes = [...view.nodes.values()].map(({ name, swept }) => [name, swept]);
  const edges = [...view.edges.values()].map((edge) => [
    edge.source,
    edge.sink,
    edge.sign,
    edge.delay,
    edge.flag,
    edge.note,
  ]);
  const sorted = (/** @type {unknown[]} */ list) => list.map((each) => JSON.stringify(each)).sort();
  return JSON.stringify([nodes, edges, [...view.dismissed]].map(sorted));
}

/**
 * The model: receive(data) takes one script run's data, did(act) one more act of the user. Acts come from the outbox.
 * It remembers the views before the user's own acts, so that undo is drawn at once if no other act came since.
 * @param {() => import("../desk/types.d.ts").Act[]} pending
 */
export function createGraph(pending) {
  /** @type {GraphData} */
  let data = { nodes: [], edges: [], proposals: [], words: [], arrows: [] };
  let base = baseView(data);
  let view = base;
  /** @type {View[]} */
  let past = []; // views before the user's own acts
  /** @type {View[]} */
  let future = [];
  const guesses = new Map();

  let folded = ""; // acts that the view contains
  const listed = () =>
    pending()
      .map(({ id }) => id)
      .join();

  function refold() {
    folded = listed();
    view = pending().reduce((now, act) => afterAct(now, act, guesses), base);
  }

  return {
    view: () => view,
    data: () => data,
    /** @param {GraphData} next */
    receive(next) {
      const expected = contentOf(view);
      data = next;
      base = baseView(next);
      refold();
      if (contentOf(view) === expected) return;
      // A refusal, another person's act or typed lines: the result of an undo is no longer known here.
      past = [];
      future = [];
      guesses.clear();
      refold();
    },
    /** Return true if acts came to the outbox, or left it, without the user; the view then contains them. */
    sync() {
      if (folded === listed()) return false;
      refold();
      return true;
    },
    /** @param {import("../desk/types.d.ts").Act} act */
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
      view = afterAct(view, act, guesses);
    },
  };
}
