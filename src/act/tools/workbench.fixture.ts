import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bottomLabel, joinAll, type Label, type LabelledValue } from "../../signal/label.ts";
import type { Caller, Outcome, Preparation, Tool } from "../../signal/tool.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import { makeArgumentLabeller } from "../argument-labeller.ts";
import type { FilePorts } from "../files/file-ports.ts";

/** A pre-image that the workbench keeps. */
export type KeptPreImage = {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  readonly mode: number | null;
};

/** A real folder with a workspace, a notes folder and a home, and file ports over it. Disposing it removes everything. */
export type Workbench = AsyncDisposable & {
  readonly root: string;
  readonly workspace: string;
  readonly notes: string;
  readonly home: string;
  readonly ports: FilePorts;
  readonly kept: readonly KeptPreImage[];
  readonly origins: Map<string, Label>;
  readonly write: (path: string, content: string | Uint8Array) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  /** Names left in a folder of the workspace. */
  readonly names: (path: string) => Promise<readonly string[]>;
};

/** Opens a workbench in a new temporary folder. Its secret paths are those that end in `.env` and everything below `.ssh`. */
export async function openWorkbench(): Promise<Workbench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "act-")));
  const [workspace, notes, home, state] = ["work", "notes", "home", "state"].map((name) => join(root, name));
  assert.ok(workspace !== undefined && notes !== undefined && home !== undefined && state !== undefined);
  for (const folder of [workspace, notes, home, state]) await mkdir(folder);
  const kept: KeptPreImage[] = [];
  const origins = new Map<string, Label>();
  const ports: FilePorts = {
    folders: { notes, home, own: [state] },
    isSecretPath: (path) => path.endsWith(".env") || /\/\.ssh(\/|$)/.test(path),
    origins: {
      async of(digests) {
        const known = digests.flatMap((digest) => origins.get(digest) ?? []);
        return known.length === 0 ? null : joinAll(known);
      },
      inside: async () => bottomLabel,
      insideLarge: async () => bottomLabel,
      touched: async () => bottomLabel,
      lifted: async () => [],
      keep: async (digest, label) => {
        origins.set(digest, label);
      },
    },
    keepPreImage: async ({ path, before, mode }) => String(kept.push({ path, bytes: before, mode })),
    planPreImage: async () => [],
    isTrusted: async () => true,
  };
  const at = (path: string) => join(workspace, path);
  return {
    root,
    workspace,
    notes,
    home,
    ports,
    kept,
    origins,
    async write(path, content) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
      return at(path);
    },
    read: (path) => readFile(at(path), "utf8"),
    names: async (path) => (await readdir(at(path))).toSorted(),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** The owner at a terminal, with the known values of the turn. */
export function callerAt(
  workspace: string | null,
  known: Iterable<readonly [string, LabelledValue<Json>]> = [],
): Caller {
  return {
    turn: "turn-1",
    session: "session-1",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(known),
    promptLabel: bottomLabel,
  };
}

/** Prepares a call; fails the test if it is refused. */
export async function prepareCall(
  tool: Tool,
  args: JsonObject,
  caller: Caller,
): Promise<Preparation & { readonly ok: true }> {
  const prepared = await tool.prepare(args, caller, makeArgumentLabeller(caller));
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  return prepared;
}

/** Prepares and runs a call. */
export async function callTool(tool: Tool, args: JsonObject, caller: Caller): Promise<Outcome> {
  return await (await prepareCall(tool, args, caller)).run(new AbortController().signal);
}

/** The content of a successful outcome; fails the test for an error. */
export function contentOf(outcome: Outcome): JsonObject {
  assert.ok(outcome.status === "success", outcome.status === "error" ? outcome.message : "");
  const { content } = outcome;
  assert.ok(typeof content === "object" && content !== null && !("length" in content));
  return content;
}

/** The code of a failed outcome; fails the test for a success. */
export function codeOf(outcome: Outcome): string {
  assert.equal(outcome.status, "error", JSON.stringify(outcome));
  return outcome.status === "error" ? outcome.code : "";
}
