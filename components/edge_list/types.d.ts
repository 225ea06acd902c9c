// What crosses between edge_desk.py and the edge list; tests/components/edge_list/test_types.py holds the two together.

import type { Sign } from "../canvas/types.d.ts";
import type { DeskStanding, EdgeField, Outgoing } from "../desk/types.d.ts";

/** An edge, its ends by name; `warning` is a few words. */
export type EdgeData = {
  id: string;
  source: string;
  sink: string;
  sign: Sign;
  delay: boolean;
  flag: string;
  note: string;
  warning: string;
};

/** A line that could not be read; `line` counts from 1 in what was sent, `offer` is a form that could be read. */
export type FaultData = { key: string; line: number; text: string; message: string; offer: string };

/** `nodes` are [id, name]; `list_height` is in CSS pixels. */
export type EdgeListData = DeskStanding & {
  nodes: [string, string][];
  edges: EdgeData[];
  names: string[];
  faults: FaultData[];
  flags: string[];
  list_height: number;
};

/** What a person did in the edge list, by kind. Nodes go by name. */
export type EdgeListActs = {
  lines: { text: string; pasted: boolean };
  edit_edge: { edge_id: string; field: EdgeField; value: string | boolean };
  delete_edge: { edge_id: string };
  rename_node: { node: string; name: string };
  delete_node: { node: string };
  drop_fault: { text: string };
  undo: {};
  redo: {};
};

export type EdgeListState = { outbox: Outgoing };
