import { relative } from "node:path";
import type { Outcome } from "../../../signal/tool.ts";
import { readWholeFile } from "../../files/contents.ts";
import { entryIfThere } from "../../files/status-if-there.ts";
import { walkTree } from "../../files/walk.ts";
import { withNotes } from "../../shell/later-guard.ts";
import { findProtectedPaths } from "../../shell/protected-paths.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

type Ran = {
  readonly workspace: string | null;
  /** When it began, in Unix milliseconds. */
  readonly begun: number;
};

/** The clock of a file system may be behind, in milliseconds. */
const clockSlack = 20;
/** Entries that are looked at, bytes of a file that is looked into, and files that are told. */
const most = { entries: 250_000, bytes: 2_000_000, told: 5 };

/**
 * The outcome of a line that copied what stands in for what git keeps of secret files: it says which files
 * have that, since nobody else takes them for false.
 */
export async function tellStandIns(
  outcome: Outcome,
  { workspace, begun }: Ran,
  { isCovered, holdsStandIn, isSecretPath, mask }: ShellPorts,
): Promise<Outcome> {
  if (workspace === null || isCovered === undefined || holdsStandIn === undefined) return outcome;
  const { repositories } = await findProtectedPaths(workspace, isSecretPath);
  if (!(await Promise.all(repositories.map(isCovered))).includes(true)) return outcome;
  const found: string[] = [];
  for await (const path of changedFiles(workspace, begun)) {
    const read = await readWholeFile(path, most.bytes);
    if (read.ok && read.value !== null && (await holdsStandIn(read.value.bytes)))
      found.push(relative(workspace, path));
  }
  if (found.length === 0) return outcome;
  const more = found.length > most.told ? ` and ${found.length - most.told} more` : "";
  const files = mask(found.slice(0, most.told).join(", "));
  return withNotes(outcome, [
    `Commands do not see what git keeps of secret files. Some words of Passepartout stand in its place in ${files}${more}: that is not the owner's file, so do not commit or copy it. The owner has the file by \`git checkout -- FILE\` in that work tree. A repository or an archive with it is damaged: the owner deletes it and makes it again.`,
  ]);
}

async function* changedFiles(root: string, begun: number): AsyncGenerator<string> {
  const walk = {
    root,
    isClosed: () => false,
    maxEntries: most.entries,
    omissions: new Map(),
    entersAll: true,
  };
  for await (const { path, via, kind } of walkTree(walk)) {
    if (kind === "file" && ((await entryIfThere(via))?.ctimeMs ?? 0) >= begun - clockSlack) yield path;
  }
}
