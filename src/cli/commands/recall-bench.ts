import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { bottomLabel } from "../../signal/label.ts";
import { openTemporarySessionMemory } from "../offline/read-state.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage =
  "passepartout recall-bench FILE… [--json]   (conversations with questions as JSON, plain or gzipped: an array of {id, turns: [{id, session, date, speaker, text}], questions: [{question, evidence: [turn id]}]})";

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
const fileSchema = z.union([z.array(conversationSchema), conversationSchema.transform((one) => [one])]);
type Conversation = z.infer<typeof conversationSchema>;

/** What was found for one question, best first, and what holds its answer. */
type Answered = { readonly ids: readonly string[]; readonly evidence: readonly string[] };

const firsts = [5, 10, 20, 50];
const mostIds = Math.max(...firsts);

/** Files conversations as session memory, asks their questions without any model, and prints what was found and which share of the evidence was among the first. */
export async function recallBenchCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  if (positionals.length === 0) throw new UsageError(`recall-bench needs a file.\nUsage: ${usage}`);
  const answered: Answered[] = [];
  for (const file of positionals) {
    const conversations = readConversations(io, file);
    if (conversations === null) return exitCodes.failed;
    for (const conversation of conversations) {
      for await (const { question, ids, evidence } of askAll(conversation)) {
        io.out(`${JSON.stringify({ conversation: conversation.id, question, ids })}\n`);
        answered.push({ ids, evidence });
      }
    }
  }
  const shares = sharesOf(answered.filter(({ evidence }) => evidence.length > 0));
  io.out(values.json ? `${JSON.stringify({ shares })}\n` : inWords(shares));
  return exitCodes.done;
}

function readConversations(io: Io, file: string): readonly Conversation[] | null {
  try {
    const bytes = readFileSync(resolve(io.cwd, file));
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    io.err(`passepartout: ${file} holds no conversations that can be read: ${why}\n`);
    return null;
  }
}

async function* askAll({ id, turns, questions }: Conversation) {
  using memory = openTemporarySessionMemory();
  memory.file(
    turns.map((turn) => ({
      id: turn.id,
      session: `${id}/${turn.session}`,
      turn: null,
      speaker: turn.speaker,
      at: timeOf(turn.date),
      text: turn.text,
      label: bottomLabel,
    })),
  );
  for (const { question, evidence } of questions) {
    const found = await memory.search(question, mostIds);
    yield { question, evidence, ids: found.map((entry) => entry.id) };
  }
}

/** `1:56 pm on 8 May, 2023`, or whatever else is a date, in Unix milliseconds; null where it is none. */
function timeOf(date: string): number | null {
  const [, time = "", day = date] = /^(.+?) on (.+)$/.exec(date) ?? [];
  const at = Date.parse(`${day} ${time}`.trim());
  return Number.isNaN(at) ? null : at;
}

type Shares = {
  readonly questions: number;
  readonly evidence: number;
  /** By how many of the first: the mean over the questions of the share of each one's evidence, and the share of all evidence together. */
  readonly first: Readonly<Record<string, { readonly ofEachQuestion: number; readonly ofAll: number }>>;
};

function sharesOf(answered: readonly Answered[]): Shares {
  const evidence = answered.reduce((sum, one) => sum + one.evidence.length, 0);
  const share = (first: number): [string, { ofEachQuestion: number; ofAll: number }] => {
    let [each, all] = [0, 0];
    for (const { ids, evidence: wanted } of answered) {
      const given = new Set(ids.slice(0, first));
      const found = wanted.filter((id) => given.has(id)).length;
      each += found / wanted.length;
      all += found;
    }
    return [
      String(first),
      { ofEachQuestion: each / Math.max(1, answered.length), ofAll: all / Math.max(1, evidence) },
    ];
  };
  return { questions: answered.length, evidence, first: Object.fromEntries(firsts.map(share)) };
}

function inWords({ questions, evidence, first }: Shares): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = Object.entries(first).map(
    ([number, { ofEachQuestion, ofAll }]) =>
      `among the first ${number.padStart(2)}: ${percent(ofEachQuestion)} of a question's evidence in the mean, ${percent(ofAll)} of all evidence`,
  );
  return [`${questions} questions with ${evidence} pieces of evidence`, ...lines, ""].join("\n");
}
