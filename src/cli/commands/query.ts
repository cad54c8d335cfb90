import { localDay, localMinutes } from "#org";
import { type QueryHit, runQuery } from "../offline/run-query.ts";
import { reportNoteProblems } from "./agenda.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout query EXPR [FILE…] [--json] [--tree]
Finds headlines in the notes folder, or in the files. EXPR has the match syntax of Emacs's agenda, and a little more:
  '+work-boss'                tagged work, but not boss
  'PRIORITY="A"/!NEXT'        priority A, with the TODO keyword NEXT
  'DEADLINE<="<+1w>"'         due within a week
  '{^pro}'                    with a tag that begins with pro
  '"boiler" AND NOT (a OR b)' text in the headline or below it, combined with AND, OR, NOT and parentheses
An EXPR that begins with a hyphen needs '--' before it.
  --tree  prints the matching headlines with the headlines above them
  --json  prints a JSON object for each match
Exit codes: 0 some headline matches, 1 none does, 2 wrong usage.`;

/** Finds headlines of the notes folder or of some files. Exit code 0 if some match, 1 if none does, 2 for wrong usage. */
export async function queryCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    tree: { type: "boolean", default: false },
  });
  const [expression, ...files] = positionals;
  if (expression === undefined) throw usageError("query needs an expression.", usage);
  const now = new Date();
  const result = await runQuery(
    { environment: io.environment, cwd: io.cwd, version: io.version },
    { expression, files, now: { today: localDay(now), minutes: localMinutes(now) } },
  );
  if (result.kind === "wrong") {
    const mark = `${" ".repeat(result.at - 1)}^`;
    throw usageError(
      `The query cannot be parsed at character ${result.at}: expected ${result.expected}.\n  ${expression}\n  ${mark}`,
      usage,
    );
  }
  reportNoteProblems(io, result);
  if (result.hits.length === 0) {
    if (result.advice === null) io.err("No headline matches.\n");
    return exitCodes.failed;
  }
  if (values.json) io.out(result.hits.map((hit) => `${JSON.stringify(hit)}\n`).join(""));
  else if (values.tree) io.out(result.trees.map(({ file, tree }) => `${file}\n${tree}\n`).join("\n"));
  else io.out(result.hits.map((hit) => `${formatHit(hit)}\n`).join(""));
  return exitCodes.done;
}

function formatHit({ file, line, todo, priority, title, tags }: QueryHit): string {
  const words = [todo, priority === null ? null : `[#${priority}]`, title].filter((word) => word !== null);
  return `${file}:${line}: ${words.join(" ")}${tags.length === 0 ? "" : `  :${tags.join(":")}:`}`;
}
