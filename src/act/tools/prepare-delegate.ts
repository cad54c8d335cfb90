import type { ChangeMemory } from "../../signal/effect.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { delegateName, placeOfSubTask, type SubTask, writeSubTask } from "../../signal/sub-task.ts";
import type { Caller, Outcome, Preparation } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import { isInside } from "../../text/is-inside.ts";
import { isJsonArray } from "../../text/json.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { identifyFolder } from "../files/identify.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import { keyOfSubTask } from "../flow/key-of-sub-task.ts";
import type { ToolCall } from "./define-tool.ts";

/** A sub-task that was prepared: its words with their label, and what it may. */
export type PreparedSubTask = {
  readonly key: string;
  readonly text: string;
  readonly label: Label;
  readonly subTask: SubTask;
};

/** What delegating needs. */
export type DelegatePorts = {
  /** How deep sub-tasks may be nested. */
  readonly mostDepth: number;
  /** Answers of a model that a turn may take where nobody is there. */
  readonly mostCalls: number;
  /** What a turn may spend, in millionths of a dollar. */
  readonly perTurn: number;
  readonly home: string;
  /** The names of the tools that a turn in this workspace may call. */
  readonly toolNames: (workspace: string | null) => Promise<readonly string[]>;
  /** Runs the sub-tasks of a call, or waits for those that a run before it began. Left out where nothing can run. */
  readonly run?: (tasks: readonly PreparedSubTask[], caller: Caller, cancel: AbortSignal) => Promise<Outcome>;
};

/** The parsed arguments of the tool delegate. */
export type DelegateArguments = { readonly tasks: readonly WantedTask[] };
type WantedTask = {
  readonly task: string;
  readonly tools: readonly string[];
  readonly folder?: string | undefined;
  readonly dollars?: number | undefined;
  readonly calls?: number | undefined;
};
type Request = ToolCall<DelegatePorts>;

/** Sub-tasks that a turn may begin, by its own level: a sub-task begins fewer. */
const mostByLevel = [8, 2];
/** What nobody but the owner's own turn may do. */
const notDelegable: ReadonlySet<string> = new Set(["propose-plan"]);
const shownWords = 80;

/** Works out what each sub-task may: at most what the turn may that begins it. Beginning them does nothing by itself; each of their own actions is judged. */
export async function prepareDelegate(args: DelegateArguments, request: Request): Promise<Preparation> {
  const { caller, ports, labelOf } = request;
  const refused = refusalOf(args, request);
  if (refused !== null) return refused;
  const tasks: PreparedSubTask[] = [];
  for (const [index, wanted] of args.tasks.entries()) {
    const limits = await limitsOf(wanted, request, args.tasks.length);
    if (!limits.ok) return { ...limits, message: `Sub-task ${index + 1}: ${limits.message}` };
    const key = keyOfSubTask(caller.turn, caller.call ?? "", index);
    const { microdollars, ...rest } = limits.value;
    const { calls } = rest;
    const { subTask: parent } = caller;
    const place = parent === undefined ? key : `${placeOfSubTask(parent)}/${key}`;
    const subTask = { ...rest, caps: [...(parent?.caps ?? []), { task: place, microdollars, calls }] };
    tasks.push({ key, text: wanted.task, label: wordsOf(labelOf(wanted.task)), subTask });
  }
  return {
    ok: true,
    effects: tasks.map(effectOf),
    plan: tasks.map(({ text, subTask }) => ({ text, ...writeSubTask(subTask) })),
    changes: [],
    resultLabel: joinAll(tasks.map(({ label }) => label)),
    resumes: true,
    run: async (cancel) =>
      ports.run === undefined
        ? { status: "error", code: "not-here", message: "Nothing is begun where actions are only judged." }
        : ports.run(tasks, caller, cancel),
  };
}

/** The words of a sub-task are the model's, whatever they repeat: they allow nothing. */
function wordsOf(label: Label): Label {
  return joinLabels(label, { ...bottomLabel, integrity: "agent" });
}

/** Why this turn begins none of the sub-tasks; null where it may. */
function refusalOf({ tasks }: DelegateArguments, { caller, ports }: Request): Preparation | null {
  if (caller.person !== "owner" && caller.person !== "nobody")
    return problem("not-delegable", "Only a turn of the owner begins sub-tasks. Do it in this turn.");
  const level = caller.subTask?.level ?? 0;
  if (level >= ports.mostDepth)
    return problem("too-deep", "A sub-task begins no further one here. Do it in this turn.");
  const most = mostByLevel[level] ?? 0;
  const begun = countBegun(caller);
  if (begun + tasks.length > most)
    return problem(
      "too-many-sub-tasks",
      `This turn may begin ${most} sub-tasks, and began ${begun}. Do the rest in this turn.`,
    );
  return null;
}

/** A call that failed began none, or its turn was stopped. */
function countBegun({ sources }: Caller): number {
  return (sources?.results ?? []).reduce((sum, { tool, args }) => {
    const { tasks } = args;
    return sum + (tool === delegateName && tasks !== undefined && isJsonArray(tasks) ? tasks.length : 0);
  }, 0);
}

type Limits = Omit<SubTask, "caps"> & { readonly microdollars: number };

async function limitsOf(wanted: WantedTask, request: Request, count: number): Promise<Fallible<Limits>> {
  const { caller, ports } = request;
  const { subTask: parent } = caller;
  const level = (parent?.level ?? 0) + 1;
  const mayCall = await callableBy(request, level);
  const tools = [...new Set(wanted.tools)];
  const lacking = tools.filter((name) => !mayCall.has(name));
  if (lacking.length > 0)
    return problem(
      "not-delegable",
      `this turn cannot hand on ${lacking.join(", ")}. It may hand on: ${[...mayCall].join(", ")}.`,
    );
  const folder = await folderOf(wanted.folder, request);
  if (!folder.ok) return folder;
  const most = parent?.caps.at(-1)?.microdollars ?? ports.perTurn;
  const microdollars =
    wanted.dollars === undefined ? Math.floor(most / count) : Math.round(wanted.dollars * 1_000_000);
  if (microdollars > most)
    return problem("not-delegable", `it cannot spend more than this turn may, $${most / 1_000_000}.`);
  const mostCalls = Math.min(ports.mostCalls, parent?.calls ?? ports.mostCalls);
  const { calls = mostCalls } = wanted;
  if (calls > mostCalls)
    return problem("not-delegable", `it may take at most ${mostCalls} answers of a model.`);
  return done({
    root: parent?.root ?? caller.turn,
    rootSession: parent?.rootSession ?? caller.session,
    level,
    tools,
    folder: folder.value,
    workspace: parent === undefined ? caller.workspace : parent.workspace,
    calls,
    microdollars,
  });
}

/** The tools that the turn may call itself and hand on to a sub-task of this level. What a skill that takes part allows with some arguments only is not handed on. */
async function callableBy({ caller, ports }: Request, level: number): Promise<ReadonlySet<string>> {
  const { subTask: parent } = caller;
  const narrowed = caller.skills?.narrowed ?? [];
  const all = (parent?.tools ?? (await ports.toolNames(caller.workspace))).filter((name) =>
    narrowed.every(({ tools }) => tools.some(({ tool, argv }) => tool === name && argv === undefined)),
  );
  return new Set(
    all.filter((name) => !notDelegable.has(name) && (name !== delegateName || level < ports.mostDepth)),
  );
}

/** The folder of a sub-task, which lies in that of its parent; null where it has that of the session. */
async function folderOf(
  typed: string | undefined,
  { caller, ports }: Request,
): Promise<Fallible<string | null>> {
  const { workspace } = caller;
  if (typed === undefined) return done(caller.subTask?.folder ?? null);
  const path = await resolveTypedPath(typed, { workspace, home: ports.home });
  if (!path.ok) return path;
  const folder = path.value;
  if (workspace === null || !isInside(workspace, folder))
    return problem(
      "not-delegable",
      `${folder} does not lie in the folder of this turn, ${workspace ?? "which has none"}.`,
    );
  return (await identifyFolder(folder)) === null
    ? problem("not-a-folder", `there is no folder ${folder}.`)
    : done(folder);
}

function effectOf({ text, label, subTask }: PreparedSubTask): ChangeMemory {
  const { tools, folder, calls, caps } = subTask;
  const words = beginOf(text.replaceAll(/\s+/g, " "), shownWords);
  const dollars = (caps.at(-1)?.microdollars ?? 0) / 1_000_000;
  const where = folder === null ? "" : ` in ${folder}`;
  return {
    kind: "change-memory",
    target: "sub-task",
    realm: "own",
    operation: `begin a sub-task with ${tools.join(", ") || "no tool"}${where}, for at most $${dollars} and ${calls} answers ("${words}")`,
    label,
    reversal: "undoable",
  };
}
