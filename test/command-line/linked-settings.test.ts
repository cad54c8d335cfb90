import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

const standup = "#+TITLE: Jobs\n\n* standup\n:PROPERTIES:\n:CRON: 0 9 * * *\n:END:\nwrite the standup\n";
const hello = "* hello\nSay hello.\n";

for (const linked of ["file", "folder"] as const) {
  test(`jobs and own commands are read and written where the ${linked} of the settings is a link`, async (t) => {
    const world = await makeWorld(t);
    const dotfiles = join(dirname(world.configuration), "dotfiles");
    mkdirSync(world.configuration, { recursive: true });
    if (linked === "folder") {
      renameSync(world.configuration, dotfiles);
      symlinkSync(dotfiles, world.configuration);
    } else {
      mkdirSync(dotfiles);
      for (const name of ["jobs.org", "commands.org"])
        symlinkSync(join(dotfiles, name), join(world.configuration, name));
    }
    writeFileSync(join(dotfiles, "jobs.org"), standup);
    writeFileSync(join(dotfiles, "commands.org"), hello);
    const added = await world.command(["jobs", "add", "plants", "--cron", "0 8 * * *", "water"]);
    assert.equal(added.code, 0, added.err);
    const [text, link] = [join(dotfiles, "jobs.org"), join(world.configuration, "jobs.org")];
    assert.match(readFileSync(text, "utf8"), /^\* standup$.*^\* plants$/ms);
    if (linked === "file") assert.ok(lstatSync(link).isSymbolicLink());
    const accepted = await world.command(["jobs", "add", "standup"]);
    assert.equal(accepted.code, 0, accepted.err);
    const said = await world.command(["ask", "/hello"]);
    assert.match(said.err, /no step left/, "the words of the command reach the model");
    assert.doesNotMatch((await world.command(["ask", "/helo"])).err, /no step left/);
    rmSync(text);
    if (linked === "folder") return;
    const lost = await world.command(["jobs", "add", "standup"]);
    assert.match(lost.err, /jobs\.org: it is a link that leads nowhere\. Mount the disk/);
    const again = await world.command(["jobs", "add", "more", "--cron", "0 8 * * *", "water"]);
    assert.equal(again.code, 1);
    assert.match(again.err, /leads nowhere.*Nothing was written/s);
  });
}
