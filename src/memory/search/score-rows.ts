import { greatest } from "../../text/lists.ts";
import type { Concept } from "./concepts.ts";
import { type Question, wordsThatName } from "./question.ts";

/** A row that is scored in detail. */
export type CandidateRow = {
  readonly number: number;
  /** Its stems by column: title, text, tags, properties. */
  readonly columns: readonly (readonly string[])[];
  /** Stems in all columns. */
  readonly size: number;
  readonly authors: readonly string[];
  readonly group: string;
  /** Its position in the group; null if the rows have no order. */
  readonly position: number | null;
  /** True for a row that ends with a question; such a row seldom answers one. */
  readonly asks: boolean;
  /** True for a row that mentions a day or a time. */
  readonly dated: boolean;
};

/** What scoring needs. */
export type ScoringParts = {
  /** What the question asks for. */
  readonly concepts: readonly Concept[];
  /** Terms that were learned from the first results, with their weights. */
  readonly learned: ReadonlyMap<string, number>;
  readonly question: Question;
  /** The mean size of all rows. */
  readonly meanSize: number;
};

/** The weight of a word by its column: title, text, tags, properties. */
const columnWeights = [2, 1, 1.5, 0.5];

/** The weight of words in neighbouring rows by distance, and the additional weight of a question before its answer. */
const neighbourWeights: ReadonlyMap<number, number> = new Map([
  [-2, 0.15],
  [-1, 0.3],
  [1, 0.2],
  [2, 0.1],
]);
const answeredQuestion = 0.4;

const saturation = 0.8;
const lengthShare = 0.35;
const neighbourLength = 1;

/** The most that learned terms add to a row, as a share of the best score without them. */
const learnedShare = 0.25;

const groupShare = 0.15;
const bestOfGroup = 5;
const namedAuthor = 1.7;
const datedAnswer = 1.3;
const askingRow = 0.85;

/**
 * The score of each row: BM25F over its own columns and, at lower weights, over those of its neighbours. The score is raised by the scores of its group, by an author whom the
 * question names, and by a time in the row if the question asks for one. The scores of groups come from `asked`, the scores by the question's own terms, where it is given.
 */
export function scoreRows(
  rows: readonly CandidateRow[],
  scoring: ScoringParts,
  asked?: ReadonlyMap<CandidateRow, number>,
): ReadonlyMap<CandidateRow, number> {
  const terms = new Set([
    ...scoring.learned.keys(),
    ...scoring.concepts.flatMap((concept) => [...concept.terms.keys()]),
  ]);
  const phrases = [...terms].filter((term) => term.includes(" "));
  const counts = new Map(rows.map((row) => [row, countTerms(row, terms, phrases)]));
  const neighbour = neighbours(rows);
  const scores = new Map<CandidateRow, number>();
  const mostLearned = asked === undefined ? 0 : learnedShare * greatest([0, ...asked.values()]);
  for (const row of rows) scores.set(row, scoreOf(row, { counts, neighbour, scoring, mostLearned }));
  const raise = groupRaise(asked ?? scores);
  for (const [row, score] of scores)
    scores.set(row, (score + raise(row.group)) * factorOf(row, scoring.question));
  return scores;
}

type Counts = ReadonlyMap<string, number>;
type Neighbour = (row: CandidateRow, distance: number) => CandidateRow | undefined;

function countTerms(
  { columns }: CandidateRow,
  terms: ReadonlySet<string>,
  phrases: readonly string[],
): Counts {
  const counts = new Map<string, number>();
  for (const [at, column] of columns.entries()) {
    const weight = columnWeights[at] ?? 1;
    for (const word of column) {
      if (terms.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    const whole = phrases.length === 0 ? "" : column.join(" ");
    for (const phrase of phrases) {
      if (` ${whole} `.includes(` ${phrase} `)) counts.set(phrase, (counts.get(phrase) ?? 0) + weight);
    }
  }
  return counts;
}

/**
 * Finds the row so many places behind another one of its group; undefined where it is not among these rows.
 */
export function neighbours(rows: readonly CandidateRow[]): Neighbour {
  const places = new Map(
    rows.filter(({ position }) => position !== null).map((row) => [`${row.position} ${row.group}`, row]),
  );
  return ({ position, group }, distance) =>
    position === null ? undefined : places.get(`${position + distance} ${group}`);
}

type Sight = {
  readonly counts: ReadonlyMap<CandidateRow, Counts>;
  readonly neighbour: Neighbour;
  readonly scoring: ScoringParts;
  readonly mostLearned: number;
};

function scoreOf(row: CandidateRow, { counts, neighbour, scoring, mostLearned }: Sight): number {
  const merged = new Map(counts.get(row));
  let size = row.size;
  let share = 1;
  for (const [distance, weight] of neighbourWeights) {
    const other = neighbour(row, distance);
    if (other === undefined) continue;
    const whole = distance === -1 && other.asks ? weight + answeredQuestion : weight;
    for (const [term, count] of counts.get(other) ?? []) {
      merged.set(term, (merged.get(term) ?? 0) + whole * count);
    }
    size += neighbourLength * whole * other.size;
    share += neighbourLength * weight;
  }
  const length = 1 - lengthShare + (lengthShare * size) / (scoring.meanSize * share);
  const saturated = (term: string): number => {
    const count = merged.get(term) ?? 0;
    return (count * (saturation + 1)) / (count + saturation * length);
  };
  let score = 0;
  for (const { terms } of scoring.concepts) {
    let best = 0;
    for (const [term, weight] of terms) if (merged.has(term)) best = Math.max(best, weight * saturated(term));
    score += best;
  }
  let learned = 0;
  for (const [term, weight] of scoring.learned) if (merged.has(term)) learned += weight * saturated(term);
  return score + Math.min(learned, mostLearned);
}

/** What it counts for relevance if a row has no word of the question itself, but other words for it, or its days. */
const indirectShare = 0.8;

/** How much of a question a row has itself, from 0 to 1: the share of its concepts, rarer ones counting more. */
export function relevanceOf({ columns }: CandidateRow, concepts: readonly Concept[]): number {
  const words = new Set(columns.flat());
  let [covered, all, direct] = [0, 0, false];
  for (const { terms, indirect, rarity, isPhrase } of concepts) {
    if (isPhrase) continue;
    const had = [...terms].filter(([term]) => words.has(term));
    covered += greatest([0, ...had.map(([, weight]) => weight)]);
    all += rarity;
    direct ||= had.some(([term]) => !indirect.has(term));
  }
  return all === 0 ? 0 : (covered / all) * (direct ? 1 : indirectShare);
}

function factorOf({ authors, dated, asks }: CandidateRow, question: Question): number {
  const named = authors.some((author) => wordsThatName(question, author).length > 0) ? namedAuthor : 1;
  return named * (question.asksWhen && dated ? datedAnswer : 1) * (asks ? askingRow : 1);
}

/** The bonus for the rows of a group: a share of the best score, in proportion to the group's best rows. */
function groupRaise(scores: ReadonlyMap<CandidateRow, number>): (group: string) => number {
  const groups = Map.groupBy(scores, ([{ group }]) => group);
  const sums = new Map<string, number>();
  for (const [group, members] of groups) {
    const best = members.map(([, score]) => score).sort((one, other) => other - one);
    sums.set(
      group,
      best.slice(0, bestOfGroup).reduce((sum, score) => sum + score, 0),
    );
  }
  const bestSum = greatest(sums.values());
  const bestScore = greatest(scores.values());
  if (!(bestSum > 0)) return () => 0;
  return (group) => (groupShare * bestScore * (sums.get(group) ?? 0)) / bestSum;
}
