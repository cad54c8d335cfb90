import { createHash } from "node:crypto";
import { join } from "node:path";
import { readAttributesOf } from "../sandbox/extended-attributes.ts";
import { walkEntries } from "./fingerprint.ts";

/** Of more entries together nobody notes what is attached. */
const mostEntries = 5_000;

/**
 * The owners, lists of access and extended attributes of what is at and below paths: a text for each path
 * that changes when somebody changes one of them. Null where they are too many or cannot be read.
 */
export async function attachedTo(paths: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
  const below = new Map<string, string[]>();
  const owners = new Map<string, string>();
  for (const path of paths) {
    const entries: string[] = [];
    for await (const { inside, status } of walkEntries(path)) {
      const entry = join(path, inside);
      entries.push(entry);
      owners.set(entry, `${status.uid}:${status.gid}`);
      if (owners.size > mostEntries) return null;
    }
    below.set(path, entries);
  }
  const attributes = await readAttributesOf([...owners.keys()]);
  if (attributes === null) return null;
  const digestOf = (entries: readonly string[]): string => {
    const hash = createHash("sha256");
    for (const entry of entries) {
      const named = [...(attributes.get(entry) ?? [])].sort();
      hash.update(`${JSON.stringify([owners.get(entry), named])}\n`);
    }
    return hash.digest("hex");
  };
  return new Map([...below].map(([path, entries]) => [path, digestOf(entries)]));
}
