import { lstat } from "node:fs/promises";
import type { JsonObject } from "../../signal/json.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { Outcome, Preparation } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { readWholeFile } from "../files/contents.ts";
import { catchFileErrors, done, problem } from "../files/fallible.ts";
import { type FilePorts, isClosedPath, labelOfContents, labelOfPath } from "../files/file-ports.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import { countOmission, describeOmissions, type Omissions, type TreeEntry, walkTree } from "../files/walk.ts";
import type { ToolCall } from "./define-tool.ts";

const maxEntriesRead = 10_000;
const agents: Label = { ...bottomLabel, integrity: "agent" };
const maxBytes = 5 * 1024 * 1024;
const maxMatches = 200;
const maxLineLength = 240;

/** The parsed arguments of the tool search-files. */
export type SearchFilesArguments = { readonly pattern: string; readonly path?: string | undefined };

/** Prepares the search for a text in a folder or file. */
export async function prepareSearchFiles(
  { pattern, path: typed = "." }: SearchFilesArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const located = await resolveTypedPath(typed, {
    workspace: caller.workspace,
    home: ports.folders.home,
  });
  if (!located.ok) return located;
  const path = located.value;
  const label = joinLabels(labelOf(pattern), labelOf(typed));
  const { workspace } = caller;
  const place = await labelOfPath(path, workspace, ports);
  return {
    ok: true,
    effects: [
      { kind: "read-path", target: path, access: "contents", tree: true, label, reversal: "undoable" },
    ],
    plan: { path, pattern },
    changes: [],
    // The agent may have made any of these files, so their contents do not count as the owner's words.
    resultLabel: joinLabels(place, agents),
    run: (cancel) => search({ path, pattern, ports, workspace, place }, cancel),
  };
}

type Search = {
  readonly path: string;
  readonly pattern: string;
  readonly ports: FilePorts;
  readonly workspace: string | null;
  /** The label of the path. */
  readonly place: Label;
};

async function search(given: Search, cancel: AbortSignal): Promise<Outcome> {
  const { path, pattern, ports } = given;
  const kind = await kindOf(path);
  if (!kind.ok) return failure(kind);
  const omissions: Omissions = new Map();
  const matches: JsonObject[] = [];
  const isClosed = (inside: string) => isClosedPath(ports, inside);
  const tree = walkTree({ root: path, isClosed, maxEntries: maxEntriesRead, omissions });
  const entries = kind.value === "file" ? [{ path, via: path, kind: "file" } as const] : tree;
  for await (const entry of entries) {
    cancel.throwIfAborted();
    if (entry.kind !== "file") continue;
    const { text, digest } = await textOf(entry, omissions);
    const found = [...matchesIn(text, pattern)];
    if (found.length > 0 && !(await mayBeShown(entry.path, digest, given))) {
      countOmission(
        omissions,
        "files with matches that hold private or untrusted text; read-file shows them",
      );
      continue;
    }
    for (const match of found) {
      if (matches.length < maxMatches) matches.push({ path: entry.path, ...match });
      else
        countOmission(
          omissions,
          `matches beyond the first ${maxMatches}; search a folder below or for a longer text`,
        );
    }
  }
  return success({ path, pattern, matches, leftOut: describeOmissions(omissions) });
}

async function kindOf(path: string) {
  return await catchFileErrors(path, async () => {
    const found = await lstat(path);
    if (found.isDirectory()) return done("folder" as const);
    if (found.isFile()) return done("file" as const);
    return problem("special-file", `${path}: this is neither a file nor a folder. Nothing was read.`);
  });
}

/** The result is labelled before anything is read. A file that is more private or less trusted than that label is left out. */
async function mayBeShown(
  path: string,
  digest: string,
  { ports, workspace, place }: Search,
): Promise<boolean> {
  const own = await labelOfPath(path, workspace, ports);
  const { secrecy, integrity } = await labelOfContents(own, digest, ports);
  return secrecy === "public" && (integrity !== "untrusted" || place.integrity === "untrusted");
}

type Text = { readonly text: string; readonly digest: string };

async function textOf(entry: TreeEntry, omissions: Omissions): Promise<Text> {
  const read = await readWholeFile(entry.path, maxBytes, entry.via);
  if (!read.ok) {
    countOmission(omissions, `files that could not be searched (${read.code})`);
    return { text: "", digest: "" };
  }
  const bytes = read.value?.bytes ?? new Uint8Array();
  const digest = read.value?.digest ?? "";
  if (!bytes.subarray(0, 8192).includes(0)) return { text: new TextDecoder().decode(bytes), digest };
  countOmission(omissions, "binary files");
  return { text: "", digest };
}

function* matchesIn(
  text: string,
  pattern: string,
): Generator<{ readonly line: number; readonly text: string }> {
  const anyCase = pattern === pattern.toLowerCase();
  const fold = (given: string) => (anyCase ? given.toLowerCase() : given);
  if (!fold(text).includes(pattern)) return;
  let line = 0;
  for (const found of text.split("\n")) {
    line += 1;
    const at = fold(found).indexOf(pattern);
    const start = Math.max(0, at - maxLineLength / 2);
    if (at !== -1) yield { line, text: found.slice(start, start + maxLineLength).replace(/\r$/, "") };
  }
}
