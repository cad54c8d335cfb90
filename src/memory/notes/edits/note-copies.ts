import * as z from "zod";
import { type OrgVariables, propertyOf, scanOutline } from "#org";
import type { NoteNode } from "../../../notes/note-node.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../text/json.ts";

/** A note to forget, with what its copies are recognised by. */
export type NoteToForget = {
  /** The ID that the owner gave. */
  readonly id: string;
  /** The real path of its file; null if the index no longer has a note with this ID. */
  readonly file: string | null;
  /** True if the note is a whole file. */
  readonly isFile: boolean;
  /** Its ID, CUSTOM_ID and title; for a whole file those of all headings in it. */
  readonly ownNames: readonly string[];
  /** The same names, with those of the headings below it. */
  readonly subtreeNames: readonly string[];
  /** Its text, with the text below it. */
  readonly text: string;
  /** What Emacs's variables set for every note. */
  readonly variables: OrgVariables;
};

/** A version of a file, or the arguments of an edit. `isItsFile` is true if the file is the note's file, or may be. */
export type CopyCandidate = { readonly content: string | JsonObject; readonly isItsFile: boolean };

/** True for a version of a file that holds the note, and for an edit that writes, changes or quotes it. Titles count in the note's own file only, IDs everywhere. */
export function isCopyOf(note: NoteToForget, { content, isItsFile }: CopyCandidate): boolean {
  if (typeof content === "string") return holdsNote(note, content, isItsFile);
  const { content: whole, operations, old } = content;
  if (typeof whole === "string") return holdsNote(note, whole, isItsFile);
  if (isItsFile && note.isFile) return true;
  if (typeof old === "string" && old.trim() !== "") return isItsFile && note.text.includes(old.trim());
  const names = new Set(isItsFile ? [note.id, ...note.subtreeNames] : [note.id]);
  return Array.isArray(operations) && (names.has(textOf(content["file"])) || operations.some(touches(names)));
}

/** Parses the arguments of an edit that was saved as JSON; any other text is a version of a file. */
export function parseCopy(text: string, isEdit: boolean): string | JsonObject {
  if (!isEdit) return text;
  try {
    const payload = z.json().parse(JSON.parse(text));
    const args = isJsonObject(payload) ? payload["args"] : undefined;
    return args !== undefined && isJsonObject(args) ? args : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function holdsNote(
  { id, isFile, ownNames, variables }: NoteToForget,
  text: string,
  isItsFile: boolean,
): boolean {
  const outline = scanOutline(text, { variables });
  if (propertyOf(outline.properties, "ID") === id) return true;
  const sought = new Set(ownNames);
  if (isFile && isItsFile && sought.size === 0) return true;
  return outline.headlines.some(
    ({ title, properties }) =>
      propertyOf(properties, "ID") === id ||
      (isItsFile && (sought.has(title) || hasName(properties, sought))),
  );
}

function hasName(drawer: Parameters<typeof propertyOf>[0], sought: ReadonlySet<string>): boolean {
  return ["ID", "CUSTOM_ID"].some((name) => sought.has(propertyOf(drawer, name) ?? ""));
}

function touches(names: ReadonlySet<string>): (operation: Json) => boolean {
  return (operation) =>
    isJsonObject(operation) && ["at", "under", "to"].some((field) => names.has(textOf(operation[field])));
}

/** Describes a node for forgetting. `nodes` are the node and all nodes below it. */
export function makeNoteToForget(
  node: NoteNode,
  {
    id,
    file,
    nodes,
    texts,
    variables,
  }: {
    readonly id: string;
    readonly file: string;
    readonly nodes: readonly NoteNode[];
    readonly texts: ReadonlyMap<string, string>;
    readonly variables: OrgVariables;
  },
): NoteToForget {
  const isFile = node.level === 0;
  const inFile = (some: readonly NoteNode[]) => some.filter(({ level }) => level > 0).flatMap(namesOf);
  const subtreeNames = inFile(nodes);
  const text = nodes.map((one) => texts.get(one.id) ?? "").join("");
  return { id, file, isFile, ownNames: isFile ? subtreeNames : namesOf(node), subtreeNames, text, variables };
}

function namesOf({ title, properties }: NoteNode): readonly string[] {
  return [title, properties["ID"] ?? "", properties["CUSTOM_ID"] ?? ""].filter((name) => name !== "");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
