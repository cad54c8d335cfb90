import assert from "node:assert/strict";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/text/json.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";

/** Asks a daemon for one page of a tree; gives its response. */
export type AskTree = (request: JsonObject) => Promise<JsonObject>;

/** A tree with all its pages: what the first says of the whole, and the nodes of all. */
type AskedTree = { readonly data: JsonObject; readonly nodes: readonly JsonObject[]; readonly pages: number };

/** Asks for a tree page by page. */
export async function askWholeTree(ask: AskTree, request: JsonObject): Promise<AskedTree> {
  const nodes: JsonObject[] = [];
  const all: JsonObject[] = [];
  for (let cursor: Json | undefined; ; ) {
    const data = dataOf(await ask(cursor === undefined ? request : { ...request, cursor }));
    assert.equal(data["first"], nodes.length);
    all.push(data);
    nodes.push(...objectsIn(data["nodes"]));
    cursor = data["next"];
    if (cursor === undefined) return { data: all[0] ?? {}, nodes, pages: all.length };
  }
}

/** What a page says; fails where there is none. */
export function dataOf(reply: JsonObject): JsonObject {
  const { code, data } = payloadOf(reply);
  assert.ok(
    code === "org-ast" && data !== undefined && isJsonObject(data),
    JSON.stringify(reply).slice(0, 500),
  );
  return data;
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  assert.ok(Array.isArray(value));
  return value.filter(isJsonObject);
}

type Nested = { [key: string]: Json };

/** The listed nodes as a batch Emacs prints its own tree: nested, with the names of JSON. */
export function nestNodes(nodes: readonly JsonObject[]): JsonObject {
  const nested = nodes.map(({ parent: _p, in: _i, secrecy: _s, ...own }) => asPrinted(own));
  const single = new Set(["scheduled", "deadline", "closed"]);
  for (const [at, { parent, in: place = "children" }] of nodes.entries()) {
    const [node, around] = [nested[at], nested[Number(parent ?? -1)]];
    const name = camelOf(String(place));
    const isValue = single.has(name) || (name === "value" && around?.["type"] === "clock");
    if (node === undefined || around === undefined) continue;
    if (isValue) around[name] = node;
    else around[name] = [...(isJsonArray(around[name]) ? around[name] : []), node];
  }
  return nested[0] ?? {};
}

function asPrinted(own: JsonObject): Nested {
  const printed: Nested = {};
  for (const [name, value] of Object.entries(own)) printed[camelOf(name)] = value;
  const { affiliated } = printed;
  if (affiliated !== undefined && isJsonObject(affiliated))
    printed["affiliated"] = Object.fromEntries(
      Object.entries(affiliated).map(([name, value]) => [name.toUpperCase(), value]),
    );
  if (printed["type"] === "text") return { type: "text", value: printed["value"] ?? "" };
  return printed;
}

function camelOf(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const ranges = new Set(["begin", "end", "contentsBegin", "contentsEnd", "postAffiliated"]);

/** A tree of Emacs's, whose ranges count UTF-16 units of a text, with ranges that count code points. */
export function inCodePoints(tree: Json, text: string): Json {
  const points = new Map<number, number>();
  let [units, count] = [0, 0];
  for (const character of text) {
    points.set(units, count);
    units += character.length;
    count += 1;
  }
  points.set(units, count);
  const convert = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(convert);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        ranges.has(name) && typeof item === "number" ? (points.get(item) ?? -1) : convert(item),
      ]),
    );
  };
  return convert(tree);
}
