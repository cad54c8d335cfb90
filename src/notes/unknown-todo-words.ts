import type { Headline, Outline } from "#org";

/** A word that headings begin with as with a TODO word, though no setting knows it. */
export type UnknownTodoWord = { readonly word: string; readonly headings: number };

/** Words that people use as TODO words. */
const conventional: ReadonlySet<string> = new Set(
  (
    "TODO DONE NEXT WAIT WAITING HOLD ONHOLD ON-HOLD ON_HOLD SOMEDAY MAYBE CANCELLED CANCELED CANCEL STARTED DOING INPROGRESS IN-PROGRESS IN_PROGRESS STRT " +
    "BLOCKED DELEGATED DEFERRED POSTPONED ABANDONED DROPPED REJECTED KILL KILLED PROJ TICKLER"
  ).split(" "),
);
/** Fewer headings with a word may be chance. */
const fewestHeadings = 3;
/** Shorter words without another sign are acronyms. */
const shortestUnconventional = 5;

const firstWord = /^(\S{2,})(?:[ \t]+(\[#\w{1,2}\]))?(?=[ \t]|$)/;
const allCapitals = /^\p{Lu}[\p{Lu}\p{N}_-]{2,}$/u;
const stateRecord = /^[ \t]*- State "([^"\s]+)"/gm;
const capitals = /(?<![\p{L}\p{N}_-])\p{Lu}[\p{Lu}\p{N}_-]{2,}(?![\p{L}\p{N}_-])/gu;

type Uses = {
  headings: number;
  /** Headings that look like a task: with planning, or beside a heading with a TODO word. */
  tasks: number;
  priorities: number;
  /** A record of Org's names it as a state. */
  isState: boolean;
  /** How often the word stands anywhere. */
  all: number;
};

/**
 * Collects the words of outlines that are used as TODO words and are none. `NASA visit` is no such use: a word counts if Org itself wrote it as a state, if a priority
 * follows it, if it is a usual one such as `WAITING`, or if it stands only at the beginning of headings, most of them of tasks.
 */
export class UnknownTodoWords {
  readonly #uses = new Map<string, Uses>();

  /** Adds the headings of a file. */
  add({ text, headlines }: Outline): void {
    const parentsOfTasks = new Set(headlines.flatMap(({ todo, parent }) => (todo === null ? [] : [parent])));
    for (const headline of headlines) this.#addHeading(text, headline, parentsOfTasks);
    for (const [word] of text.matchAll(capitals)) this.#of(word).all += 1;
    for (const [, word = ""] of text.matchAll(stateRecord)) this.#of(word).isState = true;
  }

  /** The words that are probably TODO words, the most frequent first. */
  found(): readonly UnknownTodoWord[] {
    return [...this.#uses]
      .filter(([word, uses]) => uses.headings >= fewestHeadings && isTodoWord(word, uses))
      .map(([word, { headings }]) => ({ word, headings }))
      .toSorted((one, other) => other.headings - one.headings);
  }

  #addHeading(text: string, headline: Headline, parentsOfTasks: ReadonlySet<number>): void {
    const { todo, titleRange, planning, parent } = headline;
    if (todo !== null) return;
    const [, word, priority] = firstWord.exec(text.slice(titleRange.begin, titleRange.end)) ?? [];
    if (word === undefined) return;
    const uses = this.#of(word);
    uses.headings += 1;
    if (planning !== null || parentsOfTasks.has(parent)) uses.tasks += 1;
    if (priority !== undefined) uses.priorities += 1;
  }

  #of(word: string): Uses {
    const known = this.#uses.get(word) ?? { headings: 0, tasks: 0, priorities: 0, isState: false, all: 0 };
    this.#uses.set(word, known);
    return known;
  }
}

function isTodoWord(word: string, { headings, tasks, priorities, isState, all }: Uses): boolean {
  if (isState || !allCapitals.test(word)) return isState;
  if (priorities > 0 || conventional.has(word)) return true;
  return word.length >= shortestUnconventional && all === headings && tasks * 2 > headings;
}
