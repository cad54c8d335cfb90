/** A problem at a line, counted from 1, of a file as the index names it; line 0 stands for the whole file. */
export type Finding = {
  readonly code:
    | "broken-link"
    | "duplicate-id"
    | "misplaced-drawer"
    | "orphan"
    | "stale-todo"
    | "index-differs"
    | "unreadable";
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** True if a repair is proposed. */
  readonly repairable: boolean;
};

/** A change of one file from offset `begin` to `end`. */
export type Splice = { readonly begin: number; readonly end: number; readonly insert: string };

/** A safe repair of a finding: the changes of its file in the order of the text, and the reason for them. */
export type Repair = {
  readonly file: string;
  readonly title: string;
  readonly why: string;
  readonly line: number;
  readonly splices: readonly Splice[];
};
