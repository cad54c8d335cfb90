import type { NoteNode } from "../../../notes/note-node.ts";

type Told = Pick<NoteNode, "label" | "tags" | "groups">;

/** What a note is judged by besides itself. */
type PrivacyOf = {
  readonly privacyTags: readonly string[];
  /** What is wrong with its file, such as a setup file whose tags nobody knows; null for nothing. */
  readonly problem: string | null;
};

/** Says why a note is not public, as a sentence, with the way on where that is known. */
export function whyPrivate({ label, tags, groups = [] }: Told, { privacyTags, problem }: PrivacyOf): string {
  const tag = [...tags, ...groups].find((each) => privacyTags.includes(each.toLowerCase()));
  if (tag !== undefined) return `It has the privacy tag :${tag}:, its own or one from above it.`;
  if (problem !== null) return problem;
  return label.secrecy === "secret"
    ? "It is or was encrypted."
    : "It came from a text that is private, or holds a part of one.";
}
