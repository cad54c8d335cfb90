import { type Sense, sensesOf } from "../../text/words/lexicon.ts";
import { wordsOfName } from "../flow/fits-name.ts";
import { stem } from "../flow/name-records.ts";

/**
 * Words that people and services use for the same thing or act, in English and German; the first of a line
 * stands for all.
 */
const groups: readonly string[] = [
  "email e-mail mail mailbox inbox posteingang",
  "message nachricht dm",
  "event meeting appointment calendar schedule reminder termin kalender besprechung",
  "available availability free busy freebusy frei",
  "issue ticket bug",
  "pull pr",
  "repository repo",
  "folder directory ordner verzeichnis",
  "file datei document dokument",
  "picture image photo bild foto",
  "weather wetter forecast rain regen",
  "distance far entfernung",
  "direction route navigate",
  "task todo aufgabe",
  "note notiz",
  "page seite",
  "database db datenbank",
  "music song track musik lied",
  "search find such suche suchen finde finden",
  "move rename verschiebe verschieben umbenennen",
  "create erstelle erstellen anlegen",
  "delete remove lösche löschen entferne entfernen",
  "translate translation übersetze übersetzen",
];

/** The word that stands for each word of a group, by a form of both. */
function sameWords(formOf: (word: string) => string): ReadonlyMap<string, string> {
  return new Map(
    groups.flatMap((group) => {
      const [first = "", ...others] = group.split(" ").map(formOf);
      return others.map((other) => [other, first] as const);
    }),
  );
}

/** The name of the search among tools. */
export const searchName = "find-tools";

/** A tool that can be searched for. */
export type SearchableTool = { readonly name: string; readonly description: string };

/** Words that stand in most sentences and most descriptions. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the this that these those of to in on at for from with by as is are was be been it its i me my you your we our and or not no if then than so do does did can could " +
    "will would should please have has had what which who when where why how all any some each other into out up about over only also just more most very via per use used using uses " +
    "tool tools server call return returns given get gets hi hello hey thanks thank ok yes " +
    "der die das den dem des ein eine einen einem einer und oder nicht kein keine ist sind war ich du er sie es wir ihr mein meine dein deine mit von zu zum zur im am auf für aus bei nach wie was wer wo wann bitte danke hallo ja nein mir mich dir dich kannst kann"
  ).split(" "),
);

const same = sameWords(stemOf);

const nameWeight = 3;
/** What a tool scores for a verb of its name that means what a verb of the words means. It orders what is found, and finds nothing. */
const senseWeight = 1;
/** How many tools are found at most, and the least that one must score: a word of its name counts 3, one of its description 1. */
export type SearchLimits = { readonly most: number; readonly least: number };

/** A tool with the stems of its words, and what the verbs of its name ask for. */
export type IndexedTool<Tool> = {
  readonly tool: Tool;
  readonly name: ReadonlySet<string>;
  readonly description: ReadonlySet<string>;
  readonly senses: ReadonlySet<Sense>;
};

/** Indexes a tool, so that its words are read once. */
export function indexTool<Tool extends SearchableTool>(tool: Tool): IndexedTool<Tool> {
  return {
    tool,
    name: new Set(stemsOf(tool.name)),
    description: new Set(stemsOf(tool.description)),
    senses: sensesIn(tool.name),
  };
}

/**
 * Finds the tools that words are about, best first: by the stems of the words, and of others for the same thing, in names and descriptions. A rare word counts more than one that many tools have.
 * The same words and tools always give the same order.
 */
export function findTools<Tool extends SearchableTool>(
  words: string,
  tools: readonly IndexedTool<Tool>[],
  { most, least }: SearchLimits,
): readonly Tool[] {
  const wanted = [...new Set(stemsOf(words))];
  if (wanted.length === 0) return [];
  const senses = sensesIn(words);
  const spread = (word: string): number =>
    tools.filter(({ name, description }) => name.has(word) || description.has(word)).length;
  const rarity = new Map(wanted.map((word) => [word, 1 / Math.sqrt(Math.max(1, spread(word)))]));
  const rare = (found: readonly string[]): number =>
    found.reduce((sum, word) => sum + (rarity.get(word) ?? 0), 0);
  return tools
    .map((one) => {
      const inName = wanted.filter((word) => one.name.has(word));
      const inDescription = wanted.filter((word) => one.description.has(word) && !one.name.has(word));
      const sense = one.senses.isDisjointFrom(senses) ? 0 : senseWeight;
      return {
        tool: one.tool,
        plain: nameWeight * inName.length + inDescription.length,
        score: nameWeight * rare(inName) + rare(inDescription) + sense,
      };
    })
    .filter(({ plain }) => plain >= least)
    .toSorted((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
    .slice(0, most)
    .map(({ tool }) => tool);
}

/** Whether words are about anything: a greeting, a thank-you and a yes are not. */
export function haveSubject(words: string): boolean {
  return stemsOf(words).length > 0;
}

function stemsOf(text: string): readonly string[] {
  return wordsIn(text)
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .map(stemOf)
    .map((word) => same.get(word) ?? word);
}

/** What the verbs in a text ask for. */
function sensesIn(text: string): ReadonlySet<Sense> {
  return new Set(wordsIn(text).flatMap((word) => sensesOf(word)));
}

function wordsIn(text: string): readonly string[] {
  return text
    .slice(0, 4000)
    .split(/[^\p{L}\p{N}_-]+/u)
    .flatMap(wordsOfName);
}

/** A word without its plural and its usual endings: `reading` and `reads` are `read`. */
function stemOf(word: string): string {
  const singular = stem(word);
  return singular.length > 4 ? singular.replace(/(?:ing|ed|en|e)$/, "") : singular;
}
