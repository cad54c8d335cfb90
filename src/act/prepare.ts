import type { Action } from "../signal/action.ts";
import type { Licence } from "../signal/facts.ts";
import type { Caller, PreparedAction, Tool, ToolDeclaration } from "../signal/tool.ts";
import { findClash, makeNameRegistry, type NameRegistry } from "./actuators.ts";
import { checkTool, declareTool } from "./declare-tool.ts";
import { loadOnce } from "./load-once.ts";
import type { Preparer, PreparerParts } from "./preparer-parts.ts";

/** The only part that reads the world before an action is judged. It also runs what was judged. */
export type ActionPreparer = {
  /** Works out what an action would do, and does nothing. Never throws: an action that cannot be prepared says why. */
  readonly prepare: (action: Action, caller: Caller, licences: readonly Licence[]) => Promise<PreparedAction>;
  /** The tools as they are declared to a model. Denied tools are not declared. */
  readonly declarations: () => readonly ToolDeclaration[];
  readonly targets: readonly string[];
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
  const actuators = makeNameRegistry("actuator", parts.actuators);
  for (const tool of parts.tools) checkTool(tool);
  const roster = makeRoster(parts);
  if (actuators.find(parts.defaultActuator) === undefined) {
    throw new Error(
      `The default actuator '${parts.defaultActuator}' does not exist. Set DEFAULT_ACTUATOR to one of ${actuators.names.join(", ")}.`,
    );
  }
  const silent = new Set(parts.silentActuators.map((name) => name.toLowerCase()));
  const permissionOf = permissions(parts);
  const preparer: Preparer = { parts, actuators, tools: () => roster().registry, permissionOf };
  const loadPreparing = loadOnce(() => import("./prepare-action.ts"));
  return {
    prepare: async (action, caller, licences) =>
      (await loadPreparing()).prepareAction(preparer, action, { caller, licences }),
    declarations: () =>
      roster()
        .tools.filter((tool) => tool.internal !== true && permissionOf(tool) !== "deny")
        .map(declareTool),
    targets: actuators.names,
    toolNames: () => roster().registry.names,
    tools: () => roster().tools.filter(({ internal }) => internal !== true),
    isMessageActuator: (name) => actuators.find(name)?.kind === "message",
    isSilent: (name) => silent.has(name.toLowerCase()),
  };
}

const none: readonly Tool[] = [];

type Roster = { readonly tools: readonly Tool[]; readonly registry: NameRegistry<Tool> };

/** The tools as they are now; made anew when the added ones changed. Throws at once where two of the constant ones clash. */
function makeRoster({ tools: constant, addedTools = () => none }: PreparerParts): () => Roster {
  const rosterOf = (tools: readonly Tool[]): Roster => ({ tools, registry: makeNameRegistry("tool", tools) });
  const made: { added: readonly Tool[]; roster: Roster } = { added: none, roster: rosterOf(constant) };
  return () => {
    const added = addedTools();
    if (added !== made.added) {
      const free: Tool[] = [];
      for (const tool of added)
        if (findClash([...constant, ...free, tool].map(({ name }) => name)) === null) free.push(tool);
      made.added = added;
      made.roster = rosterOf([...constant, ...free]);
    }
    return made.roster;
  };
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
