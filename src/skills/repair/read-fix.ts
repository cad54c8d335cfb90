/** The skill's file with the fix applied, or the reason why the fix is refused. */
export type ReadFix =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the fix in a model's answer: one unified diff of the skill's own file in a block. Line numbers are ignored: the old lines of each hunk have to be in the
 * file exactly once. A diff that names any other file is refused as a whole.
 */
export function readFix(
  answer: string,
  { file, text }: { readonly file: string; readonly text: string },
): ReadFix {
  const blocks = [...answer.matchAll(/^```(?:diff|patch)\n([\s\S]*?)^```/gm)].map(([, body = ""]) => body);
  const [diff] = blocks;
  if (diff === undefined) return { ok: false, problem: "The answer has no diff." };
  if (blocks.length > 1) return { ok: false, problem: "The answer has several diffs." };
  const rows = diff.replace(/\n$/, "").split("\n");
  const named = rows.flatMap((row) => namesIn(row));
  const other = named.find((name) => name !== file);
  if (other !== undefined)
    return { ok: false, problem: `The fix names ${other}. Only ${file} can be changed this way.` };
  return applyHunks(hunksOf(rows), text);
}

/** The files that a row of a diff names, without the letters that git puts before them. */
function namesIn(row: string): readonly string[] {
  const git = /^diff --git (\S+) (\S+)$/.exec(row);
  const one = /^(?:---|\+\+\+|rename (?:from|to)|copy (?:from|to)) (\S+)/.exec(row);
  const names = git === null ? [one?.[1]] : [git[1], git[2]];
  return names.flatMap((name) => (name === undefined ? [] : [name.replace(/^[ab]\//, "")]));
}

type Hunk = { readonly old: readonly string[]; readonly now: readonly string[] };

function hunksOf(rows: readonly string[]): readonly Hunk[] {
  const hunks: { old: string[]; now: string[] }[] = [];
  for (const row of rows) {
    if (row.startsWith("@@")) hunks.push({ old: [], now: [] });
    const hunk = hunks.at(-1);
    if (hunk === undefined || row.startsWith("@@") || row.startsWith("\\")) continue;
    if (!row.startsWith("+")) hunk.old.push(row.slice(1));
    if (!row.startsWith("-")) hunk.now.push(row.slice(1));
  }
  return hunks;
}

function applyHunks(hunks: readonly Hunk[], text: string): ReadFix {
  if (hunks.length === 0) return { ok: false, problem: "The diff changes nothing." };
  let lines = text.split("\n");
  for (const { old, now } of hunks) {
    const places = lines.flatMap((_, at) =>
      old.every((line, index) => lines[at + index] === line) ? [at] : [],
    );
    const [at] = places;
    if (old.length === 0 || at === undefined || places.length > 1)
      return { ok: false, problem: "The old lines of a hunk are not in the file exactly once." };
    lines = [...lines.slice(0, at), ...now, ...lines.slice(at + old.length)];
  }
  const made = lines.join("\n");
  return made === text ? { ok: false, problem: "The diff changes nothing." } : { ok: true, text: made };
}
