import { openTemporarySessionMemory } from "../../src/memory/state/session-memory.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { greatest } from "../../src/text/lists.ts";

/** A conversation with questions about it, and the turns that hold each answer. */
export type RecallConversation = {
  readonly id: string;
  readonly turns: readonly {
    readonly id: string;
    readonly session: number | string;
    readonly date: string;
    readonly speaker: string;
    readonly text: string;
  }[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
};

/** The turns that a search found for a question, best first, and the turns that hold its answer. */
export type RecallAnswer = {
  readonly question: string;
  readonly ids: readonly string[];
  readonly evidence: readonly string[];
};

/** How much of the evidence was found. */
export type RecallShares = {
  readonly questions: number;
  readonly evidence: number;
  /** Among the first 5, 10, 20 and 50 results: the mean of the questions' shares of evidence, and the share of all evidence together. */
  readonly first: Readonly<Record<string, { readonly ofEachQuestion: number; readonly ofAll: number }>>;
};

const resultCounts = [5, 10, 20, 50];
const mostResults = greatest(resultCounts);

/** Files a conversation as session memory and asks its questions, without any model. */
export async function* answerQuestions({
  id,
  turns,
  questions,
}: RecallConversation): AsyncGenerator<RecallAnswer> {
  using memory = openTemporarySessionMemory();
  memory.file(
    turns.map((turn) => ({
      id: turn.id,
      session: `${id}/${turn.session}`,
      turn: null,
      speaker: turn.speaker,
      at: parseTime(turn.date),
      text: turn.text,
      label: bottomLabel,
    })),
  );
  for (const { question, evidence } of questions) {
    const found = await memory.search(question, mostResults);
    yield { question, evidence, ids: found.map((entry) => entry.id) };
  }
}

/** Measures the share of evidence that was found. Questions without evidence do not count. */
export function measureRecall(answers: readonly RecallAnswer[]): RecallShares {
  const counted = answers.filter(({ evidence }) => evidence.length > 0);
  const evidence = counted.reduce((sum, answer) => sum + answer.evidence.length, 0);
  const share = (first: number): [string, { ofEachQuestion: number; ofAll: number }] => {
    let [each, all] = [0, 0];
    for (const { ids, evidence: wanted } of counted) {
      const results = new Set(ids.slice(0, first));
      const found = wanted.filter((id) => results.has(id)).length;
      each += found / wanted.length;
      all += found;
    }
    return [
      String(first),
      { ofEachQuestion: each / Math.max(1, counted.length), ofAll: all / Math.max(1, evidence) },
    ];
  };
  return { questions: counted.length, evidence, first: Object.fromEntries(resultCounts.map(share)) };
}

/** Parses `1:56 pm on 8 May, 2023` or another date into Unix milliseconds; null if it cannot be parsed. */
function parseTime(date: string): number | null {
  const [, time = "", day = date] = /^(.+?) on (.+)$/.exec(date) ?? [];
  const at = Date.parse(`${day} ${time}`.trim());
  return Number.isNaN(at) ? null : at;
}
