// Types shared by every desk and its page.

export type Sign = "+" | "-" | "";

/** Marks printed on an edge. */
export type EdgeMark = { sign: Sign; delay: boolean };

/** An edge of a graph (graph_data.py). */
export type EdgeData = EdgeMark & {
  id: string;
  source_id: string;
  sink_id: string;
  flag: string;
  note: string;
};

/** An edge with the names of its nodes, as far as words name it. */
export type NamedEdge = { source: string; sink: string; sign: Sign; delay?: boolean; flag?: string };

/** Fields that two edges are compared by; the ends are names, or ids. */
export type EdgeContent = EdgeMark & {
  source?: string;
  sink?: string;
  source_id?: string;
  sink_id?: string;
  flag?: string;
  note?: string;
};

/** Fields that `edit_edge` sets. */
export type EdgeField = "sign" | "delay" | "flag" | "note" | "source" | "sink";

/** An act of a user, with its id and its place in the order of one tab; `kind` determines its further fields. */
export type Act = {
  id: string;
  seq: number;
  kind: string;
  [field: string]: any;
};

/** Unanswered acts, as a desk posts them. */
export type Outgoing = { acts: Act[] };

/** Address of a desk's posts, and the token of its page. */
export type Endpoint = { tab: string; csrf: string };

/** Number of acts and answers of the tab when the data was made: of two data of a tab the higher is newer. */
export type Numbered = { serial: number };

/** State that a desk sends its page: time of the last answer, and number of acts that wait for more than a second. */
export type Posted = { answered: number; unsaved: number };

/** An act that the store refused, with the reason. */
export type Returned = { act: Act; message?: string };

/** Results of posted acts: an act in neither list waits. `data`: the desk's; null if only the page can explain. */
export type PostAnswer = {
  done: string[];
  refused: Record<string, string>;
  data: DeskData | null;
};

/** State of an outbox. `kept` is false if the browser stores no copy; `trouble` is why the
 * server did not take it the last time. */
export type OutboxStatus = {
  waiting: number;
  quietMs: number;
  connected: boolean;
  trouble: string;
  halted: boolean;
  kept: boolean;
};

// ---- active time (activity.py)

declare global {
  interface Window {
    /** True if the menu's own links lead to their lists already. */
    edgewiseMenu?: boolean;
  }
}

// ---- keys, as components/desk/key_table.py gives them

export type DeskKey = {
  section: string;
  keys: string;
  does: string;
  command: string;
  presses: string[];
  repeats: boolean;
};

export type KeyTable = {
  label: string;
  note: string;
  caption: string[][];
  keys: DeskKey[];
};

// ---- a component and its elements

/** The shadow root that Streamlit gives a component; Chromium's has a selection of its own. */
export type Host = ShadowRoot & { getSelection?(): Selection | null };

/** Streamlit's: gives the page a value under a name. */
export type SetState = (name: string, value: unknown) => void;

/** Arguments of a component's entry point, at every run of the page. */
export type Mounted<Data> = { parentElement: Host; data: Data; setStateValue: SetState };

/** Object of a component's root, for as long as its data are about one subject. */
export type Component<Data> = {
  subject?: string;
  receive(data: Data, setStateValue: SetState): void;
  close(): void;
};

/** Attributes of a new element. `text` is its text; true is an attribute without a value; of false, null and undefined
 * there is none. */
export type Attributes = Record<string, string | number | boolean | null | undefined>;

// ---- a desk and its frame

/** The part of a desk's data that is the same for every desk (desk_state.py). */
export type DeskStanding = {
  subject: string;
  version: number;
  /** When the store last wrote the work (ISO, UTC), "" before the first time. */
  saved_at: string;
  receipt: string;
  note: string;
  editable: boolean;
  can_undo: boolean;
  can_redo: boolean;
  halted: boolean;
  takes_focus: boolean;
};

/** The data of any desk: the rest is the desk's own. */
export type DeskData = DeskStanding & Endpoint & Numbered & { [more: string]: any };

/** Interface of the frame for the parts of a desk; each desk adds its own parts to it. */
export type Frame = {
  /** The shadow root it lives on. */
  host: Host;
  root: HTMLElement;
  subject: string;
  data: DeskData;
  /** The data with the waiting acts applied. */
  view: any;
  /** Commands of keys and buttons, by the names of the table of keys. */
  commands: Record<string, (...given: any[]) => unknown>;
  /** Buttons of a desk that is one pane; one of several panes has those of each (`addPane`). */
  buttons: PaneParts["buttons"];
  receipt: HTMLElement;
  sheet: { open(): void };
  /** Announces events to screen readers. */
  announcer: HTMLElement;
  panes: { stop(): void; show(status: OutboxStatus): void }[];
  drawings: ReturnType<typeof import("./drawings.js").createDrawings>;
  /** Makes an element a pane with keys of its own, before anything is put into it. */
  addPane(pane: PaneKind): PaneParts;
  notices: {
    element: HTMLElement;
    add(text: string, actions?: [string, () => void][]): void;
  };
  setState: SetState;
  pending(): Act[];
  isEditable(): boolean;
  can(step: "undo" | "redo"): boolean;
  focused(): Element | null;
  /** Focus the element that handles keys. */
  focus(): void;
  say(text: string): void;
  /** Announce why changes are not possible; return false if they are. */
  isClosed(): boolean;
  /** Do an act: store, send, apply and draw it. Null if changes are not possible. */
  act(kind: string, payload?: object): Act | null;
  again(step: "undo" | "redo"): void;
  /** Request something of the page that is no act: its state `name` grows. */
  ask(name: string): void;
  draw(): void;
  [part: string]: any;
};

/** A part of a desk with keys of its own. */
export type PaneKind = {
  element: HTMLElement;
  table: KeyTable;
  /** Commands of keys and buttons. */
  commands(): Record<string, (...given: any[]) => unknown>;
  /** True if keys work also while nothing on the page has the focus. */
  hearsBare?: boolean;
  /** True if presses on this element are text; by default in text fields. */
  isTyping?(element: EventTarget | null): boolean;
  /** True if a command's key applies to the pane where it is pressed. */
  hears?(command: string, event: KeyboardEvent): boolean;
  /** Keys of a moment, before those of the table; true if it was one. */
  onPress?(press: string, event: KeyboardEvent): boolean;
};

export type PaneParts = {
  buttons: {
    undo: HTMLButtonElement;
    redo: HTMLButtonElement;
    help: HTMLButtonElement;
  };
  receipt: HTMLElement;
  sheet: { open(): void };
};

/** Description of a kind of desk. */
export type DeskKind = {
  /** Name of its outbox, under which acts wait in the browser. */
  queue: string;
  /** Table of a desk that is one pane. */
  table?: KeyTable;
  hearsBare?: boolean;
  root(): HTMLElement;
  viewOf(data: any, acts: Act[]): any;
  /** Reason why a copy that is not stale cannot be changed; "" if it can. */
  closed(data: any, view: any): string;
  create(c: Frame): Desk;
};

/** Parts of a desk on its frame. */
export type Desk = {
  commands: Record<string, (...given: any[]) => unknown>;
  focus(): void;
  draw(): void;
  /** After every drawing, and when only the state of the outbox changed. */
  drawn?(): void;
  /** Keys of a moment, before those of the table; true if it was one. */
  onPress?(press: string, event: KeyboardEvent): boolean;
  /** New data, before anything is drawn of it. */
  receive?(data: any): void;
  /** Once, with the first data: choose the initial position. */
  begin?(): void;
  /** An act was done and applied to the data. */
  acted?(act: Act): void;
  /** Acts came to the outbox, or left it, without the user. */
  relaid?(): void;
  /** After refusals are reported: follow the new data. `before` is the previous data, `done` names acts that are
   * answered with the new. */
  follow?(before: any, done: string[]): void;
  settled?(): void;
  /** Restore the text of an act that the store refused (its fields are those of its kind); return its subject,
   * or null if the user is informed. */
  refused(act: any, message: string): string | null;
  /** Remedies for a refused act other than a retry: [label, function]. */
  remedies?(act: any): [string, () => void][];
  close?(): void;
};
