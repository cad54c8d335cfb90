import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../signal/clock.ts";
import { strings } from "../../signal/json.ts";
import { join } from "../../signal/label.ts";
import type { Asker, Tool } from "../../signal/tool.ts";
import { type Attempt, done, problem } from "../files/attempt.ts";
import { type FilePorts, labelOfContents, labelOfPlace } from "../files/file-ports.ts";
import { lastSeen } from "../files/last-seen.ts";
import { prepareBoth } from "../files/prepare-both.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { realPathOf } from "../files/real-path.ts";
import { findArchives, prepareArchive } from "./archive-notes.ts";
import { type ChangedNotes, changeNotes } from "./change-notes.ts";
import { defineTool } from "./define-tool.ts";
import { proposedOperation, readOperations, written } from "./notes-operations.ts";
import { withOrigin } from "./with-origin.ts";

/** What editing notes needs: the files, the time, and where a node lies (its real path, null for an unknown id). */
export type EditNotesPorts = FilePorts & {
  readonly clock: Clock;
  readonly fileOfNode: (id: string) => Promise<string | null>;
};

const schema = z.strictObject({
  file: z.string().min(1).describe("path or node ID"),
  operations: z.array(proposedOperation).min(1).max(100),
});

/** Edits an Org file as Emacs's own commands would, and touches no other byte of it. What does not fit is refused, and the rest is done. */
export function makeEditNotesTool(ports: EditNotesPorts): Tool {
  return defineTool({
    name: "edit-notes",
    description: "Edit an Org file by Org's own operations",
    schema,
    async prepare({ file, operations: given }, asker, labelOf) {
      const read = readOperations(given, isPath(file) ? null : file);
      if (!read.ok) return read;
      const located = await locate(file, ports);
      if (!located.ok) return located;
      const path = located.value;
      const operations = z.json().parse(JSON.parse(JSON.stringify(given)));
      const label = join(labelOf(file), ...[...strings(operations)].map(({ text }) => labelOf(text)));
      const put = written(read.value, labelOf);
      const place = labelOfPlace(path, asker.workspace, ports);
      const change = {
        ...{ path, at: ports.clock(), newId: randomUUID, seen: seenBytes(asker, path) },
        operations: read.value.map((operation) => withOrigin(operation, written([operation], labelOf))),
      };
      const found = await findArchives(change, ports);
      const made: { changed: ChangedNotes | null } = { changed: null };
      const main = await prepareChange(
        {
          ...{ path, label, brought: put, readsContents: true },
          contentLabel: async (digest) => join(await labelOfContents(place, digest, ports), put),
          change(current) {
            const archives = new Map([...found].map(([name, { bytes }]) => [name, bytes]));
            const changed = changeNotes(current, { ...change, archives });
            if (!changed.ok) return changed;
            made.changed = changed.value;
            return done(changed.value.bytes);
          },
          tells: () => ({ note: made.changed?.note ?? "" }),
          also: { effects: [], plan: { operations }, after: async () => undefined },
        },
        ports,
      );
      const archived = [...(made.changed?.archives ?? [])].flatMap(([name, bytes]) => {
        const archive = found.get(name);
        return archive === undefined ? [] : [{ ...archive, after: bytes }];
      });
      let all = main;
      for (const archive of archived) {
        const first = await prepareArchive(archive, { label: main.resultLabel, ports });
        all = prepareBoth(first, all, ports.keepPreImage);
      }
      return all;
    },
  });
}

function seenBytes(asker: Asker, path: string): Uint8Array | null {
  const text = lastSeen(asker, path)?.text ?? null;
  return text === null ? null : new TextEncoder().encode(text);
}

function isPath(file: string): boolean {
  return file.includes("/") || /\.org(_archive)?$/.test(file);
}

async function locate(file: string, ports: EditNotesPorts): Promise<Attempt<string>> {
  const { home, notes } = ports.folders;
  const named = isPath(file) ? file : await ports.fileOfNode(file);
  if (named === null)
    return problem(
      "not-found",
      `There is no node with the ID '${file}' in the notes. Name a file, or search for the node.`,
    );
  const located = await realPathOf(named, { workspace: notes, home });
  if (!located.ok || /\.org(_archive)?$/.test(located.value)) return located;
  return problem(
    "not-org",
    `${located.value}: only files that end in .org or .org_archive are edited so. Use edit-file.`,
  );
}
