import type { NoteNode } from "./note-node.ts";

type PlacedNode = Pick<NoteNode, "begin" | "sectionEnd" | "label">;

/** The texts of a file's nodes that are not public, as they stand in the file and as they are shown. */
export function privateTextsIn(text: string, nodes: readonly PlacedNode[]): readonly string[] {
  const hidden = nodes.filter(({ label }) => label.secrecy !== "public");
  return passagesOf(text, hidden).flatMap(readings);
}

/** The texts of nodes, those that follow each other as one. */
function passagesOf(text: string, nodes: readonly PlacedNode[]): readonly string[] {
  const places: { begin: number; end: number }[] = [];
  for (const { begin, sectionEnd } of nodes.toSorted((one, other) => one.begin - other.begin)) {
    const last = places.at(-1);
    if (last !== undefined && begin <= last.end) last.end = Math.max(last.end, sectionEnd);
    else places.push({ begin, end: sectionEnd });
  }
  return places.map(({ begin, end }) => text.slice(begin, end));
}

/** In-buffer settings, which many files share word by word. */
const settingLine =
  /^[ \t]*#\+(?:(?:seq_|typ_)?todo|tags|filetags|startup|options|property|priorities|columns|link|macro|setupfile):.*$/gim;
const describedLink = /\[\[[^\][]*\]\[([^\][]*)\]\]/g;

/** A text as it stands in the file, and as it is shown, with links by their descriptions. */
function readings(text: string): readonly string[] {
  const written = text.replace(settingLine, "");
  const shown = written.replace(describedLink, "$1");
  return shown === written ? [written] : [written, shown];
}
