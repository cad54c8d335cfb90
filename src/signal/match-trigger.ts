import type { SkillTrigger } from "./skill.ts";

/** What a trigger is matched with. `tags`: those of the notes that it is about; left out where none are known. */
export type Triggering = {
  readonly sensor: string;
  readonly text: string;
  readonly tags?: ReadonlySet<string>;
};

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
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu").test(text);
}
