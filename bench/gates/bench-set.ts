import type { StartContext } from "../../src/settings/start-context.ts";
import type { Json } from "../../src/text/json.ts";

/** The result of one case as JSON: its set, its id and what was decided. */
export type BenchLine = { readonly [key: string]: Json };

/** A row of the table: a share of the cases, and the target that it is held against. */
export type BenchFigure = {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly of: number;
  readonly target: string;
};

/** The files of a set, by absolute path, and how the command was started. */
export type BenchRun = {
  readonly files: readonly string[];
  readonly start: StartContext;
  /** The seed by which all names, hosts, addresses and dates of suites are replaced; null to leave them. */
  readonly rename: string | null;
};

/** A set of cases that the gates are measured with. It yields a line for each case, in the order of the files, and returns the figures. A file that cannot be read throws a `CaseFileError`. */
export type BenchSet = (run: BenchRun) => AsyncGenerator<BenchLine, readonly BenchFigure[]>;
