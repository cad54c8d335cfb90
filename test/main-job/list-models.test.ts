import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("a question about models is answered by the table of the program, and no provider is asked for its list", async (t) => {
  const asked: string[] = [];
  const quiet = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => quiet.listen(0, "127.0.0.1", resolve));
  t.after(() => quiet.close());
  const { port } = quiet.address() as AddressInfo;
  const list = calls(["list-models", { about: "sonnet" }]);
  const world = await makeWorld(t, [{ text: "Hi." }, list, { text: "Done." }], {
    PROVIDER_CASCADE: "loop,quiet,anthropic",
    QUIET_BASE_URL: `http://127.0.0.1:${port}/v1`,
    QUIET_MODEL: "sonnet-quiet",
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
    ANTHROPIC_API_KEY: "",
    COGNITION_MODEL: "loop/sonnet-small",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  assert.doesNotMatch(sent(world, 0), /list-models/);
  await talk.say("Which model is cheapest for long texts?");
  assert.match(sent(world, 1), /"name":"list-models"/);
  const [outcome] = named(talk.events, "outcome");
  assert.equal(outcome?.status, "success");
  const told = JSON.stringify(outcome?.content);
  assert.match(told, /claude-sonnet-4-5[^}]*\$3\.00 in, \$15\.00 out, a million tokens/);
  assert.match(told, /ANTHROPIC_API_KEY|has no key/);
  assert.match(told, /sonnet-small/);
  assert.match(told, /sonnet-quiet/);
  assert.doesNotMatch(told, /opus/);
  assert.deepEqual(asked, []);
});

test("the list of models is shown with its indentation as blanks", async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data: [{ id: "one" }, { id: "two" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "other",
    OTHER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OTHER_MODEL: "one",
  });
  const { out } = await world.command(["models"]);
  assert.match(out, /^ {2}\* one: /m);
  assert.match(out, /^ {4}two: /m);
});
