import type { SkillTrigger } from "./skill.ts";

/** What a trigger is matched with. `tags`: those of the notes that it is about; left out where none are known. */
export type Triggering = {
  readonly sensor: string;
  readonly text: string;
  readonly tags?: ReadonlySet<string>;
};

/** A letter or digit at the end, and at the beginning, of a text. Compiled once: to compile classes of all letters takes half a millisecond, and a prompt asks for a hundred words. */
// Looked for backwards: V8 14 finds no character beyond U+FFFF in a class right before the end.
const endsInWord = /(?<=[\p{L}\p{N}])$/iu;
const beginsWithWord = /^[\p{L}\p{N}]/iu;

/** Matches without the jail. */
export function matchesTrigger(
  { words, sensor, tags }: SkillTrigger,
  { sensor: own, text, tags: about = none }: Triggering,
): boolean {
  if (sensor !== undefined && sensor !== own) return false;
  if (tags !== undefined && !tags.some((tag) => about.has(tag))) return false;
  return words === undefined || words.some((word) => hasWord(text, word));
}

const none: ReadonlySet<string> = new Set();

function hasWord(text: string, word: string): boolean {
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  // A look ahead takes nothing, so that places are found that begin within each other.
  for (const { index, 1: found = "" } of text.matchAll(new RegExp(`(?=(${literal}))`, "giu"))) {
    const end = index + found.length;
    // Two units of UTF-16 hold one character, whichever it is.
    const before = text.slice(Math.max(0, index - 2), index);
    if (!endsInWord.test(before) && !beginsWithWord.test(text.slice(end, end + 2))) return true;
  }
  return false;
}
