import type { Action } from "../signal/action.ts";
import type { Licence, Permission } from "../signal/facts.ts";
import type { Caller, PreparedAction, ToolDeclaration } from "../signal/tool.ts";
import { makeNameRegistry } from "./actuators.ts";
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
  readonly toolNames: readonly string[];
  /** Whether a target tells a person. */
  readonly isMessageActuator: (name: string) => boolean;
  /** Whether the owner silenced the target of this name: its results are not shown. */
  readonly isSilent: (name: string) => boolean;
};

/** Opens an action preparer. Throws if two names clash, if two arguments of a tool cannot be told apart, or if the default actuator does not exist. */
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
  const preparer: Preparer = { parts, actuators, tools, permissionOf: permissions(parts.permissions) };
  const declared = parts.tools.filter((tool) => preparer.permissionOf(tool) !== "deny").map(declareTool);
  const loadPreparing = loadOnce(() => import("./prepare-action.ts"));
  return {
    prepare: async (action, caller, licences) =>
      (await loadPreparing()).prepareAction(preparer, action, { caller, licences }),
    declarations: () => declared,
    targets: actuators.names,
    toolNames: tools.names,
    isMessageActuator: (name) => actuators.find(name)?.kind === "message",
    isSilent: (name) => silent.has(name.toLowerCase()),
  };
}

function permissions(given: ReadonlyMap<string, Permission>): Preparer["permissionOf"] {
  const byName = new Map([...given].map(([name, permission]) => [name.toLowerCase(), permission]));
  return (tool) => byName.get(tool.name.toLowerCase()) ?? tool.permission;
}
