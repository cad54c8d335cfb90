import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { describeSmallWindow } from "../../src/health/describe-small-window.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import { startLlamaServer, whyNoLlamaServer } from "../llama-server.ts";
import type { Recorded } from "../loopback-provider.ts";
import { openAnswerCutter } from "../request-proxy.ts";

type Sent = { readonly system: string; readonly tools: readonly string[]; readonly tokens: number };

/** The system text and the tools of a request, and its size in tokens of 3.5 bytes. */
function sentIn({ body }: Recorded): Sent {
  const { messages, tools } = sentBody.parse(JSON.parse(body));
  const declarations = tools.map((tool) => JSON.stringify(tool.function));
  const parts = [...messages.map(({ content }) => content ?? ""), ...declarations];
  return {
    system: messages[0]?.content ?? "",
    tools: tools.map(({ function: { name } }) => name),
    tokens: parts.reduce((sum, part) => sum + Buffer.byteLength(part) / 3.5, 0),
  };
}

const sentBody = z.object({
  messages: z.array(z.object({ content: z.string().nullish() })),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string() }) })).default([]),
});

test("in a small window a session begins with half of it at most, and a search gives the tools that were left out", async (t) => {
  const world = await makeWorld(t, [], { LOOP_CONTEXT_WINDOW: "4096" });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  world.provider.add(calls(["find-tools", { query: "links to a note" }]), calls(["backlinks", { id: "x" }]), {
    text: "Nothing links to it.",
  });
  const said = await talk.say("hello");
  assert.equal(said.end, "answered", said.text);
  const [first, second, third] = world.provider.requests.map(sentIn);
  assert.ok(first !== undefined && first.tokens <= 2048, `${first?.tokens} tokens`);
  assert.ok(first.tools.includes("find-tools") && first.tools.includes("read-file"), first.tools.join());
  assert.ok(!first.tools.includes("backlinks"), first.tools.join());
  assert.ok(second?.tools.includes("backlinks"), second?.tools.join());
  assert.deepEqual(third?.tools, second?.tools);
  assert.match(world.provider.requests[2]?.body ?? "", /\\"found\\":\[\]|backlinks/);
});

test("a window of 8192 tokens gets all tools of every turn in full words, and no search", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { LOOP_CONTEXT_WINDOW: "8192" });
  await using agent = await world.open();
  assert.equal((await (await talkTo(agent)).say("hello")).end, "answered");
  const { tools } = sentIn(world.provider.requests[0] as Recorded);
  assert.ok(tools.length > 12 && !tools.includes("find-tools"), tools.join());
});

test("a window that turns out smaller than it is set, in tokens of the server's own, makes the first message of a session shorter", async (t) => {
  const message = "request (6291 tokens) exceeds the available context size (4096 tokens), try increasing it";
  const body = JSON.stringify({ error: { code: 400, message, type: "exceed_context_size_error" } });
  const world = await makeWorld(
    t,
    [
      { status: 400, body },
      { text: "Hello.", repeat: true },
    ],
    {
      LOOP_CONTEXT_WINDOW: "16384",
    },
  );
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("hello");
  assert.equal(said.end, "answered", said.text);
  assert.equal((await talk.say("and now?")).end, "answered");
  const [whole, ...shorter] = world.provider.requests.map(sentIn);
  assert.equal(shorter.length, 2, "the second message was refused, too");
  const most = ((whole?.tokens ?? 0) * 4096) / 6291;
  for (const { tokens, tools } of shorter) {
    assert.ok(tokens < most * 0.75, `${tokens} tokens of ${most}`);
    assert.ok(tools.includes("find-tools"), tools.join());
  }
});

test("a real server with a context of 4096 tokens answers the first messages of a session", {
  skip: whyNoLlamaServer() ?? false,
}, async (t) => {
  await using server = await startLlamaServer(t, "stories260K-tools", "-c", "4096");
  await using proxy = await openAnswerCutter(server.url, 16);
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "llama",
    LLAMA_HOST: proxy.url,
    LLAMA_CONTEXT_WINDOW: "4096",
  });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  for (const words of ["Once upon a time", "And then?"]) {
    const said = await talk.say(words);
    assert.equal(said.end, "answered", said.text);
  }
});

test("doctor says what a small window cannot hold, and the setting of the server that makes it larger", async (t) => {
  const world = await makeWorld(t, [], { LOOP_CONTEXT_WINDOW: "4096" });
  const { out } = await world.command(["doctor"]);
  assert.match(
    out,
    /loop: a context of 4096 tokens is small\. .*LM Studio: Context Length.*LOOP_CONTEXT_WINDOW=16384/,
  );
  const large = await world.command(["doctor"], { settings: { LOOP_CONTEXT_WINDOW: "8192" } });
  assert.doesNotMatch(large.out, /is small/);
  assert.match(
    describeSmallWindow({ name: "llama", kind: "llama" }, { contextWindow: 4096 }) ?? "",
    /with -c 16384, and set LLAMA_CONTEXT_WINDOW=16384/,
  );
  assert.match(
    describeSmallWindow({ name: "ollama", kind: "ollama" }, { contextWindow: 4096, largestWindow: 8192 }) ??
      "",
    /OLLAMA_CONTEXT_WINDOW=8192.*num_ctx.*OLLAMA_CONTEXT_LENGTH=8192/,
  );
  assert.match(
    describeSmallWindow({ name: "ollama", kind: "ollama" }, { contextWindow: 2048, largestWindow: 2048 }) ??
      "",
    /choose another model/,
  );
});
