import type { Action } from "../signal/action.ts";
import type { Licence } from "../signal/facts.ts";
import type { Caller, PreparedAction, Tool, ToolDeclaration } from "../signal/tool.ts";
import { type Actuator, makeNameRegistry, type NameRegistry, withoutClashes } from "./actuators.ts";
import { checkTool, declareTool } from "./declare-tool.ts";
import { loadOnce } from "./load-once.ts";
import type { Preparer, PreparerParts } from "./preparer-parts.ts";
import { servedBy } from "./resolve-action.ts";

/** The only part that reads the world before an action is judged. It also runs what was judged. */
export type ActionPreparer = {
  /** Works out what an action would do, and does nothing. Never throws: an action that cannot be prepared says why. */
  readonly prepare: (action: Action, caller: Caller, licences: readonly Licence[]) => Promise<PreparedAction>;
  /** The tools as they are declared to a model. Denied tools are not declared. */
  readonly declarations: () => readonly ToolDeclaration[];
  /** The actuators that can be reached in the turns of this source, as they are now. */
  readonly targets: (source: Caller["source"]) => readonly Actuator[];
  /** The tools as they are now, by name and as they are. */
  readonly toolNames: () => readonly string[];
  readonly tools: () => readonly Tool[];
  /** Whether a target tells a person. */
  readonly isMessageActuator: (name: string) => boolean;
  /** Whether the owner silenced the target of this name: its results are not shown. */
  readonly isSilent: (name: string) => boolean;
};

/** Opens an action preparer. Throws if two names clash, if two arguments of a tool cannot be told apart, or if the default actuator does not exist. */
export function openActionPreparer(parts: PreparerParts): ActionPreparer {
  const { actuators } = parts;
  for (const tool of parts.tools) checkTool(tool);
  const roster = makeRoster(parts);
  if (actuators.find(parts.defaultActuator) === undefined) {
    throw new Error(
      `The default actuator '${parts.defaultActuator}' does not exist. Set DEFAULT_ACTUATOR to one of ${actuators
        .all()
        .flatMap(({ name, capabilities }) => (capabilities.includes("message") ? [name] : []))
        .join(", ")}.`,
    );
  }
  const silent = new Set(parts.silentActuators.map((name) => name.toLowerCase()));
  const permissionOf = permissions(parts);
  const preparer: Preparer = { parts, tools: () => roster().registry, permissionOf };
  const loadPreparing = loadOnce(() => import("./prepare-action.ts"));
  return {
    prepare: async (action, caller, licences) =>
      (await loadPreparing()).prepareAction(preparer, action, { caller, licences }),
    declarations: () =>
      roster()
        .tools.filter((tool) => tool.internal !== true && permissionOf(tool) !== "deny")
        .map(declareTool),
    targets: (source) => servedBy(actuators, { source }),
    toolNames: () => roster().registry.names,
    tools: () => roster().tools.filter(({ internal }) => internal !== true),
    isMessageActuator: (name) => actuators.find(name)?.capabilities.includes("message") === true,
    isSilent: (name) => silent.has(name.toLowerCase()),
  };
}

const none: readonly Tool[] = [];

type Roster = { readonly tools: readonly Tool[]; readonly registry: NameRegistry<Tool> };

/**
 * The tools as they are now, with those of actuators; made anew when the added ones changed. Throws at once
 * where two of the constant ones clash.
 */
function makeRoster({ tools: constant, addedTools = () => none, actuators }: PreparerParts): () => Roster {
  const rosterOf = (added: readonly Tool[]): Roster => {
    const tools = [
      ...constant,
      ...withoutClashes(
        added,
        constant.map(({ name }) => name),
      ),
    ];
    return { tools, registry: makeNameRegistry("tool", tools) };
  };
  const made = { added: none, registered: actuators.all(), roster: rosterOf(toolsOf(actuators.all())) };
  return () => {
    const [added, registered] = [addedTools(), actuators.all()];
    if (added !== made.added || registered !== made.registered)
      Object.assign(made, { added, registered, roster: rosterOf([...added, ...toolsOf(registered)]) });
    return made.roster;
  };
}

/** The tools of actuators. */
function toolsOf(actuators: readonly Actuator[]): readonly Tool[] {
  return actuators.flatMap(({ tool }) => tool ?? []);
}

/** `*` stands for every tool that is not named. What the owner disabled is denied. */
function permissions({
  permissions: given,
  isDisabled = () => false,
}: PreparerParts): Preparer["permissionOf"] {
  const byName = new Map([...given].map(([name, permission]) => [name.toLowerCase(), permission]));
  return ({ name, permission, internal }) => {
    // What the owner commands, and the program's own writing of what it proposes.
    if (internal === true) return permission;
    return isDisabled(name) ? "deny" : (byName.get(name.toLowerCase()) ?? byName.get("*") ?? permission);
  };
}
