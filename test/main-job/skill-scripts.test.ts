import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import { withoutSandbox } from "../mcp/mcp-world.ts";

const files = {
  "SKILL.md":
    "---\nname: tide-tables\ndescription: Computes tides. Use for tides.\n---\n\nRun scripts/tide.sh\n",
  "scripts/tide.sh":
    '. "$(dirname "$0")/../lib/moon.sh"\necho "tide of $(moon) in $(cat "$(dirname "$0")/table.txt")"\n',
  "scripts/table.txt": "table one\n",
  "lib/moon.sh": "moon() { echo moon; }\n",
  ".env": "KEY=swan-of-the-skill\n",
};

test("scripts of a skill in force run from its own folder, with their neighbours, read-only; not once it differs from what was accepted", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  const folder = join(world.home, "kept", "tide-tables");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const place = join(world.home, ".agents", "skills");
  mkdirSync(place, { recursive: true });
  symlinkSync(folder, join(place, "tide-tables"));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  /** What a command printed, after the owner's yes. */
  const run = async (cmd: string): Promise<string> => {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const asked = await talk.say(`Compute the tides by ${cmd}`);
    if (asked.end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    const request = sent(world, world.provider.requests.length - 1);
    return request.slice(request.lastIndexOf('"role":"tool"'));
  };
  const tide = /tide of moon in table one/;
  const script = `${place}/tide-tables/scripts/tide.sh`;
  assert.doesNotMatch(await run(`cd ${place}/tide-tables && bash scripts/tide.sh`), tide);
  const enabled = await world.command(["skill", "enable", "tide-tables", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  for (const cmd of [
    `bash ${script}`,
    `bash ~/.agents/skills/tide-tables/scripts/tide.sh`,
    `sh ${folder}/scripts/tide.sh`,
    `cd ${place}/tide-tables && bash scripts/tide.sh`,
    `cd ~/.agents/skills/tide-tables/scripts; bash ./tide.sh | cat`,
  ])
    assert.match(await run(cmd), tide, cmd);
  const places = [folder, `${place}/tide-tables`, "~/.agents/skills/tide-tables"];
  const looks = places.map((one) => `cat ${one}/.env`).join("; ");
  const written = await run(`cd ${folder}/scripts && echo new > new.txt; ${looks}; set -- ~/.agents`);
  assert.match(written, /new\.txt: Read-only file system/);
  assert.deepEqual([existsSync(join(folder, "scripts/new.txt")), written.includes("swan")], [false, false]);
  writeFileSync(join(folder, "scripts/table.txt"), "another table\n");
  assert.doesNotMatch(await run(`cd ${place}/tide-tables && bash scripts/tide.sh`), /tide of moon/);
});
