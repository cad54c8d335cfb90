import { isJsonObject, type Json } from "../text/json.ts";

const keep = "what was there before";

/** What is said of a file that was replaced and had so many other names (hard links). */
export function noteOnOtherNames(count: number): string {
  return count === 1
    ? `Its other name (a hard link) keeps ${keep}.`
    : `Its ${count} other names (hard links) keep ${keep}.`;
}

/**
 * Whether the content of an outcome says that other names of a file keep what was there; with how it is said.
 */
export function otherNamesIn(content: Json): string | null {
  const note = isJsonObject(content) ? content["note"] : undefined;
  if (typeof note !== "string") return null;
  return /Its (?:\d+ )?other names? \(.*?\) keeps? [\w ]+/.exec(note)?.[0].replace(/^I/, "i") ?? null;
}
