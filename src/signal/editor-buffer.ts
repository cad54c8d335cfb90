import { isJsonObject, type Json } from "../text/json.ts";

/** Code points `begin` to `end` of a buffer, counted from its start, become `text`. */
export type Replacement = { readonly begin: number; readonly end: number; readonly text: string };

/** What an editor is asked about a file that it has unsaved changes of. `path` is real. */
export type BufferRequest =
  | { readonly kind: "text"; readonly id: string; readonly path: string }
  | {
      readonly kind: "edit";
      readonly id: string;
      readonly path: string;
      /** SHA-256 in hex of the text in UTF-8 that the replacements were worked out from. */
      readonly digest: string;
      /** In order, none over another. */
      readonly replacements: readonly Replacement[];
      /** Unix milliseconds: after that it is refused. */
      readonly expiresAt: number;
    };

/**
 * A buffer as its editor would save it: its text with line feeds alone, and what is put around it in the
 * file.
 */
export type BufferText = { readonly text: string; readonly eol: "lf" | "crlf"; readonly bom: boolean };

/** An editor's answer. `refused`: nothing was changed; the code is one of `refusalWords`. */
export type BufferAnswer =
  | ({ readonly kind: "text" } & BufferText)
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly code: string };

/** Where an edit goes that is made in a buffer, for its owner. */
export const inBuffer = "in the buffer of Emacs, not saved yet";

/** Whether the content of an outcome says that the change was made in the buffer of an editor. */
export function isMadeInBuffer(content: Json): boolean {
  return isJsonObject(content) && content["editor"] === inBuffer;
}

/** What an edit does whose file is held by an editor that cannot be asked, for its owner. */
export const waitsForLock = "waits until Emacs lets go of the file";

/** The code of an outcome where an editor was asked to make an edit, and nobody knows whether it did. */
export const editUnknown = "unknown";

/** Why an editor gave no text or made no edit, as a clause about its buffer. */
export const refusalWords: ReadonlyMap<string, string> = new Map([
  ["no-buffer", "it visits the file in no buffer"],
  ["saved", "nothing in its buffer is unsaved"],
  ["read-only", "its buffer is read-only"],
  ["narrowed", "its buffer is narrowed: widen it (C-x n w)"],
  ["changed", "its buffer changed in between"],
  ["no-undo", "its buffer keeps no undo"],
  ["not-text", "its buffer is not saved as plain UTF-8"],
  ["too-long", "its buffer is too long"],
  ["expired", "the request came too late"],
  ["failed", "what changes of its buffer run there failed"],
]);
