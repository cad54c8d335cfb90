import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { paid, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { type Recorded, type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelPart } from "../model/model-port.ts";
import type { ProviderSetting } from "./settings.ts";

const never = new AbortController().signal;
const readA: Step = { calls: [{ id: "call-1", name: "read-file", arguments: { path: "a" } }] };

/** A service as it really is: it refuses the result of a call whose answer comes back without its thinking, or in another field. */
type Service = {
  readonly setting: Partial<ProviderSetting> & Pick<ProviderSetting, "kind">;
  readonly first: Step;
  /** What the message of the answer has to have when it comes back. */
  readonly accepts: (request: Recorded) => boolean;
};

const sentItem = z.looseObject({ role: z.string().optional(), type: z.string().optional() });
type Sent = z.infer<typeof sentItem>;
const bodyOf = ({ body }: Recorded) => z.looseObject({}).parse(JSON.parse(body));
const listOf = (request: Recorded, name: string): readonly Sent[] =>
  z.array(sentItem).parse(bodyOf(request)[name]);
const answerIn = (request: Recorded): Sent =>
  listOf(request, "messages").find(({ role }) => role === "assistant") ?? {};

const claude = [
  { type: "reasoning.text", text: "I ", index: 0, format: "anthropic-claude-v1", signature: null },
  { type: "reasoning.text", text: "look.", index: 0, format: "anthropic-claude-v1", signature: null },
  { type: "reasoning.text", text: "", index: 0, format: "anthropic-claude-v1", signature: "c2ln" },
];
const gemini = [
  { type: "reasoning.text", text: "Hm.", index: 0, format: "google-gemini-v1" },
  { type: "reasoning.encrypted", data: "QUJD", id: "call-1", index: 0, format: "google-gemini-v1" },
  { type: "reasoning.encrypted", data: "REVG", id: "call-2", index: 0, format: "google-gemini-v1" },
];

const services: Readonly<Record<string, Service>> = {
  "OpenRouter with a signed thinking in pieces": {
    setting: { kind: "openrouter", model: "anthropic/claude-sonnet-5-5" },
    first: {
      ...readA,
      deltas: claude.map((detail) => ({ reasoning: detail.text, reasoning_details: [detail] })),
    },
    accepts: (request) => {
      assert.deepEqual(answerIn(request)["reasoning_details"], [
        {
          type: "reasoning.text",
          text: "I look.",
          index: 0,
          format: "anthropic-claude-v1",
          signature: "c2ln",
        },
      ]);
      return answerIn(request)["reasoning_content"] === undefined;
    },
  },
  "OpenRouter with encrypted thoughts of Gemini": {
    setting: { kind: "openrouter", model: "google/gemini-3.8-flash" },
    first: { ...readA, deltas: [{ reasoning: "Hm.", reasoning_details: gemini }] },
    accepts: (request) => {
      assert.deepEqual(answerIn(request)["reasoning_details"], gemini);
      return true;
    },
  },
  "a compatible server that sends the details too": {
    setting: { kind: "openai-compatible", model: "m" },
    first: { ...readA, deltas: [{ reasoning_details: [gemini[1]] }] },
    accepts: (request) =>
      JSON.stringify(answerIn(request)["reasoning_details"]) === JSON.stringify([gemini[1]]),
  },
  Groq: {
    setting: { kind: "groq", model: "openai/gpt-oss-120b" },
    first: { ...readA, deltas: [{ reasoning: "I " }, { reasoning: "look." }] },
    accepts: (request) =>
      answerIn(request)["reasoning"] === "I look." && answerIn(request)["reasoning_content"] === undefined,
  },
  "Groq with a model that does not think": {
    setting: { kind: "groq", model: "llama-3.3-70b-versatile" },
    first: readA,
    accepts: (request) => !("reasoning" in answerIn(request)) && !("reasoning_content" in answerIn(request)),
  },
  "llama.cpp": {
    setting: { kind: "llama", model: "m" },
    first: { ...readA, thinking: "I look." },
    accepts: (request) => answerIn(request)["reasoning_content"] === "I look.",
  },
  "OpenAI with a model that thinks": {
    setting: { kind: "openai", model: "gpt-5.6-terra" },
    first: { ...readA, thinking: "I look.", signature: "ZW5j" },
    accepts: (request) => {
      const types = listOf(request, "input").map(({ type, role }) => type ?? role);
      const at = types.indexOf("reasoning");
      assert.deepEqual(types.slice(at), ["reasoning", "function_call", "function_call_output"]);
      const { store, include, reasoning } = bodyOf(request);
      assert.deepEqual([store, include, reasoning], [false, ["reasoning.encrypted_content"], undefined]);
      return listOf(request, "input")[at]?.["encrypted_content"] === "ZW5j";
    },
  },
  "OpenAI with a model that thinks without a word": {
    setting: { kind: "openai", model: "gpt-6-astra" },
    first: { ...readA, signature: "ZW5j" },
    accepts: (request) => request.body.includes('"encrypted_content":"ZW5j"'),
  },
};

for (const [name, { setting, first, accepts }] of Object.entries(services)) {
  test(`thinking goes back as it is wanted: ${name}`, async () => {
    await using server = await startLoopbackProvider([first, { text: "Done." }]);
    const provider = providerAt(server.url, { name: "p", apiKey: "k", ...setting });
    const ask = (...messages: readonly Message[]): Promise<ModelPart[]> =>
      Array.fromAsync(provider.stream({ ...requestOf(...messages), model: provider.model }, paid, never));
    const last = (await ask(says("look at a"))).at(-1);
    assert.equal(last?.kind, "finish", JSON.stringify(last));
    const raw = last?.kind === "finish" ? last.raw : null;
    const payload = { tool: "read-file", args: { path: "a" } };
    const call = { id: "call-1", action: { target: "tool", payload, explanation: "why" } };
    const outcome = { status: "success" as const, content: "the contents" };
    const label = bottomLabel;
    const end = await ask(
      says("look at a"),
      { role: "assistant", text: "", calls: [call], native: true, provider: "p", raw, label },
      {
        role: "result",
        callId: "call-1",
        native: true,
        result: { id: "r", tool: "read-file", outcome, label },
      },
    );
    assert.equal(end.at(-1)?.kind, "finish", JSON.stringify(end.at(-1)));
    const [, second] = server.requests;
    assert.ok(second !== undefined && accepts(second), second?.body);
  });
}

test("OpenAI's models that do not think are asked for chat completions, the others for responses", async () => {
  await using server = await startLoopbackProvider([{ text: "Hi.", repeat: true }]);
  for (const model of ["gpt-4.1", "gpt-5-chat-latest", "gpt-5.6-terra", "o3"]) {
    const { stream } = providerAt(server.url, { kind: "openai", apiKey: "k", model });
    const parts = await Array.fromAsync(stream({ ...requestOf(says("hi")), model }, paid, never));
    assert.equal(parts.at(-1)?.kind, "finish", JSON.stringify(parts.at(-1)));
  }
  const paths = server.requests.map(({ path }) => path.replace("/v1/", ""));
  assert.deepEqual(paths, ["chat/completions", "chat/completions", "responses", "responses"]);
});
