import { identifierOf } from "./identifiers.ts";
import { commonWords, idNouns } from "./lexicon.ts";
import { partsOf, type Word } from "./tokens.ts";

/**
 * Finds the words that name a value as a whole, never as a part: "13" is not in "June 13", nor "a@b.c" in "xa@b.co".
 * An identifier must be the same identifier, and of an address neither in clear where the owner wrote https
 * nor with a part behind "#" that they did not; a bare number needs a noun before it that makes an
 * identifier of it ("file 13" needs the noun `file` in `nouns`); other text must stand there word for word.
 * Quoted contents name nothing.
 */
export function findNaming<W extends Word>(
  words: readonly W[],
  value: string,
  nouns: ReadonlySet<string> = new Set(),
): readonly W[] {
  const identifier = identifierOf(value);
  if (identifier !== null && identifier.form !== "number" && identifier.form !== "date") {
    return words.filter(
      ({ identifier: own, role, text }) =>
        role !== "content" &&
        own !== null &&
        own.form === identifier.form &&
        (own.value === identifier.value ||
          (own.form === "url" && own.value.replace(/#.*$/s, "") === identifier.value)) &&
        !(/^\s*http:/i.test(value) && text.startsWith("https:")),
    );
  }
  if (identifier?.form === "number")
    return words.filter(
      (word, at) => isNumbered(words, at, { value: identifier.value, nouns }) && word.role !== "content",
    );
  return findPhrase(words, partsOf(value));
}

/** Finds a number that says how much, and is no identifier: an amount, a limit. */
export function findAmount<W extends Word>(words: readonly W[], value: string): readonly W[] {
  const amount = identifierOf(value);
  return words.filter(
    ({ identifier, role }) =>
      role !== "content" &&
      amount?.form === "number" &&
      identifier?.form === "number" &&
      identifier.value === amount.value,
  );
}

/** Finds the places where words stand in this order with nothing between them. A part of a word is no match, nor are common words alone. */
export function findPhrase<W extends Word>(words: readonly W[], parts: readonly string[]): readonly W[] {
  if (parts.length === 0 || parts.every((part) => commonWords.has(part))) return [];
  const found: W[] = [];
  for (const [at, word] of words.entries()) {
    if (word.role !== "content" && matchesFrom(words, at, parts)) found.push(word);
  }
  return found;
}

/**
 * Finds where words are the name of something, written as the value is: in quotes, with a capital or a sign
 * that only names have ("new_project"), or beside a noun that says what it names ("the channel random").
 */
export function findName<W extends Word>(
  words: readonly W[],
  value: string,
  { nouns, capitals, beside }: NameForm,
): readonly W[] {
  const parts = value.trim().toLowerCase().split(" ");
  if (parts.every((part) => commonWords.has(part) || nouns.has(part))) return [];
  return words.filter((word, at) => {
    const own = words.slice(at, at + parts.length);
    const isSame =
      own.length === parts.length &&
      own.every(
        ({ text, role, after }, order) =>
          text === parts[order] && role !== "content" && (order === 0 || after === "nothing"),
      );
    if (!isSame) return false;
    const [before, behind] = [words[at - 1]?.text ?? "", words[at + parts.length]?.text ?? ""];
    // "Titled" names what is made, and nobody.
    if (capitals && before === "titled") return false;
    if (before === "with" && beginnings.has(words[at - 2]?.text ?? "")) return false;
    if (own.every(({ role }) => role === "name")) return word.opens && (own.at(-1)?.closes ?? false);
    if (
      own.every(
        ({ role, dated, capital, text }) =>
          role === "plain" && !dated && (capital ? capitals : signs.test(text)),
      )
    )
      return !isPartOfName(words, at, parts.length) && !beginsSentence(words, at);
    if (parts.length > 1) return false;
    // "My public key" says which key, and names none.
    const isNamed =
      (nouns.has(behind) && !owners.has(before)) || (nouns.has(before) && !/(?:ing|ed)$/.test(word.text));
    return beside && isNamed;
  });
}

/**
 * What makes a name of a word: the nouns of what it names, and whether a capital, or to stand beside such a
 * noun is enough.
 */
export type NameForm = {
  readonly nouns: ReadonlySet<string>;
  readonly capitals: boolean;
  readonly beside: boolean;
};

const owners: ReadonlySet<string> = new Set(
  "my our your his her its their mein meine meinen unser unsere".split(" "),
);

/** A capital at the start of a sentence makes no name, but for an item of a list: "Catch up" is nobody. */
function beginsSentence(words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word?.after !== "sentence" || next === undefined || next.after !== "nothing") return false;
  return !next.capital && next.text !== "and" && next.text !== "und" && next.text !== "or";
}

/** Signs that only names have. */
const signs = /[_/.@-]|^\p{L}.*\d/u;

/** "Smith" in "Carol Smith" is not the name. */
function isPartOfName(words: readonly Word[], at: number, length: number): boolean {
  const [first, behind, before] = [words[at], words[at + length], words[at - 1]];
  const isJoined = (word: Word | undefined, next: Word | undefined): boolean =>
    word?.capital === true &&
    word.role === "plain" &&
    next?.capital === true &&
    next.after === "nothing" &&
    !word.possessive;
  return isJoined(words[at + length - 1], behind) || (at > 1 && isJoined(before, first));
}

/** What stands behind "starting with" is a part of a name. */
const beginnings: ReadonlySet<string> = new Set(["starting", "beginning", "starts", "begins"]);

function matchesFrom(words: readonly Word[], at: number, parts: readonly string[]): boolean {
  let next = 0;
  for (let index = at; index < words.length && next < parts.length; index++) {
    const word = words[index];
    if (word === undefined || word.role === "content" || (index > at && word.after === "sentence"))
      return false;
    const own =
      word.identifier === null || word.identifier.form === "number" ? partsOf(word.text) : [word.text];
    for (const part of own) {
      if (parts[next] !== part) return false;
      next++;
    }
  }
  return next === parts.length;
}

function isNumbered(
  words: readonly Word[],
  at: number,
  { value, nouns }: { readonly value: string; readonly nouns: ReadonlySet<string> },
): boolean {
  if (words[at]?.identifier?.form !== "number" || words[at]?.identifier?.value !== value) return false;
  const noun = words[startOfNumbers(words, at) - 1]?.text ?? "";
  const isOne = nouns.has(noun) || idNouns.has(noun);
  return isOne || (/s$/.test(noun) && nouns.has(noun.slice(0, -1)) && endsList(words, at));
}

/** Where the list of numbers begins that a number ends or stands in: "events 41, 42 and 43". */
function startOfNumbers(words: readonly Word[], at: number): number {
  let [start, index] = [at, at - 1];
  for (; index >= 0; index -= 1) {
    const word = words[index];
    if (word?.identifier?.form === "number" && endsList(words, index)) start = index;
    else if (word === undefined || !listWords.has(word.text)) break;
  }
  return endsList(words, at) ? start : at;
}

/** Whether no noun stands behind a number: in "event 41 and 2 guests" the second names no event. */
function endsList(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return next === undefined || next.after !== "nothing" || listWords.has(next.text);
}

const listWords: ReadonlySet<string> = new Set(["and", "und"]);
