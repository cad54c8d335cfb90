import { decodeOrgText } from "#org";
import { readWholeFile } from "../../act/files/contents.ts";
import { explainOrigin, type Origin } from "../../memory/provenance/explain-origin.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import type { NotesReader } from "../../program/open-notes-reader.ts";
import type { Label } from "../../signal/label.ts";
import { idOfLine } from "../../text/id-of-line.ts";

/** A text that is believed: its lines with their places, its label, and what it was made from. */
export type Believed = {
  readonly id: string;
  readonly kind: "note" | "memory" | "message";
  readonly file: string | null;
  /** The number of the first line in its file. */
  readonly line: number | null;
  readonly lines: readonly string[];
  readonly author: string;
  readonly trusted: boolean;
  readonly label: Label;
  readonly origin: Origin;
  /** Whether somebody else changed the words since: then the origin is that of the words before. */
  readonly changed: boolean;
};

/** What is believed under an ID: a note, a memory or a message; null where there is none. */
export async function findBelieved(reader: NotesReader, id: string): Promise<Believed | null> {
  return (await whyNote(reader, id)) ?? (await whyMemory(reader, id)) ?? (await whyMessage(reader, id));
}

async function whyNote(reader: NotesReader, id: string): Promise<Believed | null> {
  const { notes, state } = reader;
  const node = await notes.index.resolveId(id);
  if (node === null) return null;
  const text = (await notes.shownTexts([node])).get(node.id) ?? null;
  const object = (await state?.objects.get("own", node.id)) ?? null;
  const trusted = (await state?.origins.of([node.words]))?.get(node.words)?.trusted ?? false;
  const turn = (await state?.objects.history("own", node.id))?.at(0)?.turn ?? (await writerOf(reader, node));
  // The owner's own words have no recorded origin; what was remembered of them has.
  const isSame = object !== null && text?.includes(object.content.trim().split("\n", 1)[0] ?? "") === true;
  const label = node.label.sources.length === 0 && isSame ? object.label : node.label;
  const former = label.sources.length > 0 || trusted ? null : await formerLabel(reader, node);
  return {
    id: node.id,
    kind: "note",
    file: notes.pathOf(node.file),
    line: await lineOf(notes.pathOf(node.file), node),
    lines: text === null ? ["(The text is encrypted, or gone.)"] : text.trimEnd().split("\n"),
    author: authorOf(label, trusted),
    trusted,
    label,
    origin: await explainOrigin(explainParts(reader), former ?? label, turn),
    changed: former !== null,
  };
}

/** The label of the words that a note had when they were last known; null where none were. */
async function formerLabel({ notes, state }: NotesReader, node: NoteNode): Promise<Label | null> {
  if (state === null || node.words === "") return null;
  const { findFormer } = await import("../../memory/provenance/find-former.ts");
  return findFormer({ state, place: notes.place }, { node, path: notes.pathOf(node.file) });
}

/** The turn that brought the words of a note into its file, as far as its versions are kept; null where somebody else did. */
async function writerOf({ notes, state }: NotesReader, { file, words }: NoteNode): Promise<string | null> {
  if (state === null || words === "") return null;
  const { findWriter } = await import("../../memory/provenance/find-writer.ts");
  return findWriter({ state, place: notes.place }, { path: notes.pathOf(file), words });
}

async function lineOf(path: string, { begin }: NoteNode): Promise<number | null> {
  const read = await readWholeFile(path);
  if (!read.ok || read.value === null) return null;
  return decodeOrgText(read.value.bytes).text.slice(0, begin).split("\n").length;
}

async function whyMemory(reader: NotesReader, id: string): Promise<Believed | null> {
  const object = (await reader.state?.objects.get("own", id)) ?? null;
  if (object === null) return null;
  const turn = (await reader.state?.objects.history("own", id))?.at(0)?.turn ?? null;
  return {
    id,
    kind: "memory",
    file: null,
    line: null,
    lines: object.content.trimEnd().split("\n"),
    author: authorOf(object.label, false),
    trusted: false,
    label: object.label,
    origin: await explainOrigin(explainParts(reader), object.label, turn),
    changed: false,
  };
}

async function whyMessage(reader: NotesReader, given: string): Promise<Believed | null> {
  const id = idOfLine(given);
  const message = (await reader.state?.sessionMemory.get(id)) ?? null;
  if (message === null) return null;
  const { label, turn, text, speaker } = message;
  return {
    id,
    kind: "message",
    file: null,
    line: null,
    lines: text.split("\n"),
    author: speaker === "owner" ? "you" : speaker === "agent" ? "the agent" : speaker,
    trusted: false,
    label,
    origin: await explainOrigin(explainParts(reader), label, turn),
    changed: false,
  };
}

function explainParts({ notes, state }: NotesReader) {
  return { state, titleOf: async (id: string) => (await notes.index.resolveId(id))?.title ?? null };
}

function authorOf({ integrity }: Label, trusted: boolean): string {
  if (trusted) return "you, by /trust";
  switch (integrity) {
    case "user":
      return "you";
    case "agent":
      return "the agent";
    case "untrusted":
      return "the agent, from words of others";
  }
}

export type { ExplainedSource, ExplainedTurn } from "../../memory/provenance/explain-origin.ts";
