import type { Action, ActionFacts } from "../signal/action.ts";
import type { Effect } from "../signal/effect.ts";
import type { Facts, Finding, Folders, Licence, Permission } from "../signal/facts.ts";
import { canonicalJson, stringsIn } from "../signal/json.ts";
import type { Caller, Preparation, PreparedAction, Tool, ToolDeclaration } from "../signal/tool.ts";
import { type Actuator, makeNameRegistry, type NameRegistry } from "./actuators.ts";
import { makeArgumentLabeller } from "./argument-labeller.ts";
import { checkTool, declareTool } from "./declare-tool.ts";
import { digestBytes } from "./files/contents.ts";
import { prepareMessage } from "./prepare-message.ts";
import { type ResolvedAction, resolveAction } from "./resolve-action.ts";

/** The port to the secret scanner: which rule matched, and where in the text. */
export type SecretScanner = (
  text: string,
) => readonly { readonly rule: string; readonly start: number; readonly end: number }[];

/** What acting is made of. */
export type PreparerParts = {
  readonly tools: readonly Tool[];
  readonly actuators: readonly Actuator[];
  readonly folders: Omit<Folders, "workspace">;
  readonly scan: SecretScanner;
  /** Whether programs can be confined here. */
  readonly sandbox: boolean;
  /** Whether the gate canaries hold. */
  readonly healthy: () => boolean;
  /** The owner's permissions by tool; a tool that is not named keeps its own. */
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly defaultActuator: string;
  readonly silentActuators: readonly string[];
};

/** The one place that looks at the world before an action is judged, and the way to run what was judged. */
export type ActionPreparer = {
  /** Looks at what an action would do, and does nothing. Never throws: what cannot be prepared says why. */
  readonly prepare: (action: Action, caller: Caller, licences: readonly Licence[]) => Promise<PreparedAction>;
  /** What the model is told of the tools; denied ones are not declared. */
  readonly declarations: () => readonly ToolDeclaration[];
  readonly targets: readonly string[];
  readonly toolNames: readonly string[];
  /** Whether a target tells a person. */
  readonly isMessageActuator: (name: string) => boolean;
  /** Whether the owner silenced a target by this name: its results are not shown. */
  readonly isSilent: (name: string) => boolean;
};

/** Opens acting. Throws where two names clash, a tool's arguments cannot be told apart, or the default actuator does not exist. */
export function openActionPreparer(parts: PreparerParts): ActionPreparer {
  const actuators = makeNameRegistry("actuator", parts.actuators);
  const tools = makeNameRegistry("tool", parts.tools);
  for (const tool of parts.tools) checkTool(tool);
  if (actuators.find(parts.defaultActuator) === undefined) {
    throw new Error(
      `The default actuator '${parts.defaultActuator}' does not exist. Set DEFAULT_ACTUATOR to one of ${actuators.names.join(", ")}.`,
    );
  }
  const silent = new Set(parts.silentActuators.map((name) => name.toLowerCase()));
  const house: Preparer = { parts, actuators, tools, permissionOf: permissions(parts.permissions) };
  const declared = parts.tools.filter((tool) => house.permissionOf(tool) !== "deny").map(declareTool);
  return {
    prepare: (action, caller, licences) => prepareAction(house, action, { caller, licences }),
    declarations: () => declared,
    targets: actuators.names,
    toolNames: tools.names,
    isMessageActuator: (name) => actuators.find(name)?.kind === "message",
    isSilent: (name) => silent.has(name.toLowerCase()),
  };
}

type Preparer = {
  readonly parts: PreparerParts;
  readonly actuators: NameRegistry<Actuator>;
  readonly tools: NameRegistry<Tool>;
  readonly permissionOf: (tool: Tool) => Permission;
};
type Request = { readonly caller: Caller; readonly licences: readonly Licence[] };

function permissions(given: ReadonlyMap<string, Permission>): Preparer["permissionOf"] {
  const byName = new Map([...given].map(([name, permission]) => [name.toLowerCase(), permission]));
  return (tool) => byName.get(tool.name.toLowerCase()) ?? tool.permission;
}

async function prepareAction(house: Preparer, proposed: Action, call: Request): Promise<PreparedAction> {
  const refused = (code: string, message: string): PreparedAction => ({
    ok: false,
    action: proposed,
    code,
    message: mask(house, message),
  });
  try {
    const work = resolveAction(proposed, call.caller, {
      ...house,
      defaultActuator: house.parts.defaultActuator,
    });
    if (!work.ok) return refused(work.code, work.message);
    const preparation = await prepareWork(work, call.caller);
    if (!preparation.ok) return refused(preparation.code, preparation.message);
    return prepared(house, { work, preparation, call, action: { ...proposed, target: work.target } });
  } catch (error) {
    return refused("prepare-failed", `The action could not be prepared: ${messageOf(error)}`);
  }
}

async function prepareWork(work: ResolvedAction, caller: Caller): Promise<Preparation> {
  const labelOf = makeArgumentLabeller(caller);
  if (work.kind === "tell") return prepareMessage(work, caller, labelOf);
  return await work.tool.prepare(work.args, caller, labelOf);
}

type Inspected = {
  readonly work: ResolvedAction;
  readonly preparation: Preparation & { readonly ok: true };
  readonly call: Request;
  readonly action: Action;
};

function prepared(house: Preparer, looked: Inspected): PreparedAction {
  const { action, work } = looked;
  const { effects, plan, changes, resultLabel, run } = looked.preparation;
  return {
    ok: true,
    action,
    tool: work.kind === "tool" ? work.tool.name : null,
    effects,
    facts: gatherFacts(house, looked),
    digest: digestBytes(canonicalJson({ target: action.target, payload: action.payload, plan })),
    changes,
    resultLabel,
    run: runner(house, work, run),
  };
}

function runner(
  house: Preparer,
  work: ResolvedAction,
  run: (Preparation & { ok: true })["run"],
): (PreparedAction & { ok: true })["run"] {
  return async (cancel) => {
    const stopped = { status: "error", code: "cancelled", message: `${nameOf(work)} was stopped.` } as const;
    if (cancel.aborted) return { ...stopped, message: `${nameOf(work)} was stopped before it began.` };
    try {
      return await run(cancel);
    } catch (error) {
      if (cancel.aborted) return stopped;
      return {
        status: "error",
        code: "tool-failed",
        message: mask(house, `${nameOf(work)} failed: ${messageOf(error)}`),
      };
    }
  };
}

function gatherFacts(
  house: Preparer,
  { work, action, preparation, call: { caller, licences } }: Inspected,
): Facts {
  const tool = work.kind === "tool" ? work.tool : null;
  const reply = work.kind === "tell" && work.actuator.name === caller.source;
  const facts: ActionFacts = {
    kind: reply ? "reply" : "proposal",
    target: action.target,
    tool: tool?.name ?? null,
    explanation: mask(house, action.explanation),
    problems: [],
  };
  return {
    action: facts,
    origin: {
      person: caller.person,
      source: caller.source,
      session: caller.session,
      startedBy: caller.startedBy,
    },
    permission: tool === null ? "allow" : house.permissionOf(tool),
    folders: { ...house.parts.folders, workspace: caller.workspace },
    sandbox: house.parts.sandbox,
    findings: findings(house, action, preparation.effects),
    licences,
    healthy: house.parts.healthy(),
  };
}

const carriers: ReadonlySet<Effect["kind"]> = new Set([
  "write-path",
  "run-program",
  "reach-host",
  "tell-person",
  "call-model",
  "change-memory",
]);

function findings(house: Preparer, action: Action, effects: readonly Effect[]): readonly Finding[] {
  const found = stringsIn(action.payload).flatMap(({ path, text }) =>
    [...new Set(house.parts.scan(text).map(({ rule }) => rule))].map((rule) => ({ rule, where: path })),
  );
  return effects.flatMap(({ kind }, effectIndex) =>
    carriers.has(kind) ? found.map((finding) => ({ ...finding, effectIndex })) : [],
  );
}

function mask(house: Preparer, text: string): string {
  const spans = house.parts.scan(text).toSorted((a, b) => a.start - b.start);
  let masked = "";
  let at = 0;
  for (const { rule, start, end } of spans) {
    if (end <= at) continue;
    masked += start < at ? "" : `${text.slice(at, start)}[masked: ${rule}]`;
    at = end;
  }
  return masked + text.slice(at);
}

function nameOf(work: ResolvedAction): string {
  return work.kind === "tool" ? `The tool '${work.tool.name}'` : `The message to ${work.actuator.name}`;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
