import { labelOfMarks, readTextMarks } from "../../../notes/label-of-text.ts";
import type { JobWork } from "../../../signal/jobs/job.ts";
import { bottomLabel, joinAll, type Label } from "../../../signal/label.ts";
import { withoutUnprinted } from "../../../text/unprinted.ts";

/**
 * The label that the owner's own privacy tags give what they say, in a message, a command or a job: tags that
 * Org sees in a note that begins with these words, and any that are written in them as tags.
 */
export function labelOfWords(text: string, privacyTags: readonly string[]): Label {
  const written = tagsWrittenIn(text, privacyTags).map(
    (tag): Label => ({ ...bottomLabel, secrecy: tag === "crypt" ? "secret" : "private" }),
  );
  return joinAll([labelOfMarks(readTextMarks(`* ${text}`, privacyTags)), ...written]);
}

/** The label of the words of a job, and by privacy tags in them or at their entry when it was approved. */
export function labelOfKeptWords(
  { text, tags = [], label = bottomLabel }: Extract<JobWork, { readonly kind: "words" }>,
  privacyTags: readonly string[],
): Label {
  const tagged = [text, `:${tags.join(":")}:`].map((words) => labelOfWords(words, privacyTags));
  return joinAll([label, ...tagged]);
}

/** The label that an Org note of these words has. */
export function labelOfNote(text: string, privacyTags: readonly string[]): Label {
  return labelOfMarks(readTextMarks(`* ${text}`, privacyTags, { isOrg: true }));
}

/**
 * The privacy tags that a text has anywhere, marked as tags by a colon or a number sign: `:@personal:`,
 * `#@personal`.
 */
export function tagsWrittenIn(text: string, privacyTags: readonly string[]): readonly string[] {
  const plain = withoutUnprinted(text.normalize("NFKC")).toLowerCase();
  const marked = plain.split(/[^\p{L}\p{N}_@#%:]+/u).filter((word) => /[:#]/.test(word));
  return [...privacyTags, "crypt"].filter((tag) => marked.some((word) => isWritten(tag, word)));
}

/**
 * A tag that may be a word of prose or a name in code needs its whole form: `:private:` or `#private`, and
 * neither `private:` nor `a::private::b`.
 */
function isWritten(tag: string, word: string): boolean {
  if (!word.split(/[:#]+/).includes(tag)) return false;
  const isWhole = word.includes(`:${tag}:`) && word.endsWith(":") && !word.includes("::");
  return /[@#%]/.test(tag) || isWhole || word === `#${tag}`;
}
