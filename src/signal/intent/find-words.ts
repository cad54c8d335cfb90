import { identifierOf } from "./identifiers.ts";
import { commonWords, idNouns } from "./lexicon.ts";
import { partsOf, type Word } from "./tokens.ts";

/**
 * Finds the words that name a value as a whole, never as a part: "13" is not in "June 13", nor "a@b.c" in "xa@b.co".
 * An identifier must be the same identifier; a bare number needs a noun before it that makes an identifier of it ("file 13"
 * needs the noun `file` in `nouns`); other text must stand there word for word. Quoted contents name nothing.
 */
export function findNaming<W extends Word>(
  words: readonly W[],
  value: string,
  nouns: ReadonlySet<string> = new Set(),
): readonly W[] {
  const identifier = identifierOf(value);
  if (identifier !== null && identifier.form !== "number" && identifier.form !== "date") {
    return words.filter(
      ({ identifier: own, role }) =>
        role !== "content" && own !== null && own.form === identifier.form && own.value === identifier.value,
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

/** Finds a word behind "starting with" that a value begins with. */
export function findBeginning<W extends Word>(words: readonly W[], value: string): readonly W[] {
  const whole = value.toLowerCase();
  return words.filter(({ text, role }, at) => {
    const behind = words[at - 1]?.text === "with" && beginnings.has(words[at - 2]?.text ?? "");
    return behind && role !== "content" && text.length > 2 && whole.startsWith(text);
  });
}

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
  const before = words[at - 1]?.text ?? "";
  return nouns.has(before) || idNouns.has(before);
}
