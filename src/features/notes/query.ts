import { localDay, localMinutes } from "#org";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { printLinked } from "../../program/print-linked.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { reportNoteProblems } from "./agenda.ts";
import { querySpec } from "./command-specs.ts";
import { type QueryResult, runQuery } from "./run-query.ts";

/** Finds headlines of the notes folder or of some files. Exit code 0 if some match, 1 if none does, 2 for wrong usage. */
export async function queryCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, querySpec);
  const [expression = "", ...files] = words;
  const now = new Date();
  const result = await runQuery(makeStartContext(io), {
    expression,
    files,
    now: { today: localDay(now), minutes: localMinutes(now) },
  });
  if (result.kind === "wrong") {
    const mark = `${" ".repeat(result.at - 1)}^`;
    throw usageError(
      `The query cannot be parsed at character ${result.at}: expected ${result.expected}.\n  ${expression}\n  ${mark}`,
      querySpec,
    );
  }
  reportNoteProblems(io, result);
  if (result.hits.length === 0) {
    if (result.advice === null && result.isComplete) io.err("No headline matches.\n");
    return exitCodes.failed;
  }
  if (values.json) io.out(result.hits.map((hit) => `${JSON.stringify(hit)}\n`).join(""));
  else if (values.tree) io.out(result.trees.map(({ file, tree }) => `${file}\n${tree}\n`).join("\n"));
  else
    printLinked(
      io,
      result.hits.map((hit) => ({ shown: hit.file, path: result.pathOf(hit.file), rest: formatHit(hit) })),
    );
  return exitCodes.done;
}

type Hit = Extract<QueryResult, { readonly kind: "found" }>["hits"][number];

function formatHit({ line, todo, priority, title, tags }: Hit): string {
  const words = [todo, priority === null ? null : `[#${priority}]`, title].filter((word) => word !== null);
  return `:${line}: ${words.join(" ")}${tags.length === 0 ? "" : `  :${tags.join(":")}:`}`;
}
