import { beginOf } from "../../text/cut-text.ts";
import { shownPath } from "../archives/archive-path.ts";

/** The name of the file that makes a folder a skill. */
export const skillMd = "SKILL.md";

/**
 * Why none of these paths is the file that makes a folder a skill, and what to do; null where it is there.
 */
export function findMissingFile(paths: readonly string[]): string | null {
  if (paths.includes(skillMd)) return null;
  const other = paths.find((path) => path.toLowerCase() === skillMd.toLowerCase());
  if (other !== undefined) return `it has the file ${shownPath(other)}: rename it to ${skillMd}`;
  const deeper = paths.flatMap((path) => {
    const [folder = "", file, further] = path.split("/");
    return file === skillMd && further === undefined ? [shownPath(folder)] : [];
  });
  if (deeper.length === 0) return `it has no file '${skillMd}'`;
  return `skills lie one folder deeper in it: move ${beginOf(deeper.join(", "), 200)} out of it, beside it`;
}
