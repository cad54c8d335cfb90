import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import type { Io } from "../../src/kernel/io.ts";
import { exitCodes } from "../../src/program/io.ts";
import { parseCommand } from "../../src/program/options.ts";
import { type CommandSpec, flag } from "../../src/text/command-spec.ts";
import { describeError } from "../../src/text/describe-error.ts";
import {
  answerQuestions,
  measureRecall,
  type RecallAnswer,
  type RecallConversation,
  type RecallShares,
} from "./measure-recall.ts";

const recallBenchSpec = {
  name: "recall-bench",
  synopsis: ["npm run recall-bench -- FILE… [--json]"],
  summary: "measure recall on conversations and questions",
  about: [
    "Measures recall on a set of conversations and questions, without a model: how much of the evidence a search finds.",
    "FILE is JSON, plain or gzipped: an array of",
    "  {id, turns: [{id, session, date, speaker, text}], questions: [{question, evidence: [turn id]}]}",
  ],
  arguments: [{ form: "FILE…", called: "a file", values: "file" }],
  options: { json: flag("prints the summary as JSON; the results of each question are always JSON") },
  exit: { 0: "done", 1: "a file could not be read" },
} as const satisfies CommandSpec;

const conversationSchema = z.object({
  id: z.string(),
  turns: z.array(
    z.object({
      id: z.string(),
      session: z.union([z.number(), z.string()]),
      date: z.string().default(""),
      speaker: z.string().default(""),
      text: z.string(),
    }),
  ),
  questions: z.array(z.object({ question: z.string(), evidence: z.array(z.string()) })),
});
const fileSchema = z.union([
  z.array(conversationSchema),
  conversationSchema.transform((conversation) => [conversation]),
]);

/** Searches the evidence for the questions of conversations, and prints what was found and its share of all evidence. */
export async function recallBenchCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, recallBenchSpec);
  const answers: RecallAnswer[] = [];
  for (const file of words) {
    const conversations = readConversations(io, file);
    if (conversations === null) return exitCodes.failed;
    for (const conversation of conversations) {
      for await (const answer of answerQuestions(conversation)) {
        const { question, ids } = answer;
        io.out(`${JSON.stringify({ conversation: conversation.id, question, ids })}\n`);
        answers.push(answer);
      }
    }
  }
  const shares = measureRecall(answers);
  io.out(values.json ? `${JSON.stringify({ shares })}\n` : formatShares(shares));
  return exitCodes.done;
}

function readConversations(io: Io, file: string): readonly RecallConversation[] | null {
  try {
    const bytes = readFileSync(resolve(io.cwd, file));
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    io.err(
      `recall-bench: ${file} has no readable conversations (${why}). npm run recall-bench -- --help shows the form.\n`,
    );
    return null;
  }
}

function messageOf(error: unknown): string {
  return describeError(error);
}

function formatShares({ questions, evidence, first }: RecallShares): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = Object.entries(first).map(
    ([count, { ofEachQuestion, ofAll }]) =>
      `among the first ${count.padStart(2)}: ${percent(ofEachQuestion)} of a question's evidence on average, ${percent(ofAll)} of all evidence`,
  );
  return [`${questions} questions with ${evidence} pieces of evidence`, ...lines, ""].join("\n");
}
