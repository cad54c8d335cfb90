import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { pushAll } from "../../../signal/lists.ts";
import { readWholeFile } from "../../files/contents.ts";
import { type FilePorts, isClosedPath } from "../../files/file-ports.ts";
import { newNames } from "../../files/private-names.ts";
import { walkTree } from "../../files/walk.ts";
import type { CommandWrites } from "../../shell/shell-ports.ts";

const mostEntries = 20_000;
/** The clock of a file system may be behind, in milliseconds. */
const clockSlack = 20;

/**
 * Looks at what a command line will write, and gives what to call once it ran: then the files that its output went to have the label of the output, and where it
 * read private files every other file of the workspace that it changed is private, too: whatever the command did to the words, they can be read back from there.
 */
export async function labelWritten(writes: CommandWrites, ports: FilePorts): Promise<() => Promise<void>> {
  const { paths, workspace, label, inputs } = writes;
  const begun = Date.now() - clockSlack;
  const before = new Map<string, Uint8Array | null>();
  const named: string[] = [];
  for (const path of paths) {
    before.set(path, await bytesOf(path));
    if (label.secrecy !== "public") pushAll(named, await newNames(path));
  }
  return async () => {
    if (named.length > 0) await ports.origins.names?.keep(named, label);
    for (const [path, bytes] of before) {
      const after = await readWholeFile(path);
      if (!after.ok || after.value === null) continue;
      const written = { path, before: bytes, after: after.value.bytes, label };
      await ports.origins.keep(after.value.digest, label, written);
    }
    if (inputs.secrecy === "public" || workspace === null) return;
    const secrecy: Label = { ...bottomLabel, secrecy: inputs.secrecy };
    for await (const { path, isNew } of changedSince(begun, workspace, ports)) {
      if (isNew) await ports.origins.names?.keep([basename(path)], secrecy);
      const after = before.has(path) ? null : await readWholeFile(path);
      if (after?.ok !== true || after.value === null) continue;
      const { bytes, digest } = after.value;
      // Nothing is remembered of its words: most of them may be older.
      await ports.origins.keep(digest, secrecy, { path, before: bytes, after: bytes, label: bottomLabel });
    }
  };
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  const read = await readWholeFile(path);
  return read.ok ? (read.value?.bytes ?? null) : null;
}

type ChangedFile = { readonly path: string; readonly isNew: boolean };

async function* changedSince(begun: number, root: string, ports: FilePorts): AsyncGenerator<ChangedFile> {
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  for await (const entry of walkTree({ root, isClosed, maxEntries: mostEntries, omissions: new Map() })) {
    if (entry.kind !== "file") continue;
    const status = await lstat(entry.via).catch(() => null);
    if (status !== null && status.ctimeMs >= begun)
      yield { path: entry.path, isNew: status.birthtimeMs >= begun };
  }
}
