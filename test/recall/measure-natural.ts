import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { makeContextSource } from "../../src/daemon/agent/prompt/notes-context.ts";
import { type Notes, openNotes } from "../../src/memory/notes/open-notes.ts";
import { daysIn } from "../../src/memory/search/days-in.ts";
import { readNamedDays } from "../../src/memory/search/relative-days.ts";
import { assembleContext } from "../../src/reason/prompt/assemble-context.ts";
import { settingTable } from "../../src/settings/setting-table.ts";
import { askedAt, makeNaturalNotes, type NaturalQuestion } from "./natural-notes.ts";

/** What a question found: its place among the results (0 for none among the first 50), whether the prompt shows the answer, and what it shows beside it. */
export type NaturalAnswer = NaturalQuestion & {
  readonly place: number;
  readonly inContext: boolean;
  /** Titles of the notes that the prompt shows. */
  readonly shown: readonly string[];
  /** Those of them that share no word, compound part or day with the question, and are not the answer. */
  readonly unrelated: readonly string[];
};

const tokens = 2000;

/** Asks all questions about the notes. */
export async function askNaturalQuestions(): Promise<readonly NaturalAnswer[]> {
  return withNotes(async (notes, questions) => {
    const answers: NaturalAnswer[] = [];
    for (const question of questions) answers.push(await answer(notes, question));
    return answers;
  });
}

/** The titles of the notes that the prompt shows for these words. */
export async function shownFor(words: readonly string[]): Promise<readonly (readonly string[])[]> {
  return withNotes(async (notes) => {
    const shown: (readonly string[])[] = [];
    for (const said of words) shown.push((await shownNodes(notes, said)).map(({ title }) => title));
    return shown;
  });
}

async function withNotes<T>(
  work: (notes: Notes, questions: readonly NaturalQuestion[]) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "natural-notes-"));
  try {
    const { files, questions } = makeNaturalNotes();
    const folder = join(root, "notes");
    mkdirSync(folder);
    for (const [path, text] of files) writeFileSync(join(folder, path), text);
    await using notes = openNotes({
      folder,
      variables: [],
      file: join(root, "index.db"),
      clock: () => askedAt,
      worker: null,
      progress: () => undefined,
      labels: { privacyTags: ["@personal"], originsOf: async () => new Map() },
      yieldToEventLoop: () => setImmediate(),
      report: (message) => process.stderr.write(`${message}\n`),
    });
    await notes.sync();
    return await work(notes, questions);
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function answer(notes: Notes, question: NaturalQuestion): Promise<NaturalAnswer> {
  const hits = await notes.index.search(question.question, 50);
  const nodes = await Promise.all(hits.map(({ id }) => notes.index.node(id)));
  const shown = await shownNodes(notes, question.question);
  const related = shown.filter(
    ({ title, text }) => title === question.title || isRelated(question.question, text),
  );
  return {
    ...question,
    place: nodes.findIndex((node) => node?.title === question.title) + 1,
    inContext: shown.some(({ title }) => title === question.title),
    shown: shown.map(({ title }) => title),
    unrelated: shown.filter((node) => !related.includes(node)).map(({ title }) => title),
  };
}

type Shown = { readonly title: string; readonly text: string };

async function shownNodes(notes: Notes, words: string): Promise<readonly Shown[]> {
  const source = makeContextSource({ notes, own: async () => null });
  const threshold = settingTable.CONTEXT_SEMANTIC_THRESHOLD.fallback;
  const context = await assembleContext(source, { words, focus: null, threshold, budget: tokens });
  const shown: Shown[] = [];
  for (const { part, nodes } of context.pieces) {
    if (part === "backlink" || part === "project") continue;
    for (const id of nodes) {
      const node = await notes.index.node(id);
      if (node === null) continue;
      const text = (await notes.texts([node])).get(id) ?? "";
      shown.push({ title: node.title, text: [text, ...node.path, ...node.tags].join("\n") });
    }
  }
  return shown;
}

/** True where a text and a question share a day, the first four letters of a word, a shorter word or a character of Han, or one has a word of the other as a part. */
function isRelated(question: string, text: string): boolean {
  const fold = (words: string): readonly string[] =>
    words
      .normalize("NFKD")
      .replaceAll(/\p{Mn}/gu, "")
      .toLowerCase()
      .match(/\p{Script=Han}|[\p{L}\p{N}]{3,}/gu) ?? [];
  const { ranges } = readNamedDays(question, askedAt);
  const days = daysIn(text);
  if (ranges.some(({ from, to }) => days.some((day) => day >= from && day <= to))) return true;
  const [asked, said] = [fold(question), fold(text)];
  return asked.some((word) =>
    said.some(
      (other) => word.slice(0, 4) === other.slice(0, 4) || other.includes(word) || word.includes(other),
    ),
  );
}
