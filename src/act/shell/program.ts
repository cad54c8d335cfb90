/** A redirection. `fd` is the redirected descriptor; `&>` redirects 1 and 2. The target of a duplication (`>&`) is a digit. */
export type Redirect = {
  readonly fd: number;
  readonly op: "<" | ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<<<";
  readonly target: string;
};

/** A word of a command that stands for file names: its index, and its pattern with a backslash before what was quoted. */
export type Glob = { readonly at: number; readonly pattern: string };

/** One program with its words after quote removal, as it would receive them. */
export type SimpleCommand = {
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  readonly argv: readonly string[];
  readonly redirects: readonly Redirect[];
  /** The words that are patterns; left out where there are none. */
  readonly globs?: readonly Glob[];
  /** The paths that its patterns stand for; left out where there are none. */
  readonly found?: readonly string[];
  /** The commands of a text that it gives to a shell, where these are plain; left out where there are none. */
  readonly inside?: readonly SimpleCommand[];
};

/** Commands joined by pipes. `next` says when the following pipeline runs; null for the last. */
export type Pipeline = {
  readonly commands: readonly SimpleCommand[];
  readonly negated: boolean;
  readonly next: "&&" | "||" | ";" | null;
};

/** A command line that is understood to the last byte, or the reason why not. */
export type ShellProgram =
  | { readonly kind: "plain"; readonly pipelines: readonly Pipeline[] }
  | { readonly kind: "opaque"; readonly reason: string };

/** Whether a redirection opens a file. */
export function opensFile({ op }: Redirect): boolean {
  return op !== "<<<" && op !== ">&";
}
