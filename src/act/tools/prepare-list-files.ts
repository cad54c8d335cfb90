import { lstat } from "node:fs/promises";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { Outcome, Preparation } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { catchFileErrors, done, problem } from "../files/fallible.ts";
import { type FilePorts, isClosedPath, labelOfPath } from "../files/file-ports.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import { countOmission, describeOmissions, type Omissions, type TreeEntry, walkTree } from "../files/walk.ts";
import type { ToolCall } from "./define-tool.ts";

const maxShownNames = 300;
const maxEntriesRead = 10_000;
const agents: Label = { ...bottomLabel, integrity: "agent" };

/** The parsed arguments of the tool list-files. */
export type ListFilesArguments = { readonly path: string };

/** Prepares the listing of a folder. */
export async function prepareListFiles(
  { path: typed }: ListFilesArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const located = await resolveTypedPath(typed, {
    workspace: caller.workspace,
    home: ports.folders.home,
  });
  if (!located.ok) return located;
  const path = located.value;
  return {
    ok: true,
    effects: [
      {
        kind: "read-path",
        target: path,
        access: "names",
        tree: true,
        label: labelOf(typed),
        reversal: "undoable",
      },
    ],
    plan: { path },
    changes: [],
    // The agent may have made any of these files, so their names do not count as the owner's words.
    resultLabel: joinLabels(await labelOfPath(path, caller.workspace, ports), agents),
    run: (cancel) => list(path, ports, cancel),
  };
}

async function list(path: string, ports: FilePorts, cancel: AbortSignal): Promise<Outcome> {
  const looked = await catchFileErrors(path, async () => {
    const found = await lstat(path);
    if (found.isDirectory()) return done(null);
    return problem("not-a-folder", `${path}: this is not a folder. Use read-file for a file.`);
  });
  if (!looked.ok) return failure(looked);
  const omissions: Omissions = new Map();
  const entries: string[] = [];
  const isClosed = (inside: string) => isClosedPath(ports, inside);
  for await (const entry of walkTree({ root: path, isClosed, maxEntries: maxEntriesRead, omissions })) {
    cancel.throwIfAborted();
    if (entries.length < maxShownNames) entries.push(shown(entry, path));
    else countOmission(omissions, `names beyond the first ${maxShownNames}; list a folder below to see them`);
  }
  return success({ path, entries, leftOut: describeOmissions(omissions) });
}

const marks = { file: "", folder: "/", link: "@", special: " (device, pipe or socket)" } as const;

function shown({ path, kind }: TreeEntry, root: string): string {
  return `${path.slice(root === "/" ? 1 : root.length + 1)}${marks[kind]}`;
}
