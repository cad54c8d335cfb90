import { basename, resolve } from "node:path";
import { findPhrase } from "../../signal/intent/find-words.ts";
import {
  anaphors,
  commonWords,
  exceptionWords,
  negations,
  numberedNouns,
  quantities,
  questionWords,
  readingVerbs,
  reportWords,
  requestWords,
  sensesOf,
  statementSubjects,
  unitNouns,
  wholeNouns,
} from "../../signal/intent/lexicon.ts";
import { readIntent } from "../../signal/intent/read-intent.ts";
import { partsOf, splitWords, type Word } from "../../signal/intent/tokens.ts";
import { readGlobSegment } from "./glob-segment.ts";

/** What the owner's words of a turn name: a thing by its own name, path or pattern, all that is in a folder, or a number of things. */
export type NamedThings = {
  readonly item: (item: string) => boolean;
  readonly count: (count: number) => boolean;
};

/**
 * Reads what the owner's words name. What they report, ask about, forbid, quote or want to keep names nothing. A pattern counts where the
 * command line has it as they typed it.
 */
export function readNamedThings(typed: readonly string[], cmd: string, cwd: string): NamedThings {
  const sentences = typed.flatMap((text) => namingWords(splitWords(text)));
  const words = sentences.flatMap((sentence) => sentence.words);
  const names = new Set(words.map(({ text }) => text.replace(/^\.\//, "")));
  const folders = sentences.flatMap((sentence) => (sentence.isCut ? [] : wholeFolders(sentence.words)));
  const counts = new Set(sentences.flatMap((sentence) => numbersOfThings(sentence.words)));
  const fits = typed.flatMap((text) => typedPatterns(text, cmd));
  return {
    item: (item) => {
      const whole = item.toLowerCase().replace(/^\.\//, "");
      const name = basename(whole);
      const isNamed = [
        whole,
        name,
        resolve(cwd, item).toLowerCase(),
        whole.replace(/^\./, ""),
        name.replace(/^\./, ""),
      ];
      return (
        isNamed.some((form) => names.has(form)) ||
        folders.some((folder) => whole.startsWith(`${folder}/`)) ||
        (name.includes(" ") && findPhrase(words, partsOf(name)).length > 0) ||
        fits.some((matches) => matches(basename(item)))
      );
    },
    count: (count) => counts.has(count),
  };
}

/** The words of a sentence that can name something, and whether others stand behind them that say what is to stay. */
type Naming = { readonly words: readonly Word[]; readonly isCut: boolean };

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
  return isFree || readIntent([sentence.map(({ text }) => text).join(" ")]).clauses.length > 0;
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

/** Whether what stands from here on is to stay: "but", "except", "do not". "No longer" and "No, …" keep nothing back. */
function keepsBack(sentence: readonly Word[], at: number): boolean {
  const [word, next] = [sentence[at], sentence[at + 1]];
  if (word === undefined || word.role !== "plain") return false;
  if (exceptionWords.has(word.text)) return true;
  const isOver =
    next?.text === "longer" || next?.text === "more" || next?.text === "mehr" || next?.after === "comma";
  return negations.has(word.text) && !isOver;
}

/** The folders whose whole contents a sentence names: "all files in cache", "empty the folder cache". */
function wholeFolders(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text }, at) => {
    const isAll = quantities.get(text) === "all";
    if (!isAll && !emptying.has(text)) return [];
    let index = at + 1;
    let isInside = !isAll;
    for (; wholeNouns.has(words[index]?.text ?? ""); index += 1)
      isInside ||= /^(?:in|inside|im|aus|of|from)$/.test(words[index]?.text ?? "");
    const folder = words[index]?.text;
    return folder === undefined || !isInside || words[index + 1]?.after === "nothing" ? [] : [folder];
  });
}

const emptying: ReadonlySet<string> = new Set("empty clear wipe purge leere leeren".split(" "));

/** How many things a sentence names: a number before a noun that is no unit. */
function numbersOfThings(words: readonly Word[]): readonly number[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    const known = quantities.get(word.text);
    const count = word.identifier?.form === "number" ? Number(word.identifier.value) : known;
    const isNoun =
      next?.after === "nothing" &&
      !commonWords.has(next.text) &&
      !unitNouns.has(next.text) &&
      /^\p{L}/u.test(next.text);
    const isName = numberedNouns.has(words[at - 1]?.text ?? "");
    return typeof count === "number" && count > 1 && !word.dated && isNoun && !isName ? [count] : [];
  });
}

/** The patterns that the owner typed and the command line has, by their last part. */
function typedPatterns(text: string, cmd: string): readonly ((name: string) => boolean)[] {
  return text.split(/(?<=[.!?;])\s+|\n+/).flatMap((sentence) => {
    const [kept] = namingWords(splitWords(sentence.replaceAll(/[*?]/g, "x")));
    if (kept === undefined) return [];
    const typed = sentence.split(/[\s,;"'`()<>„“”‘’]+/u);
    const end = typed.findIndex(
      (word) => exceptionWords.has(word.toLowerCase()) || negations.has(word.toLowerCase()),
    );
    return typed.slice(0, end < 0 ? undefined : end).flatMap((word) => {
      const pattern = word.replace(/[.:!]+$/, "").replace(/^\.\//, "");
      if (!/[*?]/.test(pattern) || !cmd.includes(pattern)) return [];
      const segment = readGlobSegment(basename(pattern));
      return segment === null ? [] : [segment.matches];
    });
  });
}
