import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { entryIfThere, isFolderThere } from "../files/status-if-there.ts";

/** What a folder would bring to another place where a command copies or moves it. */
export type CopiedTree = {
  /** The folder, by its real path. */
  readonly from: string;
  /** What of it is executed later there: the outermost paths in it, each with the reason. */
  readonly later: ReadonlyMap<string, string>;
  /** The files that are there now and that it would replace. */
  readonly replaced: readonly string[];
};

/** Of a folder with more entries nobody knows what it holds. */
const mostEntries = 20_000;

/**
 * Looks at what a folder, by its real path, would bring to a path; null where it is no folder. Follows no
 * link in it.
 */
export async function lookAtCopied(from: string, path: string): Promise<CopiedTree | null> {
  if (!(await isFolderThere(from))) return null;
  const later = new Map<string, string>();
  const replaced: string[] = [];
  const waiting = [{ inside: "", isThere: await isFolderThere(path), isLater: false }];
  let entries = 0;
  for (const { inside, isThere, isLater } of waiting) {
    const found = await readdir(bytesOfPath(join(from, inside)), {
      withFileTypes: true,
      encoding: "buffer",
    }).catch(() => null);
    entries += found?.length ?? 0;
    if (found === null || entries > mostEntries) {
      const what = found === null ? "a folder that cannot be opened" : "too much to look into";
      return { from, later: new Map([["", what]]), replaced };
    }
    for (const entry of found) {
      const name = join(inside, textOfName(entry.name));
      const why = isLater ? null : executedLaterRule(join(path, name));
      if (why !== null) later.set(name, why);
      const there = isThere ? await entryIfThere(join(path, name)) : null;
      if (entry.isDirectory())
        waiting.push({
          inside: name,
          isThere: there?.isDirectory() === true,
          isLater: isLater || why !== null,
        });
      else if (there !== null) replaced.push(join(path, name));
    }
  }
  return { from, later, replaced };
}

/** What of a folder is executed later, as the reason of a question; null where nothing is. */
export function laterWords({ later }: CopiedTree): string | null {
  const [first, ...others] = later;
  if (first === undefined) return null;
  const [name, why] = first;
  if (name === "") return `it holds ${why}`;
  const shown = others.slice(0, mostNamed).map(([each]) => each);
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : "";
  const rest = shown.length === 0 ? "" : `; also ${shown.join(", ")}${more}`;
  return `it holds ${name}: ${why}${rest}`;
}

const mostNamed = 10;
