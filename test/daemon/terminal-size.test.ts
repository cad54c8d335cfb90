import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { calls, isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { listenTo } from "./wire-client.ts";

const settings = { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" };

test("a client tells the size of its terminal, and a size that no terminal has is refused", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "script", "bsdutils")) return;
  const size = calls(["terminal", { cmd: "stty size" }]);
  const world = await makeWorld(t, [size, { text: "Done." }, size, { text: "Done." }], settings);
  const listener = listenTo(t, world, await serveDaemon(world));
  const bad = await listener.request("terminal-size", { rows: 0, columns: 80 }, "s");
  assert.deepEqual(
    [payloadOf(bad)["outcome"], payloadOf(bad)["code"]],
    ["refused", "bad-size"],
    JSON.stringify(bad),
  );
  await listener.say("s", "how large is it?");
  assert.match(world.provider.requests[1]?.body ?? "", /24 80/);
  const good = await listener.request("terminal-size", { rows: 33, columns: 117 }, "s");
  assert.deepEqual([payloadOf(good)["outcome"], payloadOf(good)["code"]], ["said", "terminal-size"]);
  await listener.request("terminal-size", { rows: 33, columns: 501 }, "s");
  await listener.say("s", "and now?");
  assert.match(world.provider.requests[3]?.body ?? "", /33 117/);
});

for (const [client, args] of [
  ["the screen", ["tui"]],
  ["the reader", ["tui", "--screen-reader"]],
  ["the conversation line by line", ["cli"]],
  ["ask", ["ask", "'how large'"]],
] as const)
  test(`in ${client}, a program has the size of the terminal and is told when it changes`, async (t) => {
    if (isMissing(t, "tmux", "tmux") || isMissing(t, "bwrap", "bubblewrap")) return;
    if (isMissing(t, "script", "bsdutils")) return;
    const world = await makeWorld(
      t,
      [
        calls(["terminal", { cmd: "bash watch.sh" }]),
        // Waits for its end.
        calls(["terminal", { input: "" }]),
        { text: "Done." },
      ],
      settings,
    );
    writeFileSync(
      world.path("watch.sh"),
      "stty size; trap 'sleep 0.1; stty size; exit' WINCH; while :; do sleep 0.1; done",
    );
    await serveDaemon(world);
    await using terminal = await openTerminal(world, args, { columns: 101, rows: 31 });
    if (client !== "ask") {
      await terminal.shows(/^ › *$|^> *$|^Folder: /m);
      terminal.type("how large");
      terminal.press("Enter");
    }
    await world.provider.reached(2);
    assert.match(world.provider.requests[1]?.body ?? "", /31 101/);
    terminal.tmux("resize-window", "-x", "90", "-y", "27");
    await terminal.shows(/Done\./);
    assert.match(world.provider.requests[2]?.body ?? "", /27 90/);
  });
