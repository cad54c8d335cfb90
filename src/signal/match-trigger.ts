import type { SkillTrigger } from "./skill.ts";

/** What a trigger is matched with. */
export type Triggering = { readonly sensor: string; readonly text: string };

/** Matches without the jail. */
export function matchesTrigger({ words, sensor }: SkillTrigger, signal: Triggering): boolean {
  if (sensor !== undefined && sensor !== signal.sensor) return false;
  return words === undefined || words.some((word) => hasWord(signal.text, word));
}

function hasWord(text: string, word: string): boolean {
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu").test(text);
}
