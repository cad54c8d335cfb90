import { basename, dirname } from "node:path";
import { decodeOrgText, tangleOrg } from "#org";
import { sha256 } from "../../machine/digest.ts";
import { readWholeFile } from "../files/contents.ts";
import { type ActProblem, done, type Fallible, problem } from "../files/fallible.ts";
import { resolveTypedPath, writtenPath } from "../files/typed-path.ts";
import type { TangledRecord } from "./tangled-record.ts";

/** A file that an Org file writes. `path` is real. `older`: only its source has changed since it was tangled. `edited`: somebody changed it since, or it was never tangled. */
export type TangleTarget = {
  readonly path: string;
  /** What the source says of it, as an absolute path. */
  readonly named: string;
  readonly state: "absent" | "same" | "older" | "edited";
  readonly bytes: Uint8Array;
  readonly current: Uint8Array | null;
  readonly blocks: number;
  readonly executable: boolean;
  /** The first line that differs, from 1; null where none does. */
  readonly line: number | null;
  /** Why the file cannot be read; null where it can, and where there is none. */
  readonly problem: ActProblem | null;
};

/** The problem of the first target that cannot be read; null where all can, or are not there. */
export function unreadableTarget(targets: readonly TangleTarget[]): ActProblem | null {
  return targets.find((target) => target.problem !== null)?.problem ?? null;
}

/** What an Org file tangles to. A note says what is left out, with its line in the Org file. */
export type TangleTargets = {
  readonly targets: readonly TangleTarget[];
  readonly notes: readonly { readonly line: number; readonly message: string; readonly isFatal: boolean }[];
};

const mostTargets = 100;

/** Finds the files that an Org file writes, with the state of each. Names are relative to its folder. Nothing is written. */
export async function findTargets(
  source: { readonly path: string; readonly bytes: Uint8Array },
  { home, record }: { readonly home: string; readonly record: TangledRecord },
): Promise<Fallible<TangleTargets>> {
  const { text } = decodeOrgText(source.bytes);
  const { files, problems } = tangleOrg(text, basename(source.path).replace(/\.[^.]*$/, ""));
  if (files.length > mostTargets)
    return problem(
      "too-many-files",
      `${source.path}: it names ${files.length} files; at most ${mostTargets} are tangled at once.`,
    );
  const targets: TangleTarget[] = [];
  for (const file of files) {
    const bearings = { workspace: dirname(source.path), home };
    const located = await resolveTypedPath(file.name, bearings);
    if (!located.ok) return located;
    const path = located.value;
    if (path === source.path || targets.some((target) => target.path === path))
      return problem("same-file", `${source.path}: two of its names lead to ${path}. Name each file once.`);
    const bytes = new TextEncoder().encode(file.text);
    const { blocks, executable } = file;
    const named = writtenPath(file.name, bearings);
    targets.push({ path, named, bytes, blocks, executable, ...(await compare(path, bytes, record)) });
  }
  const notes = problems.map(({ at, message, file }) => ({
    line: text.slice(0, at).split("\n").length,
    message: file === null ? message : `${file} is not made: ${message}`,
    isFatal: file !== null,
  }));
  return done({ targets, notes });
}

/** How a file stands to what its source would write. */
async function compare(
  path: string,
  bytes: Uint8Array,
  record: TangledRecord,
): Promise<Pick<TangleTarget, "state" | "current" | "line" | "problem">> {
  const held = await readWholeFile(path);
  if (!held.ok) return { state: "edited", current: null, line: null, problem: held };
  if (held.value === null) return { state: "absent", current: null, line: null, problem: null };
  const { digest, bytes: current } = held.value;
  if (digest === sha256(bytes)) return { state: "same", current, line: null, problem: null };
  const state = digest === (await record.digestOf(path)) ? "older" : "edited";
  return { state, current, line: firstDifference(current, bytes), problem: null };
}

/** The digests of targets as they are once they are written. */
export function digestsOf(targets: readonly TangleTarget[]): ReadonlyMap<string, string> {
  return new Map(targets.map(({ path, bytes }) => [path, sha256(bytes)]));
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  let [at, line] = [0, 1];
  for (; at < one.length && one[at] === other[at]; at += 1) if (one[at] === 0x0a) line += 1;
  return line;
}
