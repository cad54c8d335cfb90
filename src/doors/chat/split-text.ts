/**
 * Splits a text into parts of at most so many UTF-16 code units: at paragraphs, else at lines, else at words.
 * A code block that is split is closed and opened again. No part is empty.
 */
export function splitText(text: string, longest: number): readonly string[] {
  const parts: string[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    if (rest.length <= longest) {
      parts.push(rest);
      break;
    }
    const room = longest - fenceRoom;
    const place = placeToCut(rest, room);
    const part = rest.slice(0, place).trimEnd();
    const fence = openFence(part);
    parts.push(fence === null ? part : `${part}\n${fence.marks}`);
    const after = rest.slice(place).replace(/^\s*\n|^ +/, "");
    rest = fence === null ? after.trimStart() : `${fence.line}\n${after}`;
  }
  return parts.length === 0 ? ["(no words)"] : parts;
}

/** Characters for a fence that is opened or closed at a cut. */
const fenceRoom = 64;

/**
 * Where to cut: behind the last paragraph that fits, else line, else word, as long as half of the room is
 * used.
 */
function placeToCut(text: string, room: number): number {
  const head = text.slice(0, room);
  for (const between of ["\n\n", "\n", " "]) {
    const place = head.lastIndexOf(between);
    if (place >= room / 2) return place;
  }
  const isPair = /[\ud800-\udbff]/.test(head.at(-1) ?? "");
  return isPair ? room - 1 : room;
}

/** The code block that a part begins and does not end. */
function openFence(part: string): { readonly line: string; readonly marks: string } | null {
  let open: { readonly line: string; readonly marks: string } | null = null;
  for (const line of part.split("\n")) {
    const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marks === undefined) continue;
    if (open === null) open = { line: line.slice(0, fenceRoom / 2), marks: marks.slice(0, fenceRoom / 2) };
    else if (marks[0] === open.marks[0] && marks.length >= open.marks.length && info.trim() === "")
      open = null;
  }
  return open;
}
