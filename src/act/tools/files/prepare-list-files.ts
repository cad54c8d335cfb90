import { lstat } from "node:fs/promises";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Outcome, Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { catchFileErrors, done, problem } from "../../files/fallible.ts";
import { type FilePorts, isClosedPath } from "../../files/file-ports.ts";
import { compileGlob, type MatchPath } from "../../files/glob.ts";
import { ignoreRulesAbove } from "../../files/ignore-rules.ts";
import { labelOfNames, labelOfTyped } from "../../files/private-names.ts";
import { shownPath } from "../../files/shown-path.ts";
import { underTypedNames } from "../../files/typed-names.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import { countOmission, describeOmissions, type Omissions, walkTree } from "../../files/walk.ts";
import type { ToolCall } from "../define-tool.ts";

const maxShownNames = 300;
const maxEntriesRead = 100_000;
const usualDepth = 2;
const agents: Label = { ...bottomLabel, integrity: "agent" };

/** The parsed arguments of the tool list-files. */
export type ListFilesArguments = {
  readonly path?: string | undefined;
  /** Levels of folders; 2 if it is left out, and any number with a glob. */
  readonly depth?: number | undefined;
  readonly glob?: string | undefined;
  /** Whether what `.gitignore` leaves out is listed too. */
  readonly ignored?: boolean | undefined;
};

/** Prepares the listing of a folder. */
export async function prepareListFiles(
  { path: typed = ".", depth, glob, ignored = false }: ListFilesArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const { workspace } = caller;
  const bearings = { workspace, home: ports.folders.home };
  const located = await resolveTypedPath(typed, bearings);
  if (!located.ok) return located;
  const path = located.value;
  const matches = glob === undefined ? done(() => true) : await compileGlob(glob);
  if (!matches.ok) return matches;
  const levels = depth ?? (glob === undefined ? usualDepth : undefined);
  return {
    ok: true,
    effects: await underTypedNames(
      {
        kind: "read-path",
        target: path,
        access: "names",
        tree: true,
        label: joinAll([labelOf(typed), ...(glob === undefined ? [] : [labelOf(glob)])]),
        reversal: "undoable",
      },
      writtenPath(typed, bearings),
      ports.isSecretPath,
    ),
    plan: { path, depth: levels ?? null, glob: glob ?? null, ignored },
    changes: [],
    // The agent may have made any of these files, so their names do not count as the owner's words.
    resultLabel: joinLabels(
      await labelOfTyped(typed, path, workspace, ports),
      await labelOfNames({ path, tree: true, maxEntries: maxEntriesRead }, ports),
      agents,
    ),
    run: (cancel) => list({ path, levels, matches: matches.value, ignored, ports, workspace }, cancel),
  };
}

type Listing = {
  readonly path: string;
  readonly levels: number | undefined;
  readonly matches: MatchPath;
  readonly ignored: boolean;
  readonly ports: FilePorts;
  readonly workspace: string | null;
};

async function list(listing: Listing, cancel: AbortSignal): Promise<Outcome> {
  const { path, levels, matches, ignored, ports, workspace } = listing;
  const looked = await catchFileErrors(path, async () => {
    const found = await lstat(path);
    if (found.isDirectory()) return done(null);
    return problem("not-a-folder", `${path}: this is not a folder. Use read-file for a file.`);
  });
  if (!looked.ok) return failure(looked);
  const omissions: Omissions = new Map();
  const entries: string[] = [];
  const tree = walkTree({
    root: path,
    isClosed: (inside) => isClosedPath(ports, inside),
    maxEntries: maxEntriesRead,
    omissions,
    depth: levels,
    ignore: ignored ? undefined : await ignoreRulesAbove(path, workspace),
    entersAll: ignored,
  });
  for await (const entry of tree) {
    cancel.throwIfAborted();
    if (!matches(entry.path.slice(path === "/" ? 1 : path.length + 1))) continue;
    if (entries.length < maxShownNames)
      entries.push(`${shownPath(entry.path, workspace)}${marks[entry.kind]}`);
    else
      countOmission(
        omissions,
        `names beyond the first ${maxShownNames} (list a folder below, or use a glob)`,
      );
  }
  return success({ path: shownPath(path, workspace), entries, leftOut: describeOmissions(omissions) });
}

const marks = { file: "", folder: "/", link: "@", special: " (device, pipe or socket)" } as const;
