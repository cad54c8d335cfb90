import { sha256 } from "../../machine/digest.ts";
import type { ListedTool, McpServer, ToolList } from "../../signal/mcp-server.ts";
import { beginOf } from "../../text/cut-text.ts";
import { foldName } from "../../text/fold-name.ts";
import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  nestsDeeper,
} from "../../text/json.ts";
import { findClash } from "../actuators.ts";
import { cleanText, invisible } from "./clean-text.ts";
import { plainSchema } from "./plain-schema.ts";

/** The argument of a repeated call that holds the owner's answers to a server's question. */
export const answersArgument = "owner_answers";

const mostTools = 200;
const longestName = 64;
const longestDescription = 1000;
/** The longest text inside a schema, in characters; the longest schema, in bytes; how deep it may nest. */
const longestSchemaText = 300;
const largestSchema = 8000;
const deepestSchema = 16;

/** Reads the list of tools of a server. Nothing in it is believed. A tool that cannot be offered to a model is named with the reason. */
export function readToolList(said: readonly Json[]): ToolList {
  const tools: ListedTool[] = [];
  const unusable: { name: string; reason: string }[] = [];
  for (const [index, item] of said.entries()) {
    const name = isJsonObject(item) && typeof item["name"] === "string" ? item["name"] : "";
    const tool = index < mostTools ? readTool(item, name) : `it offers more than ${mostTools} tools`;
    const known = tools.some((one) => foldName(one.name) === foldName(name));
    if (typeof tool === "string") unusable.push({ name: cleanText(name, longestName), reason: tool });
    else if (known) unusable.push({ name, reason: "another tool has the same name" });
    else tools.push(tool);
  }
  const order = said.map((item) => canonicalJson(item)).sort();
  return {
    digest: sha256(canonicalJson(order)),
    tools,
    unusable: unusable.slice(0, mostTools),
  };
}

function readTool(said: Json, name: string): ListedTool | string {
  if (!isJsonObject(said) || name === "") return "it has no name";
  if (!/^[A-Za-z0-9_.:/-]+$/.test(name) || name.length > longestName)
    return "its name is too long, or has other characters than letters, digits, _ and -";
  const { inputSchema } = said;
  const isOpen = inputSchema === undefined || inputSchema === null || inputSchema === true;
  const schema = readSchema(isOpen ? {} : inputSchema);
  if (typeof schema === "string") return schema;
  const { description, execution } = said;
  if (isJsonObject(execution) && execution["taskSupport"] === "required")
    return "it runs only as a task of the protocol, which this program does not start";
  return {
    name,
    description: cleanText(typeof description === "string" ? description : "", longestDescription),
    parameters: schema,
    digest: sha256(canonicalJson(said)),
  };
}

/** The schema of the arguments with clean texts, or the reason why it cannot be used. */
function readSchema(said: Json): JsonObject | string {
  if (!isJsonObject(said)) return "its arguments are not described by an object";
  if (nestsDeeper(said, deepestSchema)) return "the description of its arguments nests too deep";
  const { type } = said;
  if (typeof type === "string" ? type !== "object" : isJsonArray(type) && !type.includes("object"))
    return "its arguments are no object";
  const names = Object.keys(propertiesOf(plainSchema(said)));
  const own = names.find((one) => [foldName(answersArgument), "explanation"].includes(foldName(one)));
  if (own !== undefined) return `it has an argument ${own}, which this program uses itself`;
  if (namesIn(said).some((one) => one === "__proto__" || invisible.test(one) || one.length > longestName))
    return "an argument has a name that is too long, cannot be seen or is not used here";
  const clash = findClash(names);
  if (clash !== null) return `its arguments ${clash[0]} and ${clash[1]} cannot be told apart`;
  for (const follows of [true, false])
    for (const texts of [longestSchemaText, 0]) {
      const schema = { ...cleanSchema(plainSchema(said, follows), texts), type: "object" };
      const isShort = Buffer.byteLength(JSON.stringify(schema)) <= largestSchema;
      if (isShort && !nestsDeeper(schema, deepestSchema)) return schema;
    }
  return `the description of its arguments is larger than ${largestSchema} bytes`;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** Every name in a schema, however deep. */
function namesIn(value: Json): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(namesIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, item]) => [name, ...namesIn(item)]) : [];
}

const described: ReadonlySet<string> = new Set(["description", "title"]);

/** A schema with clean texts; with `texts` 0 also without its descriptions. */
function cleanSchema(schema: JsonObject, texts: number): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (texts === 0 && described.has(key) && !isJsonObject(value)) return [];
      return [[key, cleanValue(value, texts)]];
    }),
  );
}

function cleanValue(value: Json, texts: number): Json {
  if (isJsonArray(value)) return value.map((item) => cleanValue(item, texts));
  if (isJsonObject(value)) return cleanSchema(value, texts);
  return typeof value === "string" ? cleanText(value, texts === 0 ? longestSchemaText : texts) : value;
}

/** What changed between two lists, a line each, for a person. */
export function describeChange(before: ToolList, after: ToolList): readonly string[] {
  const known = new Map(before.tools.map((tool) => [tool.name, tool]));
  const now = new Set(after.tools.map(({ name }) => name));
  const lines = [
    ...after.tools.flatMap((tool) => {
      const old = known.get(tool.name);
      if (old === undefined) return [`new: ${describeTool(tool)}`];
      if (old.digest === tool.digest) return [];
      return isSameToModel(old, tool)
        ? [`changed in what is not used: ${tool.name}`]
        : [`changed: ${describeTool(tool)}`];
    }),
    ...before.tools.flatMap(({ name }) => (now.has(name) ? [] : [`gone: ${name}`])),
  ];
  const rest = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(lines.length === 0 ? ["what it says of tools that cannot be used"] : []),
  ];
}

const mostLines = 8;
const longestArgumentsShown = 240;
const longestShown = 160;

/** Whether a model is told the same of both. */
function isSameToModel(one: ListedTool, other: ListedTool): boolean {
  return (
    one.description === other.description && canonicalJson(one.parameters) === canonicalJson(other.parameters)
  );
}

/** Whether what `describeChange` says is all that a model is told of what changed, so that a yes to it is a yes to what was read. */
export function isChangeShownWhole(before: ToolList, after: ToolList): boolean {
  const known = new Map(before.tools.map((tool) => [tool.name, tool.digest]));
  const changed = after.tools.filter(({ name, digest }) => known.get(name) !== digest);
  const now = new Set(after.tools.map(({ name }) => name));
  const gone = before.tools.filter(({ name }) => !now.has(name));
  const isShort = (tool: ListedTool): boolean =>
    describeArguments(tool).length <= longestArgumentsShown && tool.description.length <= longestShown;
  return changed.length + gone.length <= mostLines && changed.every(isShort);
}

/** What a tool does as its owner declared it, and which of its arguments decide over a call. */
export function describeEffect(
  { name, parameters }: ListedTool,
  { declared }: Pick<McpServer, "declared">,
): string {
  const own = declared.get(name);
  if (own === undefined) return "not declared, so each call asks";
  const { effect, critical, destinations } = own;
  if (effect === "read" || critical === null) return effect;
  const deciding = [...new Set([...destinations, ...critical])];
  const known = new Set(deciding.map(foldName));
  const { properties } = parameters;
  const others = Object.keys(isJsonObject(properties) ? properties : {}).filter(
    (one) => !known.has(foldName(one)),
  );
  const decide = deciding.length === 0 ? "no argument is declared" : `deciding: ${deciding.join(", ")}`;
  if (others.length === 0) return `${effect}; ${decide}`;
  const isMild = effect === "write" || effect === "egress_read";
  const carried = isMild ? "nothing" : "only a flag, a number, a choice or a single word";
  return `${effect}; ${decide}; in ${others.join(", ")} ${carried} decides`;
}

/** The arguments of a tool with everything that is said about each, except that it is a text, and about all of them. */
export function describeArguments({ parameters: { properties, type: _, ...rest } }: ListedTool): string {
  const said = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts = said.map(([name, schema]) => {
    const { type, ...more } = isJsonObject(schema) ? schema : {};
    const about = type === undefined || type === "string" ? more : { type, ...more };
    return Object.keys(about).length === 0 ? name : `${name} ${canonicalJson(about)}`;
  });
  const { required: __, additionalProperties: ___, ...texts } = rest;
  return [...parts, ...(Object.keys(texts).length === 0 ? [] : [canonicalJson(texts)])].join(", ");
}

function describeTool(tool: ListedTool): string {
  const shown = beginOf(describeArguments(tool), longestArgumentsShown);
  return `${tool.name}(${shown}): ${beginOf(tool.description, longestShown)}`;
}
