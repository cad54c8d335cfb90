import { findTools, indexTool, searchName } from "../../../act/mcp/find-tools.ts";
import { estimateTokens } from "../../../reason/prompt/estimate-tokens.ts";
import type { ToolDeclaration } from "../../../signal/tool.ts";
import { shorten } from "../../../text/cut-text.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../text/json.ts";

/** What a turn is about, and what was declared in its session before. */
export type DeclarationNeed = {
  readonly words: string;
  /** The tools that the turn called or found. */
  readonly named: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
};

/** The part of a context window that the declarations of tools may take. */
const shareOfTools = 1 / 4;
/** The tools that the words of a turn bring with them, as with those of servers. */
const byWordsLimits = { most: 6, least: 2 };

/** Whether the declarations of tools have room in a context window of so many tokens. */
export function haveRoom(tools: readonly ToolDeclaration[], contextWindow: number): boolean {
  return tokensOf(tools) <= contextWindow * shareOfTools;
}

/**
 * The tools that a small window has room for, in short words: the search for the others, those that the turn
 * named, those that its words are about, those that stood there before, then the rest in order, as far as
 * they fit.
 */
export function fitDeclarations(
  tools: readonly ToolDeclaration[],
  search: ToolDeclaration,
  { words, named, before }: DeclarationNeed,
  contextWindow: number,
): readonly ToolDeclaration[] {
  const others = tools.filter(({ name }) => name !== searchName);
  const byWords = new Set(findTools(words, others.map(indexTool), byWordsLimits).map(({ name }) => name));
  const rank = ({ name }: ToolDeclaration): number =>
    [named, byWords, before].findIndex((names) => names.has(name)) >>> 0;
  const kept = new Set([search]);
  for (const tool of others.toSorted((one, other) => rank(one) - rank(other)).map(shortDeclaration))
    if (haveRoom([...kept, tool], contextWindow)) kept.add(tool);
  const inOrder = new Map([...kept].map((tool) => [tool.name, tool]));
  return [...others, search].flatMap(({ name }) => inOrder.get(name) ?? []);
}

function tokensOf(tools: readonly ToolDeclaration[]): number {
  return tools.reduce((sum, { name, description, parameters }) => {
    return sum + estimateTokens(JSON.stringify({ name, description, parameters }));
  }, 0);
}

/** Characters of a description in a small window. */
const mostCharacters = 60;
/** Keys of a schema that a call can do without. */
const dispensable: ReadonlySet<string> = new Set(["title", "examples", "default", "$comment"]);

function shortDeclaration(tool: ToolDeclaration): ToolDeclaration {
  const { description, parameters } = tool;
  return { ...tool, description: shortText(description), parameters: shortSchema(parameters) };
}

function shortSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): readonly [string, Json][] => {
    if (dispensable.has(key) && !isJsonObject(value)) return [];
    const isText = key === "description" && typeof value === "string";
    return [[key, isText ? shortText(value) : shortInside(value)]];
  });
  return Object.fromEntries(entries);
}

function shortInside(value: Json): Json {
  if (isJsonArray(value)) return value.map(shortInside);
  return isJsonObject(value) ? shortSchema(value) : value;
}

/** The first sentence, cut where it is long. */
function shortText(text: string): string {
  return shorten(/^.*?[.!?](?=\s)/s.exec(text)?.[0] ?? text, mostCharacters);
}
