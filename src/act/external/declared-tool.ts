import { sha256 } from "../../machine/digest.ts";
import type { ServiceAct, UseService } from "../../signal/effect.ts";
import type { Permission } from "../../signal/facts.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { describedNames, saidByArguments } from "../../signal/said-by-arguments.ts";
import type { EffectLabel } from "../../signal/service-effect.ts";
import type { Caller, LabelArgument, Outcome, Preparation, Tool, TurnSources } from "../../signal/tool.ts";
import { shorten } from "../../text/cut-text.ts";
import { foldName } from "../../text/fold-name.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  stringsIn,
} from "../../text/json.ts";
import { traceCall } from "../flow/trace-call.ts";
import { decidingNames, type ReadCall, type TracedCall } from "../flow/trace-context.ts";
import { undeclaredValues } from "../flow/undeclared-values.ts";
import { isOutward, tellsPrivate } from "./tells-private.ts";

/** A tool of an external server, with its effect as the owner set it; null where nobody did, and then it asks every time. What the server says of itself is a hint and gives no permission. */
export type DeclaredTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly effect: EffectLabel | null;
  /** The arguments that decide what it acts on or how; null where nothing is declared, and then all do. */
  readonly criticalArguments: readonly string[] | null;
  /** The arguments that decide where it goes. */
  readonly destinationArguments: readonly string[] | null;
  /** The server that runs it; left out where each tool stands alone. */
  readonly server?: string;
  readonly call: (args: JsonObject, cancel: AbortSignal) => Promise<Outcome>;
};

const emptySources: TurnSources = { words: [], results: [], contacts: async () => [], approved: [] };

/** Makes tools of declared ones. They know each other, since a value may come from the result of another. */
export function makeExternalTools(declared: readonly DeclaredTool[]): readonly Tool[] {
  const byName = new Map(declared.map((one) => [one.name, one]));
  const serverOf = (name: string): string => byName.get(name)?.server ?? name;
  const readCall: ReadCall = (name, args) => {
    const tool = byName.get(name);
    return tool === undefined ? null : readCallOf(tool, args);
  };
  return declared.map((one) => makeExternalTool(one, { readCall, serverOf }));
}

function readCallOf(declared: DeclaredTool, args: JsonObject): TracedCall {
  return {
    tool: declared.name,
    act: actOfCall(declared, args),
    args,
    destinations: new Set(declared.destinationArguments ?? []),
    critical: criticalOf(declared, args),
    fields: fieldsOf(declared.parameters),
    isDescribed: !describesNone(declared.parameters),
    choices: new Set(
      Object.entries(propertiesOf(declared.parameters)).flatMap(([name, schema]) =>
        listsValues(schema) ? [name] : [],
      ),
    ),
  };
}

function makeExternalTool(declared: DeclaredTool, known: KnownTools): Tool {
  const { name, description, parameters } = declared;
  const permission: Permission = "allow";
  return {
    name,
    description,
    permission,
    parameters,
    label: untrusted(name),
    prepare: async (args, caller, labelOf) => prepareCall({ declared, args, ...known }, caller, labelOf),
  };
}

type KnownTools = {
  readonly readCall: ReadCall;
  /** The server of a tool. */
  readonly serverOf: (tool: string) => string;
};

type ExternalCall = KnownTools & { readonly declared: DeclaredTool; readonly args: JsonObject };

async function prepareCall(
  { declared, args, readCall, serverOf }: ExternalCall,
  caller: Caller,
  labelOf: LabelArgument,
): Promise<Preparation> {
  const call = readCallOf(declared, args);
  const { act } = call;
  const sources = caller.sources ?? emptySources;
  const parameters = describedBy(declared);
  const contacts = act === "read" ? [] : await sources.contacts();
  const otherTurns = act === "read" ? [] : ((await sources.otherTurns?.()) ?? []);
  const { writtenFiles: _, ...known } = sources;
  const { flows, licences } = traceCall(call, { ...known, contacts, otherTurns }, readCall);
  const given = sources.results.filter(({ tool }) => serverOf(tool) === serverOf(declared.name));
  const isPrivate = tellsPrivate({ args, parameters, act, flows, words: sources.words, given }, labelOf);
  const said = joinAll(saidByArguments(args, parameters).map(({ text }) => labelOf(text)));
  // What its form tells has no text of its own that has a label.
  const label = isPrivate ? joinLabels(said, { ...bottomLabel, secrecy: labelOf("").secrecy }) : said;
  const effect: UseService = {
    kind: "use-service",
    service: declared.name,
    act,
    target: describeTarget(call),
    ...(act === "read" ? {} : { decides: digestOfDeciding(call) }),
    label,
    reversal: act === "read" ? "undoable" : act === "change" ? "compensable" : "final",
  };
  return {
    ok: true,
    effects: [effect],
    plan: { service: declared.name, args },
    changes: [],
    // A server can give back what it was told.
    resultLabel: joinLabels(label, untrusted(declared.name)),
    flows,
    // No order of the owner's says that what is private goes along.
    licences: isPrivate && isOutward(act) ? [] : licences,
    ...(isPrivate && { tellsPrivate: true as const }),
    run: (cancel) => declared.call(args, cancel),
  };
}

/** What the server describes of the arguments, and the owner names of them. */
function describedBy({ parameters, criticalArguments, destinationArguments }: DeclaredTool): Json {
  const names = [...(criticalArguments ?? []), ...(destinationArguments ?? [])];
  return [parameters, { properties: Object.fromEntries(names.map((name) => [name, {}])) }];
}

/** What a call does, by the declared effect. An event with participants is sent to them. */
function actOfCall({ effect, destinationArguments }: DeclaredTool, args: JsonObject): ServiceAct {
  switch (effect) {
    case "read":
      return "read";
    case "egress_read":
      return "fetch";
    case "egress":
      return "send";
    case "write":
      return "change";
    case "write_external_if_participants":
      return hasOneOf(args, destinationArguments ?? []) ? "send" : "change";
    case "destructive":
      return "delete";
    case "financial":
      return "pay";
    case "credential":
      return "credential";
    case "access_control":
      return "grant";
    case null:
      return "unknown";
    default:
      return effect satisfies never;
  }
}

/** Arguments that a server leaves out where it describes others decide as well: nobody knows what they do. */
function criticalOf({ criticalArguments, parameters }: DeclaredTool, args: JsonObject): ReadonlySet<string> {
  if (criticalArguments === null) return new Set(Object.keys(args));
  if (describesNone(parameters)) return new Set(criticalArguments);
  const described = propertiesOf(parameters);
  return new Set([
    ...criticalArguments,
    ...Object.keys(args).filter((name) => !Object.hasOwn(described, name)),
  ]);
}

function describesNone({ properties }: JsonObject): boolean {
  return !isJsonObject(properties);
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** The names that a schema describes inside the arguments. */
function fieldsOf(parameters: JsonObject): ReadonlySet<string> {
  const { properties: _, ...others } = parameters;
  return new Set(describedNames([others, ...Object.values(propertiesOf(parameters))]));
}

/** Whether a schema lists the values that it takes. */
function listsValues(schema: Json): boolean {
  if (isJsonArray(schema)) return schema.some(listsValues);
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).some(([key, held]) => key === "enum" || key === "const" || listsValues(held));
}

function hasOneOf(args: JsonObject, names: readonly string[]): boolean {
  const folded = new Set(names.map(foldName));
  return Object.entries(args).some(([name, value]) => folded.has(foldName(name)) && isGiven(value));
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(isJsonArray(value) && value.length === 0);
}

/** The destinations in words, else what the call acts on. */
function describeTarget({ args, destinations, critical }: TracedCall): string {
  const shown = (names: ReadonlySet<string>): string =>
    listValues([...names].flatMap((name) => stringsIn(args[name] ?? null).map(({ text }) => text)));
  return shown(destinations) || shown(critical) || "nothing named";
}

/** Characters of the values that a line lists. */
const mostListed = 500;

/**
 * Whole values, as many as a line lists, and how many more there are; of one that is too long its
 * beginning.
 */
function listValues([first = "", ...others]: readonly string[]): string {
  let list = shorten(first, mostListed);
  for (const [at, value] of others.entries()) {
    if (list.length + value.length > mostListed) return `${list} and ${others.length - at} more`;
    list += `, ${value}`;
  }
  return list;
}

/** A digest of all arguments that decide over a call, the same for the same values. What is left out decides nothing; an empty text does. */
function digestOfDeciding(call: TracedCall): string {
  const { args } = call;
  const riding = undeclaredValues(call).map(({ pointer }) => foldName(pointer.split("/")[1] ?? ""));
  const names = new Set([...decidingNames(call), ...riding]);
  const deciding = Object.entries(args).flatMap(([name, value]) =>
    names.has(foldName(name)) && (value === "" || isGiven(value)) ? [[foldName(name), value] as const] : [],
  );
  return sha256(canonicalJson(Object.fromEntries(deciding)));
}

function untrusted(name: string): Label {
  return { integrity: "untrusted", secrecy: "public", sources: [{ id: name, path: "" }] };
}
