import { basename, dirname, resolve } from "node:path";
import {
  type AgendaLine,
  type AgendaSpan,
  agendaFor,
  agendaTimestamps,
  compileQuery,
  decodeOrgText,
  formatDay,
  type LocatedTimestamp,
  type Outline,
  parseDay,
  parseQuery,
  printAgenda,
  type QueryTime,
  queryEntries,
  scanOutline,
  sparseTree,
  tagGroupFinder,
} from "#org";
import { readNoteBytes } from "../../memory/notes/folder/read-note-file.ts";
import { type NoteProblem, statNote, walkNotes } from "../../memory/notes/folder/walk-notes.ts";
import { loadConfig } from "../../settings/config.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { openNotesReader } from "./open-notes-reader.ts";

export { localDay, localMinutes, mondayOf, parseRelativeDay } from "#org";

/** Which notes are asked: the files that are named, else all of the notes folder. */
export type NoteSelection = { readonly files: readonly string[] };

/** What an agenda is asked for. Days are `YYYY-MM-DD`; `minutes` is the time of day now. */
export type AgendaRequest = NoteSelection &
  AgendaSpan & { readonly inactive: boolean; readonly minutes: number };

/** An answer for a person and for a program. */
export type AgendaResult = {
  /** How many lines there are. */
  readonly found: number;
  readonly lines: () => readonly object[];
  readonly page: string;
  readonly problems: readonly NoteProblem[];
  /** Where there are no notes, what to do; else null. */
  readonly advice: string | null;
};

/** The agenda of some days: over the notes folder from its index, over named files, and with inactive times, from the files themselves. */
export async function listAgenda(start: StartContext, asked: AgendaRequest): Promise<AgendaResult> {
  const found =
    asked.files.length === 0 && !asked.inactive
      ? await stampsOfIndex(start, asked)
      : await stampsOfFiles(start, asked);
  const lines = agendaFor(found.stamps, asked);
  return {
    found: lines.length,
    lines: () => printLines(lines, found.pointOf),
    page: lines.length === 0 ? "" : printAgenda(lines, asked, { minutes: asked.minutes }),
    problems: found.problems,
    advice: found.advice,
  };
}

/** Where an offset of a file is in code points, as Emacs counts. */
type PointOf = (file: string, offset: number) => number;

type FoundStamps = Pick<AgendaResult, "problems" | "advice"> & {
  readonly stamps: readonly LocatedTimestamp[];
  readonly pointOf: PointOf;
};

async function stampsOfIndex(start: StartContext, { from, days }: AgendaRequest): Promise<FoundStamps> {
  await using reading = await openNotesReader(start, { progress: () => undefined });
  const { present, folder, problems } = reading.notes.status();
  if (!present) return { stamps: [], problems: [], advice: adviceOnMissing(folder), pointOf: (_, at) => at };
  const { index } = reading.notes;
  const advice = (await index.count()) === 0 ? adviceOnEmpty(folder) : null;
  const to = formatDay((parseDay(from) ?? 0) + days - 1);
  const pointOf = pointsBy((file) => {
    const found = statNote(folder, file);
    const taken = found === null ? null : readNoteBytes(folder, found);
    return taken?.kind === "read" && hasAstral(taken.bytes) ? decodeOrgText(taken.bytes).text : null;
  });
  const unread = (await index.files()).flatMap(({ path, hash, problem }) =>
    problem === null || hash !== "" ? [] : [{ path, problem }],
  );
  return { stamps: await index.stampsFor(from, to), problems: [...problems, ...unread], advice, pointOf };
}

async function stampsOfFiles(start: StartContext, asked: AgendaRequest): Promise<FoundStamps> {
  const { files, problems, advice } = await readNotes(start, asked);
  const stamps = files.flatMap(({ file, outline }) =>
    agendaTimestamps(outline, { category: categoryOf(file), inactive: asked.inactive }).map(
      ({ index, timestamp }): LocatedTimestamp => ({
        file,
        begin: outline.headlines[index]?.begin ?? 0,
        timestamp,
      }),
    ),
  );
  const texts = new Map(files.map(({ file, outline }) => [file, outline.text]));
  return { stamps, problems, advice, pointOf: pointsBy((file) => texts.get(file) ?? null) };
}

/** True for UTF-8 that has characters of two UTF-16 units. */
function hasAstral(bytes: Uint8Array): boolean {
  return [0xf0, 0xf1, 0xf2, 0xf3, 0xf4].some((first) => bytes.includes(first));
}

/** Counts in the texts of files; each is looked at once. Without a text, each unit is a code point. */
function pointsBy(textOf: (file: string) => string | null): PointOf {
  const texts = new Map<string, string | null>();
  return (file, offset) => {
    let text = texts.get(file);
    if (text === undefined) {
      const whole = textOf(file);
      text = whole !== null && /[\ud800-\udbff]/.test(whole) ? whole : null;
      texts.set(file, text);
    }
    return text === null ? offset : Array.from(text.slice(0, offset)).length;
  };
}

/** The lines in the form of Emacs, where a file with a broken habit has nothing else on a day on which that would show. */
function printLines(lines: readonly AgendaLine[], pointOf: PointOf): readonly object[] {
  const broken = new Map<string, AgendaLine>();
  const placeOf = ({ date, located }: AgendaLine): string => `${date} ${located.file}`;
  for (const line of lines) {
    if (line.type === "problem" && !broken.has(placeOf(line))) broken.set(placeOf(line), line);
  }
  return lines.flatMap((line): readonly object[] => {
    const { date, located, type, txt, time, extra } = line;
    const { file, timestamp } = located;
    const problem = broken.get(placeOf(line));
    if (problem !== undefined) return problem === line ? [{ date, file, error: extra }] : [];
    const { todo, inheritedTags, localTags } = timestamp.headline;
    const begin = pointOf(file, located.begin);
    return [{ date, file, begin, type, txt, todo, tags: [...inheritedTags, ...localTags], time, extra }];
  });
}

/** What a query is asked over the notes. */
export type QueryRequest = NoteSelection & { readonly expression: string; readonly now: QueryTime };

/** A headline that a query found. */
export type QueryHit = {
  readonly file: string;
  /** Where the headline begins, in code points. */
  readonly begin: number;
  readonly title: string;
  readonly todo: string | null;
  readonly tags: readonly string[];
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly priority: string | null;
  readonly id: string | null;
};

export type QueryResult =
  | { readonly kind: "wrong"; readonly at: number; readonly expected: string }
  | {
      readonly kind: "asked";
      readonly hits: readonly QueryHit[];
      /** Per file with hits: its headlines that match, and those above them. */
      readonly trees: readonly { readonly file: string; readonly tree: string }[];
      readonly problems: readonly NoteProblem[];
      readonly advice: string | null;
    };

/** The headlines that a query finds in the notes. */
export async function runQuery(start: StartContext, asked: QueryRequest): Promise<QueryResult> {
  const read = parseQuery(asked.expression);
  if ("problem" in read) return { kind: "wrong", ...read.problem };
  const matches = compileQuery(read.query, asked.now);
  const notes = await readNotes(start, asked);
  const groupsOf = tagGroupFinder(notes.files.flatMap(({ outline }) => outline.settings.tagGroups));
  const found = notes.files.map(({ file, outline }) => {
    const entries = queryEntries(outline, { file, category: categoryOf(file), groupsOf }).filter(matches);
    const tree = sparseTree(
      outline,
      entries.map(({ headline }) => headline),
    );
    const lineOf = lineCounter(outline.text);
    const pointOf = pointsBy(() => outline.text);
    const hits = entries.map(({ headline, todo, tags, property }): QueryHit => {
      const { begin, level, title, priority } = headline;
      const place = { line: lineOf(begin), level, priority: priority?.value ?? null };
      return { file, begin: pointOf(file, begin), title, todo, tags, ...place, id: property("ID") };
    });
    return { file, hits, tree };
  });
  return {
    kind: "asked",
    hits: found.flatMap(({ hits }) => hits),
    trees: found.filter(({ hits }) => hits.length > 0).map(({ file, tree }) => ({ file, tree })),
    problems: notes.problems,
    advice: notes.advice,
  };
}

/** Counts lines for offsets that only grow. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let feed = text.indexOf("\n", at); feed !== -1 && feed < offset; feed = text.indexOf("\n", at)) {
      line += 1;
      at = feed + 1;
    }
    return line;
  };
}

function categoryOf(file: string): string {
  return basename(file).replace(/\.org(_archive)?$/, "");
}

type Notes = {
  readonly files: readonly { readonly file: string; readonly outline: Outline }[];
  readonly problems: readonly NoteProblem[];
  readonly advice: string | null;
};

function adviceOnMissing(folder: string): string {
  return `There is no notes folder at ${folder}. Make it and put .org files in it, name another in MEMEX_DIR, or name files after the command.`;
}

function adviceOnEmpty(folder: string): string {
  return `There are no notes in ${folder} yet. Put .org files in it, name another folder in MEMEX_DIR, or name files after the command.`;
}

/** Reads the files that are asked for, each by itself: what cannot be read is a problem, and the rest goes on. */
async function readNotes(start: StartContext, { files }: NoteSelection): Promise<Notes> {
  const folder = loadConfig(start.environment).places.notes;
  const walked = files.length > 0 ? null : await walkNotes(folder, () => null);
  if (files.length === 0 && walked === null)
    return { files: [], problems: [], advice: adviceOnMissing(folder) };
  const named =
    walked === null
      ? files.map((file) => ({ file, path: resolve(start.cwd, file) }))
      : [...walked.files.keys()]
          .filter((file) => !file.endsWith("_archive"))
          .sort()
          .map((file) => ({ file, path: resolve(folder, file) }));
  const problems: NoteProblem[] = [...(walked?.problems ?? [])];
  const read = named.flatMap(({ file, path }) => {
    const found = statNote(dirname(path), basename(path));
    const taken = found === null ? null : readNoteBytes(dirname(path), found);
    if (taken?.kind === "read") return [{ file, outline: scanOutline(decodeOrgText(taken.bytes).text) }];
    const problem =
      taken?.kind === "unreadable"
        ? taken.problem
        : "There is no file that can be read. Correct the name, or make it.";
    problems.push({ path: file, problem });
    return [];
  });
  return { files: read, problems, advice: named.length === 0 ? adviceOnEmpty(folder) : null };
}
