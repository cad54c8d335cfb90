/** A subject with its value, as a sentence or a line of a note states them in English, German or Dutch. */
export type Statement = {
  readonly subject: string;
  /** The words of the value, without the word that denies it. */
  readonly value: string;
  /** How the value belongs to the subject: `is` for a label too. Another verb says only what the same verb says. */
  readonly relation: "is" | "costs" | "lives" | "works" | "belongs" | "starts";
  readonly isDenied: boolean;
  /** Whether the value begins as a name does. */
  readonly isName: boolean;
  /** Whether the subject has one such value: `my dentist` and `Dentist:`, but not `Ada`. */
  readonly hasOneValue: boolean;
};

const relations: readonly (readonly [Statement["relation"], RegExp])[] = [
  ["costs", /^(.{2,80}?)\s+(?:costs?|kostet|kosten|kost)\s+(\S.{0,120})$/iu],
  ["lives", /^(.{2,80}?)\s+(?:lives?|wohnt|lebt|woont)\s+(?:in|at)\s+(\S.{0,120})$/iu],
  ["works", /^(.{2,80}?)\s+(?:works?|arbeitet|werkt)\s+(?:at|for|bei|bij|voor)\s+(\S.{0,120})$/iu],
  ["belongs", /^(.{2,80}?)\s+(?:belongs? to|gehört|behoort aan)\s+(\S.{0,120})$/iu],
  ["starts", /^(.{2,80}?)\s+(?:starts?|begins?|beginnt|begint)\s+(?:at|on|um|am|om|op)\s+(\S.{0,120})$/iu],
  ["is", /^(.{2,80}?)(?:\s+(?:is|are|ist|sind|heißt|zijn|heet)\s+|\s*(?:::|:|=)\s+)(\S.{0,120})$/iu],
];
const articles =
  /^(?:remember that|note that|that|the|a|an|my|our|mein\w*|unser\w*|der|die|das|dass|den|de|het|mijn|onze|ons)\s+/iu;
/** What says that it was otherwise before, or is so now, and nothing more. */
const presently =
  /\s+(?:now|currently|meanwhile|jetzt|nun|derzeit|inzwischen|mittlerweile|nu|inmiddels)(?=[\s.,!]|$)/giu;
const denial = /^(?:not|no longer|never|nicht(?: mehr)?|kein(?:e[nrms]?)?|niet(?: meer)?|geen)\s+/iu;
const pronoun = /^(?:it|this|that|he|she|they|what|who|there|es|das|er|sie|het|dit|dat|hij|zij|ze)$/;

/** Reads `SUBJECT is VALUE`, `SUBJECT: VALUE` and the like; null for anything else, and for what was so once. */
export function readStatement(sentence: string): Statement | null {
  const plain = sentence
    .replace(/^\s*(?:[-+*]|\d+[.)])\s+/, "")
    .replaceAll(presently, "")
    .replaceAll(/\b(is|are)n['’]t\b/gi, "$1 not")
    .trim();
  for (const [relation, pattern] of relations) {
    const [, subject = "", said = ""] = pattern.exec(plain) ?? [];
    if (subject === "") continue;
    let name = subject.trim();
    while (articles.test(name)) name = name.replace(articles, "");
    const rest = said.replace(denial, "");
    const value = wordsOf(rest);
    if (name === "" || value === "" || pronoun.test(name.toLowerCase())) return null;
    const isLabel = /^\s*[:=]/.test(plain.slice(subject.length));
    return {
      subject: wordsOf(name),
      value,
      relation,
      isDenied: rest !== said,
      isName: /^\p{Lu}/u.test(rest),
      hasOneValue: isLabel || articles.test(subject),
    };
  }
  return null;
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}€$£%:]+(?:[.,]\d+)*/gu) ?? [])
    .join(" ")
    .replaceAll(/ ?: ?/g, ":");
}

/**
 * Whether two statements cannot both be true: other amounts of the same unit, another name where there is one, the same thing denied. `one` is what was said.
 * Qualities, such as old and loud, go together.
 */
export function contradicts(one: Statement, other: Statement | null): boolean {
  if (other === null || other.subject !== one.subject) return false;
  const [mine, theirs] = [` ${one.value} `, ` ${other.value} `];
  const isSame = mine.includes(theirs) || theirs.includes(mine);
  if (one.isDenied !== other.isDenied) return isSame;
  if (isSame || one.isDenied) return false;
  const [amounts, others] = [amountsIn(one.value), amountsIn(other.value)];
  for (const [unit, numbers] of amounts) {
    const known = others.get(unit);
    if (known !== undefined && !numbers.some((number) => known.includes(number))) return true;
  }
  if (amounts.size > 0 || others.size > 0) return false;
  if (one.relation !== other.relation) return false;
  return one.relation !== "is" || (one.isName && other.isName && one.hasOneValue);
}

const currencies: ReadonlyMap<string, string> = new Map([
  ...["€", "eur", "euro", "euros"].map((name) => [name, "€"] as const),
  ...["$", "usd", "dollar", "dollars"].map((name) => [name, "$"] as const),
  ...["£", "gbp", "pound", "pounds"].map((name) => [name, "£"] as const),
]);
/** Words behind a number that are no unit of it. */
const noUnits =
  /^(?:in|at|on|of|and|for|from|to|the|a|am|um|im|und|von|bis|der|die|das|op|van|en|de|het|aan)$/;

/** The numbers of a value by their units; a time of day is a unit of its own. */
function amountsIn(value: string): ReadonlyMap<string, readonly number[]> {
  const amounts = new Map<string, number[]>();
  for (const [, sign = "", digits = "", word = ""] of value.matchAll(
    /([€$£])?\s*(\d+(?:[.,:]\d+)*)(?:\s*([\p{L}€$£%]+))?/gu,
  )) {
    const unit = digits.includes(":") ? "time" : unitOf(sign === "" ? word : sign);
    amounts.set(unit, [...(amounts.get(unit) ?? []), numberOf(digits)]);
  }
  return amounts;
}

function unitOf(word: string): string {
  if (noUnits.test(word)) return "";
  return currencies.get(word) ?? (word.length > 3 ? word.replace(/(?:en|e?s|e)$/, "") : word);
}

/** The number that digits stand for: three digits behind the only kind of separator are thousands. */
function numberOf(digits: string): number {
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(digits);
  if (last < 0 || isGrouped) return Number(digits.replaceAll(/[.,:]/g, ""));
  return Number(`${digits.slice(0, last).replaceAll(/[.,]/g, "")}.${digits.slice(last + 1)}`);
}
