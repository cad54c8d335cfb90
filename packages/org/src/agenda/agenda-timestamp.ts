/** One time of a headline that an agenda can show, with all that a line about it needs: nothing else of the file is read for an agenda. */
export type AgendaTimestamp = {
  /** A planning time; a time in the text or the heading; or two of them that make a range of days. */
  readonly role: "scheduled" | "deadline" | "plain" | "range";
  /** As it is written, with its brackets; of a range both ends. */
  readonly time: string;
  /** The first and the last day, `YYYY-MM-DD`, on which it may show, whatever day today is. */
  readonly first: string;
  readonly last: string;
  readonly headline: AgendaHeadline;
};

/** What a line of an agenda says about the headline. */
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

/** A task that is done again and again. A `problem` says what is wrong with it, as Emacs says it. */
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

/** A time with its place: its file, and the offset in it at which its headline begins. */
export type LocatedTimestamp = {
  readonly file: string;
  readonly begin: number;
  readonly timestamp: AgendaTimestamp;
};
