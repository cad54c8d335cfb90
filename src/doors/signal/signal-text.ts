import type { OutgoingMessage } from "../chat/chat-service.ts";

/** A text as Signal shows it. UTF-16 code units. */
export type StyledText = {
  readonly text: string;
  readonly styles: readonly { readonly from: number; readonly length: number; readonly style: Style }[];
};

type Style = "BOLD" | "ITALIC" | "STRIKETHROUGH" | "MONOSPACE";

/**
 * Marks that stand around words in one line; what they enclose is shown in a style. Anything else stays as it
 * is.
 */
const marks: readonly (readonly [pattern: RegExp, style: Style])[] = [
  [/^`([^`\n]+)`/, "MONOSPACE"],
  [/^\*\*(?=\S)([^*\n]*[^*\s])\*\*/, "BOLD"],
  [/^~~(?=\S)([^~\n]*[^~\s])~~/, "STRIKETHROUGH"],
  [/^\*(?=\S)([^*\n]*[^*\s])\*(?!\*)/, "ITALIC"],
];

/**
 * Turns the simplest of Markdown into styles: bold, italic, struck out, code, and headings. Never longer than
 * what it was.
 */
function styledText(markdown: string): StyledText {
  let text = "";
  const styles: { from: number; length: number; style: Style }[] = [];
  const add = (words: string, style: Style | null): void => {
    if (style !== null && words !== "") styles.push({ from: text.length, length: words.length, style });
    text += words;
  };
  let fence: string | null = null;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (index > 0) text += "\n";
    const [, opened] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (opened !== undefined && (fence === null || opened.startsWith(fence))) {
      fence = fence === null ? opened : null;
      add(line, "MONOSPACE");
    } else if (fence !== null) add(line, "MONOSPACE");
    else addLine(line, add);
  }
  return { text, styles };
}

function addLine(line: string, add: (words: string, style: Style | null) => void): void {
  const [, heading] = /^#{1,6} +(\S.*)$/.exec(line) ?? [];
  if (heading !== undefined) {
    add(heading, "BOLD");
    return;
  }
  let plain = 0;
  for (let at = 0; at < line.length; ) {
    const found = isWordBorder(line, at) ? findMark(line.slice(at)) : null;
    if (found === null) {
      at += 1;
      continue;
    }
    add(line.slice(plain, at), null);
    add(found.words, found.style);
    at += found.length;
    plain = at;
  }
  add(line.slice(plain), null);
}

/** `2*3*4` has no italics. */
function isWordBorder(line: string, at: number): boolean {
  return "*`~".includes(line[at] ?? " ") && !/[\p{L}\p{N}*~`\\]/u.test(line[at - 1] ?? " ");
}

function findMark(
  rest: string,
): { readonly words: string; readonly style: Style; readonly length: number } | null {
  for (const [pattern, style] of marks) {
    const [whole, words] = pattern.exec(rest) ?? [];
    if (whole !== undefined && words !== undefined) return { words, style, length: whole.length };
  }
  return null;
}

/** A message with the words of its buttons that do nothing any more: Signal has no buttons. */
export function styledMessage({ text, format, code = [], buttons = [] }: OutgoingMessage): StyledText {
  const disabled = buttons.flat().filter(({ handle }) => handle === null);
  const outcome = disabled.length === 0 ? "" : `\n\n${disabled.map((button) => button.text).join("\n")}`;
  const styled = format === "markdown" ? styledText(text) : { text, styles: [] };
  const inCode = code.map(({ from, length }) => ({ from, length, style: "MONOSPACE" as const }));
  return { text: `${styled.text}${outcome}`, styles: [...styled.styles, ...inCode] };
}
