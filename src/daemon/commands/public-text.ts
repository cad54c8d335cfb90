import type { NoteTexts } from "./note-lookups.ts";
import type { UndoParts } from "./undo-request.ts";

/** What the owner's word that a text is public needs. */
export type PublicTextParts = Pick<UndoParts, "state" | "journal"> & {
  /** The texts of a note and of all below it; null where there is no note of this id. */
  readonly noteTexts: (id: string) => Promise<NoteTexts | null>;
  /** Takes texts for public. False where a private note holds a part of them. */
  readonly releaseTexts: (texts: readonly string[]) => Promise<boolean>;
};

/** Only the owner does this. A note by its id, or words: from now on they are no longer withheld, unless a private note holds them. */
export async function makePublic(
  { state, journal, noteTexts, releaseTexts }: PublicTextParts,
  session: string,
  what: string,
): Promise<{ readonly code: "public" | "not-done"; readonly text: string }> {
  const note = await noteTexts(what);
  if (note !== null) await state.origins.publish(note.hashes);
  const isPublic = await releaseTexts(note?.texts ?? [what]);
  const named = note === null ? "words" : what;
  await journal({ kind: "note", session, detail: { event: "made-public", what: named, done: isPublic } });
  const subject = note === null ? "These words" : `The words of ${what}`;
  return isPublic
    ? { code: "public", text: `${subject}, as they are now, may be sent to every provider from now on.` }
    : {
        code: "not-done",
        text: `${subject} still stand in a note that is marked as private. Take its tag away first, then say this again.`,
      };
}
