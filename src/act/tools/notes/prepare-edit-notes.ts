import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Operation } from "#org";
import { joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Caller, Preparation } from "../../../signal/tool.ts";
import type { Clock } from "../../../text/clock.ts";
import { beginOf } from "../../../text/cut-text.ts";
import { stringsIn } from "../../../text/json.ts";
import { addOrigin, changesOrigin } from "../../files/add-origin.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { lastSeenVersion } from "../../files/overwrite.ts";
import { prepareBoth } from "../../files/prepare-both.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import type { ProposedChange } from "../../files/proposed-change.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import type { ToolCall } from "../define-tool.ts";
import { type Archive, type ArchiveChange, findArchives, prepareArchive } from "./archive-notes.ts";
import { changeNotes, type NotesChangeResult, type OutsideSettings } from "./change-notes.ts";
import { operationSchema } from "./operation-schema.ts";
import type { ProposedOperation } from "./proposed-operation.ts";
import { labelOfWrittenWords } from "./written-words.ts";

/** The ports of edit-notes: files, time, and the real path of the file of a node (null for an unknown ID). */
export type EditNotesPorts = FilePorts & {
  readonly clock: Clock;
  readonly settingsOf: (path: string) => Promise<OutsideSettings>;
  readonly fileOfNode: (id: string) => Promise<string | null>;
};

/** The parsed arguments of the tool edit-notes. */
export type EditNotesArguments = { readonly file: string; readonly operations: readonly ProposedOperation[] };

/** Prepares the edits of an Org file and of the archives that entries move to. */
export async function prepareEditNotes(
  { file, operations: given }: EditNotesArguments,
  { ports, caller, labelOf }: ToolCall<EditNotesPorts>,
): Promise<Preparation> {
  const read = readOperations(given, isPath(file) ? null : file);
  if (!read.ok) return read;
  const located = await locate(file, ports);
  if (!located.ok) return located;
  const { path } = located.value;
  const operations = z.json().parse(JSON.parse(JSON.stringify(given)));
  const label = joinAll([labelOf(file), ...[...stringsIn(operations)].map(({ text }) => labelOf(text))]);
  const put = labelOfWrittenWords(read.value, labelOf, caller.sources);
  const place = await labelOfPath(path, caller.workspace, ports);
  const change = {
    path,
    at: ports.clock(),
    newId: randomUUID,
    home: ports.folders.home,
    settings: await ports.settingsOf(path),
    seen: seenBytes(caller, path),
    operations: read.value.map((operation) =>
      addOrigin(operation, labelOfWrittenWords([operation], labelOf, caller.sources)),
    ),
  };
  const found = await findArchives(change);
  const made: MadeChange = { before: null, changed: null };
  const main = await prepareChange(
    {
      ...located.value,
      shownAs: shownPath(path, caller.workspace),
      session: caller.session,
      label,
      brought: put,
      named: labelOf(file),
      readsContents: true,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), put),
      change(current, onDisk) {
        const archives = new Map([...found].map(([name, { bytes }]) => [name, bytes]));
        const seen = change.seen ?? onDisk ?? null;
        const changed = changeNotes(current, { ...change, seen, archives });
        if (!changed.ok) return changed;
        made.before = current;
        made.changed = changed.value;
        return done(changed.value.bytes);
      },
      toldLabel: toldLabelOf(made, { path, read: joinLabels(place, put), origins: ports.origins }),
      tells: () => ({ note: made.changed?.note ?? "" }),
      also: { effects: [], plan: { operations }, after: async () => undefined },
    },
    ports,
  );
  const archived = archivedBy(path, made, found);
  const parts = { label: main.resultLabel, brought: put, session: caller.session, ports };
  let all = main;
  for (const archive of archived) {
    all = prepareBoth(await prepareArchive(archive, parts), all, ports);
  }
  return all;
}

/** The label of what the outcome tells: that of the entries touched, unless an operation was refused. */
function toldLabelOf(
  made: MadeChange,
  { path, read, origins }: Pick<EditNotesPorts, "origins"> & { readonly path: string; readonly read: Label },
): NonNullable<ProposedChange["toldLabel"]> {
  return async (before, after) =>
    made.changed?.isWhole === true ? joinLabels(read, await origins.touched({ path, before, after })) : null;
}

/** The changes of the archives that the subtrees of a changed file move to. */
function archivedBy(
  path: string,
  { before, changed }: MadeChange,
  found: ReadonlyMap<string, Archive>,
): readonly ArchiveChange[] {
  if (changed === null) return [];
  const movedFrom = { path, before, after: changed.bytes };
  return [...changed.archives].flatMap(([name, after]) => {
    const archive = found.get(name);
    return archive === undefined ? [] : [{ ...archive, after, movedFrom }];
  });
}

type MadeChange = { before: Uint8Array | null; changed: NotesChangeResult | null };

function seenBytes(caller: Caller, path: string): Uint8Array | null {
  const text = lastSeenVersion(caller, path)?.text ?? null;
  return text === null ? null : new TextEncoder().encode(text);
}

function isPath(file: string): boolean {
  return file.includes("/") || /\.org(_archive)?$/.test(file);
}

/** The notes that are meant, by their real path, and by what was typed of it. */
async function locate(
  file: string,
  ports: EditNotesPorts,
): Promise<Fallible<{ readonly path: string; readonly written: string }>> {
  const { home, notes } = ports.folders;
  const named = isPath(file) ? file : await ports.fileOfNode(file);
  if (named === null)
    return problem(
      "not-found",
      `There is no node with the ID '${file}' in the notes. Name a file, or search for the node.`,
    );
  const bearings = { workspace: notes, home };
  const located = await resolveTypedPath(named, bearings);
  if (!located.ok) return located;
  if (/\.org(_archive)?$/.test(located.value))
    return done({ path: located.value, written: writtenPath(named, bearings) });
  return problem(
    "not-org",
    `${located.value}: edit-notes edits only files that end in .org or .org_archive. Use edit-file.`,
  );
}

/**
 * Reads operations through the closed schema. An operation that names no heading applies to `node`, if there
 * is one.
 */
function readOperations(
  given: readonly ProposedOperation[],
  node: string | null,
): Fallible<readonly Operation[]> {
  const read: Operation[] = [];
  for (const [index, one] of given.entries()) {
    const placeless = one.op === "capture" || one.op === "checkbox";
    const operation = node === null || placeless || one.at !== undefined ? one : { ...one, at: node };
    const parsed = operationSchema.safeParse(operation);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
      return problem(
        "invalid-arguments",
        `edit-notes: operation ${index + 1} (${one.op}): ${beginOf(wrong.join("; "), 400)}.`,
      );
    }
    if (changesOrigin(parsed.data))
      return problem(
        "invalid-arguments",
        "edit-notes: ORIGIN says where a text came from, and only the owner may change it.",
      );
    read.push(parsed.data);
  }
  return done(read);
}
