import { applySplices, decodeOrgText, encodeOrgText, hasRawBytes } from "#org";
import { makeEventLoopYield } from "../../../machine/yield-to-event-loop.ts";
import { readDenoteName } from "../../../notes/denote-name.ts";
import { merkleRoot } from "../../../notes/note-hashes.ts";
import type { NoteStat } from "../../../notes/note-node.ts";
import { pathOfNote } from "../folder/notes-folders.ts";
import { readNoteAtOnce, readNoteBytes } from "../folder/read-note-file.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import { walkNotes } from "../folder/walk-notes.ts";
import type { NoteIndex } from "../index/note-index.ts";
import { findBrokenLinks } from "./broken-links.ts";
import { findDuplicateIds } from "./duplicate-ids.ts";
import type { Finding, Repair } from "./finding.ts";
import { KnownTargets } from "./known-targets.ts";
import { linkWorld } from "./link-world.ts";
import { type LinkPlace, readFileFacts } from "./read-file-facts.ts";
import { findStaleTodos } from "./stale-todos.ts";
import { findStrayDrawers } from "./stray-drawers.ts";

/** The notes that the gardener checks, with their index. `now` in Unix milliseconds. */
export type GardenParts = {
  readonly place: NotesPlace;
  readonly index: Pick<NoteIndex, "files" | "root">;
  readonly now: number;
  /** Days after which a TODO without a day of its own is stale; 0 for never. */
  readonly staleAfter: number;
};

/** The findings by file and line, and their repairs. `files`: the number of files. */
export type Garden = {
  readonly files: number;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
};

/** The facts of a file that the second pass needs. */
type Linking = {
  readonly file: string;
  readonly links: readonly LinkPlace[];
  readonly fileId: string | null;
};

/** Checks all notes. Each file is read once, other work runs in between, no model is asked, and nothing is written. */
export async function tendGarden(parts: GardenParts): Promise<Garden> {
  const { place, index, now, staleAfter } = parts;
  const pause = makeEventLoopYield();
  const listing = await walkNotes(place, pause);
  const known = new Map((await index.files()).map((file) => [file.path, file]));
  const found: Found = { findings: [], repairs: [] };
  const targets = new KnownTargets();
  const linking: Linking[] = [];
  const today = new Date(now).toISOString().slice(0, 10);
  for (const seen of listing.files.values()) {
    const wait = pause();
    if (wait !== null) await wait;
    const { path: file } = seen;
    const read = await readNoteBytes(place, seen);
    if (read.kind === "gone") continue;
    if (read.kind === "unreadable") {
      found.findings.push(ofFile("unreadable", file, read.problem));
      continue;
    }
    const indexed = known.get(file);
    if (indexed?.digest !== read.digest && (indexed === undefined || isSameStat(indexed, read.found)))
      found.findings.push(ofFile("index-differs", file, indexDiffers));
    const source = decodeOrgText(read.bytes);
    const facts = readFileFacts(file, source.text, place.variables ?? []);
    targets.add(facts);
    linking.push({ file, links: facts.links, fileId: facts.fileId });
    keep(found, findStrayDrawers(facts));
    for (const each of findStaleTodos(facts, { today, modified: dayOf(seen), staleAfter }))
      found.findings.push(each);
  }
  const files = await index.files();
  for (const { path } of files)
    if (!listing.files.has(path))
      found.findings.push(
        ofFile(
          "index-differs",
          path,
          "it is in the index and no longer there. Rebuild the index: passepartout memory rebuild",
        ),
      );
  if ((await index.root()) !== merkleRoot(files))
    found.findings.push(ofFile("index-differs", "", indexDiffers));
  await findAcross(parts, { found, targets, linking, folders: listing.folders });
  return { files: listing.files.size, findings: found.findings.toSorted(byPlace), repairs: found.repairs };
}

type Found = { readonly findings: Finding[]; readonly repairs: Repair[] };

const indexDiffers = "the index holds other contents than the files. Rebuild it: passepartout memory rebuild";

function ofFile(code: Finding["code"], file: string, message: string): Finding {
  return { code, file, line: 0, message, repairable: false };
}

/** False for a file that somebody wrote since it was indexed: the index is behind, and not damaged. */
function isSameStat(indexed: NoteStat, found: NoteStat): boolean {
  return (
    indexed.changed === found.changed && indexed.modified === found.modified && indexed.inode === found.inode
  );
}

function dayOf({ modified }: NoteStat): string {
  return new Date(Number(BigInt(modified) / 1_000_000n)).toISOString().slice(0, 10);
}

function keep(
  found: Found,
  all: readonly { readonly finding: Finding; readonly repair: Repair | null }[],
): void {
  for (const { finding, repair } of all) {
    found.findings.push(finding);
    if (repair !== null) found.repairs.push(repair);
  }
}

type Across = {
  readonly found: Found;
  readonly targets: KnownTargets;
  readonly linking: readonly Linking[];
  /** The folders of the notes. */
  readonly folders: readonly string[];
};

/** Finds what depends on all files. A file is read a second time only if a link in it may be broken. */
async function findAcross(
  { place }: GardenParts,
  { found, targets, linking, folders }: Across,
): Promise<void> {
  const textOf = (file: string): string | null => textOfNote(place, file);
  const world = linkWorld(place, folders);
  const pause = makeEventLoopYield();
  const reached = new Set<string>();
  for (const { file, links } of linking) {
    const wait = pause();
    if (wait !== null) await wait;
    for (const link of links) if (link.type !== "file") reached.add(link.target);
    for (const link of links) if (link.type === "file") reached.add(world.pathOf(file, link.target));
    const suspect = links.filter((link) =>
      link.type === "file" ? !world.hasFile(file, link.target) : !targets.hasId(link.target),
    );
    const text = suspect.length === 0 ? null : textOf(file);
    if (text !== null) keep(found, findBrokenLinks({ file, text, links: suspect }, targets, world));
  }
  keep(found, findDuplicateIds(targets, textOf));
  for (const each of findOrphans(place, linking, { reached, targets })) found.findings.push(each);
}

/** Files with an ID of their own that no link leads to, to none of their nodes either, and that link to no note. */
function findOrphans(
  place: NotesPlace,
  linking: readonly Linking[],
  { reached, targets }: { readonly reached: ReadonlySet<string>; readonly targets: KnownTargets },
): readonly Finding[] {
  const reachedFiles = new Set(
    [...reached].flatMap((id) => targets.claims.get(id)?.map(({ file }) => file) ?? []),
  );
  return linking.flatMap(({ file, fileId, links }) => {
    if (fileId === null || links.length > 0 || reachedFiles.has(file)) return [];
    const identifier = readDenoteName(file)?.id;
    if (reached.has(pathOfNote(place, file)) || (identifier !== undefined && reached.has(identifier)))
      return [];
    return [
      {
        code: "orphan",
        file,
        line: 0,
        message: "no note leads to it, and it leads to none.",
        repairable: false,
      },
    ];
  });
}

function textOfNote(place: NotesPlace, file: string): string | null {
  const bytes = readNoteAtOnce(place, file);
  return bytes === null ? null : decodeOrgText(bytes).text;
}

/** The file of a repair with its contents before and after; null if the file has changed. Every byte outside the repair stays. */
export function applyRepair(
  place: NotesPlace,
  { file, splices }: Pick<Repair, "file" | "splices">,
): { readonly path: string; readonly before: Uint8Array; readonly after: Uint8Array } | null {
  const before = readNoteAtOnce(place, file);
  if (before === null) return null;
  const source = decodeOrgText(before);
  if (hasRawBytes(source)) return null;
  const given = splices.map((splice) => ({ ...splice, expect: source.text.slice(splice.begin, splice.end) }));
  const result = applySplices(source.text, given);
  if (result.code !== "spliced") return null;
  const after = encodeOrgText({ ...source, text: result.text });
  return { path: pathOfNote(place, file), before, after };
}

function byPlace(one: Finding, other: Finding): number {
  return one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1;
}
