import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, requestOf, says } from "../../../test/door-world.ts";
import { refusingUrl, type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelPart, ModelRequest } from "../model/model-port.ts";
import type { ProviderKind } from "./presets.ts";
import { buildProviders } from "./registry.ts";

const kinds: readonly ProviderKind[] = ["ollama", "openai", "anthropic", "google"];
const never = new AbortController().signal;

async function ask(
  kind: ProviderKind,
  step: Step,
  wanted: {
    readonly request?: Partial<ModelRequest>;
    readonly cancel?: AbortSignal;
    readonly name?: string;
  } = {},
) {
  await using server = await startLoopbackProvider([step]);
  const name = wanted.name ?? "p";
  const setting = { name, kind, baseUrl: `${server.url}/v1`, apiKey: "sk-test-key", model: "m" };
  const provider = buildProviders([setting], () => 0).providers.get(name);
  assert.ok(provider);
  const { system, tools, messages } = requestOf(says("hi"));
  const request = {
    model: "m",
    system,
    tools,
    messages,
    maxOutputTokens: 100,
    stableMessages: 0,
    ...wanted.request,
  };
  const parts: ModelPart[] = [];
  for await (const part of provider.stream(request, paid, wanted.cancel ?? never)) parts.push(part);
  const body = server.requests[0]?.body ?? "";
  return { parts, server, body, kinds: parts.map((part) => part.kind).filter((part) => part !== "progress") };
}

const callsOf = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.kind === "call" ? [[part.call.name, part.call.argumentsText]] : []));
const rawOf = (parts: readonly ModelPart[]) => {
  const last = parts.at(-1);
  assert.equal(last?.kind, "finish");
  return last?.kind === "finish" ? last.raw : null;
};

for (const kind of kinds) {
  test(`${kind}: text streams piece by piece and ends with the tokens used`, async () => {
    const { parts } = await ask(kind, { text: ["a", "b"], usage: { input: 3, output: 4 } });
    assert.deepEqual(parts.slice(0, 2), [
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
    ]);
    const last = parts[2];
    assert.ok(last?.kind === "finish" && parts.length === 3);
    assert.deepEqual([last.finishReason, last.usage], ["stop", { inputTokens: 3, outputTokens: 4 }]);
  });

  test(`${kind}: all native calls of one answer come, with text beside them`, async () => {
    const calls = ["a", "b", "c"].map((path) => ({ name: "read-file", arguments: { path } }));
    const { parts, kinds: seen } = await ask(kind, { text: "I look.", calls });
    assert.deepEqual(seen, ["text", "call", "call", "call", "finish"]);
    assert.deepEqual(
      callsOf(parts),
      ["a", "b", "c"].map((path) => ["read-file", `{"path":"${path}"}`]),
    );
    const ids = parts.flatMap((part) => (part.kind === "call" ? [part.call.id] : []));
    assert.equal(new Set(ids).size, 3);
  });

  test(`${kind}: a call whose arguments do not parse keeps their text`, async () => {
    const { parts } = await ask(kind, { calls: [{ name: "read-file", arguments: '{"path": ' }] });
    assert.deepEqual(callsOf(parts), [["read-file", '{"path": ']]);
  });

  test(`${kind}: an answer at the limit of its tokens says so`, async () => {
    const { parts } = await ask(kind, { text: "a", finish: "length" });
    const last = parts.at(-1);
    assert.equal(last?.kind === "finish" && last.finishReason, "length");
  });

  test(`${kind}: stopping in mid-stream ends the stream at once as cancelled`, async () => {
    await using server = await startLoopbackProvider([{ text: ["a"], fault: "hang-after-text" }]);
    const setting = { name: "p", kind, baseUrl: `${server.url}/v1`, apiKey: "k", model: "m" };
    const provider = buildProviders([setting], () => 0).providers.get("p");
    assert.ok(provider);
    const stop = new AbortController();
    const { system, tools, messages } = requestOf(says("hi"));
    const request = { model: "m", system, tools, messages, maxOutputTokens: 100, stableMessages: 0 };
    let last: ModelPart | null = null;
    for await (const part of provider.stream(request, paid, stop.signal)) {
      last = part;
      if (part.kind === "text") stop.abort();
    }
    assert.equal(last?.kind === "failed" && last.failure.code, "cancelled");
  });

  test(`${kind}: a redirection is not followed, so the key stays with its provider`, async () => {
    await using elsewhere = await startLoopbackProvider([{ text: "caught", repeat: true }]);
    const location = `${elsewhere.url}/v1/chat/completions`;
    const { parts } = await ask(kind, { status: 307, headers: { location } });
    const [only] = parts;
    assert.equal(only?.kind === "failed" && only.failure.code, "bad-request");
    assert.equal(elsewhere.requests.length, 0);
  });

  test(`${kind}: a call and its result go back in the provider's own words`, async () => {
    const messages = conversation({ provider: "p", raw: null });
    const { body } = await ask(kind, { text: "done" }, { request: { messages } });
    for (const words of ["look at a", "read-file", "what a file needs", "the contents of a"]) {
      assert.ok(body.includes(words), words);
    }
    assert.match(body, /"(?:tool_call_id|tool_result|functionResponse)"/);
  });
}

function conversation({
  provider,
  raw,
}: Pick<Extract<Message, { role: "assistant" }>, "provider" | "raw">): Message[] {
  const payload = { tool: "read-file", args: { path: "a" } };
  const call = { id: "call-1", action: { target: "tool", payload, explanation: "what a file needs" } };
  const result = {
    id: "r1",
    tool: "read-file",
    outcome: { status: "success" as const, content: "the contents of a" },
    label: bottomLabel,
  };
  return [
    says("look at a"),
    { role: "assistant", text: "I look.", calls: [call], native: true, provider, raw, label: bottomLabel },
    { role: "result", callId: "call-1", native: true, result },
  ];
}

const thinkingStep: Step = {
  thinking: "let me see",
  signature: "c2lnbmF0dXJl",
  text: "I look.",
  calls: [{ id: "call-1", name: "read-file", arguments: { path: "a" } }],
};

test("thinking with its signature is replayed to the Anthropic provider and model that made it", async () => {
  const { parts } = await ask("anthropic", thinkingStep);
  const messages = conversation({ provider: "p", raw: rawOf(parts) });
  const { body } = await ask("anthropic", { text: "done" }, { request: { messages } });
  assert.ok(body.includes('"thinking":"let me see","signature":"c2lnbmF0dXJl"'));
});

test("another provider, or another model, gets plain text and calls without the raw parts", async () => {
  const { parts } = await ask("anthropic", thinkingStep);
  const messages = conversation({ provider: "p", raw: rawOf(parts) });
  const other = await ask("anthropic", { text: "done" }, { request: { messages }, name: "q" });
  const model = await ask("anthropic", { text: "done" }, { request: { messages, model: "n" } });
  for (const { body } of [other, model]) {
    assert.ok(!body.includes("c2lnbmF0dXJl") && body.includes("I look.") && body.includes("tool_use"));
  }
});

test("a thought signature is replayed to Google with its call", async () => {
  const { parts } = await ask("google", thinkingStep);
  const call = parts.find((part) => part.kind === "call");
  const messages = conversation({ provider: "p", raw: rawOf(parts) }).map((message) =>
    message.role === "result" && call?.kind === "call" ? { ...message, callId: call.call.id } : message,
  );
  const { body } = await ask("google", { text: "done" }, { request: { messages } });
  assert.ok(body.includes('"thoughtSignature":"c2lnbmF0dXJl"') && body.includes("the contents of a"));
});

test("a broken call is replayed as text, because no provider accepts it as a call", async () => {
  const { parts } = await ask("ollama", { calls: [{ name: "read-file", arguments: "{" }] });
  const [, answer] = conversation({ provider: "p", raw: rawOf(parts) });
  assert.ok(answer);
  const messages = [says("hi"), answer, { role: "rejection" as const, text: "Do not.", label: bottomLabel }];
  const { body } = await ask("ollama", { text: "done" }, { request: { messages } });
  assert.ok(
    body.includes("a call of read-file whose arguments could not be read") && body.includes("Do not."),
  );
  assert.ok(!body.includes("tool_call_id"));
});

test("a refused call gets a result that says so, and then the reason", async () => {
  const [words, answer] = conversation({ provider: "p", raw: null });
  assert.ok(words && answer);
  const messages = [
    words,
    answer,
    { role: "rejection" as const, text: "It was blocked.", label: bottomLabel },
  ];
  const { body } = await ask("anthropic", { text: "done" }, { request: { messages } });
  assert.match(body, /tool_result.*This call was not run.*It was blocked/);
});

test("results of a form are sent as text", async () => {
  const messages = conversation({ provider: "p", raw: null }).map(
    (message): Message =>
      message.role === "assistant" || message.role === "result" ? { ...message, native: false } : message,
  );
  const { body } = await ask("ollama", { text: "done" }, { request: { messages } });
  assert.ok(body.includes("TOOL [read-file] RESULT: the contents of a") && !body.includes("tool_calls"));
});

test("a tool name that a provider would refuse is sent as a short name and translated back", async () => {
  const name = `9/my tool ${"x".repeat(60)}`;
  const tools = [{ name, description: "d", parameters: { type: "object", properties: {} } }];
  const short = `tool_${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`.slice(0, 40);
  const { parts, body } = await ask(
    "openai",
    { calls: [{ name: short, arguments: {} }] },
    { request: { tools } },
  );
  assert.ok(body.includes(`"name":"${short}"`) && !body.includes(name));
  assert.deepEqual(callsOf(parts), [[name, "{}"]]);
});

test("two calls with the same id get different ids", async () => {
  const calls = ["a", "b"].map((path) => ({ id: "same", name: "read-file", arguments: { path } }));
  const { parts } = await ask("anthropic", { calls });
  const ids = parts.flatMap((part) => (part.kind === "call" ? [part.call.id] : []));
  assert.deepEqual(ids, ["same", "same-2"]);
});

test("a failure with a web page is reported by its status", async () => {
  const { parts } = await ask("ollama", { status: 502, body: "<html><h1>Bad gateway</h1></html>" });
  const [only] = parts;
  assert.equal(only?.kind === "failed" && only.failure.code, "server-error");
});

for (const [what, url] of [
  ["a port that nobody listens on", await refusingUrl()],
  ["the same by the name of this machine", (await refusingUrl()).replace("127.0.0.1", "localhost")],
  ["a port that is never for the web", "http://127.0.0.1:1"],
] as const) {
  test(`${what} is a refused connection that cost nothing`, async () => {
    const setting = { name: "p", kind: "ollama" as const, baseUrl: `${url}/v1`, apiKey: null, model: "m" };
    const provider = buildProviders([setting], () => 0).providers.get("p");
    assert.ok(provider);
    const request = { ...requestOf(says("hi")), model: "m" };
    const [only] = await Array.fromAsync(provider.stream(request, paid, never));
    assert.deepEqual(only?.kind === "failed" && [only.failure.code, only.failure.begun], ["refused", false]);
  });
}

test("a used-up quota is not retried", async () => {
  const body = '{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}';
  const { parts } = await ask("openai", { status: 429, body });
  const [only] = parts;
  assert.equal(only?.kind === "failed" && only.failure.code, "no-quota");
});

for (const [header, value, expected] of [
  ["retry-after", "7", 7_000],
  ["retry-after", "Thu, 01 Jan 1970 00:00:12 GMT", 12_000],
  ["retry-after-ms", "250", 250],
  ["retry-after", "soon", null],
] as const) {
  test(`${header}: ${value} is read as ${expected === null ? "nothing said" : `${expected} ms`}`, async () => {
    const { parts } = await ask("ollama", { status: 429, headers: { [header]: value } });
    const [only] = parts;
    assert.equal(only?.kind === "failed" ? only.failure.retryAfterMs : undefined, expected);
  });
}

test("the delay in the body of Google's errors is read", async () => {
  const body = '{"error":{"code":429,"message":"slow down","status":"X","details":[{"retryDelay":"34.5s"}]}}';
  const { parts } = await ask("google", { status: 429, body });
  const [only] = parts;
  assert.equal(only?.kind === "failed" ? only.failure.retryAfterMs : undefined, 34_500);
});
