import type { Action } from "../../signal/action.ts";
import type { ActuatorCapability, ActuatorTarget } from "../../signal/actuator.ts";
import { beginOf } from "../../text/cut-text.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { asciiLower, type Dialect } from "./dialect.ts";

/** The registered actuators and tools that a proposal may name. */
export type RegisteredActions = {
  readonly targets: readonly ActuatorTarget[];
  readonly tools: readonly { readonly name: string; readonly parameters: JsonObject }[];
};

/** The meaning of a form: an action, a text to the person of the turn, or the reason why it is invalid. */
export type Proposal =
  | { readonly kind: "action"; readonly action: Action }
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads a form as a proposal. Every unknown key makes it invalid: a model never sets a verdict, label, level or origin. */
export function readProposal<Value>(
  form: Value,
  dialect: Dialect<Value>,
  context: RegisteredActions & { readonly sourceTarget: string },
): Proposal {
  try {
    return readFields(form, dialect, context);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "invalid", reason: error.message };
    throw error;
  }
}

class Refusal extends Error {}

const reservedKeys = new Set(
  `approval approved approvedp approvedaction approvedby decision depth gatetrace integrity label labels
  level licence licences license meta permission rejectiontrace replystream result secrecy sensor session
  sessionid source sources status trace verdict`.split(/\s+/),
);

function readFields<Value>(
  form: Value,
  dialect: Dialect<Value>,
  context: RegisteredActions & { readonly sourceTarget: string },
): Proposal {
  const top = fieldsOf(dialect, form, "The form");
  requireKnownKeys(top, ["type", "target", "payload", "explanation"], "The form");
  const type = top.get("type");
  if (type !== undefined && asciiLower(dialect.name(type) ?? "") !== "request") {
    throw new Refusal("The form's type must be request: an answer can only propose.");
  }
  const payloadForm = top.get("payload");
  if (payloadForm === undefined) throw new Refusal("The form has no payload.");
  const payload = fieldsOf(dialect, payloadForm, "The payload");
  const named = top.get("target");
  const implied = named === undefined && type !== undefined ? impliedTarget(dialect, payload, context) : null;
  const target = implied ?? targetOf(dialect, named, context);
  const { content, inner } = contentOf(dialect, target, { form: payloadForm, fields: payload }, context);
  const outer = [top, payload].flatMap((fields) => {
    const value = fields.get("explanation");
    return value === undefined ? [] : [dialect.text(value)];
  });
  const explanation = singleExplanation([...outer, ...inner]);
  const isReply = target.capabilities.includes("message") && target.name === context.sourceTarget;
  if (target.name === null || isReply) {
    return { kind: "reply", text: String(content["text"]) };
  }
  // An actuator with work of its own is called as the tool that it is.
  const name = target.capabilities.includes("perform") ? "tool" : target.name;
  return { kind: "action", action: { target: name, payload: content, explanation } };
}

/** The target of a form. `name` is null for a form without a target: it goes to the person of the turn. */
type Target = Pick<ActuatorTarget, "capabilities" | "schema"> & { readonly name: string | null };

function targetOf<Value>(
  dialect: Dialect<Value>,
  value: Value | undefined,
  { targets }: RegisteredActions,
): Target {
  if (value === undefined) return { name: null, capabilities: ["message"], schema: {} };
  const name = dialect.name(value);
  const found = targets.find((target) => asciiLower(target.name) === asciiLower(name ?? ""));
  if (found !== undefined) return found;
  throw new Refusal(
    `There is no target ${quoted(name ?? "of that form")}. The targets are: ${targets.map((target) => target.name).join(", ")}.`,
  );
}

/**
 * The one key that an action of a request without a target needs beside it, and the actuator that it is for.
 */
const actionKeys: ReadonlyMap<string, { readonly key: string; readonly capability: ActuatorCapability }> =
  new Map([
    ["shell", { key: "cmd", capability: "shell" }],
    ["eval", { key: "code", capability: "eval" }],
  ]);

/**
 * The target that a request means without naming one, as in `(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :CMD
 * "ls"))`: its action, or its `:TOOL`, and every
 * other key of its payload fit this target alone. Null for any other form.
 */
function impliedTarget<Value>(
  dialect: Dialect<Value>,
  payload: ReadonlyMap<string, Value>,
  { targets }: RegisteredActions,
): Target | null {
  const action = payload.get("action");
  if (action === undefined) {
    const isCall = payload.has("tool") && hasOnly(payload, ["tool", "args", "explanation"]);
    return isCall ? (targets.find(({ capabilities }) => capabilities.includes("tool")) ?? null) : null;
  }
  const implied = actionKeys.get(asciiLower(dialect.name(action) ?? ""));
  if (implied === undefined || !payload.has(implied.key)) return null;
  if (!hasOnly(payload, ["action", implied.key, "explanation"])) return null;
  if (targets.some((target) => takesAlso(target, payload))) return null;
  return targets.find(({ capabilities }) => capabilities.includes(implied.capability)) ?? null;
}

/**
 * Whether an actuator with work of its own has arguments of all these names, so that the request may be meant
 * for it.
 */
function takesAlso({ capabilities, schema }: ActuatorTarget, payload: ReadonlyMap<string, unknown>): boolean {
  const { properties } = schema;
  if (!capabilities.includes("perform") || !isJsonObject(properties)) return false;
  return hasOnly(payload, [...Object.keys(properties), "explanation"]);
}

type Content = { readonly content: JsonObject; readonly inner: readonly string[] };

function contentOf<Value>(
  dialect: Dialect<Value>,
  target: Target,
  { form, fields }: { readonly form: Value; readonly fields: ReadonlyMap<string, Value> },
  context: RegisteredActions,
): Content {
  const { name, capabilities, schema } = target;
  if (capabilities.includes("tool")) return toolContent(dialect, fields, context);
  if (capabilities.includes("message")) return messageContent(dialect, target, fields);
  if (capabilities.includes("eval")) return systemContent(dialect, fields);
  if (capabilities.includes("perform"))
    return callContent(dialect, form, { name: name ?? "", parameters: schema });
  requireKnownKeys(fields, ["action", "cmd", "explanation"], "The payload for the target shell");
  const action = fields.get("action");
  if (action !== undefined && asciiLower(dialect.name(action) ?? "") !== "shell")
    throw new Refusal("The target shell knows only the action shell.");
  return { content: { cmd: requiredText(dialect, fields, "cmd") }, inner: [] };
}

function toolContent<Value>(
  dialect: Dialect<Value>,
  payload: ReadonlyMap<string, Value>,
  { tools }: RegisteredActions,
): Content {
  requireKnownKeys(payload, ["tool", "args", "explanation"], "The payload for the target tool");
  const value = payload.get("tool");
  const name = value === undefined ? null : dialect.name(value);
  if (name === null || name === "") throw new Refusal("The payload for the target tool names no tool.");
  const known = tools.find((tool) => asciiLower(tool.name) === asciiLower(name));
  return callContent(dialect, payload.get("args"), known ?? { name, parameters: null });
}

/** A call of a tool, whose arguments may hold the explanation. */
function callContent<Value>(
  dialect: Dialect<Value>,
  form: Value | undefined,
  { name, parameters }: { readonly name: string; readonly parameters: JsonObject | null },
): Content {
  const reading = form === undefined ? { ok: true as const, args: {} } : dialect.args(form, parameters);
  if (!reading.ok) throw new Refusal(`The list of arguments for ${quoted(name)} ${reading.message}.`);
  const { explanation, ...args } = reading.args;
  if (explanation !== undefined && typeof explanation !== "string") throw explanationNotText();
  return { content: { tool: name, args }, inner: explanation === undefined ? [] : [explanation] };
}

function messageContent<Value>(
  dialect: Dialect<Value>,
  target: Target,
  payload: ReadonlyMap<string, Value>,
): Content {
  const where =
    target.name === null ? "A form without a target is a message, whose payload" : "The payload of a message";
  const help = target.name === null ? " To act, name a target: tool or shell." : "";
  requireKnownKeys(payload, ["action", "text", "explanation"], where, help);
  const action = payload.get("action");
  const named = action === undefined ? "message" : asciiLower(dialect.name(action) ?? "");
  if (named !== "message") {
    throw new Refusal(`${where} knows only the action message, not ${quoted(named)}.${help}`);
  }
  return { content: { action: "message", text: requiredText(dialect, payload, "text") }, inner: [] };
}

function systemContent<Value>(dialect: Dialect<Value>, payload: ReadonlyMap<string, Value>): Content {
  const action = payload.get("action");
  const named = asciiLower((action === undefined ? null : dialect.name(action)) ?? "");
  const key = named === "message" ? "text" : named === "eval" ? "code" : null;
  if (key === null) throw new Refusal("The target system knows the actions message and eval.");
  requireKnownKeys(payload, ["action", key, "explanation"], `The payload of system's ${named}`);
  return { content: { action: named, [key]: requiredText(dialect, payload, key) }, inner: [] };
}

function hasOnly(fields: ReadonlyMap<string, unknown>, known: readonly string[]): boolean {
  return [...fields.keys()].every((key) => known.includes(key));
}

function fieldsOf<Value>(dialect: Dialect<Value>, form: Value, what: string): ReadonlyMap<string, Value> {
  const reading = dialect.fields(form);
  if (!reading.ok) throw new Refusal(`${what} ${reading.message}.`);
  return reading.fields;
}

function requireKnownKeys(
  fields: ReadonlyMap<string, unknown>,
  known: readonly string[],
  what: string,
  help = "",
): void {
  for (const key of fields.keys()) {
    if (known.includes(key)) continue;
    const isReserved = reservedKeys.has(key.replace(/[^a-z\d]/g, ""));
    throw new Refusal(
      isReserved
        ? `An answer cannot set ${quoted(key)}: this is decided outside the model. Leave it out.`
        : `${what} has the unknown key ${quoted(key)}; it may have: ${known.join(", ")}.${help}`,
    );
  }
}

function requiredText<Value>(
  dialect: Dialect<Value>,
  payload: ReadonlyMap<string, Value>,
  key: string,
): string {
  const value = payload.get(key);
  const text = value === undefined ? null : dialect.text(value);
  if (text === null) throw new Refusal(`The payload needs ${quoted(key)}, as text in double quotes.`);
  if (text.trim() === "") throw new Refusal(`The payload's ${quoted(key)} is empty.`);
  return text;
}

/** The explanation. If there are several, they must be equal. If there is none, it is the empty text, which the explanation gate blocks. */
function singleExplanation(given: readonly (string | null)[]): string {
  const [first = ""] = given;
  for (const explanation of given) {
    if (explanation === null) throw explanationNotText();
    if (explanation !== first) throw new Refusal("The form has two explanations, and they differ.");
  }
  return first ?? "";
}

function explanationNotText(): Refusal {
  return new Refusal("The explanation must be text in double quotes.");
}

function quoted(name: string): string {
  return JSON.stringify(beginOf(name, 64));
}
