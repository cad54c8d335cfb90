import { sha256 } from "../../../machine/digest.ts";
import type { Effect } from "../../../signal/effect.ts";
import { joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Outcome, Preparation } from "../../../signal/tool.ts";
import { failure, success } from "../../../signal/tool.ts";
import { readWholeFile } from "../../files/contents.ts";
import { type ActProblem, done, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { sameBytes } from "../../files/merge-versions.ts";
import { prepareBoth } from "../../files/prepare-both.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath } from "../../files/typed-path.ts";
import {
  digestsOf,
  findTargets,
  type TangleTarget,
  type TangleTargets,
  unreadableTarget,
} from "../../tangle/find-targets.ts";
import type { TangledRecord } from "../../tangle/tangled-record.ts";
import type { ToolCall } from "../define-tool.ts";

/** What tangle works with besides files: the record of what was tangled. */
export type TanglePorts = FilePorts & { readonly record: TangledRecord };

/** The parsed arguments of the tool tangle. */
export type TangleArguments = {
  readonly path: string;
  readonly check?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
};

type Ready = Extract<Preparation, { readonly ok: true }>;

/** Prepares the tangling of a file: each target is a change of a file like any other. */
export async function prepareTangle(
  { path: typed, check = false, overwrite = false }: TangleArguments,
  call: ToolCall<TanglePorts>,
): Promise<Preparation> {
  const { ports, caller, labelOf } = call;
  const { home } = ports.folders;
  const located = await resolveTypedPath(typed, { workspace: caller.workspace, home });
  if (!located.ok) return located;
  const path = located.value;
  const held = await readWholeFile(path);
  const contents = held.ok ? held.value : null;
  const place = await labelOfPath(path, caller.workspace, ports);
  const label = joinLabels(
    labelOf(typed),
    await labelOfContents(place, contents?.digest ?? null, ports, contents?.bytes),
  );
  const source = { path, label, shown: shownPath(path, caller.workspace) };
  if (!held.ok) return readSource(source, held);
  if (contents === null)
    return readSource(
      source,
      problem("not-found", `${source.shown}: there is no such file. Correct the name.`),
    );
  const found = await findTargets({ path, bytes: contents.bytes }, { home, record: ports.record });
  if (!found.ok) return readSource(source, found);
  const { targets } = found.value;
  const edited = targets.filter(({ state }) => state === "edited");
  const wanted = targets.filter(({ state }) => state !== "same");
  const compare = async (compared: readonly TangleTarget[]): Promise<readonly Ready[]> => [
    readSource(source, null),
    ...(await Promise.all(compared.map((target) => readTarget(target, label, call)))),
  ];
  const unreadable = unreadableTarget(targets);
  if (unreadable !== null) return combineReads(await compare(targets), failure(unreadable));
  if (check || wanted.length === 0)
    return combineReads(await compare(targets), success(report(found.value, source.shown, call)));
  if (edited.length > 0 && !overwrite)
    return combineReads(await compare(targets), failure(editedProblem(edited, source.shown, call)));
  const reads = await compare(targets.filter(({ state }) => state === "same"));
  return await prepareWrites({ source, found: found.value, wanted, reads }, call);
}

type Source = { readonly path: string; readonly label: Label; readonly shown: string };

/** Reads the source, and fails with its problem if it has one. */
function readSource({ path, label }: Source, wrong: ActProblem | null): Ready {
  return {
    ok: true,
    effects: [readOf(path, label)],
    plan: { path, problem: wrong?.code ?? null },
    changes: [],
    resultLabel: label,
    run: async () => (wrong === null ? success({}) : failure(wrong)),
  };
}

/** Reads a target to compare it with its source. */
async function readTarget(
  { path, current, state }: TangleTarget,
  label: Label,
  { ports, caller }: ToolCall<TanglePorts>,
): Promise<Ready> {
  const place = await labelOfPath(path, caller.workspace, ports);
  return {
    ok: true,
    effects: [readOf(path, label)],
    plan: { path, state },
    changes: [],
    resultLabel: joinLabels(
      place,
      await labelOfContents(place, current === null ? null : sha256(current), ports, current ?? undefined),
    ),
    run: async () => success({}),
  };
}

function readOf(target: string, label: Label): Effect {
  return { kind: "read-path", target, access: "contents", tree: false, label, reversal: "undoable" };
}

/** Several reads as one call, whose outcome is known. */
function combineReads(all: readonly Ready[], outcome: Outcome): Ready {
  return {
    ok: true,
    effects: all.flatMap(({ effects }) => effects),
    plan: all.map(({ plan }) => plan),
    changes: [],
    resultLabel: joinAll(all.map(({ resultLabel }) => resultLabel)),
    run: async () => outcome,
  };
}

type WriteRequest = {
  readonly source: Source;
  readonly found: TangleTargets;
  readonly wanted: readonly TangleTarget[];
  /** The reads of the source, and of the targets that stay as they are. */
  readonly reads: readonly Ready[];
};

/** Prepares the changes of all targets that differ: all are made, or none. */
async function prepareWrites(
  { source, found, wanted, reads }: WriteRequest,
  call: ToolCall<TanglePorts>,
): Promise<Ready> {
  const { ports } = call;
  const changes: Ready[] = [];
  for (const target of wanted) changes.push(await prepareWrite(target, source, call));
  const all = changes.reduce((first, second) => prepareBoth(first, second, ports));
  return {
    ...all,
    effects: [...reads, all].flatMap(({ effects }) => effects),
    plan: [...reads, all].map(({ plan }) => plan),
    resultLabel: joinAll([...reads, all].map(({ resultLabel }) => resultLabel)),
    run: async (cancel) => {
      const outcome = await all.run(cancel);
      if (outcome.status === "error") return outcome;
      await ports.record.keep(digestsOf(found.targets));
      const { notes, same } = report(found, source.shown, call);
      const written = wanted.map(({ path }) => shownPath(path, call.caller.workspace));
      return success({ written, same, ...(notes === undefined ? {} : { notes }) });
    },
  };
}

async function prepareWrite(
  { path, named, current, bytes }: TangleTarget,
  { label, shown }: Source,
  { ports, caller }: ToolCall<TanglePorts>,
): Promise<Ready> {
  const changed = problem(
    "conflict",
    `${path}: the file changed while this was prepared. Nothing was written; tangle ${shown} again.`,
  );
  return await prepareChange(
    {
      path,
      written: named,
      shownAs: shownPath(path, caller.workspace),
      session: caller.session,
      label,
      readsContents: false,
      contentLabel: async () => label,
      change: (held) => (sameBytes(held, current) ? done(bytes) : changed),
    },
    ports,
  );
}

function editedProblem(
  edited: readonly TangleTarget[],
  source: string,
  { caller }: ToolCall<TanglePorts>,
): ActProblem {
  const files = edited.map(({ path, line }) => `${shownPath(path, caller.workspace)} (from line ${line} on)`);
  return problem(
    "changed-elsewhere",
    `Nothing was tangled: somebody changed ${files.join(", ")} since it was tangled. Take the change into ${source}, or replace it with overwrite: true.`,
  );
}

const states = {
  absent: "not there yet",
  same: "the same",
  older: "older than its source",
  edited: "changed elsewhere since it was tangled",
};

/** The state of each target, in words. */
function report({ targets, notes }: TangleTargets, source: string, { caller }: ToolCall<TanglePorts>) {
  const differing = targets.filter(({ state }) => state !== "same");
  const allSame = targets.length === 0 ? "No block names a file." : "No file differs from its source.";
  return {
    same: targets.length - differing.length,
    ...(differing.length === 0 ? { text: allSame } : {}),
    differing: differing.map(({ path, state, line }) => {
      const from = line === null ? "" : `, from line ${line} on`;
      return `${shownPath(path, caller.workspace)}: ${states[state]}${from}`;
    }),
    ...(notes.length === 0
      ? {}
      : { notes: notes.map(({ line, message }) => `${source}:${line}: ${message}`) }),
  };
}
