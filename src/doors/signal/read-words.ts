import {
  longestWords,
  type MarkedWords,
  markWords,
  type Showing,
  type TextRange,
} from "../chat/mark-words.ts";

/** The words of a message as signal-cli gives them, with what they mention and how they are shown. */
type GivenWords = {
  readonly message?: string | null | undefined;
  readonly mentions?: readonly Mention[] | null | undefined;
  readonly textStyles?: readonly (TextRange & { readonly style: string })[] | null | undefined;
};

type Mention = TextRange & {
  readonly number?: string | null | undefined;
  readonly uuid?: string | null | undefined;
};

/** `isCut`: whether it is too long. */
export type Words = MarkedWords & { readonly isCut: boolean };

/** How the styles of a message show words. Another one may mark what is not the writer's. */
const showings: ReadonlyMap<string, Showing> = new Map([
  ["BOLD", "plain"],
  ["ITALIC", "plain"],
  ["STRIKETHROUGH", "struck"],
]);

/** Mentions that are read. */
const mostMentions = 100;

/**
 * Reads the words of a message, without a look back whatever they hold. Where somebody is mentioned the
 * service leaves
 * a place holder: the agent's own, which has `number`, says nothing; the number of nobody else is told.
 */
export function readWords({ message, mentions, textStyles }: GivenWords, number: string): Words {
  const whole = message ?? "";
  const given = whole.slice(0, longestWords);
  const replaced = replaceMentions(given, mentions ?? [], number);
  const marks = (textStyles ?? []).map(({ style, start, length }) => {
    const from = replaced.placeOf(start);
    const showing = showings.get(style) ?? "quoted";
    return { start: from, length: replaced.placeOf(start + length) - from, showing };
  });
  const { text, quotes } = markWords(replaced.text, marks);
  return { text: text.trim(), quotes, isCut: given.length < whole.length };
}

/** `placeOf`: where in the new text a place of the old one is. */
type Replaced = { readonly text: string; readonly placeOf: (place: number) => number };

function replaceMentions(given: string, mentions: readonly Mention[], number: string): Replaced {
  const pieces: string[] = [];
  /** By how much what is behind a place has moved. */
  const moves: { readonly from: number; readonly by: number }[] = [];
  const people = new Map<string, string>();
  let done = 0;
  let moved = 0;
  const inOrder = mentions.slice(0, mostMentions).toSorted((one, other) => one.start - other.start);
  for (const { start, length, ...who } of inOrder) {
    const end = start + length;
    if (start < done || length < 0 || end > given.length) continue;
    const name = who.number === number ? "" : nameOf(who, people);
    pieces.push(given.slice(done, start), name);
    moved += name.length - length;
    moves.push({ from: end, by: moved });
    done = end;
  }
  pieces.push(given.slice(done));
  return {
    text: pieces.join(""),
    placeOf: (place) => place + (moves.findLast(({ from }) => from <= place)?.by ?? 0),
  };
}

/** signal-cli knows no name of somebody who is mentioned. Each has one of their own here. */
function nameOf({ number, uuid }: Pick<Mention, "number" | "uuid">, people: Map<string, string>): string {
  const who = uuid ?? number ?? "";
  const known = people.get(who);
  if (known !== undefined) return known;
  const name = people.size === 0 ? "@somebody" : `@somebody-${people.size + 1}`;
  people.set(who, name);
  return name;
}
