import { labelOfMarks, readTextMarks } from "../../memory/notes/labels/label-of-text.ts";
import { joinLabels } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";

/**
 * A note as its owner says it: one that they tag as private is so from the words on that say it. A privacy
 * tag that stands where Org sees none, such as on a later line or before a point, is set at the end of the
 * headline too.
 */
export function taggedNote(text: string, signal: Signal, privacyTags: readonly string[]): Signal {
  const unseen = isPrivate(text, privacyTags) ? [] : tagsWrittenIn(text, privacyTags);
  const said = unseen.length === 0 ? text : withTags(text, unseen);
  const label = joinLabels(signal.label, labelOfMarks(readTextMarks(`* ${said}`, privacyTags)));
  const whole = signal.text.replace(text, () => said);
  return { ...signal, text: whole, payload: { ...signal.payload, text: whole }, label };
}

function isPrivate(text: string, privacyTags: readonly string[]): boolean {
  return readTextMarks(`* ${text}`, privacyTags).secrecy !== "public";
}

/**
 * The privacy tags that a text has anywhere, marked as tags by a colon or a number sign: `:@personal:`,
 * `#@personal`.
 */
function tagsWrittenIn(text: string, privacyTags: readonly string[]): readonly string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}_@#%:]+/u);
  const written = new Set(words.filter((word) => /[:#]/.test(word)).flatMap((word) => word.split(/[:#]+/)));
  return [...privacyTags, "crypt"].filter((tag) => written.has(tag));
}

function withTags(text: string, tags: readonly string[]): string {
  const [first = "", ...rest] = text.split("\n");
  return [`${first.trimEnd()} :${tags.join(":")}:`, ...rest].join("\n");
}
