import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { contextSpec } from "./command-specs.ts";
import { type ContextExplanation, explainContext } from "./explain-context.ts";
import { explainPrompt } from "./explain-prompt.ts";
import { printPrompt } from "./print-prompt.ts";

type ShownContext = Extract<ContextExplanation, { kind: "context" }>;

/** Prints the notes that the model would see beside some words, and why each is there. Exit code 1 if there are none, or no such note. */
export async function contextCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, contextSpec);
  const start = makeStartContext(io);
  const question = { words: words.join(" "), focus: values.focus ?? null };
  const noFocus = `There is no note with the ID ${values.focus}. Find IDs with: passepartout memory search WORDS\n`;
  if (values.prompt) {
    const prompt = await explainPrompt(start, question);
    if (prompt.kind === "prompt") return printPrompt(io, prompt, values.json);
    io.err(noFocus);
    return exitCodes.failed;
  }
  const answer = await explainContext(start, question);
  if (answer.kind === "no-focus") {
    io.err(noFocus);
    return exitCodes.failed;
  }
  if (values.why !== undefined) return explainNote(io, answer, values.why, values.json);
  const { pieces, omitted } = answer;
  const sent = pieces.filter(({ withheld }) => withheld !== "all");
  if (values.json) {
    for (const piece of pieces) io.out(`${JSON.stringify(piece)}\n`);
    for (const note of omitted) io.out(`${JSON.stringify({ part: "omitted", ...note })}\n`);
  } else {
    for (const { text } of sent) io.out(`${text}\n`);
    for (const { part, id, why, tokens, label, cut } of pieces) {
      const marks = [`${tokens} tokens`, label.secrecy === "public" ? "" : label.secrecy, cut ? "cut" : ""];
      io.err(`${part} ${id}: ${why} (${marks.filter((mark) => mark !== "").join(", ")})\n`);
    }
    for (const piece of pieces) io.err(describeWithheld(piece, answer));
    for (const { id, why } of omitted) io.err(`left out ${id}: ${why}\n`);
    io.err(`${answer.tokens} of ${answer.budget} tokens.\n`);
  }
  return sent.length > 0 ? exitCodes.done : exitCodes.failed;
}

/** The line that says what of a piece is withheld; empty where nothing is. */
function describeWithheld(
  { id, withheld, label, whyPrivate }: ShownContext["pieces"][number],
  answer: ShownContext,
): string {
  if (withheld === "nothing") return "";
  const why = `${answer.provider?.name ?? "the provider"} is not local`;
  return withheld === "all"
    ? `withheld ${id}: it is ${label.secrecy}, and ${why}.${ofPrivacy(whyPrivate)}\n`
    : `withheld passages of ${id}: they stand in a private text, and ${why}\n`;
}

function ofPrivacy(whyPrivate: string | null): string {
  return whyPrivate === null ? "" : ` ${whyPrivate}`;
}

function explainNote(io: Io, { pieces, omitted }: ShownContext, id: string, json: boolean): number {
  const piece = pieces.find(({ nodes }) => nodes.includes(id));
  const left = omitted.find((note) => note.id === id);
  const reason =
    piece === undefined
      ? (left?.why ?? "it is not in focus, does not match these words, and is not an open project")
      : piece.withheld === "all"
        ? `it is ${piece.label.secrecy}, and the provider is not local.${ofPrivacy(piece.whyPrivate)}`
        : `${piece.why}${piece.id === id ? "" : `, as a part of ${piece.id}`}`;
  const shown = piece !== undefined && piece.withheld !== "all";
  io.out(
    json
      ? `${JSON.stringify({ id, shown, why: reason, part: piece?.part ?? null })}\n`
      : `${id} is ${shown ? `shown (${piece?.part})` : "not shown"}: ${reason.replace(/\.$/, "")}.\n`,
  );
  return shown ? exitCodes.done : exitCodes.failed;
}
