import { resolve } from "node:path";
import { entriesIfThere, isClosedSince } from "../../../act/files/status-if-there.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { Outcome } from "../../../signal/tool.ts";
import { textsIn } from "../../../text/json.ts";

/** How many names in an outcome are looked at. */
const mostNames = 20_000;

/**
 * The real paths of the files that a call read, or that its outcome names, in the folder of its turn. No file
 * that was closed to this user since before `began` (Unix, ms) is among them: nothing of it was read.
 */
export async function findFilesRead(
  { effects, outcome }: { readonly effects: readonly Effect[]; readonly outcome: Outcome },
  { workspace, began }: { readonly workspace: string | null; readonly began: number },
): Promise<readonly string[]> {
  const read = effects.flatMap((effect) =>
    effect.kind === "read-path" && effect.access === "contents" ? [effect] : [],
  );
  const runs = effects.flatMap((effect) =>
    effect.kind === "run-program" && effect.proof === null ? [effect] : [],
  );
  const trees = read.filter(({ tree }) => tree).map(({ target }) => target);
  const folders = runs.length === 0 && trees.length === 0 ? [] : [...trees, workspace ?? "/"];
  const words = folders.length === 0 ? [] : [...namesIn(outcome), ...runs.flatMap(({ argv }) => argv)];
  const named = folders.flatMap((folder) => words.slice(0, mostNames).map((word) => resolve(folder, word)));
  const paths = [...new Set([...read.map(({ target }) => target), ...named])];
  const found = await entriesIfThere(paths);
  const files = paths.filter((_, index) => {
    const entry = found[index] ?? null;
    return entry === "unknown" || entry?.isFile() === true || entry?.isSymbolicLink() === true;
  });
  const closed = await Promise.all(files.map((path) => isClosedSince(path, began)));
  return files.filter((_, index) => closed[index] !== true);
}

/**
 * The words of an outcome that may be names of files: whole texts, and what stands between blanks and marks.
 */
function namesIn(outcome: Outcome): readonly string[] {
  const texts = textsIn(outcome.status === "success" ? outcome.content : outcome.message);
  return [
    ...new Set(
      texts.flatMap(({ text }) => [text, ...text.split(/\n|:/), ...text.split(/[\s"'`,;:()<>|[\]{}]+/)]),
    ),
  ].filter((word) => word !== "" && word.length <= 1024 && !/\p{Cc}/u.test(word));
}
