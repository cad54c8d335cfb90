import { greatest } from "../../text/lists.ts";
import { findNaming } from "../../text/words/find-words.ts";
import { commonWords, personNouns } from "../../text/words/lexicon.ts";
import { partsOf, type Word } from "../../text/words/tokens.ts";
import { isIdField, type RecordField, type ResultRecord } from "./records.ts";

/** A record that words name, with the fields that they name it by and the number of words that it shares with them. */
export type NamedRecord = {
  readonly record: ResultRecord;
  readonly named: readonly RecordField[];
  readonly shared: number;
  /** How many of these stand in its short fields. */
  readonly titled: number;
};

/** Characters of a field that can name its record. A longer text is content. */
const longestName = 80;
/** Words that a record must share with the owner's where no field of it is named. */
const leastShared = 2;

/**
 * The records that the owner's words name better than any other: by most fields that stand in the words as a whole, then by most
 * words in common. Of several that are named equally none is named, unless `all` of them are meant.
 */
export function namedRecords(
  records: readonly ResultRecord[],
  words: readonly Word[],
  all = false,
): readonly NamedRecord[] {
  const said = tellingWords(words);
  const scored = unique(records)
    .map(
      (record): NamedRecord => ({
        record,
        named: namedFields(record, words),
        shared: sharedWords(record.fields, said),
        titled: sharedWords(record.fields.filter(isShort), said),
      }),
    )
    .filter(({ named, shared }) => named.length > 0 || shared >= leastShared);
  if (all) return scored;
  const [first, second] = scored.toSorted(byNaming);
  if (first === undefined) return [];
  return second !== undefined && byNaming(first, second) === 0 ? [] : [first];
}

/**
 * The records that the owner's words name by what they are called: by a title that stands in them as a whole,
 * the longest before others and each of one list ("plan.txt and report.pdf"), else by some words of a title.
 * What a record says about itself at length names it not, and of several that are named so none is: whoever
 * adds one to a list can only make the choice open.
 */
export function titledRecords(
  records: readonly ResultRecord[],
  words: readonly Word[],
  general: ReadonlySet<string>,
): readonly NamedRecord[] {
  const said = new Set([...tellingWords(words)].filter((word) => !general.has(word)));
  const found = unique(records).map((record) => {
    const fields = record.fields.filter(isTitle);
    return { record, fields, inWords: fields.filter((field) => isNamed(field, words)) };
  });
  const scored = found.map(({ record, fields, inWords }): NamedRecord => {
    const titled = sharedWords(fields, said);
    return { record, named: inWords.filter((field) => isWhole(field, words)), shared: titled, titled };
  });
  const listed = listedTitles(scored, words, general);
  if (listed.length > 1) return listed;
  const longest = greatest([0, ...scored.flatMap(({ named }) => named.map(lengthOf))]);
  // "plan.txt and Budget" in one pair of quotes is neither of them.
  if (longest === 0 && found.some(({ inWords }) => inWords.length > 0)) return [];
  const best =
    longest > 0
      ? scored.filter(({ named }) => named.some((field) => lengthOf(field) === longest))
      : scored.filter(({ titled }) => titled >= leastShared);
  return best.length === 1 ? best : [];
}

/**
 * The records whose titles make one list in the words, each title of one record alone and all under one key;
 * none where anything else stands between them, or where a title is only a part of a name in quotes.
 */
function listedTitles(
  scored: readonly NamedRecord[],
  words: readonly Word[],
  general: ReadonlySet<string>,
): readonly NamedRecord[] {
  const placed = scored
    .flatMap((one) =>
      one.named.flatMap((field) =>
        placesOfTitle(field, words).map((span) => ({ one, key: field.key, ...span })),
      ),
    )
    .toSorted((a, b) => a.from - b.from || b.to - a.to);
  const outer = placed.filter(
    (span) =>
      !placed.some(
        (other) =>
          other.from <= span.from && other.to >= span.to && other.to - other.from > span.to - span.from,
      ),
  );
  const isList = outer.every(({ from, to, one, key }, order) => {
    if (!isNameKey(key, general) || !isWholeName(words.slice(from, to))) return false;
    const before = outer[order - 1];
    if (before === undefined) return true;
    return before.one !== one && before.key === key && isJoint(words.slice(before.to, from + 1), general);
  });
  return isList ? outer.map(({ one }) => one) : [];
}

/** Whether a field says what its record is called: "name", "file_name", and not "owner_name" or "color". */
function isNameKey(key: string, general: ReadonlySet<string>): boolean {
  const [, noun] = /^(.*?)_?(?:name|title|subject)$/.exec(key) ?? [];
  return noun === "" || (noun !== undefined && general.has(stem(noun)) && !personNouns.has(noun));
}

/** Whether a title stands somewhere in words as more than a part of a name in quotes. */
function isWhole(field: RecordField, words: readonly Word[]): boolean {
  return placesOfTitle(field, words).some(({ from, to }) => isWholeName(words.slice(from, to)));
}

/** Whether words are plain ones, or fill a name in quotes. */
function isWholeName(words: readonly Word[]): boolean {
  const isQuoted = words.some(({ role }) => role === "name");
  const last = words.length - 1;
  return words.every(
    ({ role, opens, closes }, at) =>
      (role === "name") === isQuoted && (!isQuoted || (opens === (at === 0) && closes === (at === last))),
  );
}

/** Where a title stands in words as a whole. */
function placesOfTitle({ values }: RecordField, words: readonly Word[]): readonly TitlePlace[] {
  return values.flatMap((value) =>
    [...new Set([value, withoutSuffix(value)])].flatMap((title) =>
      findNaming(words, title).map((word) => {
        const from = words.indexOf(word);
        const length = partsOf(title).length;
        let [to, parts] = [from, 0];
        while (to < words.length && parts < length) {
          parts += partsOf(words[to]?.text ?? "").length;
          to++;
        }
        return { from, to };
      }),
    ),
  );
}

type TitlePlace = { readonly from: number; readonly to: number };

/** Whether words between two titles, with the first word of the second, only join them: "and the file". */
function isJoint(words: readonly Word[], general: ReadonlySet<string>): boolean {
  const between = words.slice(0, -1).map(({ text }) => text);
  return (
    (between.some((text) => joiners.has(text)) || words[0]?.after === "comma") &&
    words.every(({ after }) => after !== "sentence") &&
    words.slice(0, -1).every(({ role }) => role === "plain") &&
    between.every((text) => joiners.has(text) || articles.has(text) || general.has(stem(text)))
  );
}

const joiners: ReadonlySet<string> = new Set(["and", "und", "&"]);
const articles: ReadonlySet<string> = new Set("the my our der die das den mein meine".split(" "));

/** Fields that say something about a record at length, whatever stands in them. */
const texts: ReadonlySet<string> = new Set(
  "description body content contents text message review reviews comment comments note notes details summary snippet history".split(
    " ",
  ),
);

/** Whether an argument or a field holds words about something. */
export function isAboutText(name: string): boolean {
  return texts.has(name.toLowerCase());
}

/** Whether a field says in short what its record is called. */
export function isTitle(field: RecordField): boolean {
  return !isIdField(field) && !isAboutText(field.key) && !tags.has(field.key.toLowerCase()) && isShort(field);
}

/** Fields by which whoever sent a thing sorts it. */
const tags: ReadonlySet<string> = new Set(
  "tag tags label labels keyword keywords category categories".split(" "),
);

function lengthOf({ values }: RecordField): number {
  return greatest(values.map((value) => partsOf(value).length));
}

/** The fields of a record that stand in the words as a whole. */
export function namedFields({ fields }: ResultRecord, words: readonly Word[]): readonly RecordField[] {
  return fields.filter((field) => isNamed(field, words));
}

function tellingWords(words: readonly Word[]): ReadonlySet<string> {
  return new Set(
    words
      .filter(({ role, identifier }) => role !== "content" && identifier === null)
      .flatMap(({ text }) => partsOf(text))
      .map(stem)
      .filter(isTelling),
  );
}

function byNaming(a: NamedRecord, b: NamedRecord): number {
  return b.named.length - a.named.length || b.titled - a.titled || b.shared - a.shared;
}

function isShort({ values }: RecordField): boolean {
  return values.every((value) => value.length <= longestName);
}

function isNamed(field: RecordField, words: readonly Word[]): boolean {
  return (
    !isIdField(field) &&
    field.values.some(
      (value) =>
        value.length >= 3 &&
        value.length <= longestName &&
        isTelling(value) &&
        (findNaming(words, value).length > 0 || findNaming(words, withoutSuffix(value)).length > 0),
    )
  );
}

function withoutSuffix(name: string): string {
  return name.replace(/\.[a-z0-9]{1,5}$/i, "");
}

/** Whether a word can tell one thing from another. */
function isTelling(word: string): boolean {
  return word.length > 2 && !commonWords.has(word) && !/^[\d\s:.-]+$/.test(word);
}

/** A word without its plural. */
export function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|y)$/, "i").replace(/(?<!s)s$/, "") : word;
}

function sharedWords(fields: readonly RecordField[], said: ReadonlySet<string>): number {
  const own = new Set(
    fields
      .filter((field) => !isIdField(field))
      .flatMap(({ values }) => values.flatMap(partsOf))
      .map(stem),
  );
  return [...said].filter((word) => own.has(word)).length;
}

/** The same record may come in several results. */
function unique(records: readonly ResultRecord[]): readonly ResultRecord[] {
  return [...new Map(records.map((record) => [JSON.stringify(record.fields), record])).values()];
}
