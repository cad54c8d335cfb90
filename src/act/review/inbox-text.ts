import { decodeOrgText, encodeOrgText } from "#org";
import { changedLines, linesOf } from "../../text/diff/changed-lines.ts";
import { pushAll } from "../../text/lists.ts";

/** The text of the inbox with LF line ends, and the encoder for a changed text: an unchanged line keeps its line end, a new line gets that of the line before it. */
export type InboxText = { readonly text: string; readonly encode: (text: string) => Uint8Array };

/** Reads the bytes of the inbox. A missing file is an empty text. */
export function readInboxText(bytes: Uint8Array | null): InboxText {
  const source = decodeOrgText(bytes ?? new Uint8Array());
  const encode = (text: string): Uint8Array => encodeOrgText({ ...source, text });
  if (!source.text.includes("\r\n")) return { text: source.text, encode };
  const lines = linesOf(source.text);
  const plain = lines.map((line) => line.replace(/\r\n$/, "\n"));
  return { text: plain.join(""), encode: (text) => encode(withEnds(lines, plain, linesOf(text)).join("")) };
}

function withEnds(
  lines: readonly string[],
  plain: readonly string[],
  now: readonly string[],
): readonly string[] {
  const made: string[] = [];
  let at = 0;
  for (const { from, to, newFrom, newTo } of changedLines(plain, now)) {
    pushAll(made, lines.slice(at, from));
    const end = (made.at(-1) ?? lines[0] ?? "").endsWith("\r\n") ? "\r\n" : "\n";
    pushAll(
      made,
      now.slice(newFrom, newTo).map((line) => line.replace(/\n$/, end)),
    );
    at = to;
  }
  return [...made, ...lines.slice(at)];
}
