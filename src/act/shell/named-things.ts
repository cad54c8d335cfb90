import { basename, resolve } from "node:path";
import { sensesOf, statementSubjects } from "../../text/words/lexicon.ts";
import { courtesies, fillers } from "../../text/words/order-words.ts";
import { splitWords, type Word } from "../../text/words/tokens.ts";
import { lastRetraction } from "../../text/words/withheld.ts";

/** Things of one kind that a command acts on. */
export type ThingSet = {
  readonly kind: string;
  readonly items: readonly string[];
  /** Whether files are taken away, and not only changed: then the words must ask to take away. */
  readonly isRemoved: boolean;
};

/** What the owner's words of a turn name: which of a set they leave unnamed, and whether they name a folder as a whole. */
export type NamedThings = {
  readonly unnamed: (set: ThingSet) => readonly string[];
  readonly whole: (folder: string) => boolean;
};

/** Where words were typed: the command line that is judged, and its folder. */
type Place = { readonly cmd: string; readonly cwd: string };

/**
 * Reads what the owner's words name exactly: the things whose names stand in a sentence that says nothing
 * else than the act, or all, where such a sentence has the command line itself. Every word that is not in a
 * closed list makes its sentence inexact, so that the command asks, with the list.
 */
export function readNamedThings(typed: readonly string[], { cmd, cwd }: Place): NamedThings {
  const sentences = typed.flatMap((text) => sentencesOf(withLineMarked(text, cmd)));
  const line: Reading = { known: new Set([lineMark]), asksFor: ({ text }) => running.has(text) };
  if (sentences.some((words) => words.some(({ text }) => text === lineMark) && isExact(words, line)))
    return { unnamed: () => [], whole: () => true };
  return {
    unnamed: (set) => unnamedIn(sentences, set, cwd),
    whole: (folder) => {
      const set = { kind: "files", items: [folder], isRemoved: true };
      const [reading, forms] = [readingOf(set), new Set([...pathForms(folder, cwd), ...namesOf(folder)])];
      // What narrows the request may stand in a sentence of its own, or be another name.
      const isAll = sentences.every(
        (words) => isExact(words, reading) && objectsOf(words, reading).every(({ text }) => forms.has(text)),
      );
      return isAll && unnamedIn(sentences, set, cwd).length === 0;
    },
  };
}

type Sentence = readonly Word[];

/** What a sentence is read for: names that the command has, and verbs that ask for what it does. */
type Reading = { readonly known: ReadonlySet<string>; readonly asksFor: (word: Word) => boolean };

function readingOf(set: ThingSet): Reading {
  return { known: segmentsOf(set.items), asksFor: (word) => asksFor(word, set) };
}

/** The sentences of a text, without those that it takes back. */
function sentencesOf(text: string): readonly Sentence[] {
  const words = splitWords(text);
  const sentences: Word[][] = [];
  for (const word of words.slice(lastRetraction(words) + 1)) {
    if (word.after === "sentence" || sentences.length === 0) sentences.push([]);
    sentences.at(-1)?.push(word);
  }
  return sentences;
}

/** The things of a set that no sentence names, or that one names which is not understood: "but not b.txt". */
function unnamedIn(sentences: readonly Sentence[], set: ThingSet, cwd: string): readonly string[] {
  const reading = readingOf(set);
  const isNaming = namingSentences(sentences, reading);
  const [named, other] = [new Set<string>(), new Set<string>()];
  for (const [at, words] of sentences.entries())
    for (const { text } of objectsOf(words, reading)) (isNaming[at] === true ? named : other).add(text);
  const short = shortForms.map((form) => ({ form, times: countAlike(set.items.map(form)) }));
  return set.items.filter((item) => {
    const only = short.flatMap(({ form, times }) => (times.get(form(item)) === 1 ? [form(item)] : []));
    const forms = [...pathForms(item, cwd), ...only];
    return !forms.some((form) => named.has(form)) || forms.some((form) => other.has(form));
  });
}

/**
 * Which sentences name things: an exact one that has the verb, and a list of names alone behind it, or before
 * one that has no names ("a.txt and b.txt: delete them").
 */
function namingSentences(sentences: readonly Sentence[], reading: Reading): readonly boolean[] {
  const read = sentences.map((words) => ({
    exact: isExact(words, reading),
    acts: words.some(reading.asksFor),
    names: objectsOf(words, reading).length > 0,
    list: words.every((word) => isName(word, reading) || listWords.has(word.text)),
  }));
  let goesOn = false;
  return read.map(({ exact, acts, list }, at) => {
    const next = read[at + 1];
    goesOn = exact && (acts || (goesOn && list));
    return goesOn || (list && next?.exact === true && next.acts && !next.names);
  });
}

/** The names in a sentence, but those behind "in" and "from", which only say where the things are. */
function objectsOf(words: Sentence, reading: Reading): Sentence {
  const objects: Word[] = [];
  let isPlace = false;
  for (const word of words) {
    if (word.role === "plain" && places.has(word.text)) isPlace = true;
    else if (reading.asksFor(word)) isPlace = false;
    else if (!isPlace && isName(word, reading)) objects.push(word);
  }
  return objects;
}

/** Whether a sentence has no word but names, verbs that ask for the act, and words that change nothing. */
function isExact(words: Sentence, reading: Reading): boolean {
  const isAsked = words.at(-1)?.asked === true && !words.some(({ text }) => abilities.has(text));
  const isTold = statementSubjects.has(words[0]?.text ?? "");
  const isNoun = words.some((word, at) => reading.asksFor(word) && articles.has(words[at - 1]?.text ?? ""));
  const isKnown = words.every((word) => isPlain(word, reading) || isName(word, reading));
  return isKnown && !isAsked && !isTold && !isNoun;
}

function isPlain(word: Word, { asksFor: asks }: Reading): boolean {
  return (
    word.role === "plain" &&
    (asks(word) ||
      [fillers, courtesies, abilities, nouns, places, listWords].some((set) => set.has(word.text)))
  );
}

/**
 * A name that nobody types by chance, with a sign or a digit in it or in quotes; or a part of a name that the
 * command has.
 */
function isName(word: Word, reading: Reading): boolean {
  const { text, role, identifier, dated } = word;
  if (role === "content" || dated || isPlain(word, reading)) return false;
  return (
    role === "name" ||
    reading.known.has(text) ||
    (identifier?.form !== "number" && /[/_.@]|\d|\p{L}-\p{L}/u.test(text))
  );
}

/** Whether a word asks for what the command does to a set. */
function asksFor({ text, role }: Word, { kind, isRemoved }: ThingSet): boolean {
  if (role !== "plain") return false;
  const senses = sensesOf(text);
  if (senses.includes("delete") || taking.has(text)) return true;
  if (kind !== "files") return stopping.has(text);
  return !isRemoved && senses.length > 0;
}

const articles: ReadonlySet<string> = words("a an the this that my our der die das den");
const abilities: ReadonlySet<string> = words("can could would kannst könntest würdest");
/** Verbs that take a thing or its contents away, beside those of the lexicon. */
const taking: ReadonlySet<string> = words(
  "rm move rename archive overwrite truncate verschiebe verschieben überschreibe überschreiben",
);
/** Verbs that end what is no file. */
const stopping: ReadonlySet<string> = words(
  "stop restart kill halt end disable uninstall untag stoppe stoppen beende beenden deinstalliere deinstallieren",
);
const running: ReadonlySet<string> = words("run execute starte");
const places: ReadonlySet<string> = words("in inside into from of on at to aus im in von nach");
const nouns: ReadonlySet<string> = words(
  "pls you du it them this these those then all both whole entire file files folder folders dir directory branch branches tag tags service services container containers process processes package packages local remote origin " +
    "es sie diese alle ganze ganzen dann datei dateien ordner zweig zweige dienst dienste",
);
const listWords: ReadonlySet<string> = words("and und sowie");

/** The word that stands for a whole command line. */
const lineMark = "line.typed";

/**
 * Puts "run" and one plain word in the place of a command line that the owner typed as a whole: not in the
 * place of a part of a longer one.
 */
function withLineMarked(text: string, cmd: string): string {
  const line = cmd
    .trim()
    .split(/(\s+)/)
    .map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : part.includes("\n") ? "\\s+" : "[^\\S\\n]+"))
    .join("");
  const whole = new RegExp(`(?<![^\\s"'\`„“‘(])(?<![&|;({][ \\t]*)${line}${lineEnd}`, "g");
  return line === "" ? text : text.replaceAll(whole, `run ${lineMark}`);
}

/** Behind a line stands the end of its sentence, or a word that is no option and no sign of a shell. */
const lineEnd = "(?=[\"'`”’)]*[.,:!?]?(?:\\s*$|\\s*\\n|\\s+(?![-+*?&|;<>(){}\\[\\]$~\\\\#!])))";

function plainPath(item: string): string {
  return item.toLowerCase().replace(/^\.\//, "");
}

function pathForms(item: string, cwd: string): readonly string[] {
  const whole = plainPath(item);
  return [whole, whole.replace(/^\./, ""), resolve(cwd, item).toLowerCase()];
}

/** The names that a set has, and those of the folders in them. */
function segmentsOf(items: readonly string[]): ReadonlySet<string> {
  return new Set(
    items.flatMap((item) => [...pathForms(item, "/"), ...plainPath(item).split("/"), ...namesOf(item)]),
  );
}

/** Forms that name a thing where no other of the set has the same: its name, without a leading dot, without its extension. */
const shortForms: readonly ((item: string) => string)[] = [
  (item) => basename(plainPath(item)),
  (item) => basename(plainPath(item)).replace(/^\./, ""),
  (item) => basename(plainPath(item)).replace(/(?<=.)\.\w+$/, ""),
];

function namesOf(item: string): readonly string[] {
  return shortForms.map((form) => form(item));
}

function countAlike(names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
