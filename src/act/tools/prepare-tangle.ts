import type { Effect } from "../../signal/effect.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import type { Outcome, Preparation } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { digestBytes, readWholeFile } from "../files/contents.ts";
import { type ActProblem, done, problem } from "../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../files/file-ports.ts";
import { sameBytes } from "../files/merge-versions.ts";
import { prepareBoth } from "../files/prepare-both.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { shownPath } from "../files/shown-path.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import { digestsOf, findTargets, type TangleTarget, type TangleTargets } from "../tangle/find-targets.ts";
import type { TangledRecord } from "../tangle/tangled-record.ts";
import type { ToolCall } from "./define-tool.ts";

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
  if (!held.ok) return reading(source, held);
  if (contents === null)
    return reading(source, problem("not-found", `${source.shown}: there is no such file. Correct the name.`));
  const found = await findTargets({ path, bytes: contents.bytes }, { home, record: ports.record });
  if (!found.ok) return reading(source, found);
  const { targets } = found.value;
  const edited = targets.filter(({ state }) => state === "edited");
  const wanted = targets.filter(({ state }) => state !== "same");
  const all = [
    reading(source, null),
    ...(await Promise.all(targets.map((target) => looking(target, label, call)))),
  ];
  if (check || wanted.length === 0) return together(all, success(report(found.value, source.shown, call)));
  if (edited.length > 0 && !overwrite)
    return together(all, failure(changedElsewhere(edited, source.shown, call)));
  return await writing({ source, found: found.value, wanted }, call);
}

type Source = { readonly path: string; readonly label: Label; readonly shown: string };

/** Reads the source, with what came of it. */
function reading({ path, label }: Source, wrong: ActProblem | null): Ready {
  return {
    ok: true,
    effects: [readOf(path, label)],
    plan: { path, problem: wrong?.code ?? null },
    changes: [],
    resultLabel: label,
    run: async () => (wrong === null ? success({}) : failure(wrong)),
  };
}

/** Reads a target, to compare it. */
async function looking(
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
      await labelOfContents(
        place,
        current === null ? null : digestBytes(current),
        ports,
        current ?? undefined,
      ),
    ),
    run: async () => success({}),
  };
}

function readOf(target: string, label: Label): Effect {
  return { kind: "read-path", target, access: "contents", tree: false, label, reversal: "undoable" };
}

/** Several readings as one, whose outcome is known. */
function together(all: readonly Ready[], outcome: Outcome): Ready {
  return {
    ok: true,
    effects: all.flatMap(({ effects }) => effects),
    plan: all.map(({ plan }) => plan),
    changes: [],
    resultLabel: joinLabels(...all.map(({ resultLabel }) => resultLabel)),
    run: async () => outcome,
  };
}

type Writing = {
  readonly source: Source;
  readonly found: TangleTargets;
  readonly wanted: readonly TangleTarget[];
};

/** All changes or none. */
async function writing({ source, found, wanted }: Writing, call: ToolCall<TanglePorts>): Promise<Ready> {
  const { ports } = call;
  const changes: Ready[] = [];
  for (const target of wanted) changes.push(await change(target, source, call));
  const all = changes.reduce((first, second) => prepareBoth(first, second, ports.keepPreImage));
  const read = reading(source, null);
  return {
    ...all,
    effects: [...read.effects, ...all.effects],
    plan: [read.plan, all.plan],
    resultLabel: joinLabels(read.resultLabel, all.resultLabel),
    run: async (cancel) => {
      const outcome = await all.run(cancel);
      if (outcome.status === "error") return outcome;
      await ports.record.keep(digestsOf(found.targets));
      const { notes, ...counts } = report(found, source.shown, call);
      const written = wanted.map(({ path }) => shownPath(path, call.caller.workspace));
      return success({ written, same: counts.same, ...(notes === undefined ? {} : { notes }) });
    },
  };
}

async function change(
  { path, current, bytes }: TangleTarget,
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

function changedElsewhere(
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

/** How each file stands. */
function report({ targets, notes }: TangleTargets, source: string, { caller }: ToolCall<TanglePorts>) {
  const differing = targets.filter(({ state }) => state !== "same");
  return {
    same: targets.length - differing.length,
    differing: differing.map(({ path, state, line }) => {
      const from = line === null ? "" : `, from line ${line} on`;
      return `${shownPath(path, caller.workspace)}: ${states[state]}${from}`;
    }),
    ...(notes.length === 0
      ? {}
      : { notes: notes.map(({ line, message }) => `${source}:${line}: ${message}`) }),
  };
}
