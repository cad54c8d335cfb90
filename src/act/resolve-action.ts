import * as z from "zod";
import type { Action } from "../signal/action.ts";
import type { JsonObject } from "../signal/json.ts";
import { beginOf } from "../signal/text/cut-text.ts";
import type { Caller, Tool } from "../signal/tool.ts";
import type { Actuator, NameRegistry } from "./actuators.ts";
import { type ActProblem, problem } from "./files/fallible.ts";

/** A resolved action: a tool with its arguments, or a message to a person. `target` is the registered name of the actuator. */
export type ResolvedAction =
  | { readonly kind: "tool"; readonly target: string; readonly tool: Tool; readonly args: JsonObject }
  | {
      readonly kind: "tell";
      readonly target: string;
      readonly actuator: MessageActuator;
      readonly text: string;
    };

export type MessageActuator = Actuator & { readonly kind: "message" };

/** The known targets and tools. */
export type ActionTargets = {
  readonly actuators: NameRegistry<Actuator>;
  readonly tools: NameRegistry<Tool>;
  readonly defaultActuator: string;
};

/** Reads the payload of an action by the closed schema of its target. An action without a target goes to the source of the turn, else to the default actuator. */
export function resolveAction(
  action: Action,
  caller: Caller,
  names: ActionTargets,
): ({ readonly ok: true } & ResolvedAction) | ActProblem {
  const { actuators } = names;
  const actuator = action.target === "" ? sourceOf(caller, names) : actuators.find(action.target);
  if (actuator === undefined) return notFound("Target", action.target, actuators);
  const target = actuator.name;
  switch (actuator.kind) {
    case "message": {
      const told = message.safeParse(action.payload);
      if (!told.success) return malformed(target, '{"action": "message", "text": …}');
      return { ok: true, kind: "tell", target, actuator, text: told.data.text };
    }
    case "shell":
      return toolWork({ target, name: "shell", args: action.payload }, names);
    case "tool": {
      const called = call.safeParse(action.payload);
      if (!called.success) return malformed(target, '{"tool": NAME, "args": {…}}');
      return toolWork({ target, name: called.data.tool, args: called.data.args }, names);
    }
    case "system":
      return systemWork({ target, payload: action.payload }, caller, names);
    default:
      return actuator satisfies never;
  }
}

const message = z.strictObject({ action: z.literal("message"), text: z.string().min(1) });
const call = z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()) });
const evaluation = z.strictObject({ action: z.literal("eval"), code: z.string() });
const command = z.looseObject({ action: z.string() });

type SystemCommand = { readonly target: string; readonly payload: JsonObject };
type ToolCall = { readonly target: string; readonly name: string; readonly args: JsonObject };

function systemWork(
  { target, payload }: SystemCommand,
  caller: Caller,
  names: ActionTargets,
): ReturnType<typeof resolveAction> {
  const named = command.safeParse(payload);
  if (!named.success)
    return malformed(target, '{"action": "message", "text": …} or {"action": "eval", "code": …}');
  switch (named.data.action) {
    case "message": {
      const told = message.safeParse(payload);
      const actuator = sourceOf(caller, names);
      if (!told.success) return malformed(target, '{"action": "message", "text": …}');
      if (actuator?.kind !== "message")
        return notFound("Message actuator", names.defaultActuator, names.actuators);
      return { ok: true, kind: "tell", target, actuator, text: told.data.text };
    }
    case "eval": {
      const evaluated = evaluation.safeParse(payload);
      if (!evaluated.success) return malformed(target, '{"action": "eval", "code": …}');
      return toolWork({ target, name: "eval", args: { code: evaluated.data.code } }, names);
    }
    default:
      return problem(
        "unknown-command",
        `The command ${quote(named.data.action)} of '${target}' was not found. There are: eval, message.`,
      );
  }
}

function toolWork(
  { target, name, args }: ToolCall,
  { tools }: ActionTargets,
): ReturnType<typeof resolveAction> {
  const tool = tools.find(name);
  return tool === undefined ? notFound("Tool", name, tools) : { ok: true, kind: "tool", target, tool, args };
}

function sourceOf(caller: Caller, { actuators, defaultActuator }: ActionTargets): Actuator | undefined {
  const source = actuators.find(caller.source);
  return source?.kind === "message" ? source : actuators.find(defaultActuator);
}

function notFound(what: string, name: string, roster: NameRegistry<unknown>): ActProblem {
  const code = `unknown-${what === "Tool" ? "tool" : "target"}`;
  return problem(code, `${what} ${quote(name)} not found. There are: ${roster.names.join(", ")}.`);
}

function malformed(target: string, form: string): ActProblem {
  return problem("invalid-payload", `The payload for '${target}' must be exactly ${form}.`);
}

function quote(name: string): string {
  return `'${beginOf(name, 60).replaceAll(/\p{C}/gu, "�")}'`;
}
