import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, isMissing, makeWorld, named, providerKey, talkTo } from "../agent-world.ts";

test("what a command prints is shown while it runs, with keys masked; a stop ends it, and nothing is shown after it", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const loud = `i=0; while :; do i=$((i+1)); printf 'key %s \\033[2J' "$(cat key.txt)"; echo "end of line $i"; sleep 0.1; done`;
  const world = await makeWorld(t, [calls(["shell", { cmd: loud }])], { TRIALS: "true" });
  writeFileSync(world.path("key.txt"), providerKey);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const seen = Promise.withResolvers<Extract<LoopEvent, { type: "output" }>>();
  daemon.subscribe((event) => {
    if (event.type === "output" && event.text.includes("end of line 3")) seen.resolve(event);
  });
  const running = talk.say("run it");
  const { text, call } = await seen.promise;
  assert.match(text, /^key \[masked: [a-z-]+\] ␛\[2Jend of line 1\n/);
  assert.ok(!text.includes(providerKey) && !text.includes("\u001b"));
  await talk.say("/stop");
  const { events } = await running;
  assert.equal(named(events, "proposed")[0]?.call, call);
  assert.equal(events.at(-1)?.type, "stopped");
  const shown = named(events, "output").map((event) => event.text);
  assert.ok(shown.length >= 1 && new Set(shown).size === shown.length);
  assert.ok(!JSON.stringify(talk.events).includes(providerKey));
});

test("a stop and a cleared conversation end its session of code and the program on its terminal", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "script", "bsdutils")) return;
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const command of ["/stop", "/clear"]) {
    world.provider.add(
      calls(["repl", { code: "var kept = 6 * 7; kept" }]),
      calls(["terminal", { cmd: "cat" }]),
      { text: "Begun." },
      calls(["repl", { code: "typeof kept" }]),
      calls(["terminal", { input: "x\n" }]),
      { text: "Gone." },
    );
    assert.equal((await talk.say("begin")).end, "answered");
    const ended = await talk.say(command);
    assert.ok(["said", "stopped"].includes(ended.end), ended.end);
    const after = JSON.stringify(named((await talk.say("look")).events, "outcome"));
    assert.match(after, /undefined.*"session":"new"/);
    assert.match(after, /No program runs on the terminal/);
  }
});
