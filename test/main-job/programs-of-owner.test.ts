import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

test("npm of a version manager in the home runs, tried and approved", async (t) => {
  for (const trials of ["true", "false"]) {
    const world = await makeWorld(t);
    const bin = join(world.home, ".nvm/versions/node/v20/bin");
    const files = {
      "../bin/node": '#!/bin/sh\nexec /bin/sh "$@"\n',
      "../lib/node_modules/npm/bin/npm-cli.js":
        '#!/usr/bin/env node\n. "$(dirname "$(readlink -f "$0")")/../lib/cli.js"\n',
      "../lib/node_modules/npm/lib/cli.js": "echo ran the npm of this version\n",
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(bin, name)), { recursive: true });
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
    const agent = await world.open({ TRIALS: trials, PATH: `${bin}:/usr/bin:/bin` });
    t.after(() => agent[Symbol.asyncDispose]());
    const talk = await talkTo(agent);
    world.provider.add(calls(["shell", { cmd: "npm test" }]), { text: "done" });
    await talk.say("please run the tests");
    if (trials === "false") {
      const approved = await agent.runCommand({ kind: "approve", token: talk.token() }, talk.session);
      assert.ok(approved.kind === "turn");
      await agent.whenSettled(approved.turn);
    }
    assert.match(JSON.stringify(named(talk.events, "outcome")), /ran the npm of this version/, trials);
  }
});
