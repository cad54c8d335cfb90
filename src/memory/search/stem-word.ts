/** A replacement of a suffix. */
type Ending = readonly [suffix: string, replacement: string];

const longestFirst = (endings: readonly Ending[]): readonly Ending[] =>
  endings.toSorted(([one], [other]) => other.length - one.length);

const pairsOf = (lines: string): readonly Ending[] =>
  longestFirst(
    lines.split(" ").map((pair): Ending => {
      const [suffix = "", replacement = ""] = pair.split(">");
      return [suffix, replacement];
    }),
  );

const doubled = pairsOf(
  "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble logi>log",
);
const derived = pairsOf("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>");
const residual = pairsOf(
  "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ou> ism> ate> iti> ous> ive> ize>",
);

/** The stem of a lower-case English word by Porter's algorithm (1980). A word with other characters than a to z is returned as it is. */
export function stemWord(word: string): string {
  if (word.length < 3 || /[^a-z]/.test(word)) return word;
  let stem = withoutPlural(word);
  stem = withoutPast(stem);
  if (stem.endsWith("y") && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(stem, doubled, 0);
  stem = replaced(stem, derived, 0);
  stem = replaced(stem, residual, 1);
  if (/[st]ion$/.test(stem) && measure(stem.slice(0, -3)) > 1) stem = stem.slice(0, -3);
  return withoutLast(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ["ed", "ing"].find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  if (!hasVowel(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

/** Replaces the longest matching suffix if the measure of the part before it is greater than `least`. */
function replaced(word: string, endings: readonly Ending[], least: number): string {
  const found = endings.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const rest = word.slice(0, -suffix.length);
  return measure(rest) > least ? rest + replacement : word;
}

function withoutLast(word: string): string {
  let stem = word;
  if (stem.endsWith("e")) {
    const rest = stem.slice(0, -1);
    const size = measure(rest);
    if (size > 1 || (size === 1 && !endsShort(rest))) stem = rest;
  }
  return stem.endsWith("ll") && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}

/** Marks each letter as a vowel or a consonant; y is a vowel after a consonant. */
function shape(word: string): string {
  let kinds = "";
  let isVowel = true;
  for (const letter of word) {
    isVowel = "aeiou".includes(letter) || (letter === "y" && !isVowel);
    kinds += isVowel ? "v" : "c";
  }
  return kinds;
}

/** Porter's measure m: how often a consonant follows a vowel. */
function measure(word: string): number {
  return shape(word).match(/vc/g)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return shape(word).includes("v");
}

function endsDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && shape(word).endsWith("c");
}

/** True for an end of consonant, vowel, consonant, where the last is not w, x or y, as in `hop`. */
function endsShort(word: string): boolean {
  return shape(word).endsWith("cvc") && !/[wxy]$/.test(word);
}
