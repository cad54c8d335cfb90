import * as z from "zod";
import type { DeclaredEffects } from "../signal/actuator.ts";
import type { Caller, Tool } from "../signal/tool.ts";
import { beginOf } from "../text/cut-text.ts";
import type { JsonObject } from "../text/json.ts";
import type { ActionNames, Actuator, DeliverMessage, NameRegistry, PerformResult } from "./actuators.ts";
import { type ActProblem, problem } from "./files/fallible.ts";

const text = { type: "string" };
const schemaOf = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** The actuators that run tools, and reply to the person of the turn. */
export const builtInActuators: readonly Actuator[] = [
  {
    name: "tool",
    capabilities: ["tool"],
    schema: schemaOf({ tool: text, args: { type: "object" } }),
    declares: null,
    perform(payload, _caller, names) {
      const called = call.safeParse(payload);
      if (!called.success) return malformed("tool", '{"tool": NAME, "args": {…}}');
      return toolWork({ name: called.data.tool, args: called.data.args }, names);
    },
  },
  {
    name: "shell",
    capabilities: ["shell"],
    schema: schemaOf({ cmd: text }),
    declares: null,
    perform: (payload, _caller, names) => toolWork({ name: "shell", args: payload }, names),
  },
  {
    name: "system",
    capabilities: ["eval", "reply"],
    schema: schemaOf({ action: { enum: ["eval", "message"] } }),
    declares: null,
    perform: performSystem,
  },
];

/**
 * An actuator that tells a person. `serves`: the callers that it can reach a person for. `reaches`: the
 * person
 * whom it reaches in turns that came by another channel; left out where that is anybody.
 */
export function makeMessageActuator({
  name,
  tell,
  serves,
  reaches = "other",
}: Pick<Actuator, "name" | "serves"> & {
  readonly tell: DeliverMessage;
  readonly reaches?: "owner" | "other";
}): Actuator {
  return {
    name,
    capabilities: ["message"],
    schema: schemaOf({ action: { enum: ["message"] }, text }),
    declares: { effects: ["tell-person"], reversal: "final" },
    ...(serves === undefined ? {} : { serves }),
    perform(payload) {
      const told = message.safeParse(payload);
      if (!told.success) return malformed(name, messageForm);
      return { ok: true, kind: "tell", channel: name, tell, reaches, text: told.data.text };
    },
  };
}

/**
 * An actuator with work of its own, which a tool prepares. It is called as that tool, too, within what it
 * declares.
 */
export function makeToolActuator(tool: Tool & { readonly declares: DeclaredEffects }): Actuator {
  return {
    name: tool.name,
    capabilities: ["perform"],
    schema: tool.parameters,
    declares: tool.declares,
    tool,
    perform: (args) => ({ ok: true, kind: "tool", tool, args }),
  };
}

const messageForm = '{"action": "message", "text": …}';
const message = z.strictObject({ action: z.literal("message"), text: z.string().min(1) });
const call = z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()) });
const evaluation = z.strictObject({ action: z.literal("eval"), code: z.string() });
const command = z.looseObject({ action: z.string() });

function performSystem(payload: JsonObject, caller: Caller, names: ActionNames): PerformResult {
  const named = command.safeParse(payload);
  if (!named.success)
    return malformed("system", '{"action": "message", "text": …} or {"action": "eval", "code": …}');
  switch (named.data.action) {
    case "message": {
      if (!message.safeParse(payload).success) return malformed("system", messageForm);
      const actuator = sourceOf(caller, names);
      if (actuator?.capabilities.includes("message") !== true)
        return notFound("Message actuator", names.defaultActuator, names.actuators);
      return actuator.perform(payload, caller, names);
    }
    case "eval": {
      const evaluated = evaluation.safeParse(payload);
      if (!evaluated.success) return malformed("system", '{"action": "eval", "code": …}');
      return toolWork({ name: "eval", args: { code: evaluated.data.code } }, names);
    }
    default:
      return problem(
        "unknown-command",
        `The command ${quote(named.data.action)} of 'system' was not found. There are: eval, message.`,
      );
  }
}

/** The actuator that reaches the person of the turn, else the default one. */
export function sourceOf(caller: Caller, { actuators, defaultActuator }: ActionNames): Actuator | undefined {
  const source = actuators.find(caller.source);
  return source?.capabilities.includes("message") === true ? source : actuators.find(defaultActuator);
}

export function notFound(
  what: string,
  name: string,
  { names }: Pick<NameRegistry<unknown>, "names">,
): ActProblem {
  const code = `unknown-${what === "Tool" ? "tool" : "target"}`;
  return problem(code, `${what} ${quote(name)} not found. There are: ${names.join(", ")}.`);
}

function toolWork(
  { name, args }: { readonly name: string; readonly args: JsonObject },
  { tools }: ActionNames,
): PerformResult {
  const tool = tools.find(name);
  return tool === undefined ? notFound("Tool", name, tools) : { ok: true, kind: "tool", tool, args };
}

function malformed(target: string, form: string): ActProblem {
  return problem("invalid-payload", `The payload for '${target}' must be exactly ${form}.`);
}

function quote(name: string): string {
  return `'${beginOf(name, 60).replaceAll(/\p{C}/gu, "�")}'`;
}
