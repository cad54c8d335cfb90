/** What is out of order, at a line from 1 of a file as the index names it; line 0 stands for the whole file. */
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
  /** Whether a repair is proposed for it. */
  readonly repairable: boolean;
};

/** A change of one file, from offset `begin` to `end`, that puts a finding right. */
export type Splice = { readonly begin: number; readonly end: number; readonly insert: string };

/** A safe repair of a finding: the changes of its file, in the order of the text, and why they are right. */
export type Repair = {
  readonly file: string;
  readonly title: string;
  readonly why: string;
  readonly line: number;
  readonly splices: readonly Splice[];
};
