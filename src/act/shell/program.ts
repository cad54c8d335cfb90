/** A redirection. `fd` is the redirected descriptor; `&>` redirects 1 and 2. The target of a duplication (`>&`) is a digit. */
export type Redirect = {
  readonly fd: number;
  readonly op: "<" | ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<<<";
  readonly target: string;
};

/** One program with its words after quote removal, as it would receive them. */
export type SimpleCommand = {
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  readonly argv: readonly string[];
  readonly redirects: readonly Redirect[];
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
