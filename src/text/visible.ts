import { beginOf } from "./cut-text.ts";

/** Characters that a terminal or a reader does not see as they are: controls, bidirectional overrides, line separators, tags, lone surrogates. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Makes control and direction characters visible. Newlines, tabs and all other text stay as they are. */
export function makeVisible(text: string): string {
  return text.replace(hidden, symbol);
}

/** Makes text safe for a terminal. In JSON the hidden characters become JSON escapes, so that the value stays the same; other text is treated as by `makeVisible`. */
export function escapeForTerminal(text: string): string {
  if (!/^[{[]/.test(text)) return makeVisible(text);
  return text.replace(hidden, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** Quotes text from outside inside a reason: one line, nothing hidden, at most 200 characters. */
export function oneLine(text: string): string {
  const cut = text.length > 200 ? `${beginOf(text, 199)}…` : text;
  return makeVisible(cut).replaceAll("\n", "␊").replaceAll("\t", "␉");
}

function symbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (code >= 0xd800 && code <= 0xdfff) return "�";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
