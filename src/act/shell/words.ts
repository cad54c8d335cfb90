/** A word after quote removal. `pattern` is the word as a glob, with a backslash before what was quoted; null for a word that stands for itself. */
export type Word = { readonly text: string; readonly pattern: string | null };

/** The words of a shell text after quote removal, or why they cannot be known without running it. */
export type WordsReading =
  | { readonly ok: true; readonly words: readonly Word[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads blank-separated words as bash does when nothing has to be expanded (Bash manual, 3.1.2).
 * Anything that bash would expand, substitute or treat as an operator is refused with a reason, never guessed.
 */
export function readWords(text: string, home: string): WordsReading {
  const scan: Scan = { text, at: 0, home, word: null, pattern: "", isGlob: false };
  const words: Word[] = [];
  while (scan.at < text.length) {
    const character = text.charAt(scan.at);
    if (character === " " || character === "\t") {
      endWord(scan, words);
      scan.at += 1;
      continue;
    }
    const reason = readPiece(scan, character);
    if (reason !== null) return { ok: false, reason };
  }
  endWord(scan, words);
  return { ok: true, words };
}

function endWord(scan: Scan, words: Word[]): void {
  const { word, pattern, isGlob } = scan;
  if (word !== null) words.push({ text: word, pattern: isGlob ? pattern : null });
  scan.word = null;
  scan.pattern = "";
  scan.isGlob = false;
}

type Scan = {
  readonly text: string;
  at: number;
  readonly home: string;
  word: string | null;
  pattern: string;
  isGlob: boolean;
};

const operators = new Set(["|", "&", ";", "<", ">", "(", ")", "\n"]);
const globs = new Set(["*", "?", "["]);

function readPiece(scan: Scan, character: string): string | null {
  if (character === "'") return readSingle(scan);
  if (character === '"') return readDouble(scan);
  if (character === "\\") return readEscape(scan);
  if (character === "$") return readDollar(scan);
  if (character === "`") return "it substitutes the output of a command";
  if (globs.has(character)) return takeGlob(scan, character);
  if (operators.has(character)) return `it has an operator (${character === "\n" ? "newline" : character})`;
  if (character === "{") return readBrace(scan);
  if (character === "~") return readTilde(scan);
  if (character === "#" && scan.word === null) return "it has a comment";
  return take(scan, character, 1, character);
}

function takeGlob(scan: Scan, character: string): null {
  scan.isGlob = true;
  return take(scan, character, 1, character);
}

function take(
  scan: Scan,
  text: string,
  length: number,
  pattern = text.replaceAll(/[*?[\]\\!^-]/g, "\\$&"),
): null {
  scan.word = (scan.word ?? "") + text;
  scan.pattern += pattern;
  scan.at += length;
  return null;
}

function readSingle(scan: Scan): string | null {
  const end = scan.text.indexOf("'", scan.at + 1);
  if (end < 0) return "a quote is not closed";
  return take(scan, scan.text.slice(scan.at + 1, end), end + 1 - scan.at);
}

function readDouble(scan: Scan): string | null {
  let value = "";
  for (let at = scan.at + 1; at < scan.text.length; at += 1) {
    const character = scan.text.charAt(at);
    const following = scan.text.charAt(at + 1);
    if (character === '"') return take(scan, value, at + 1 - scan.at);
    if (character === "`") return "it substitutes the output of a command";
    const known = homeAt(scan, at);
    if (character === "$" && known === 0 && expands(following))
      return "it expands a variable or substitutes a command";
    if (known > 0) {
      value += scan.home;
      at += known - 1;
    } else if (character === "\\" && following === "\n") at += 1;
    else if (character === "\\" && following !== "" && '$`"\\'.includes(following)) {
      value += following;
      at += 1;
    } else value += character;
  }
  return "a quote is not closed";
}

function readEscape(scan: Scan): string | null {
  const following = scan.text.charAt(scan.at + 1);
  if (following === "") return "it ends in a backslash";
  if (following === "\n") {
    scan.at += 2;
    return null;
  }
  if (/[A-Za-z0-9-]/.test(following) && (scan.word ?? following).startsWith("-"))
    return "it has a backslash in an option";
  return take(scan, following, 2);
}

function expands(following: string): boolean {
  return /[A-Za-z0-9_{([*@#?$!'"-]/.test(following);
}

function readDollar(scan: Scan): string | null {
  const following = scan.text.charAt(scan.at + 1);
  if (following === "'") return readAnsi(scan);
  if (following === '"') return "it has a text that bash would translate";
  const known = homeAt(scan, scan.at);
  // Without quotes bash parts what a variable holds into words and patterns.
  if (known > 0 && /^[\w./@+-]+$/.test(scan.home)) return take(scan, scan.home, known);
  if (expands(following)) return "it expands a variable or substitutes a command";
  return take(scan, "$", 1);
}

/** The length of `$HOME` or `${HOME}` at a place; 0 where none is. */
function homeAt({ text }: Scan, at: number): number {
  return /^\$(?:HOME(?!\w)|\{HOME\})/.exec(text.slice(at, at + 8))?.[0].length ?? 0;
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

function readAnsi(scan: Scan): string | null {
  let value = "";
  for (let at = scan.at + 2; at < scan.text.length; at += 1) {
    const character = scan.text.charAt(at);
    if (character === "'") return take(scan, value, at + 1 - scan.at);
    if (character !== "\\") {
      value += character;
      continue;
    }
    at += 1;
    const escaped = escapes.get(scan.text.charAt(at));
    if (escaped === undefined) return "it writes characters as codes";
    value += escaped;
  }
  return "a quote is not closed";
}

function readBrace(scan: Scan): string | null {
  if (scan.text.startsWith("{}", scan.at)) return take(scan, "{}", 2);
  return "it has braces that stand for several words";
}

function readTilde(scan: Scan): string | null {
  if (scan.word === null) {
    const following = scan.text.charAt(scan.at + 1);
    if (following === "" || following === "/" || following === " " || following === "\t")
      return take(scan, scan.home, 1);
    return "it names a home folder by its user (~name)";
  }
  if (scan.word.endsWith("=") || scan.word.endsWith(":")) return "it has a ~ that bash might expand";
  return take(scan, "~", 1);
}
