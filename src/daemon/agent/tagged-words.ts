import { labelOfNote, labelOfWords, tagsWrittenIn } from "../../memory/notes/labels/label-of-words.ts";
import { joinAll } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";

/** A signal that is as private as the owner's own tags in these texts of it say. */
export function taggedWords(
  signal: Signal,
  texts: readonly string[],
  privacyTags: readonly string[],
): Signal {
  const said = texts.map((text) => labelOfWords(text, privacyTags));
  return { ...signal, label: joinAll([signal.label, ...said]) };
}

/**
 * A note as its owner says it. A privacy tag that stands where Org sees none, such as on a later line or
 * before a point, is set at the end of the headline too.
 */
export function taggedNote(text: string, signal: Signal, privacyTags: readonly string[]): Signal {
  const isSeen = labelOfNote(text, privacyTags).secrecy !== "public";
  const unseen = isSeen ? [] : tagsWrittenIn(text, privacyTags);
  const said = unseen.length === 0 ? text : withTags(text, unseen);
  const whole = signal.text.replace(text, () => said);
  return { ...signal, text: whole, payload: { ...signal.payload, text: whole } };
}

function withTags(text: string, tags: readonly string[]): string {
  const [first = "", ...rest] = text.split("\n");
  return [`${first.trimEnd()} :${tags.join(":")}:`, ...rest].join("\n");
}
