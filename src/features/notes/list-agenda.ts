import {
  type AgendaLine,
  type AgendaSpan,
  agendaFor,
  agendaTimestamps,
  formatDay,
  type LocatedTimestamp,
  parseDay,
  printAgenda,
} from "#org";
import { agendaFileFilter } from "../../memory/notes/agenda-files.ts";
import {
  type CodePointOffset,
  codePointOffsets,
  offsetsInNotes,
} from "../../memory/notes/code-point-offsets.ts";
import type { NoteProblem } from "../../memory/notes/folder/walk-notes.ts";
import { defaultCategory } from "../../memory/notes/query-notes.ts";
import { type OwnItem, ownAgenda, printOwnItems } from "../../memory/state/own-agenda.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { adviceOnEmptyFolder, type NoteSelection, readNoteOutlines } from "./read-note-outlines.ts";

/** The span and the notes of an agenda. Days are `YYYY-MM-DD`; `minutes` is the time of day now. */
export type AgendaRequest = NoteSelection &
  AgendaSpan & { readonly inactive: boolean; readonly minutes: number };

/** An agenda for a person and for a program. */
export type AgendaResult = {
  /** Number of lines. */
  readonly found: number;
  /** The lines as objects, in the form of Emacs. */
  readonly lines: () => readonly object[];
  /** The lines as a page of text. */
  readonly page: string;
  readonly problems: readonly NoteProblem[];
  /** What to do if there are no notes; else null. */
  readonly advice: string | null;
  /** False where a notes folder is not there, which was said. */
  readonly isComplete: boolean;
};

/** Lists the agenda of some days. The notes folder is read through its index; named files, and inactive timestamps, from the files themselves. */
export async function listAgenda(start: StartContext, request: AgendaRequest): Promise<AgendaResult> {
  const found =
    request.files.length === 0 && !request.inactive
      ? await timestampsOfIndex(start, request)
      : await timestampsOfFiles(start, request);
  const lines = agendaFor(found.timestamps, request);
  const own = request.from <= request.today ? found.own : [];
  const pages = [
    printOwnItems(own, "owner"),
    lines.length === 0 ? "" : printAgenda(lines, request, { minutes: request.minutes }),
  ];
  return {
    found: own.length + lines.length,
    lines: () => [
      ...own.map((item) => ownAsObject(item, request.today)),
      ...linesAsObjects(lines, found.offsetOf),
    ],
    page: pages.filter((page) => page !== "").join("\n\n"),
    problems: found.problems,
    advice: found.advice,
    isComplete: found.isComplete,
  };
}

type FoundTimestamps = Pick<AgendaResult, "problems" | "advice" | "isComplete"> & {
  readonly timestamps: readonly LocatedTimestamp[];
  readonly offsetOf: CodePointOffset;
  /** What of the agent itself waits for its owner. */
  readonly own: readonly OwnItem[];
};

/** An item of the agent itself, with the keys of any line. */
function ownAsObject({ kind, text, reason, next }: OwnItem, today: string): object {
  const none = { file: null, begin: null, todo: null, tags: [], time: null };
  return { date: today, ...none, type: kind, txt: text, extra: reason, next };
}

async function timestampsOfIndex(
  start: StartContext,
  { from, days }: AgendaRequest,
): Promise<FoundTimestamps> {
  await using reader = await openNotesReader(start, { progress: () => undefined });
  const { present, folder, problems, lost } = reader.notes.status();
  const readable = problems.filter((problem) => !lost.includes(problem));
  const { state } = reader;
  const { budgetPerDay } = loadConfig(start.environment);
  const own = state === null ? [] : await ownAgenda({ state, budgetPerDay, now: Date.now() });
  const { index } = reader.notes;
  const advice =
    present && lost.length === 0 && (await index.count()) === 0 ? adviceOnEmptyFolder(folder) : null;
  const to = formatDay((parseDay(from) ?? 0) + days - 1);
  const offsetOf = offsetsInNotes(reader.notes.place);
  const unread = (await index.files()).flatMap(({ path, hash, problem }) =>
    problem === null || hash !== "" ? [] : [{ path, problem }],
  );
  const timestamps = await reader.notes.agendaStamps(from, to);
  return {
    own,
    timestamps,
    problems: [...readable, ...unread],
    isComplete: present || lost.length > 0,
    advice,
    offsetOf,
  };
}

async function timestampsOfFiles(start: StartContext, request: AgendaRequest): Promise<FoundTimestamps> {
  const { files, problems, advice, isComplete } = await readNoteOutlines(start, request);
  const config = loadConfig(start.environment);
  const isOnAgenda =
    request.files.length > 0 ? () => true : agendaFileFilter(notesPlaceOf(config), config.agendaFiles);
  const timestamps = files
    .filter(({ file }) => isOnAgenda(file))
    .flatMap(({ file, outline }) =>
      agendaTimestamps(outline, { category: defaultCategory(file), inactive: request.inactive }).map(
        ({ index, timestamp }): LocatedTimestamp => ({
          file,
          begin: outline.headlines[index]?.begin ?? 0,
          timestamp,
        }),
      ),
    );
  const texts = new Map(files.map(({ file, outline }) => [file, outline.text]));
  return {
    own: [],
    timestamps,
    isComplete,
    problems,
    advice,
    offsetOf: codePointOffsets((file) => texts.get(file) ?? null),
  };
}

/** The lines in the form of Emacs. There, a file with a broken habit shows nothing else on a day on which the habit would show. */
function linesAsObjects(lines: readonly AgendaLine[], offsetOf: CodePointOffset): readonly object[] {
  const broken = new Map<string, AgendaLine>();
  const dayOfFile = ({ date, located }: AgendaLine): string => `${date} ${located.file}`;
  for (const line of lines) {
    if (line.type === "problem" && !broken.has(dayOfFile(line))) broken.set(dayOfFile(line), line);
  }
  return lines.flatMap((line): readonly object[] => {
    const { date, located, type, txt, time, extra } = line;
    const { file, timestamp } = located;
    const problem = broken.get(dayOfFile(line));
    if (problem !== undefined) return problem === line ? [{ date, file, error: extra }] : [];
    const { todo, inheritedTags, localTags } = timestamp.headline;
    const begin = offsetOf(file, located.begin);
    return [{ date, file, begin, type, txt, todo, tags: [...inheritedTags, ...localTags], time, extra }];
  });
}
