import { type ContextExplanation, explainContext } from "../offline/read-state.ts";
import { exitCodes, type Io } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage =
  "passepartout context [--focus ID] [--why ID] [--json] [WORDS]   (WORDS: what you would say; --why: whether and why a note is in it)";

type Shown = Extract<ContextExplanation, { kind: "context" }>["context"];

/** Prints what the model would see of the notes beside some words, and why each is there. Exit code 1 where there is nothing, or no such note. */
export async function contextCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    focus: { type: "string" },
    why: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const start = {
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
    warn: (message: string) => io.err(`${message}\n`),
  };
  const answer = await explainContext(start, { words: positionals.join(" "), focus: values.focus ?? null });
  if (answer.kind === "no-focus") {
    io.err(`There is no note ${values.focus}. passepartout memory search finds ids.\n`);
    return exitCodes.failed;
  }
  if (answer.missing !== null) {
    io.err(`The notes folder ${answer.missing} is not there. Make it, or name another in MEMEX_DIR.\n`);
  }
  if (values.why !== undefined) return tellWhy(io, answer.context, values.why, values.json);
  const { pieces, omitted } = answer.context;
  if (values.json) {
    for (const piece of pieces) io.out(`${JSON.stringify(piece)}\n`);
    for (const one of omitted) io.out(`${JSON.stringify({ part: "omitted", ...one })}\n`);
  } else {
    for (const { text } of pieces) io.out(`${text}\n`);
    for (const { part, id, why, tokens, label, cut } of pieces) {
      const marks = [`${tokens} tokens`, label.secrecy === "public" ? "" : label.secrecy, cut ? "cut" : ""];
      io.err(`${part} ${id}: ${why} (${marks.filter((mark) => mark !== "").join(", ")})\n`);
    }
    for (const { id, why } of omitted) io.err(`left out ${id}: ${why}\n`);
    io.err(`${answer.tokens} of ${answer.budget} tokens.\n`);
  }
  return pieces.length > 0 ? exitCodes.done : exitCodes.failed;
}

function tellWhy(io: Io, { pieces, omitted }: Shown, id: string, json: boolean): number {
  const piece = pieces.find(({ nodes }) => nodes.includes(id));
  const left = omitted.find((one) => one.id === id);
  const reason =
    piece === undefined
      ? (left?.why ?? "it is neither in focus, nor near these words, nor an open project")
      : `${piece.why}${piece.id === id ? "" : `, as a part of ${piece.id}`}`;
  const shown = piece !== undefined;
  io.out(
    json
      ? `${JSON.stringify({ id, shown, why: reason, part: piece?.part ?? null })}\n`
      : `${id} is ${shown ? `shown (${piece.part})` : "not shown"}: ${reason}.\n`,
  );
  return shown ? exitCodes.done : exitCodes.failed;
}
