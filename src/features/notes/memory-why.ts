import { exitCodes } from "../../program/io.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import type { Label } from "../../signal/label.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { type Believed, type ExplainedSource, type ExplainedTurn, findBelieved } from "./find-believed.ts";
import type { MemoryRequest } from "./memory-notes.ts";

/** Prints the lines of a note, a memory or a message, who wrote them, and what they were made from. */
export async function runMemoryWhy({ io, start, rest: id, print }: MemoryRequest): Promise<number> {
  const warn = (message: string): void => io.err(`passepartout: ${message}\n`);
  await using reader = await openNotesReader({ ...start, warn }, { progress: () => undefined });
  const found = await findBelieved(reader, id);
  if (found === null) {
    io.err(`There is nothing in memory with the ID ${id}. Find IDs with: passepartout memory search WORDS\n`);
    return exitCodes.failed;
  }
  print(found, describe(found));
  return exitCodes.done;
}

function describe({ id, file, line, lines, author, label, origin, changed }: Believed): string {
  const { writtenIn, sources, isCut } = origin;
  const place = file === null ? "" : ` ${file}${line === null ? "" : `:${line}`}`;
  const writer = writtenIn?.id ?? "";
  const others = sources.filter(
    (source) => !("turn" in source) || source.turn?.id !== writer || source.kind === "result",
  );
  return [
    `${id}${place}`,
    ...lines.map((text) => `  | ${text}`),
    `author: ${author} (${label.integrity}, ${label.secrecy})`,
    `written in: ${writtenIn === null ? unknownTurn(file, label) : turnWords(writtenIn)}`,
    ...(others.length === 0 ? [] : [changed ? formerlyFrom : "made from:"]),
    ...others.map((source) => `  ${sourceWords(source)}`),
    ...(isCut ? ["  and more: a label keeps the latest sources only"] : []),
  ]
    .map(visible)
    .join("\n");
}

const formerlyFrom = "changed since, by you or by another program; before that it was made from:";

/** Spaces stay as they are: they indent. */
function visible(line: string): string {
  return line
    .split(/([ \t]+)/)
    .map((part) => (part.trim() === "" ? part : escapeInvisible(part)))
    .join("");
}

function unknownTurn(file: string | null, { integrity }: Label): string {
  return file !== null && integrity === "user"
    ? "the file itself, by you or by another program"
    : "a turn that is not known any more";
}

function turnWords({ id, session, at, models, words }: ExplainedTurn): string {
  const by = models.length === 0 ? "" : `, by ${models.join(", ")}`;
  const [said = ""] = words.split("\n", 1);
  return `turn ${id} of session ${session}, ${new Date(at).toISOString()}${by}: "${beginOf(said, 120)}"`;
}

function sourceWords(source: ExplainedSource): string {
  switch (source.kind) {
    case "address":
      return `the page ${source.id}`;
    case "file":
      return `the file ${source.id}`;
    case "skill":
      return `the installed skill ${source.id.slice("skill:".length)}`;
    case "note":
    case "memory":
      return `the ${source.kind} ${source.id}: ${source.title}`;
    case "words":
      return `what was said in ${turnWords(source.turn)}`;
    case "turn":
      return turnWords(source.turn);
    case "result": {
      const from = source.turn === null ? "" : `, in turn ${source.turn.id}`;
      return `what ${source.tool} gave ${JSON.stringify(source.arguments)}${source.path === "" ? "" : ` at ${source.path}`}${from}`;
    }
    case "other":
      return source.id;
  }
}
