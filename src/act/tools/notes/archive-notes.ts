import { dirname } from "node:path";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, isNoMoreSecretThan, joinLabels, type Label, secrecyOf } from "../../../signal/label.ts";
import { textOfBytes } from "../../../text/utf16-text.ts";
import { readWholeFile } from "../../files/contents.ts";
import { done, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { resolveTypedPath } from "../../files/typed-path.ts";
import { archiveNames, type NotesChange } from "./change-notes.ts";

/** A file that a subtree is archived to, with its contents when it was prepared. */
export type Archive = { readonly path: string; readonly bytes: Uint8Array };

/** The files that the operations would archive to, by their names in the text. A file that cannot be read is left out; archiving to it is then refused. */
export async function findArchives(
  change: Omit<NotesChange, "archives">,
): Promise<ReadonlyMap<string, Archive>> {
  const found = new Map<string, Archive>();
  if (!change.operations.flat().some(({ op }) => op === "archive")) return found;
  const current = await readWholeFile(change.path);
  if (!current.ok || current.value === null) return found;
  for (const name of archiveNames(current.value.bytes, change)) {
    const located = await resolveTypedPath(name, {
      workspace: dirname(change.path),
      home: change.home,
    });
    const isOrg = located.ok && /\.org(_archive)?$/.test(located.value) && located.value !== change.path;
    const held = isOrg ? await readWholeFile(located.value) : null;
    if (located.ok && held?.ok === true)
      found.set(name, { path: located.value, bytes: held.value?.bytes ?? new Uint8Array() });
  }
  return found;
}

/** A change of an archive, with the versions of the file that the subtrees come from. */
export type ArchiveChange = Archive & {
  readonly after: Uint8Array;
  readonly movedFrom: {
    readonly path: string;
    readonly before: Uint8Array | null;
    readonly after: Uint8Array;
  };
};

type ArchivePorts = {
  /** The label of all that flows into the change. */
  readonly label: Label;
  /** The label of the words that the operations bring in. */
  readonly brought: Label;
  readonly session: string;
  readonly ports: FilePorts;
};

/**
 * Prepares the change of an archive to `after`. It is refused if the archive changed in between. The archive
 * is as private as what is in it and what moves there, and not as what stays where that came from.
 */
export async function prepareArchive(
  { path, bytes, after, movedFrom }: ArchiveChange,
  { label, brought: words, session, ports }: ArchivePorts,
) {
  const named = await labelOfPlace({ path, bytes, after, movedFrom }, words, ports);
  // The id of a note tells the name of its file.
  const brought = joinLabels(words, named);
  const moved = joinLabels(
    brought,
    await ports.origins.inside(path, sha256(after), after),
    await unexplainedLabel(path, movedFrom.before, ports),
  );
  const changed = problem(
    "conflict",
    `${path}: the file changed while this was prepared. Nothing was done; try again.`,
  );
  return await prepareChange(
    {
      path,
      written: path,
      shownAs: path,
      session,
      label,
      brought,
      named,
      readsContents: true,
      movedFrom,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(await labelOfPath(path, null, ports), digest, ports, bytes), moved),
      change: (current) => (Buffer.compare(current ?? new Uint8Array(), bytes) === 0 ? done(after) : changed),
      also: { effects: [], plan: null, after: async () => undefined },
    },
    ports,
  );
}

/** A keyword or property that says where entries are archived to. */
const archivePlace = /^[ \t]*(?:#\+ARCHIVE:|:ARCHIVE\+?:).*$/gim;

/**
 * The label of the name of an archive: of the entries that said where to archive to, and of what the call
 * brings in where it says that; public where the name follows from that of the notes.
 */
async function labelOfPlace(
  { after, bytes, movedFrom }: ArchiveChange,
  brought: Label,
  { origins }: FilePorts,
): Promise<Label> {
  const { path, before } = movedFrom;
  const places = (versions: readonly (Uint8Array | null)[]): readonly string[] =>
    versions.flatMap((version) =>
      [...textOfBytes(version ?? new Uint8Array()).matchAll(archivePlace)].map(String),
    );
  const known = places([before, bytes]);
  const isBrought = places([movedFrom.after, after]).some((line) => !known.includes(line));
  const named = isBrought ? secrecyOf([brought]) : bottomLabel;
  if (before === null) return named;
  const without = textOfBytes(before).replaceAll(archivePlace, "");
  const said = await origins.touched({ path, before, after: new TextEncoder().encode(without) });
  return places([before]).length === 0 ? named : joinLabels(named, secrecyOf([said]));
}

/** What is known of a file as a whole, and of none of its entries: it goes wherever one of them goes. */
async function unexplainedLabel(
  path: string,
  bytes: Uint8Array | null,
  { origins }: FilePorts,
): Promise<Label> {
  if (bytes === null) return bottomLabel;
  const digest = sha256(bytes);
  const whole = (await origins.of([digest])) ?? bottomLabel;
  const { secrecy } = await origins.inside(path, digest, bytes);
  return isNoMoreSecretThan(whole, secrecy) ? bottomLabel : { ...bottomLabel, secrecy: whole.secrecy };
}
