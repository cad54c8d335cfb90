import { localDay, localMinutes, type QueryHit, runQuery } from "../offline/list-agenda.ts";
import { reportNoteProblems } from "./agenda.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage =
  "passepartout query EXPR [FILE…] [--json] [--tree]   (EXPR as in Emacs's agenda: '+work-boss', 'PRIORITY=\"A\"/!NEXT', 'DEADLINE<=\"<+1w>\"', '{^pro}', and \"text\", AND, OR, NOT and parentheses; what begins with a hyphen goes after '--')";

/** Finds headlines of the notes folder or of some files. Exit code 0 if there are some, 1 if not, 2 for wrong use. */
export async function queryCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    tree: { type: "boolean", default: false },
  });
  const [expression, ...files] = positionals;
  if (expression === undefined) throw new UsageError(`query needs an expression.\nUsage: ${usage}`);
  const now = new Date();
  const answer = await runQuery(
    { environment: io.environment, cwd: io.cwd, version: io.version },
    { expression, files, now: { today: localDay(now), minutes: localMinutes(now) } },
  );
  if (answer.kind === "wrong") {
    const mark = `${" ".repeat(answer.at - 1)}^`;
    throw new UsageError(
      `the query does not read at character ${answer.at}: expected ${answer.expected}.\n  ${expression}\n  ${mark}\nUsage: ${usage}`,
    );
  }
  reportNoteProblems(io, answer);
  if (answer.hits.length === 0) {
    if (answer.advice === null && !values.json) io.err("No headline matches.\n");
    return exitCodes.failed;
  }
  if (values.json) io.out(answer.hits.map((hit) => `${JSON.stringify(hit)}\n`).join(""));
  else if (values.tree) io.out(answer.trees.map(({ file, tree }) => `${file}\n${tree}\n`).join("\n"));
  else io.out(answer.hits.map((hit) => `${rowOf(hit)}\n`).join(""));
  return exitCodes.done;
}

function rowOf({ file, line, todo, priority, title, tags }: QueryHit): string {
  const words = [todo, priority === null ? null : `[#${priority}]`, title].filter((word) => word !== null);
  return `${file}:${line}: ${words.join(" ")}${tags.length === 0 ? "" : `  :${tags.join(":")}:`}`;
}
