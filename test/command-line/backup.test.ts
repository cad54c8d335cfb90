import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { onSmallDisk } from "../small-disk.ts";

const backupReport = z.object({ files: z.int(), key: z.enum(["none", "left-out"]) });
const planReport = z.object({ places: z.array(z.object({ kind: z.string() })) });
const restoreReport = z.object({ restored: z.array(z.object({ aside: z.string() })) });

test("a backup that finds no room says which disks it may be and what to do, and nothing of it stays", async (t) => {
  const world = await makeWorld(t);
  const said = await onSmallDisk(
    t,
    { world, place: "small", options: "size=16k" },
    `agent skill list >/dev/null; head -c 200000 /dev/urandom > "$HOME/memex-file"; mkdir -p "$HOME/memex"; mv "$HOME/memex-file" "$HOME/memex/big.org"
    agent backup --notes "$DISK/kept.backup"; ls "$DISK"`,
  );
  if (said === null) return;
  assert.match(
    said,
    /No room is left on the disk of \S+\/small, where .*Free some space, or name a FILE.*\ncode 1\n$/,
  );
});

test("a state whose disk is full or read-only is backed up to another disk, with a daemon and without", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const said = await onSmallDisk(
    t,
    { world, place: ".local/state/passepartout", options: "size=24m" },
    `agent ask "hello"; fill; agent backup "$HOME/a.tgz"; daemon; agent backup "$HOME/b.tgz"
    kill $DAEMON; wait $DAEMON; free; mount -o remount,ro "$DISK"; agent backup "$HOME/c.tgz"; ls "$HOME"`,
  );
  if (said === null) return;
  assert.equal(said.match(/\.tgz has 2 files .*read back/g)?.length, 3, said);
  assert.match(said, /\na\.tgz\nb\.tgz\nc\.tgz\n(?!.*partial)/);
});

test("a restore needs room for all that comes onto a disk together, and no more; its words name what is free", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const said = await onSmallDisk(
    t,
    { world, place: "disk", options: "size=18m" },
    `export XDG_STATE_HOME="$DISK/state" MEMEX_DIR="$DISK/one:$DISK/two"; mkdir "$DISK/one" "$DISK/two"
    for at in one two; do head -c 3000000 /dev/urandom > "$DISK/$at/picture.jpg"; done
    agent ask "hello"; agent backup --notes "$HOME/a.tgz"; agent restore --notes --yes "$HOME/a.tgz"; rm -r "$DISK"/*.before-restore-*
    head -c 6000000 /dev/zero > "$DISK/other"; agent restore --notes --yes "$HOME/a.tgz"`,
  );
  if (said === null) return;
  assert.match(said, /To take this back: passepartout restore --undo\ncode 0\n/);
  assert.match(
    said,
    /There is no room on the disk of \S+ and \S+one and \S+two: .* so 7\.\d MB are needed and \d\.\d MB are free\. Free .* or more there\..*\ncode 1\n$/,
  );
});

test("a backup is made beside a running daemon, restored after it, shown first, and taken back", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.home, "kept.backup");
  const daemon = await startDaemon(t, world);
  await world.command(["ask", "/note Water the roses"]);
  const made = await world.command(["backup", "--notes", "--json", file]);
  assert.equal(made.code, 0, made.err);
  const other = join(world.home, "my other.backup");
  const told = await world.command(["backup", "--notes", other]);
  assert.ok(told.out.endsWith(`To restore it: passepartout restore --notes '${other}'\n`), told.out);
  assert.ok(!(await world.command(["backup", join(world.home, "bare")])).out.includes("--notes"));
  const bare = await world.command(["restore", "--dry-run", other]);
  assert.match(bare.out, /The notes in it \(.*memex\) stay out: add --notes to restore them too\./);
  assert.ok(backupReport.parse(JSON.parse(made.out)).files >= 3, made.out);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const running = await world.command(["restore", "--yes", file]);
  assert.deepEqual([running.code, running.out], [1, ""]);
  assert.match(
    running.err,
    /An agent runs now, so nothing was restored\. Leave all conversations and stop the daemon .*, then try again\./,
  );
  daemon.signal("SIGTERM");
  await daemon.end;
  const inbox = join(world.home, "memex/inbox.org");
  writeFileSync(inbox, "* Gone\n");
  const asked = await world.command(["restore", "--notes", file]);
  assert.deepEqual([asked.code, asked.out], [1, ""]);
  assert.match(
    asked.err,
    /is whole\.\nIt takes the place of:\n {2}\S+: \d+ files .*; there are \d+ files now/,
  );
  assert.match(asked.err, /Nothing was changed\. To restore it, add --yes\./);
  const dry = await world.command(["restore", "--notes", "--dry-run", "--json", file]);
  assert.equal(dry.code, 0, dry.err);
  assert.deepEqual(
    planReport.parse(JSON.parse(dry.out)).places.map(({ kind }) => kind),
    ["state", "notes"],
  );
  assert.equal(readFileSync(inbox, "utf8"), "* Gone\n");
  const done = await world.command(["restore", "--notes", "--yes", file]);
  assert.equal(done.code, 0, done.err);
  assert.match(
    done.out,
    /is restored\. What was there is in .*\nTo take this back: passepartout restore --undo\n$/s,
  );
  assert.match(readFileSync(inbox, "utf8"), /Water the roses/);
  assert.match((await world.command(["memory", "show"])).out, /own memory/);
  assert.equal((await world.command(["journal", "verify"])).code, 0);
  assert.match((await world.command(["journal", "tail"])).out, /event="restored"/);
  const undone = await world.command(["restore", "--undo", "--json"]);
  assert.equal(undone.code, 0, undone.err);
  assert.equal(readFileSync(inbox, "utf8"), "* Gone\n");
  assert.ok(restoreReport.parse(JSON.parse(undone.out)).restored.every(({ aside }) => existsSync(aside)));
});
