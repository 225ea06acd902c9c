// What every desk shares with the page it stands on.

/** What a person did, with its id and its place in the order of one tab; `kind` says which further fields it has. */
export type Act = { id: string; seq: number; kind: string; [field: string]: any };

/** The page's answer to an outbox: ids of acts it has stored, those it refused with the reason, whether it takes more. */
export type Answer = {
  acked?: string[];
  refused?: Record<string, string>;
  halted?: boolean;
  send?: (outgoing: Outgoing) => void;
};

/** What an outbox sends: all unanswered acts of one tab; `attempt` makes a repeat another value. */
export type Outgoing = { tab: string; attempt: number; acts: Act[] };

/** How it stands with what waits in an outbox. `kept` is false where the browser keeps no copy. */
export type OutboxStatus = { waiting: number; quietMs: number; connected: boolean; halted: boolean; kept: boolean };

declare global {
  interface WindowEventMap {
    /** The edge that figure and list have chosen together; null when none is. */
    "edgewise:chosen": CustomEvent<{ id: string | null; by: string; subject: string }>;
  }
  interface Window {
    /** Whether the menu's own links are led to their lists already. */
    edgewiseMenu?: boolean;
  }
}
