import { choosesFrom, isActing, isDistinct, isFiller, isOpen, isRemoving } from "./extent-words.ts";
import {
  anaphors,
  negations,
  questionWords,
  readingVerbs,
  reportWords,
  requestWords,
  sensesOf,
  statementSubjects,
} from "./lexicon.ts";
import { readIntent } from "./read-intent.ts";
import { splitWords, type Word } from "./tokens.ts";
import { exceptionAt } from "./withheld.ts";

/** A part of a sentence that asks for something to be done with the things that it names. */
export type NamingRequest = {
  readonly words: readonly Word[];
  /** Whether other words stand behind it that say what is to stay. */
  readonly isCut: boolean;
  /** Whether it asks to take something away. */
  readonly removes: boolean;
};

type Part = NamingRequest & {
  readonly asks: boolean;
  readonly isOpen: boolean;
  readonly pointsBack: boolean;
  readonly verb: boolean;
};

/**
 * Reads the parts of a text that ask for something and can name things exactly. What they report, ask about, forbid, quote or want to keep is
 * left out, and so is what leaves open which things are meant. `program`: a command's program, which asks where it was typed.
 */
export function readNamingRequests(text: string, program: string): readonly NamingRequest[] {
  const sentences: (readonly Part[])[] = [];
  for (const naming of namingWords(splitWords(text)))
    sentences.push(partsIn(naming, { program, before: sentences.at(-1)?.at(-1) }));
  const all = sentences.flatMap((parts, order) => {
    const next = sentences[order + 1]?.[0];
    return parts.map((part, at) => {
      const behind = [...parts.slice(at + 1), ...(next === undefined ? [] : [next])];
      const asking =
        behind.find(({ pointsBack }) => pointsBack) ?? (isList(part.words) ? parts[at + 1] : part);
      const isNarrowed = parts.slice(at + 1).some(narrows) || (next !== undefined && isOnly(next));
      const removes = part.removes || asking?.removes === true;
      return { ...part, asks: part.asks || asking?.asks === true, removes, isCut: part.isCut || isNarrowed };
    });
  });
  return all.filter((part) => part.asks && !part.isOpen);
}

/** What stands around a sentence: a program that was typed asks, and a list goes on with the request before it. */
type Context = { readonly program: string; readonly before: Part | undefined };

/** The parts of a sentence between its commas. A part of names alone belongs to the request before it: "delete a, b and c". */
function partsIn({ words, isCut }: Naming, { program, before }: Context): readonly Part[] {
  const parts: Part[] = [];
  const isConditional = segmentsOf(words).some((segment) => segment[0] !== undefined && isOpen(segment[0]));
  for (const segment of segmentsOf(words)) {
    const verb = segment.findIndex((_, at) => isTyped(segment, at, program) || isActing(segment, at));
    const isLeftOpen = isConditional || segment.some((word, at) => isOpen(word) || choosesFrom(segment, at));
    const last = parts.at(-1) ?? (isList(segment) ? before : undefined);
    const goesOn = last?.asks === true && !segment.some(({ text }) => copulas.has(text));
    const refers = segment.some(({ text }) => pointers.has(text));
    const isBare = segment.every((word, at) => isFiller(word) || isActing(segment, at));
    const pointsBack = verb >= 0 && !isLeftOpen && (refers || isBare);
    const isRemoval = segment.some((_, at) => isTyped(segment, at, program) || isRemoving(segment, at));
    const removes = isRemoval || (verb < 0 && goesOn && last.removes);
    parts.push({
      words: segment,
      isCut,
      asks: verb >= 0 || goesOn,
      isOpen: isLeftOpen,
      pointsBack,
      verb: verb >= 0,
      removes,
    });
  }
  return parts;
}

/** Whether a program stands where a command line begins: "rm a b", "please run rm a b". */
export function isTyped(words: readonly Word[], at: number, program: string): boolean {
  const before = words[at - 1];
  return words[at]?.text === program && (before === undefined || isFiller(before) || isActing(words, at - 1));
}

/** Whether words only list names: "draft-1 and draft-2". */
function isList(words: readonly Word[]): boolean {
  return words.some(isDistinct) && words.every((word) => isFiller(word) || isDistinct(word));
}

/** What a part behind a request says that is neither a request nor a reason may narrow it: "delete cache, only the old files". */
function narrows(part: Part): boolean {
  const first = part.words[0]?.text ?? "";
  const isReason = statementSubjects.has(first) || reasonWords.has(first);
  return isOnly(part) || !(part.asks || isReason || part.words.every(isFiller));
}

function isOnly({ words, verb }: Part): boolean {
  return !verb && onlyWords.has(words[0]?.text ?? "");
}

const onlyWords: ReadonlySet<string> = new Set("only just nur bloß lediglich".split(" "));
const reasonWords: ReadonlySet<string> = new Set(
  "it's they're that's because since as so which both weil da denn these".split(" "),
);

function segmentsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const segments: Word[][] = [];
  for (const word of words) {
    if (word.after === "comma" || segments.length === 0) segments.push([]);
    segments.at(-1)?.push(word);
  }
  return segments;
}

const copulas: ReadonlySet<string> = new Set(
  "is are was were be have has ist sind war waren they're it's they it".split(" "),
);
const pointers: ReadonlySet<string> = new Set([
  ...anaphors,
  ..."it they these those all sie beide alle".split(" "),
]);

/** The words of a sentence that can name something, and whether others stand behind them that say what is to stay. */
type Naming = Pick<NamingRequest, "words" | "isCut">;

function namingWords(words: readonly Word[]): readonly Naming[] {
  const sentences = sentencesOf(words);
  return sentences.flatMap((sentence, at) => {
    const [first] = sentence;
    if (first === undefined || questionWords.has(first.text)) return [];
    const points = sentences[at + 1]?.some(({ text }) => anaphors.has(text)) === true;
    if (isReport(sentence) || (statementSubjects.has(first.text) && !points && !isRequest(sentence)))
      return [];
    const end = sentence.findIndex((_, index) => keepsBack(sentence, index));
    const said = sentence.slice(0, end < 0 ? undefined : end);
    const kept = withoutReading(said).filter(({ role }) => role !== "content");
    return [{ words: kept, isCut: end >= 0 }];
  });
}

function sentencesOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const sentences: Word[][] = [];
  for (const word of words) {
    if (word.after === "sentence" || sentences.length === 0) sentences.push([]);
    sentences.at(-1)?.push(word);
  }
  return sentences;
}

/** "We can drop it" asks as "drop it" does. */
function isRequest(sentence: readonly Word[]): boolean {
  const isFree = permissions.has(sentence[1]?.text ?? "");
  return (
    isFree ||
    readIntent([sentence.map(({ text, after }) => (after === "comma" ? `, ${text}` : text)).join(" ")])
      .clauses.length > 0
  );
}

const permissions: ReadonlySet<string> = new Set("can could may might should must".split(" "));

/** Whether a sentence tells what others want, or what must not happen: "make sure that it is never deleted". */
function isReport(sentence: readonly Word[]): boolean {
  return sentence.some(({ text, role }, at) => {
    if (role !== "plain") return false;
    const behind = negations.has(text) ? sentence.slice(at + 1, at + 4) : [];
    return reportWords.has(text) || behind.some((word) => isParticiple(word.text));
  });
}

function isParticiple(text: string): boolean {
  return (
    /ed$/.test(text) && (sensesOf(text.slice(0, -1)).length > 0 || sensesOf(text.slice(0, -2)).length > 0)
  );
}

/** Without what is only read: "compare a with b and delete c". A word that points back means all before it. */
function withoutReading(sentence: readonly Word[]): readonly Word[] {
  let isRead = false;
  const asked: Word[] = [];
  for (const [at, word] of sentence.entries()) {
    const begins = at === 0 || word.after === "comma" || requestWords.has(sentence[at - 1]?.text ?? "");
    const isRid = word.text === "get" && sentence[at + 1]?.text === "rid";
    if (begins && word.role === "plain" && readingVerbs.has(word.text) && !isRid) isRead = true;
    else if (begins && sensesOf(word.text).length > 0) isRead = false;
    if (!isRead && anaphors.has(word.text)) return sentence;
    if (!isRead) asked.push(word);
  }
  return asked;
}

/** Whether what stands from here on is to stay: "but", "except", "do not". "No longer", "not needed" and "No, …" keep nothing back. */
function keepsBack(sentence: readonly Word[], at: number): boolean {
  const [word, next] = [sentence[at], sentence[at + 1]];
  if (word === undefined || word.role !== "plain") return false;
  if (exceptionAt(sentence, at) > 0) return true;
  const isOwn = at < 3 && statementSubjects.has(sentence[at - 1]?.text ?? "");
  const isNeed = isOwn && needWords.has(next?.text ?? "") && sentence[at + 2]?.text !== "to";
  const isOver = isNeed || next?.after === "comma" || overWords.has(next?.text ?? "");
  return negations.has(word.text) && !isOver;
}

const overWords: ReadonlySet<string> = new Set(
  "longer more mehr needed used necessary required wanted relevant nötig benötigt gebraucht".split(" "),
);
const needWords: ReadonlySet<string> = new Set(["need", "want", "use", "brauche", "brauchen"]);
