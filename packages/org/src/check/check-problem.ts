import type { OrgText } from "../text/org-text.ts";

/** What is wrong at a place of a file, for its owner. */
export type OrgProblem = { readonly at: number; readonly code: string; readonly message: string };

/** A file to check. `path` is what tells it from others, as it is named to the owner. */
export type CheckedFile = { readonly path: string; readonly source: OrgText };

/** What only the world around the files knows. */
export type CheckEnvironment = {
  /** Whether a file that a link in a checked file names is there. Links to other machines are never asked after. */
  readonly hasFile: (from: string, target: string) => boolean;
  /** Whether a note that is not checked, near a checked file, has an ID. */
  readonly hasId: (from: string, id: string) => boolean;
};

/** The start of a text, for a message: without control characters, and cut. */
export function quoteExcerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\uFFFD");
  const characters = [...line];
  return `'${characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : line}'`;
}
