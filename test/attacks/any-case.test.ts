import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ignoresCaseInside, refuseSpellings } from "../../src/act/files/ignores-case.ts";
import { calls, isMissing, makeWorld, sent, talkTo } from "../agent-world.ts";

const secret = "hunter2wombats4711";

/** A disk of Windows that is mounted so that names are found in any case; null where none can be. */
function diskOfAnyCase(t: TestContext, folder: string) {
  if (!existsSync("/dev/fuse") || !existsSync("/usr/bin/lowntfs-3g")) {
    t.skip("needs /dev/fuse and the package ntfs-3g");
    return null;
  }
  const [image, disk] = [join(folder, "image"), join(folder, "disk")];
  mkdirSync(disk);
  writeFileSync(image, "");
  truncateSync(image, 20_000_000);
  execFileSync("/usr/sbin/mkntfs", ["-q", "-F", image], { stdio: "ignore" });
  execFileSync("/usr/bin/lowntfs-3g", [image, disk, "-o", "ignore_case"]);
  return { disk, [Symbol.dispose]: (): void => void execFileSync("/usr/bin/umount", ["--lazy", disk]) };
}

// Ordinary users may not mount such a disk everywhere.
if (process.getuid?.() === 0)
  test("on a disk that ignores case no spelling of a secret file's name lets a command read it, and words say what to do", async (t) => {
    if (isMissing(t, "bwrap", "bubblewrap")) return;
    const lines = [".ENV", ".eNv", "sub/.ENV"].map((name) => `python3 -c "print(open('${name}').read())"`);
    const steps = lines.map((cmd) => calls(["shell", { cmd }]));
    const world = await makeWorld(t, [...steps, { text: "Done." }], { TRIALS: "true" });
    using made = diskOfAnyCase(t, world.home);
    if (made === null) return;
    mkdirSync(join(made.disk, "sub"));
    for (const name of [".env", "sub/.env"]) writeFileSync(join(made.disk, name), `KEY=${secret}\n`);
    assert.equal(await ignoresCaseInside(made.disk), true);
    await using agent = await world.open({}, { cwd: made.disk });
    const talk = await talkTo(agent);
    await talk.say("run them");
    // No copy of the disk would be true, so each line asks.
    for (const _ of lines) await talk.say(`/approve ${talk.token()}`);
    const requests = world.provider.requests.map((_, at) => sent(world, at));
    assert.equal(requests.length, steps.length + 1);
    assert.ok(requests.every((request) => !request.includes(secret)));
    const last = requests.at(-1) ?? "";
    assert.equal(last.match(/\.env must be kept from commands, and its disk ignores/g)?.length, lines.length);
  });

test("two names of one file, and names without letters, are no disk that ignores case", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path(".env"), "");
  linkSync(world.path(".env"), world.path(".ENV"));
  writeFileSync(world.path("123"), "");
  assert.equal(await refuseSpellings([".env", ".ENV", "123", "missing"].map(world.path)), null);
  assert.equal(await ignoresCaseInside(world.workspace), false);
});
