import * as z from "zod";
import { propertyOf, scanOutline } from "#org";
import { isJsonObject, type Json, type JsonObject } from "../../../signal/json.ts";
import type { NoteNode } from "../nodes/note-node.ts";

/** A note of which every copy is sought. */
export type NoteToForget = {
  /** As it was named. */
  readonly id: string;
  /** The real path of its file; null where no note of this id is in the index any more. */
  readonly file: string | null;
  /** Whether it is the file as a whole. */
  readonly isFile: boolean;
  /** Its ID, CUSTOM_ID and title; of a whole file those of all in it. */
  readonly ownNames: readonly string[];
  /** The same, and those of what is below it. */
  readonly subtreeNames: readonly string[];
  /** Its text, with what is below it. */
  readonly text: string;
};

/** A version of a file, or the arguments of an edit of one; `isItsFile` where that is the note's, or may be. */
export type CopyCandidate = { readonly content: string | JsonObject; readonly isItsFile: boolean };

/** True for a version of a file that holds the note, and for an edit that writes, touches or quotes it. Titles count in the note's own file alone, IDs everywhere. */
export function isCopyOf(note: NoteToForget, { content, isItsFile }: CopyCandidate): boolean {
  if (typeof content === "string") return holdsNote(note, content, isItsFile);
  const { content: whole, operations, old } = content;
  if (typeof whole === "string") return holdsNote(note, whole, isItsFile);
  if (isItsFile && note.isFile) return true;
  if (typeof old === "string" && old.trim() !== "") return isItsFile && note.text.includes(old.trim());
  const names = new Set(isItsFile ? [note.id, ...note.subtreeNames] : [note.id]);
  return Array.isArray(operations) && (names.has(textOf(content["file"])) || operations.some(touches(names)));
}

/** The arguments of an edit that was put aside as JSON, or the version of a file that a text is. */
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

function holdsNote({ id, isFile, ownNames }: NoteToForget, text: string, isItsFile: boolean): boolean {
  const outline = scanOutline(text);
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

/** A node that was found under an id, as what is to be forgotten; `nodes` are it and all below it. */
export function makeNoteToForget(
  node: NoteNode,
  {
    id,
    file,
    nodes,
    texts,
  }: {
    readonly id: string;
    readonly file: string;
    readonly nodes: readonly NoteNode[];
    readonly texts: ReadonlyMap<string, string>;
  },
): NoteToForget {
  const isFile = node.level === 0;
  const inFile = (some: readonly NoteNode[]) => some.filter(({ level }) => level > 0).flatMap(namesOf);
  const subtreeNames = inFile(nodes);
  const text = nodes.map((one) => texts.get(one.id) ?? "").join("");
  return { id, file, isFile, ownNames: isFile ? subtreeNames : namesOf(node), subtreeNames, text };
}

function namesOf({ title, properties }: NoteNode): readonly string[] {
  return [title, properties["ID"] ?? "", properties["CUSTOM_ID"] ?? ""].filter((name) => name !== "");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
