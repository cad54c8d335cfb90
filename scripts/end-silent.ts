import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { endProcesses, findDescendants } from "./find-processes.ts";

/**
 * Ends each process of tests that gave no sign of life for `longest` milliseconds, with all below it: one of
 * its tests never gives control back, and no limit inside the process can see that. `report` gets its file
 * and its latest test. Returns what stops the watch.
 *
 * @param lives folder where `end-process.ts` writes: a file for each process, named by its id, written again
 * every few seconds.
 */
export function endSilentProcesses(
  lives: string,
  longest: number,
  report: (text: string) => void,
): () => void {
  const look = (): void => {
    for (const name of readdirSync(lives)) {
      const sign = readSign(join(lives, name));
      if (sign === undefined || Date.now() - sign.at < longest) continue;
      const [file = "", latest = ""] = sign.text.split("\n");
      const ended = endProcesses([Number(name), ...findDescendants(Number(name))]);
      report(`${file} gave no sign of life for ${longest / 1000} s. Its latest test: ${latest}.\n${ended}`);
      rmSync(join(lives, name), { force: true });
    }
  };
  const watch = setInterval(look, Math.min(longest / 4, 5_000));
  return () => clearInterval(watch);
}

/** Nothing where the process has ended meanwhile. */
function readSign(path: string): { readonly at: number; readonly text: string } | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return { at: stats.mtimeMs, text: readFileSync(path, "utf8") };
}
