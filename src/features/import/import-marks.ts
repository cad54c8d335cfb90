import { sha256 } from "../../machine/digest.ts";

/** What an imported note says of itself. */
export type ImportMarks = {
  /** SHA-256 of the text that it was made from. */
  readonly source: string;
  /** Whether the note is as it was written. */
  readonly isUnchanged: boolean;
};

/** Puts where a note comes from into its first drawer, with a digest of all that is written. */
export function withMarks(
  note: string,
  { from, source }: { readonly from: string; readonly source: string },
): string {
  const marked = note.replace(
    /^:END:$/m,
    () => `:IMPORTED_FROM: ${from}\n:IMPORTED_DIGEST: ${source}\n:END:`,
  );
  return marked.replace(/^:END:$/m, () => `:WRITTEN_DIGEST: ${sha256(marked)}\n:END:`);
}

/** The marks in the first drawer of a note; null where it has none. */
export function readMarks(note: string): ImportMarks | null {
  const [drawer = ""] = /^:PROPERTIES:\n(?:(?!:END:$).*\n)*:END:$/m.exec(note) ?? [];
  const source = /^:IMPORTED_DIGEST: ([\da-f]{64})$/m.exec(drawer)?.[1];
  const line = /^:WRITTEN_DIGEST: ([\da-f]{64})\n/m.exec(drawer);
  if (source === undefined || line === null) return null;
  return { source, isUnchanged: sha256(note.replace(line[0], () => "")) === line[1] };
}
