import { isJsonObject, type Json } from "../../text/json.ts";
import type { ModelCall } from "../model/model-port.ts";
import { readJson } from "./read-json.ts";

/** Calls that a model wrote as marked text, and the text before them. */
export type TextCalls = { readonly note: string; readonly calls: readonly ModelCall[] };

type NamedCall = Omit<ModelCall, "id">;
/** What stands before the blocks at the end of a text, and what each of them holds. */
type Blocks = { readonly before: string; readonly calls: readonly (NamedCall | null)[] };

/** The calls at the end of a text, each with an id; null if there are none, one cannot be read, or they stand in a fence. */
export function readTextCalls(text: string, id: string): TextCalls | null {
  const { before, calls: found } = hermesBlocks(text.trimEnd()) ?? deepSeekBlocks(text.trimEnd()) ?? noBlocks;
  const isInFence = (before.match(/^[ \t]*(?:```|~~~)/gmu) ?? []).length % 2 === 1;
  const calls = found.flatMap((call, index) =>
    call === null ? [] : [{ ...call, id: index === 0 ? id : `${id}-${index + 1}` }],
  );
  if (calls.length === 0 || calls.length < found.length || isInFence) return null;
  return { note: before.trimEnd(), calls };
}

const noBlocks: Blocks = { before: "", calls: [] };

/** Blocks of Hermes and Qwen, one after the other, read from the end. */
function hermesBlocks(text: string): Blocks | null {
  const [open, close] = ["<tool_call>", "</tool_call>"];
  const calls: (NamedCall | null)[] = [];
  let before = text;
  while (before.endsWith(close)) {
    const end = before.length - close.length;
    const start = before.lastIndexOf(open, end);
    if (start < 0 || before.lastIndexOf(close, end - 1) > start) break;
    calls.unshift(readBlock(before.slice(start + open.length, end).trim()));
    before = before.slice(0, start).trimEnd();
  }
  return calls.length === 0 ? null : { before, calls };
}

/** DeepSeek's blocks inside one pair of marks: `function<sep>NAME` with JSON in a fence, or `NAME<sep>JSON`. */
function deepSeekBlocks(text: string): Blocks | null {
  const end = "<｜tool▁calls▁end｜>";
  const begin = "<｜tool▁calls▁begin｜>";
  const start = text.endsWith(end) ? text.lastIndexOf(begin) : -1;
  if (start < 0) return null;
  const [, ...blocks] = text.slice(start + begin.length, -end.length).split("<｜tool▁call▁begin｜>");
  return { before: text.slice(0, start), calls: blocks.map(readDeepSeekBlock) };
}

function readDeepSeekBlock(block: string): NamedCall | null {
  const [kind = "", ...rest] = block.split("<｜tool▁call▁end｜>", 1).join("").split("<｜tool▁sep｜>");
  const body = rest.join("").trim();
  const fence = kind === "function" ? body.indexOf("```json") : -1;
  const name = fence < 0 ? kind : body.slice(0, fence).trim();
  const argumentsText =
    fence < 0
      ? body
      : body
          .slice(fence + "```json".length)
          .replace(/```$/u, "")
          .trim();
  return /^[\w.-]+$/u.test(name) ? { name, argumentsText } : null;
}

const functionBlock = /^<function=([\w.-]+)>/u;
const parameterStart = /^([\w.-]+)>\n?/u;

/** `{"name": …, "arguments": {…}}`, or `<function=…>` with parameters, as Qwen's models for code write. */
function readBlock(body: string): NamedCall | null {
  const reading = readJson(body);
  if (reading.ok) return isJsonObject(reading.value) ? readJsonCall(reading.value) : null;
  const [opening, name] = functionBlock.exec(body) ?? [];
  if (opening === undefined || name === undefined) return null;
  const given = body
    .split("<parameter=")
    .slice(1)
    .flatMap((part) => {
      const [start = "", key] = parameterStart.exec(part) ?? [];
      const end = part.indexOf("</parameter>");
      return key === undefined || end < 0
        ? []
        : [[key, parameterValue(part.slice(start.length, end).replace(/\n$/u, ""))] as const];
    });
  return { name, argumentsText: JSON.stringify(Object.fromEntries(given)) };
}

function readJsonCall({
  name,
  arguments: given,
  parameters,
}: {
  readonly [key: string]: Json;
}): NamedCall | null {
  const args = given ?? parameters ?? {};
  if (typeof name !== "string" || name === "") return null;
  if (typeof args === "string") return { name, argumentsText: args };
  return isJsonObject(args) ? { name, argumentsText: JSON.stringify(args) } : null;
}

/** Parameters are text; numbers, truth values, lists and objects are written as JSON. */
function parameterValue(text: string): Json {
  const reading = /^(?:-?\d|true$|false$|[[{])/u.test(text.trim()) ? readJson(text.trim()) : null;
  return reading?.ok === true ? reading.value : text;
}
