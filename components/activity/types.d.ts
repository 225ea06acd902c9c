// What crosses between Python and the counter of active time.

/** `answered`: reports that need not come again. */
export type ActivityData = {
  subject: string;
  answered: string[];
  idle_s: number;
  report_s: number;
};

/** `attempt` makes a repeat another value. */
export type ActivityState = {
  report: { id: string; subject: string; seconds: number; attempt: number };
};
