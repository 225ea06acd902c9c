// Words of the acts of desks for users, such as in the notice that the store refused one.

/** @type {Record<string, string>} kind → verb and object */
const WORDS = {
  // a graph, drawn or typed
  place_node: "add node",
  move_node: "move node",
  join_names: "join texts",
  rename_node: "rename node",
  delete_node: "remove node",
  connect: "draw edge",
  edit_edge: "change edge",
  reverse_edge: "reverse edge",
  delete_edge: "remove edge",
  accept: "accept proposal",
  accept_as: "accept corrected proposal",
  refuse: "reject proposal",
  attest: "mark as swept",
  not_a_variable: "mark printed text",
  not_an_edge: "mark printed arrow",
  lines: "add edges",
  drop_fault: "discard line",
  // adjudication
  rule: "rule on difference",
  rule_name: "rule on name",
  note: "comment on ruling",
  set_arrow: "set edge",
  take_back: "discard ruling",
  // scores
  score: "score",
  comment: "comment",
  skip: "skip triplet",
  submit: "submit scores",
  // the text of a paper
  reject_change: "reject change",
  restore_change: "restore change",
  replace_stretch: "replace words",
  ready: "make text ready",
  label: "label node",
  submit_levels: "submit levels",
  // found figures
  decide_figure: "decide on figure",
  // all
  undo: "undo",
  redo: "redo",
};

/** @param {string} kind */
export const actWords = (kind) => WORDS[kind];
