import type { KeptItems } from "./kept-items.ts";

/** What a command says that it changes of the files that are executed later. An approval of it unlocks them in the sandbox. */
export type DeclaredChange =
  /** A path with everything below. */
  | { readonly kind: "path"; readonly path: string }
  /** Everything of this name in the workspace. */
  | { readonly kind: "name"; readonly name: string }
  /** Whatever git keeps of the work tree; with `settings`, the hooks and settings of repositories too. */
  | { readonly kind: "work-tree"; readonly settings: boolean };

/** Something that got another name after it was made. Both are absolute. */
export type Renaming = { readonly from: string; readonly to: string };

/** A link on the way to what is executed or obeyed later. */
export type LaterLink = {
  /** What it says. */
  readonly link: string;
  /** False if the way ends at nothing. */
  readonly leads: boolean;
};

/** What was executed later in a workspace before a command line ran: paths, links, and files with the rights of their owner. */
export type KeptGuard = {
  readonly workspace: string;
  readonly named: readonly string[];
  readonly links: readonly (readonly [path: string, link: LaterLink])[];
  readonly privileged: readonly string[];
  /** What the line was approved to change. */
  readonly allowed: readonly DeclaredChange[];
  /** When the line has ended at the latest, in Unix milliseconds. */
  readonly until: number;
};

/**
 * Kept until the workspace was looked at after the line. What is left of a killed agent is looked at by the
 * next one.
 */
export type KeptGuards = KeptItems<KeptGuard>;
