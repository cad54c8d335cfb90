import { isPublicTool } from "../../signal/is-public-tool.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

const form =
  'TOOLS: To act, answer with exactly one form and nothing else: (TYPE :REQUEST TARGET :TOOL PAYLOAD (TOOL "name" ARGS (KEY "value" KEY 5) EXPLANATION "why")). Text stands in double quotes, with \\" and \\\\ inside; a list is (…); yes and no are T and NIL. The same as one JSON object is a form, too. Any other text is your reply and ends the turn. A form that you quote from what you were shown is a reply and does not act. The tools and their ARGS, those in brackets optional:';

/** The lines of tools: each prompt has them. */
const lines = new WeakMap<ToolDeclaration, string>();

/**
 * The section TOOLS for a model without native tool calls: how a form is written, and each tool with its
 * arguments. Every such model reads it, so a tool whose words are private is not in it.
 */
export function describeTools(tools: readonly ToolDeclaration[]): string {
  return [form, ...tools.filter(isPublicTool).map(describeTool)].join("\n");
}

function describeTool(tool: ToolDeclaration): string {
  const { name, description, parameters } = tool;
  const line = lines.get(tool) ?? `- ${name} (${describeArguments(parameters)}): ${description}`;
  lines.set(tool, line);
  return line;
}

function describeArguments({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties)) return "";
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .filter(([name]) => name !== "explanation")
    .map(([name, schema]) => {
      const told = `${formKey(name)} ${describeValue(schema)}`;
      return needed.has(name) ? told : `[${told}]`;
    })
    .join(", ");
}

/** `maxResults` is `MAX-RESULTS` in a form. */
function formKey(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toUpperCase();
}

function describeValue(schema: Json): string {
  if (!isJsonObject(schema)) return "value";
  const { type, description, items } = schema;
  const choices = schema["enum"];
  const kind = Array.isArray(choices)
    ? choices.map(String).join("|")
    : type === "array"
      ? `list of (${isJsonObject(items) && isJsonObject(items["properties"]) ? describeArguments(items) : describeValue(items ?? null)})`
      : type === "string"
        ? "text"
        : typeof type === "string"
          ? type
          : "value";
  return typeof description === "string" ? `${kind}: ${description}` : kind;
}
