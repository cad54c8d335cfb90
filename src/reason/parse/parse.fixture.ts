import assert from "node:assert/strict";
import type { Action } from "../../signal/action.ts";
import type { JsonObject } from "../../text/json.ts";
import { readForm, readPlist } from "../../wire/codec/reader.ts";
import { type ModelAnswer, type ParsedAnswer, parseAnswer } from "./parse-answer.ts";

/** The explanation of most actions in these tests. */
export const sampleExplanation = "The owner wants to know what stands there";

/** The JSON schema of an object. */
const schema = (properties: JsonObject): JsonObject => ({ type: "object", properties });

/** The targets and tools of these tests, for a model without native tool calls that was shown nothing. */
/** What an answer may name, and the defaults of a model without native calls. */
export const registered: Omit<ModelAnswer, "text" | "calls"> = {
  targets: [
    { name: "cli", capabilities: ["message"], schema: {} },
    { name: "telegram", capabilities: ["message"], schema: {} },
    { name: "tool", capabilities: ["tool"], schema: {} },
    { name: "shell", capabilities: ["shell"], schema: {} },
    { name: "system", capabilities: ["eval", "reply"], schema: {} },
    { name: "lamp", capabilities: ["perform"], schema: schema({ brightnessLevel: { type: "integer" } }) },
  ],
  tools: [
    { name: "read-file", parameters: schema({ path: { type: "string" } }) },
    {
      name: "search",
      parameters: schema({
        query: { type: "string" },
        maxResults: { type: "integer" },
        deep: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        filter: { ...schema({ since: { type: "string" } }) },
      }),
    },
  ],
  callsTools: false,
  writesMarks: false,
  cutAt: null,
  shown: () => [],
  sourceTarget: "cli",
  formCallId: "form-1",
  readForm,
  plist: readPlist,
};

/** What an answer with these native calls is parsed to. Without calls it is the answer of a model that has none. */
export const parse = (text: string, calls: ModelAnswer["calls"] = []): ParsedAnswer =>
  parseAnswer({ ...registered, callsTools: calls.length > 0, text, calls });

/** What a text is parsed to where the model has native tool calls. */
export const parseWithTools = (text: string): ParsedAnswer =>
  parseAnswer({ ...registered, callsTools: true, text, calls: [] });

/** What a text is parsed to where the model has no native tool calls and was shown these texts. */
export const parseAfter = (text: string, ...shown: readonly string[]): ParsedAnswer =>
  parseAnswer({ ...registered, shown: () => shown, text, calls: [] });

/** The one action of a text that is a form. */
export const actionIn = (text: string): Action => {
  const parsed = parse(text);
  assert.equal(parsed.kind, "calls", parsed.kind === "invalid" ? parsed.reason : parsed.kind);
  assert.ok(parsed.kind === "calls" && !parsed.native && parsed.note === "");
  const [call, ...more] = parsed.calls;
  assert.ok(call !== undefined && more.length === 0);
  assert.equal(call.id, "form-1");
  return call.action;
};

/** Why a text is invalid. */
export const reasonFor = (text: string): string => {
  const parsed = parse(text);
  assert.equal(parsed.kind, "invalid", `${text} was ${JSON.stringify(parsed)}`);
  assert.ok(parsed.kind === "invalid");
  assert.equal(parsed.text, text);
  return parsed.reason;
};

/** Asserts that a text is a reply, byte for byte. */
export const isReply = (text: string): void => assert.deepEqual(parse(text), { kind: "reply", text });

/** Keys that no answer may set. */
export const reserved =
  `LEVEL APPROVED APPROVED-P APPROVAL APPROVED-ACTION VERDICT LABEL LABELS STATUS GATE-TRACE
  REJECTION-TRACE DEPTH META SOURCE SESSION-ID REPLY-STREAM INTEGRITY SECRECY PERMISSION LICENCE TRACE SENSOR`.split(
    /\s+/,
  );
