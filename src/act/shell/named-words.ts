import { attachedValues } from "./script-names.ts";

/** What `~`, `$HOME` and `$PWD` stand for. */
export type KnownPlaces = { readonly home: string; readonly cwd: string };

const maxWords = 5_000;
const maxLength = 1_000;
const maxLines = 500;
const maxNameWithBlanks = 200;

/**
 * The words of a text that can name a file: as they stand, without quotes, and with `*` for whatever only running the text
 * would tell (variables, substitutions, braces). Takes too many words rather than too few; it is a pure function of the text.
 */
export function findNamedWords(text: string, places: KnownPlaces): readonly string[] {
  const known = text
    .replace(/(^|[\s"'=:(])~(?=\/|\s|$)/g, `$1${places.home.replaceAll("$", "$$$$")}`)
    .replace(/\$\{?HOME\}?(?!\w)/g, () => places.home)
    .replace(/\$\{?PWD\}?(?!\w)/g, () => places.cwd);
  const words = new Set([text, ...wholeNames(known)].filter(canBeName));
  const pieces = new Set<string>();
  for (const variant of [known, known.replace(/['"\\]/g, ""), withUnknownParts(known)]) {
    for (const piece of variant.split(/[\s'"`;|&<>()]+/)) {
      if (words.size >= maxWords) return [...words].slice(0, maxWords);
      if (!pieces.has(piece)) addForms(piece, words);
      pieces.add(piece);
    }
  }
  return [...words].slice(0, maxWords);
}

/** Names with blanks and operators in them: lines, what stands in quotes, and words with escaped blanks. */
function wholeNames(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  const escaped = text
    .replace(/\\[ \t]/g, "\0")
    .split(/\s+/)
    .filter((word) => word.includes("\0"))
    .map((word) => word.replaceAll("\0", " ").replaceAll("\\", ""));
  const lines = text.split("\n", maxLines).map((line) => line.trim());
  return [...quoted, ...escaped, ...lines].filter((name) => name.length <= maxNameWithBlanks);
}

function canBeName(word: string): boolean {
  return word !== "" && word.length <= maxLength && !word.includes("\0") && !word.includes("\n");
}

function withUnknownParts(text: string): string {
  return text
    .replace(/['"\\]/g, "")
    .replace(/\$\([^()]*\)|`[^`]*`|\$\{[^}]{0,200}\}|\$\w+|\$[@*]/g, "*")
    .replace(/\{[^{}\s]*\}/g, "*")
    .replace(/\*{2,}/g, "*");
}

/** A word, its parts around `=`, `:` and `,`, what follows a short option, and the path of a dotted module. */
function addForms(piece: string, words: Set<string>): void {
  for (const part of [piece, ...piece.split(/[=:,{}[\]]+/)]) {
    const word = part.replace(/^@/, "");
    if (!canBeName(word)) continue;
    words.add(word);
    for (const { value } of attachedValues(word)) words.add(value);
    if (/^\.*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(word))
      words.add(word.replace(/^\.+/, "").replaceAll(".", "/"));
  }
}

/** Whether a word is a pattern for several names. */
export function isPattern(word: string): boolean {
  return /[*?[]/.test(word);
}

/**
 * Makes the test of one segment of a pattern. A bracket stands for any one character: too many names rather than too few.
 * The time of a test grows with the product of both lengths, and a segment of more than 64 parts fits every name.
 */
export function makeSegmentTest(segment: string): (name: string) => boolean {
  const parts = segment.match(/\[[!^]?\]?[^\]]{0,100}\]|./gs) ?? [];
  if (parts.length > 64) return () => true;
  const matches = (part: string | undefined, character: string): boolean =>
    part !== undefined && (part === character || part === "?" || part.length > 1);
  return (name) => {
    let [at, inName, star, retry] = [0, 0, -1, 0];
    while (inName < name.length) {
      if (parts[at] === "*") {
        star = at;
        retry = inName;
        at += 1;
      } else if (matches(parts[at], name.charAt(inName))) {
        at += 1;
        inName += 1;
      } else if (star >= 0) {
        at = star + 1;
        retry += 1;
        inName = retry;
      } else return false;
    }
    return parts.slice(at).every((part) => part === "*");
  };
}

/** The folders that a line changes to: it uses what it names in them, not all that they hold. */
export function enteredFolders(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|[\s;&|("'`])(?:cd|pushd|-C|--directory|--prefix|--cwd)[\s=]+(\S+)/g)].map(
    ([, word = ""]) => word.replace(/['"\\;)]/g, ""),
  );
}
