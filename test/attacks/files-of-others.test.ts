import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { outputOf, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { court } from "./trial-court.ts";

/**
 * Root in a container works over the files of the person outside. `.ci/run` runs these tests as root, too.
 */
const isRoot = process.getuid?.() === 0;
const person = 1000;

/** A workspace that belongs to somebody else, and is closed to all others. */
function closeTo(workspace: string): void {
  mkdirSync(join(workspace, "plans"));
  writeFileSync(join(workspace, "plans", "roses.txt"), "roses\n");
  execFileSync("chown", ["-R", `${person}:${person}`, workspace]);
  execFileSync("chmod", ["-R", "go-rwx", workspace]);
}

const change =
  "cat plans/roses.txt && echo tulips >> plans/roses.txt && echo oaks > plans/trees.txt && rm plans/weeds.txt";

if (isRoot)
  test("root reads and changes the files of another user, tried, approved and without an overlay, and their owner stays", async (t) => {
    const made = await court(t);
    if (made === null) return;
    const { workspace, path, attempt, approve, sandbox } = made;
    closeTo(workspace);
    const ways = {
      tried: async () => {
        const { said, kept } = await attempt(change);
        await kept.run(new AbortController().signal);
        return said;
      },
      approved: async () => outputOf(await approve(change)),
      "without an overlay": async () => outputOf(await shellIn(workspace, { sandbox }).run(change)),
    };
    for (const [way, run] of Object.entries(ways)) {
      writeFileSync(path("plans/weeds.txt"), "weeds\n");
      writeFileSync(path("plans/roses.txt"), "roses\n");
      const said = await run();
      assert.match(said, /"stdout":"roses\\n"/, `${way}: ${said}`);
      assert.match(said, /"exitCode":0/, `${way}: ${said}`);
      assert.equal(readFileSync(path("plans/roses.txt"), "utf8"), "roses\ntulips\n", way);
      const { uid, gid, mode } = statSync(path("plans/roses.txt"));
      assert.deepEqual([uid, gid, mode & 0o777], [person, person, 0o600], way);
      assert.throws(() => statSync(path("plans/weeds.txt")), { code: "ENOENT" }, way);
    }
    const shown = outputOf(await approve("ls -ln plans"));
    assert.match(shown, new RegExp(`-rw------- 1 ${person} ${person} .*roses`), shown);
  });

if (isRoot)
  test("a folder of another user that root moves keeps its owner, tried, approved and without an overlay", async (t) => {
    const made = await court(t);
    if (made === null) return;
    const { workspace, path, attempt, approve, sandbox } = made;
    closeTo(workspace);
    const move = ["mv plans tried", "mv tried approved", "mv approved direct"] as const;
    const { kept } = await attempt(move[0]);
    await kept.run(new AbortController().signal);
    const said = outputOf(await approve(move[1]));
    assert.match(said, /approved was moved, and all in it keeps its owner and group/);
    await shellIn(workspace, { sandbox }).run(move[2]);
    for (const name of ["direct", "direct/roses.txt"]) {
      const { uid, gid } = statSync(path(name));
      assert.deepEqual([uid, gid], [person, person], name);
    }
  });

if (isRoot)
  test("root's commands make no namespace, no device and no change of what is shown read-only, though they know all users", async (t) => {
    const made = await court(t);
    if (made === null) return;
    const { workspace, home, approve } = made;
    closeTo(workspace);
    writeFileSync(join(home, "read.txt"), "theirs\n");
    chownSync(join(home, "read.txt"), person, person);
    chmodSync(join(home, "read.txt"), 0o600);
    const tries = [
      "unshare --user true",
      "mknod disk b 8 0",
      "mount -t tmpfs none plans",
      `sh -c 'echo x >> ${join(home, "read.txt")}'`,
      `chmod 777 ${join(home, "read.txt")}`,
      "chmod 777 /dev/null",
      "chmod 777 /usr/bin/true",
      "sh -c 'echo 1 > /proc/sys/kernel/sysrq'",
      "sh -c 'echo 9 > /proc/sys/user/max_user_namespaces; unshare --user true'",
      "setpriv --reuid 1000 true",
      "chown 1001 plans",
    ];
    const script = tries
      .map((line, index) => `if ${line} 2>/dev/null; then echo DID ${index}; fi`)
      .join("\n");
    writeFileSync(join(workspace, "tries.sh"), script);
    const said = outputOf(await approve(`sh tries.sh ${join(home, "read.txt")}`));
    assert.match(said, /"exitCode":0/, said);
    assert.doesNotMatch(said, /DID/, said);
    assert.equal(readFileSync(join(home, "read.txt"), "utf8"), "theirs\n");
  });
