import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { type OllamaServerOptions, startOllamaServer } from "../../../test/ollama-server.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelPart, ModelRequest } from "../model/model-port.ts";
import { describeRecord } from "./describe-record.ts";
import type { ProviderSetting } from "./settings.ts";

const never = new AbortController().signal;

/** One call of the model `m` of a scripted Ollama. */
async function ask(
  options: OllamaServerOptions,
  {
    request,
    setting,
  }: { readonly request?: Partial<ModelRequest>; readonly setting?: Partial<ProviderSetting> } = {},
) {
  await using server = await startOllamaServer(options);
  const provider = providerAt(server.url, { model: "m", ...setting });
  const whole = { ...requestOf(says("hi")), model: "m", ...request };
  const parts = await Array.fromAsync(provider.stream(whole, paid, never));
  return { parts, server, chat: server.chats[0], record: await provider.recordOf(whole.model) };
}

const failureOf = (parts: readonly ModelPart[]) => {
  const last = parts.at(-1);
  return last?.kind === "failed" ? last.failure : null;
};

/** Words of about so many tokens. */
const long = (tokens: number): string => "word ".repeat(tokens * 0.8);

test("a prompt beyond Ollama's own default reaches the model whole, with the context that the record has", async () => {
  const words = ["the first words", long(6_000), "the last words"].map((text) => says(text));
  const { chat, record } = await ask({}, { request: { messages: words } });
  assert.ok(chat?.seen.some((text) => text.startsWith("the first words")));
  assert.equal(chat?.numCtx, record.contextWindow);
  assert.equal(record.contextWindow, 16_384);
});

test("a prompt that exceeds the context is refused as too long, never cut in silence", async () => {
  const { parts, chat } = await ask(
    { contextLength: 2_048 },
    { request: { messages: [says(long(9_000)), says("x")] } },
  );
  assert.equal(failureOf(parts)?.code, "too-long");
  assert.equal(chat, undefined);
});

for (const [what, options, setting, expected] of [
  ["the model's own length, where it is small", { contextLength: 8_192 }, {}, 8_192],
  ["the setting", {}, { contextWindow: 65_536 }, 65_536],
  [
    "the model's length, where the setting is beyond it",
    { contextLength: 32_768 },
    { contextWindow: 99_999 },
    32_768,
  ],
  ["what its Modelfile asks for", { parameters: 'stop "x"\nnum_ctx    40960' }, {}, 40_960],
  ["the setting above the Modelfile", { parameters: "num_ctx 40960" }, { contextWindow: 9_000 }, 9_000],
] as const) {
  test(`the context that is set is ${what}`, async () => {
    const { chat, record } = await ask(options, { setting });
    assert.deepEqual([chat?.numCtx, record.contextWindow], [expected, expected]);
  });
}

test("how much a model thinks is asked for where the server says that it can, as a level where it takes levels", async () => {
  const thinking = { capabilities: ["completion", "thinking"] };
  const levels = { ...thinking, architecture: "gptoss" };
  for (const [options, effort, think, asked] of [
    [thinking, "off", false, "off"],
    [thinking, "low", true, "low"],
    [thinking, undefined, undefined, null],
    [levels, "high", "high", "high"],
    [levels, "off", "low", "low"],
    [{ capabilities: ["completion"] }, "high", undefined, undefined],
    [{}, "high", undefined, undefined],
  ] as const) {
    const { chat, record } = await ask(options, { setting: effort === undefined ? {} : { effort } });
    const what = JSON.stringify([options, effort]);
    assert.deepEqual([chat?.body["think"], record.effort?.asked], [think, asked], what);
    assert.equal(record.thinks, "capabilities" in options && options.capabilities.length > 1, what);
  }
});

test("the record tells where the context comes from, and what the model could have", async () => {
  const { record } = await ask({});
  assert.match(
    describeRecord("ollama", record),
    /Context: 16384 tokens \(.*the model has up to 131072.*OLLAMA_CONTEXT_WINDOW/,
  );
  const { record: whole } = await ask({ contextLength: 8_192 });
  assert.match(describeRecord("ollama", whole), /Context: 8192 tokens \(the model on its server\)/);
});

test("a server that has only /v1 is asked there, and once what it is", async () => {
  await using server = await startOllamaServer({ hasOwnApi: false });
  const provider = providerAt(server.url, { model: "m" });
  for (let count = 0; count < 2; count += 1) {
    const parts = await Array.fromAsync(
      provider.stream({ ...requestOf(says("hi")), model: "m" }, paid, never),
    );
    assert.equal(parts.at(-1)?.kind, "finish");
  }
  assert.deepEqual(server.paths, ["/api/show", "/v1/chat/completions", "/v1/chat/completions"]);
  assert.equal((await provider.recordOf("m")).origin.contextWindow, "preset");
});

test("text, thinking, calls, tokens and the limit come through Ollama's own stream, in pieces of any size", async () => {
  const call = { name: "read-file", arguments: { path: "größer 😀" } };
  const { parts, chat } = await ask({
    answers: [
      { thinking: "let me see 😀", text: ["Ich schaue ", "nach: ü"], calls: [call, { ...call, id: "own" }] },
    ],
  });
  assert.deepEqual(
    parts.filter(({ kind }) => kind === "text" || kind === "thinking"),
    [
      { kind: "thinking", text: "let me see 😀" },
      { kind: "text", text: "Ich schaue " },
      { kind: "text", text: "nach: ü" },
    ],
  );
  const calls = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  assert.deepEqual(
    calls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)]),
    [call, call].map(({ name, arguments: args }) => [name, args]),
  );
  assert.equal(calls[1]?.id, "own");
  assert.notEqual(calls[0]?.id, "");
  const last = parts.at(-1);
  assert.ok(last?.kind === "finish");
  assert.equal(last.finishReason, "calls");
  assert.equal(last.usage?.outputTokens, 7);
  assert.equal(chat?.path, "/api/chat");
  const { parts: cut } = await ask({ answers: [{ text: ["a"], doneReason: "length" }] });
  const end = cut.at(-1);
  assert.equal(end?.kind === "finish" && end.finishReason, "length");
});

test("calls, results, thinking and the limit of the answer go to Ollama in its own words", async () => {
  const { parts } = await ask({
    answers: [
      { thinking: "hm", text: [], calls: [{ name: "read-file", arguments: { path: "a" }, id: "c1" }] },
    ],
  });
  const last = parts.at(-1);
  assert.ok(last?.kind === "finish");
  const payload = { tool: "read-file", args: { path: "a" } };
  const call = { id: "c1", action: { target: "tool", payload, explanation: "why" } };
  const outcome = { status: "success" as const, content: "the contents" };
  const messages: Message[] = [
    says("look"),
    {
      role: "assistant",
      text: "",
      calls: [call],
      native: true,
      provider: "first",
      raw: last.raw,
      label: bottomLabel,
    },
    {
      role: "result",
      callId: "c1",
      native: true,
      result: { id: "r", tool: "read-file", outcome, label: bottomLabel },
    },
  ];
  const { chat } = await ask({}, { request: { messages, maxOutputTokens: 321 } });
  assert.ok(chat);
  const [, , assistant, result] = chat.body["messages"] as readonly object[];
  assert.deepEqual(assistant, {
    role: "assistant",
    content: "",
    thinking: "hm",
    tool_calls: [{ id: "c1", function: { name: "read-file", arguments: { path: "a" } } }],
  });
  assert.deepEqual(result, {
    role: "tool",
    content: "the contents",
    tool_name: "read-file",
    tool_call_id: "c1",
  });
  assert.deepEqual(chat.body["options"], { num_ctx: 16_384, num_predict: 321 });
  assert.deepEqual([chat.body["truncate"], chat.body["shift"], chat.body["stream"]], [false, false, true]);
  assert.ok(Array.isArray(chat.body["tools"]));
});

test("a model that Ollama does not have, and an error in mid-stream, are told as such", async () => {
  const missing = await ask({}, { request: { model: "other" } });
  assert.equal(failureOf(missing.parts)?.code, "no-model");
  const broken = await ask({
    answers: [{ text: ["half"], error: "an error was encountered while running the model" }],
  });
  assert.equal(failureOf(broken.parts)?.code, "server-error");
  assert.match(failureOf(broken.parts)?.message ?? "", /error was encountered while running the model/);
});

test("a server that cannot tell of its model now gets no prompt that it might cut, and is asked again", async () => {
  await using server = await startOllamaServer({ showStatus: 503 });
  const provider = providerAt(server.url, { model: "m" });
  const stream = () =>
    Array.fromAsync(provider.stream({ ...requestOf(says("hi")), model: "m" }, paid, never));
  assert.equal(failureOf(await stream())?.code, "server-error");
  assert.equal((await stream()).at(-1)?.kind, "finish");
  assert.deepEqual(server.paths, ["/api/show", "/api/show", "/api/chat"]);
});

test("an Ollama that ends its stream without a last line, or sends no JSON, gave no whole answer", async () => {
  for (const [body, code] of [
    ['{"model":"m","message":{"role":"assistant","content":"half"},"done":false}\n', "cut-off"],
    ["<oops>\n", "malformed"],
  ] as const) {
    await using server = await startLoopbackProvider(
      [{ status: 200, headers: { "content-type": "application/x-ndjson" }, body }],
      { show: { model_info: { "general.architecture": "llama", "llama.context_length": 9_000 } } },
    );
    const provider = providerAt(server.url, { model: "m" });
    const parts = await Array.fromAsync(
      provider.stream({ ...requestOf(says("hi")), model: "m" }, paid, never),
    );
    assert.equal(failureOf(parts)?.code, code, body);
  }
});

test("a model that Ollama runs on other machines gets nothing while its provider counts as local", async () => {
  const remoteHost = "https://ollama.example:443";
  const { parts, server } = await ask({ remoteHost });
  assert.match(failureOf(parts)?.message ?? "", /m runs at .* and not here: set FIRST_LOCAL=false/);
  assert.equal(server.chats.length, 0);
  const allowed = await ask({ remoteHost }, { setting: { local: false } });
  assert.equal(failureOf(allowed.parts), null);
  assert.equal(allowed.server.chats.length, 1);
});
