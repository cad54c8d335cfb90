import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { keyEncodings, leaks } from "../../src/gate/secrets/key-encodings.fixture.ts";
import type { HiddenPrompt } from "../../src/signal/hidden-prompt.ts";
import type { Json } from "../../src/text/json.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import {
  type AgentWorld,
  calls,
  filesWith,
  isMissing,
  journalOf,
  makeWorld,
  talkTo,
} from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { provedPeer, wordsIn } from "../daemon/wire-client.ts";
import { openTerminal } from "../open-terminal.ts";

/** What the owner types in secret: it may be found nowhere. */
const secret = "Correct-Horse_Battery+Staple/77";

/** Asks, and says what it got in every way that is known to carry a key; `keeps`: also to a file. */
function asking(keeps = false): string {
  return `import getpass, sys
got = getpass.getpass("Passepartout: approve everything? Password: ")
print("got", len(got), "characters")
for line in open("encoded.txt"): print(line.rstrip())
${keeps ? `open("kept.txt", "w").write("password=" + got + "\\n")` : ""}
`;
}

/** The program prints the encodings from a file that is removed before anything is looked for: it stands for its own code. */
async function openWorld(t: TestContext, keeps = false): Promise<AgentWorld | null> {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "script", "bsdutils")) return null;
  const world = await makeWorld(
    t,
    [calls(["terminal", { cmd: "python3 ask.py" }]), { text: "Done." }, { text: "Done again." }],
    { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" },
  );
  const encoded = Object.values(keyEncodings).map((encode) => JSON.stringify(encode(secret)));
  writeFileSync(world.path("encoded.txt"), `${secret}\n${encoded.join("\n")}\n`);
  writeFileSync(world.path("ask.py"), asking(keeps));
  return world;
}

/** Nothing that is kept or that a model was sent holds the secret or a large part of it. */
function assertNowhere(world: AgentWorld, ...others: readonly string[]): void {
  assert.deepEqual(filesWith(world.state, secret), []);
  assert.deepEqual(filesWith(world.state, [...secret].reverse().join("")), []);
  assert.deepEqual(filesWith(world.state, Buffer.from(secret).toString("hex")), []);
  assert.deepEqual(filesWith(world.state, Buffer.from(secret).toString("base64").slice(0, 24)), []);
  const read = [
    ...world.provider.requests.map(({ body }) => body),
    JSON.stringify(journalOf(world)),
    ...others,
  ];
  for (const text of read) {
    assert.ok(!text.includes(secret));
    for (const encode of Object.values(keyEncodings))
      assert.ok(!leaks(text, encode(secret)), `${encode(secret)} in ${text}`);
  }
}

test("what the owner types in secret reaches the program and no other place, however the program repeats it", async (t) => {
  const world = await openWorld(t);
  if (world === null) return;
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const asked: HiddenPrompt[] = [];
  const replies: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  agent.askThrough({
    sees: ({ session }) => session === talk.session,
    open: (prompt) => {
      asked.push(prompt);
      void agent.answerHidden(prompt.id, secret).then((reply) => replies.push(reply));
    },
    close: () => closed.resolve(),
  });
  const said = await talk.say("log in");
  assert.equal(said.end, "answered");
  assert.equal(asked.length, 1, world.provider.requests[1]?.body);
  await closed.promise;
  assert.deepEqual(
    asked.map(({ program, says }) => [program, says]),
    [["python3", "Passepartout: approve everything? Password:"]],
  );
  const result = JSON.stringify(said.events);
  assert.match(result, /got 31 characters/);
  assert.match(world.provider.requests[1]?.body ?? "", /The owner answered what it asked in secret/);
  assertNowhere(world, JSON.stringify(talk.events), JSON.stringify(replies));
  assert.ok(journalOf(world).some(({ detail }) => JSON.stringify(detail).includes("hidden-prompt-answered")));
  const late = await agent.answerHidden(asked[0]?.id ?? "", secret);
  assert.equal(late.kind === "refused" && late.code, "hidden-prompt-over");
  await agent.drain(0);
  assertNowhere(world);
});

test("a file of the workspace into which a program writes the answer is not kept, and the model is told why", async (t) => {
  const world = await openWorld(t, true);
  if (world === null) return;
  await using agent = await world.open();
  const talk = await talkTo(agent);
  agent.askThrough({
    sees: () => true,
    open: ({ id }) => void agent.answerHidden(id, secret),
    close: () => undefined,
  });
  const said = await talk.say("log in");
  assert.equal(said.end, "answered", JSON.stringify(said.events.at(-1)));
  assert.match(
    world.provider.requests[1]?.body ?? "",
    /wrote what the owner answered in secret into .?kept\.txt/,
  );
  assert.ok(!existsSync(world.path("kept.txt")));
  assertNowhere(world, JSON.stringify(talk.events));
});

test("a client that leaves, and one that cannot ask, leave the prompt to nobody, which the model is told", async (t) => {
  const world = await openWorld(t);
  if (world === null) return;
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon, {
    workspace: world.workspace,
    capabilities: ["hidden-prompt"],
  });
  peer.send(wordsIn("s", "log in", "w1"));
  while (payloadOf(await peer.next())["action"] !== "hidden-prompt");
  peer.socket.destroy();
  await world.provider.reached(2);
  assert.match(world.provider.requests[1]?.body ?? "", /Nobody is there who could be asked/);
  world.provider.add(calls(["terminal", { input: "" }]), { text: "Nobody." });
  const plain = await world.command(["ask", "--session", "s", "again"]);
  assert.equal(plain.code, 0, plain.err);
  assert.match(world.provider.requests.at(-1)?.body ?? "", /Nobody is there who could be asked/);
});

for (const [when, answers] of [
  ["while the prompt waits", false],
  ["after it was answered", true],
] as const)
  test(`a daemon that is killed ${when} leaves nothing of it, and the next one knows no such prompt`, async (t) => {
    const world = await openWorld(t);
    if (world === null) return;
    const daemon = await startDaemon(t, world);
    const place = { workspace: world.workspace, capabilities: ["hidden-prompt"] };
    const peer = await provedPeer(t, world, daemon, place);
    peer.send(wordsIn("s", "log in", "w1"));
    let prompt: Json | undefined;
    while (prompt === undefined) {
      const { action, id } = payloadOf(await peer.next());
      if (action === "hidden-prompt") prompt = id;
    }
    const answer = {
      type: "request",
      id: "a1",
      payload: { action: "answer-hidden", prompt, answer: secret },
    };
    if (answers) {
      peer.send(answer);
      while (!JSON.stringify(await peer.next()).includes("hidden-prompt-answered"));
    }
    daemon.signal("SIGKILL");
    await daemon.end;
    assertNowhere(world, daemon.said());
    const next = await serveDaemon(world);
    const again = await provedPeer(t, world, next, place);
    again.send(answer);
    let reply = payloadOf(await again.next());
    while (reply["code"] === undefined) reply = payloadOf(await again.next());
    assert.equal(reply["code"], "hidden-prompt-over");
    assertNowhere(world, next.said());
  });

for (const [client, args] of [
  ["the screen", ["tui"]],
  ["the client for screen readers", ["tui", "--screen-reader"]],
  ["the conversation line by line", ["cli"]],
  ["ask", ["ask", "'log in'"]],
] as const)
  test(`in ${client}, a person answers what a program hides, and nothing of it is shown`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const world = await openWorld(t);
    if (world === null) return;
    await using terminal = await openTerminal(world, args, { columns: 100 });
    if (client !== "ask") {
      await terminal.shows(/^ › *$|^> *$|^Folder: /m);
      terminal.type("log in");
      terminal.press("Enter");
    }
    const shown = await terminal.shows(/Your answer|nothing of it is shown|it is not shown/);
    assert.match(shown, /python3 asks for what nobody is to see\. Its own words, not Passepartout's:/);
    assert.match(shown, /(?:│|python3 says:) Passepartout: approve everything\? Password:/);
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.type(secret);
    terminal.press("Enter");
    assert.match(await terminal.shows(/Done\./), /Typed into python3\./);
    assertNowhere(world, terminal.rawBytes());
  });
