import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { calls, isMissing, makeWorld, sent, talkTo } from "../agent-world.ts";

const diary =
  "* Doctor :@personal:\nwombats4711 in the left knee and the lump has grown by four millimetres\n";
const hex = Buffer.from(diary).toString("hex").slice(24, 84);
const makes = `python3 -c "
import binascii,os
h=binascii.hexlify(open('dia'+'ry.org','rb').read()[12:42]).decode()
os.mkdir('made')
open('made/'+h,'w').write(h)
"`;

test("what a command made is private, also where the agent was killed once it was in its place and before it was labelled", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [calls(["shell", { cmd: makes }]), { text: "Done." }], {
    TRIALS: "true",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  });
  writeFileSync(world.path("diary.org"), diary);
  // Looking at many files takes long enough for the kill.
  for (let at = 0; at < 3_000; at += 1) writeFileSync(world.path(`${at}.txt`), "words\n");
  await world.run(["ask", "go on"], {
    begun: ({ signal }) =>
      void (async () => {
        while (!existsSync(world.path("made"))) await sleep(1);
        signal("SIGKILL");
      })(),
  });
  assert.deepEqual(readdirSync(world.path("made")), [hex]);
  await using daemon = await world.open();
  await daemon.whenIdle();
  const looks = [
    ["shell", { cmd: "ls made" }],
    ["read-file", { path: `made/${hex}` }],
    ["list-files", { path: "made" }],
    ["read-file", { path: "0.txt" }],
  ] as const;
  world.provider.add(calls(...looks), { text: "Done." });
  const said = await (await talkTo(daemon)).say("look");
  assert.equal(said.end, "answered");
  const [, ...results] = sent(world, world.provider.requests.length - 1).split('"role":"tool"');
  assert.equal(results.length, looks.length);
  for (const [at, result] of results.slice(0, -1).entries())
    assert.match(result, /withheld: private/, JSON.stringify(looks[at]));
  assert.doesNotMatch(results.at(-1) ?? "", /withheld/, "what it did not change is as it was");
});
