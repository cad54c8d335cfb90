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
  for (const variant of [known, known.replace(/['"\\]/g, ""), withUnknownParts(known)]) {
    for (const piece of variant.split(/[\s'"`;|&<>()]+/)) addForms(piece, words);
  }
  return [...words].slice(0, maxWords);
}

/** Names with blanks and operators in them: lines, what stands in quotes, and words with escaped blanks. */
function wholeNames(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  const escaped = [...text.matchAll(/(?:[^\s\\]|\\.)*\\ (?:[^\s\\]|\\.)*/g)].map(([word]) =>
    word.replace(/\\(.)/g, "$1"),
  );
  const lines = text.split("\n", maxLines).map((line) => line.trim());
  return [...quoted, ...escaped, ...lines].filter((name) => name.length <= maxNameWithBlanks);
}

function canBeName(word: string): boolean {
  return word !== "" && word.length <= maxLength && !word.includes("\0") && !word.includes("\n");
}

function withUnknownParts(text: string): string {
  return text
    .replace(/['"\\]/g, "")
    .replace(/\$\([^()]*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|\$[@*]/g, "*")
    .replace(/\{[^{}\s]*\}/g, "*")
    .replace(/\*{2,}/g, "*");
}

/** A word, its parts around `=`, `:` and `,`, what follows a short option, and the path of a dotted module. */
function addForms(piece: string, words: Set<string>): void {
  for (const part of [piece, ...piece.split(/[=:,{}[\]]+/)]) {
    const word = part.replace(/^@/, "");
    if (!canBeName(word)) continue;
    words.add(word);
    const attached = /^-[A-Za-z](.+)$/.exec(word)?.[1];
    if (attached !== undefined) words.add(attached);
    if (/^\.*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(word))
      words.add(word.replace(/^\.+/, "").replaceAll(".", "/"));
  }
}

/** Whether a word is a pattern for several names. */
export function isPattern(word: string): boolean {
  return /[*?[]/.test(word);
}

/** The regular expression of one segment of a pattern. A bracket that is not closed is an ordinary character. */
export function patternOfSegment(segment: string): RegExp {
  let source = "";
  for (let at = 0; at < segment.length; at += 1) {
    const character = segment.charAt(at);
    const bracket = character === "[" ? /^\[[!^]?\]?[^\]]*\]/.exec(segment.slice(at))?.[0] : undefined;
    if (bracket !== undefined) {
      // A bracket stands for one character here, whichever: too many names rather than too few.
      source += ".";
      at += bracket.length - 1;
    } else if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else source += character.replace(/[\\^$.|+(){}[\]/-]/g, "\\$&");
  }
  return new RegExp(`^${source}$`, "s");
}
