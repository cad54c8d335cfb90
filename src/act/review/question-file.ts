import { type Headline, propertyOf, scanOutline } from "#org";
import type { ListedQuestion } from "../../signal/listed-question.ts";
import { linesOf } from "../../text/diff/changed-lines.ts";
import { type EntryStyle, oneLine } from "./entry.ts";
import { readInboxText } from "./inbox-text.ts";
import { blockBegin, blockEnd, type EntryForm, formatQuestion, headingOf } from "./question-entry.ts";

/** What is to stand in the file. */
export type QuestionList = {
  /** Oldest first. */
  readonly questions: readonly ListedQuestion[];
  /** The ids of those that get an entry where the file has none. */
  readonly missing: ReadonlySet<string>;
  /** How many more questions are open. */
  readonly more: number;
  /** Each entry as the program wrote it last, by its id; empty in a new process. */
  readonly written: ReadonlyMap<string, string>;
};

/** The new contents of the file, with each entry in it as it is written now. */
export type FiledQuestions = { readonly bytes: Uint8Array; readonly written: ReadonlyMap<string, string> };

const keywords = "#+TODO: OPEN(o) | APPROVED(a) DENIED(d) LAPSED(l) WITHDRAWN(w)";
const headLine = "# Passepartout writes this file";
const head = [
  "#+TITLE: Questions",
  keywords,
  `${headLine}: what it asks you. Nothing in it answers that.`,
  "# In Emacs, C-c C-t on an entry goes to the question. Lines below it are yours.",
  "",
].join("\n");

/**
 * Brings the file in line with the questions. An entry whose question is not in the list is removed. What
 * somebody else wrote below an entry stays, and so does all
 * else in the file; what was changed in an entry itself is written anew, and the entry says so. An entry that
 * stands as it was written last is not formatted again. A step is an entry.
 */
export function* fileQuestionsInSteps(
  current: Uint8Array | null,
  list: QuestionList,
  style: Pick<EntryStyle, "variables">,
): Generator<void, FiledQuestions> {
  const source = readInboxText(current);
  const text = withHead(source.text);
  const wanted = new Map(list.questions.map((question) => [question.id, question]));
  const written = new Map<string, string>();
  const parts: string[] = [];
  let at = 0;
  for (const entry of scanOutline(text, style).headlines) {
    const id = propertyOf(entry.properties, "ID") ?? "";
    if (!/^question-[\da-z]+$/.test(id)) continue;
    yield;
    parts.push(text.slice(at, entry.begin));
    at = entry.sectionEnd;
    const question = written.has(id) ? undefined : wanted.get(id);
    if (question === undefined) {
      parts.push(withoutQuestion(text, entry));
      continue;
    }
    const renewed = renewedEntry(text, entry, { question, list });
    written.set(id, renewed.made);
    parts.push(renewed.made, renewed.own);
  }
  parts.push(text.slice(at));
  if (!text.endsWith("\n")) parts.push("\n");
  for (const question of list.questions) {
    if (written.has(question.id) || !list.missing.has(question.id)) continue;
    yield;
    const entry = formatQuestion(question, { level: 1, tags: [], isEdited: false });
    written.set(question.id, entry);
    parts.push(entry);
  }
  return { bytes: source.encode(withMore(parts.join(""), list.more)), written };
}

/**
 * Whether the program may write a file: it is empty, has the program's own line, or an entry of one of these
 * questions. Any other file is its owner's.
 */
export function isQuestionFile(
  current: Uint8Array,
  questions: readonly Pick<ListedQuestion, "id">[],
): boolean {
  const { text } = readInboxText(current);
  const isOwn = text.trim() === "" || text.includes(headLine);
  return isOwn || questions.some(({ id }) => text.includes(id));
}

type Renewed = { readonly made: string; readonly own: string };

/** An entry as it is to stand, and the lines in it that are somebody else's. */
function renewedEntry(
  text: string,
  entry: Headline,
  { question, list }: { readonly question: ListedQuestion; readonly list: QuestionList },
): Renewed {
  const { program, own } = splitEntry(text, entry);
  const before = list.written.get(question.id);
  const keyword = entry.todo?.word ?? "";
  if (before === program && keyword === question.state) return { made: before, own };
  const isKnownState = keyword === "OPEN" || keyword === question.state;
  const isOther = before === undefined ? !isKnownState : !isSame(before, program);
  const isEdited = isOther || program.includes(`\n${blockBegin}\n${editNotice}`);
  return { made: formatQuestion(question, { ...formOf(entry), isEdited }), own };
}

const editNotice = "An edit of this entry was found.";

/** The level and the tags of a heading are its owner's. */
function formOf({ level, tags }: Headline): Pick<EntryForm, "level" | "tags"> {
  return { level, tags: tags?.names ?? [] };
}

function isSame(before: string, program: string): boolean {
  const plain = (text: string): string =>
    text.replace(/^\*+/, "").replace(/^(.*?)[ \t]*(?::[\p{L}\p{N}_@#%:]+:)?[ \t]*\n/u, "$1\n");
  return plain(before) === plain(program);
}

/**
 * What the program wrote of an entry: its heading, its properties and the first block; all else below the
 * properties is somebody else's.
 */
function splitEntry(text: string, entry: Headline): { readonly program: string; readonly own: string } {
  const bodyAt = entry.properties?.end ?? entry.lineEnd;
  const lines = linesOf(text.slice(bodyAt, entry.sectionEnd));
  const begin = lines.findIndex((line) => line.trimEnd() === blockBegin);
  const end = lines.findIndex((line, index) => index > begin && line.trimEnd() === blockEnd);
  const isWhole = begin >= 0 && end >= 0;
  const block = isWhole ? lines.slice(begin, end + 1) : [];
  const own = isWhole ? [...lines.slice(0, begin), ...lines.slice(end + 1)] : lines;
  return { program: text.slice(entry.begin, bodyAt) + block.join(""), own: own.join("") };
}

/**
 * What stays of an entry whose question is gone: the lines that somebody else wrote, below a heading of their
 * own.
 */
function withoutQuestion(text: string, entry: Headline): string {
  const { own } = splitEntry(text, entry);
  const isAlone = entry.end === entry.sectionEnd && own.trim() === "";
  if (isAlone) return "";
  const { level, tags } = formOf(entry);
  // They keep the marks that they had there.
  const origin = propertyOf(entry.properties, "ORIGIN") ?? "agent";
  const drawer = `:PROPERTIES:\n:ORIGIN:   ${oneLine(origin)}\n:END:\n`;
  return `${headingOf({ level, tags }, "Notes on a question that is gone")}\n${drawer}${own}`;
}

/** Org reads the states of the file by its keywords. */
function withHead(text: string): string {
  if (text.trim() === "") return `${head}\n`;
  return linesOf(text).some((line) => line.trimEnd() === keywords) ? text : `${keywords}\n${text}`;
}

const moreLine = /^# … and \d+ more questions? .*\n/m;

function withMore(text: string, more: number): string {
  const rest = text.replace(moreLine, "");
  if (more === 0) return rest;
  const line = `# … and ${more} more question${more === 1 ? "" : "s"} that wait: passepartout approve lists them all.\n`;
  const at = rest.indexOf(keywords) + keywords.length + 1;
  return `${rest.slice(0, at)}${line}${rest.slice(at)}`;
}
