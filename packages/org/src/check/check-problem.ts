import type { OrgVariables } from "../outline/org-variables.ts";
import type { OrgText } from "../text/org-text.ts";

/** A problem at an offset of a file, with a message for its owner. */
export type OrgProblem = { readonly at: number; readonly code: string; readonly message: string };

/** A file to check. `path` identifies it, in messages too. */
export type CheckedFile = { readonly path: string; readonly source: OrgText };

/** What the checked files themselves cannot tell. */
export type CheckEnvironment = {
  /** True if the target of a file link in a checked file exists. Never called for links to other machines. */
  readonly hasFile: (from: string, target: string) => boolean;
  /** True if a note beside the checked files has this ID. */
  readonly hasId: (from: string, id: string) => boolean;
  /** What Emacs's variables set for every file. */
  readonly variables?: OrgVariables;
};

/** Quotes the start of a text for a message, with control characters replaced. */
export function quoteExcerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\uFFFD");
  const characters = [...line];
  return `'${characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : line}'`;
}
