import type { Headline } from "../outline/outline.ts";
import { blanksTo, indentationAt, isLineStart } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { indentForLine } from "./expected-indent.ts";
import { type EditSession, headlineAt, type Refusal } from "./session.ts";

/** Special properties: Emacs computes them or keeps them outside the drawer. */
const special = new Set([
  "ALLTAGS",
  "BLOCKED",
  "CLOCKSUM",
  "CLOCKSUM_T",
  "CLOSED",
  "FILE",
  "ITEM",
  "TAGS",
  "TIMESTAMP",
  "TIMESTAMP_IA",
]);

/** Sets a property in an entry's drawer, which is created if needed. */
export function putProperty(
  session: EditSession,
  place: Marker,
  { name, value }: { readonly name: string; readonly value: string },
): Refusal {
  if (name === "" || /\s/.test(name)) return `'${name}' is not a valid property name`;
  if (special.has(name)) return `Emacs computes the property ${name}, so it cannot be set`;
  if (value.includes("\n")) return `the value of the property ${name} must be one line`;
  const { draft } = session;
  if (headlineAt(session, place).properties === null) makeDrawer(session, headlineAt(session, place));
  const drawer = headlineAt(session, place).properties;
  if (drawer === null) return "the entry has no place for a property drawer";
  const old = drawer.properties.find((property) => property.name.toUpperCase() === name.toUpperCase());
  const end = lastLine(draft.text, drawer.end);
  const at = old?.begin ?? end;
  const above = drawer.properties.findLast((property) => property.begin < at);
  const blanks = blanksTo(indentationAt(draft.text, above?.begin ?? drawer.begin));
  const line = `${blanks}${`:${name}:`.padEnd(10)} ${value.trim()}`.trimEnd();
  if (old === undefined) draft.replace({ begin: end, end }, `${line}\n`);
  else draft.replace({ begin: old.begin, end: old.end - 1 }, line);
  return null;
}

/** Removes a property and its `NAME+` lines. An empty drawer is removed too. */
export function deleteProperty(session: EditSession, place: Marker, name: string): Refusal {
  const { draft } = session;
  const drawer = headlineAt(session, place).properties;
  const key = name.toUpperCase();
  const gone = (drawer?.properties ?? []).filter((property) =>
    [key, `${key}+`].includes(property.name.toUpperCase()),
  );
  if (drawer === null) return null;
  if (gone.length === drawer.properties.length) {
    draft.replace(drawer, "");
    return null;
  }
  for (const { begin, end } of gone.toReversed()) draft.replace({ begin, end }, "");
  return null;
}

function makeDrawer(
  { draft }: EditSession,
  { planning, lineEnd }: Pick<Headline, "planning" | "lineEnd">,
): void {
  const { text } = draft;
  const at = planning?.end ?? lineEnd;
  const blanks = blanksTo(indentForLine(text, at));
  const lead = isLineStart(text, at) ? "" : "\n";
  draft.replace({ begin: at, end: at }, `${lead}${blanks}:PROPERTIES:\n${blanks}:END:\n`);
}

function lastLine(text: string, drawerEnd: number): number {
  const before = text[drawerEnd - 1] === "\n" ? drawerEnd - 1 : drawerEnd;
  return text.lastIndexOf("\n", before - 1) + 1;
}
