/** A timestamp of a headline that an agenda can show, with everything that its line needs, so that an agenda reads no file. */
export type AgendaTimestamp = {
  /** A planning timestamp, one in the text or the heading, or a range of days. */
  readonly role: "scheduled" | "deadline" | "plain" | "range";
  /** As it is written, brackets included; both ends of a range. */
  readonly time: string;
  /** The first and the last day, `YYYY-MM-DD`, on which it can show, whatever day today is. */
  readonly first: string;
  readonly last: string;
  readonly headline: AgendaHeadline;
};

/** The headline as a line of an agenda describes it. */
export type AgendaHeadline = {
  /** Its line without stars and tags. */
  readonly text: string;
  readonly todo: string | null;
  readonly done: boolean;
  readonly inheritedTags: readonly string[];
  readonly localTags: readonly string[];
  readonly category: string;
  readonly priority: string | null;
  /** 1,000 for each step of the priority above the lowest. */
  readonly importance: number;
  readonly effort: string | null;
  readonly habit: Habit | null;
};

/** A habit: a repeating task. `problem` is Emacs's message about a habit that cannot be read. */
export type Habit =
  | { readonly problem: string }
  | {
      readonly problem: null;
      /** Days as numbers since 1970. */
      readonly scheduled: number;
      readonly repeatDays: number;
      readonly deadlineDays: number | null;
      readonly doneDays: readonly number[];
    };

/** A timestamp with its file, and the offset at which its headline begins. */
export type LocatedTimestamp = {
  readonly file: string;
  readonly begin: number;
  readonly timestamp: AgendaTimestamp;
};
