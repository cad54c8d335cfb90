import type { Form } from "../../text/form.ts";

/** The atom that begins at a position of a text, and where it ends. */
export type TokenReading =
  | { readonly ok: true; readonly form: Form; readonly end: number }
  | { readonly ok: false; readonly message: string; readonly offset: number };

const longestNumber = 1024;
/** One more part than any symbol has, so that a symbol with too many colons is not split to its end. */
const mostParts = 4;

/** Reads one number, keyword or symbol by Lisp's token rules: bars and backslashes keep the case; everything else is read as upper case. */
export function readToken(text: string, start: number): TokenReading {
  return readKeyword(text, start) ?? readAny(text, start);
}

/** A fast path for most tokens: a keyword of ASCII letters, digits and hyphens. Null for any other token. */
function readKeyword(text: string, start: number): TokenReading | null {
  if (text.charCodeAt(start) !== 0x3a) return null;
  let end = start + 1;
  while (isPlain(text.charCodeAt(end))) end += 1;
  if (end === start + 1 || !isEnd(text.charCodeAt(end))) return null;
  return { ok: true, form: { kind: "keyword", name: text.slice(start + 1, end).toUpperCase() }, end };
}

/** `A` to `Z`, `a` to `z`, `0` to `9` and `-`. */
function isPlain(unit: number): boolean {
  return (
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2d
  );
}

/** A space, a parenthesis, or the end of the text. */
function isEnd(unit: number): boolean {
  return unit === 0x20 || unit === 0x28 || unit === 0x29 || Number.isNaN(unit);
}

function readAny(text: string, start: number): TokenReading {
  const scanned = scan(text, start);
  if (!scanned.ok) return scanned;
  const { pieces, end } = scanned;
  const form = pieces.some((piece) => piece.escaped)
    ? readName(pieces)
    : (numberOf(text.slice(start, end)) ?? readName(pieces));
  return typeof form === "string" ? { ok: false, message: form, offset: start } : { ok: true, form, end };
}

type Piece = { readonly text: string; readonly escaped: boolean };
type Scan =
  | { readonly ok: true; readonly pieces: readonly Piece[]; readonly end: number }
  | { readonly ok: false; readonly message: string; readonly offset: number };

function scan(text: string, start: number): Scan {
  const plain = /[^\s()"';`,|\\\p{Cc}]+/uy;
  const barred = /[^|\\]*/y;
  const pieces: Piece[] = [];
  let at = start;
  let inBars = false;
  for (;;) {
    const pattern = inBars ? barred : plain;
    pattern.lastIndex = at;
    const run = pattern.exec(text)?.[0] ?? "";
    if (run !== "" || inBars) pieces.push({ text: run, escaped: inBars });
    at += run.length;
    const stop = text[at];
    if (stop === "|") {
      inBars = !inBars;
      at += 1;
    } else if (stop === "\\") {
      const escaped = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
      if (at + 1 >= text.length) return { ok: false, message: "the text ends after a backslash", offset: at };
      pieces.push({ text: escaped, escaped: true });
      at += 1 + escaped.length;
    } else if (inBars) {
      return { ok: false, message: "the bar is not closed", offset: start };
    } else if (at === start) {
      return {
        ok: false,
        message: "there is a control character or an unknown blank outside a string",
        offset: at,
      };
    } else {
      return { ok: true, pieces, end: at };
    }
  }
}

const integer = /^([+-]?\d+)\.?$/;
const ratio = /^([+-]?\d+)\/(\d+)$/;
const float = /^[+-]?(?:\d*\.\d+(?:[esfdl][+-]?\d+)?|\d+(?:\.\d*)?[esfdl][+-]?\d+)$/i;

/** The number of a token; a message if the number cannot be represented; null if the token is not a number. */
function numberOf(token: string): Form | string | null {
  if (!/^[+-]?[\d.]/.test(token)) return null;
  if (token.length > longestNumber) {
    return /[^\d+\-./esfdl]/i.test(token) ? null : `a number has more than ${longestNumber} characters`;
  }
  const whole = integer.exec(token)?.[1];
  if (whole !== undefined) return { kind: "integer", value: narrow(BigInt(whole.replace(/^\+/, ""))) };
  const parts = ratio.exec(token);
  if (parts !== null) {
    const denominator = BigInt(parts[2] ?? "0");
    if (denominator === 0n) return "a ratio has the denominator 0";
    return { kind: "ratio", numerator: BigInt((parts[1] ?? "").replace(/^\+/, "")), denominator };
  }
  if (!float.test(token)) return null;
  const value = Number(token.replace(/[esfdl]/i, "e"));
  return Number.isFinite(value) ? { kind: "float", value } : "a float is out of range";
}

function narrow(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** The keyword or symbol of a token, or what is wrong with it. */
function readName(pieces: readonly Piece[]): Form | string {
  if (pieces.every((piece) => !piece.escaped && /^\.*$/.test(piece.text))) {
    return "dots alone are not a symbol";
  }
  const parts: string[] = [""];
  for (const { text, escaped } of pieces) {
    const [start, ...rest] = escaped ? [text] : upcase(text).split(":", mostParts);
    parts.push((parts.pop() ?? "") + (start ?? ""));
    for (const part of rest) parts.push(part);
  }
  const [first = "", second, third, ...more] = parts;
  if (second === undefined) return first === "NIL" ? { kind: "list", items: [] } : symbol(first, null);
  const name = third ?? second;
  const bare = name === "" && !pieces.at(-1)?.escaped;
  if (more.length > 0 || (third !== undefined && (second !== "" || first === "")) || bare) {
    return "the colons of a symbol are misplaced";
  }
  return first === "" && third === undefined ? { kind: "keyword", name } : symbol(name, first);
}

function symbol(name: string, packageName: string | null): Form {
  return { kind: "symbol", name, package: packageName };
}

/** Letters that got another case after Unicode 10 (Georgian and rarer scripts). A Lisp of an older Unicode, such as SBCL 2.2, prints them as they are and without bars. */
const caseless =
  /[\u10d0-\u10ff\u1c90-\u1cbf\u2c2f\u2c5f\ua7b8-\ua7ff\u{10570}-\u{105bf}\u{10d50}-\u{10d8f}\u{16e40}-\u{16e7f}\u{16ea0}-\u{16edf}]/u;

/** Changes only letters that have exactly one lower and one upper case, so that no similar character becomes an ASCII letter. */
function upcase(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toUpperCase();
  return Array.from(text, (letter) => {
    if (caseless.test(letter)) return letter;
    const upper = letter.toUpperCase();
    return upper.toLowerCase() === letter && [...upper].length === 1 ? upper : letter;
  }).join("");
}
