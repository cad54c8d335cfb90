import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld } from "../agent-world.ts";
import { onSmallDisk } from "../small-disk.ts";

const write = [calls(["write-file", { path: "made.txt", content: "made\n" }]), { text: "Written." }];

// A ramfs does not say when its folders were made, as sticks and shares do not.
const script = `
STICK="$HOME/stick"; mkdir "$STICK"; mount -t ramfs none "$STICK"; cd "$STICK"
agent ask --session work "write it"
agent jobs add report --cron '0 3 * * *' --folder "$STICK" "Write it"; rm made.txt
MEMEX_DIR="$STICK" agent ask "/note first"
cd "$HOME"; echo "mounted: $(ls "$STICK")"; umount "$STICK" || exit 3
agent ask --session work "write it"
MEMEX_DIR="$STICK" agent ask "/note second"
daemon; agent jobs run report
for try in $(seq 60); do agent jobs log report | grep "report failed" && break; done
echo "unmounted: $(ls "$STICK")"
`;

test("a session, a job and notes on a disk that is not mounted any more write nothing into its mount point", async (t) => {
  const world = await makeWorld(t, [...write, ...write, ...write]);
  const out = await onSmallDisk(t, { world, place: "other", options: "size=1m" }, script);
  if (out === null) return;
  assert.match(out, /write-file: done: made\.txt/);
  assert.match(out, /mounted: inbox\.org\n/, out);
  assert.match(out, /unmounted: \n/, out);
  assert.match(
    out,
    /report failed: Its last call was refused and did nothing\. The folder of this conversation/,
    out,
  );
  assert.match(out, /its disk may not be mounted/, out);
});

test("a session says once that another folder is at its path", async (t) => {
  const world = await makeWorld(t, [{ text: "Yes.", repeat: true }]);
  const ask = async () => {
    const { out, err } = await world.command(["ask", "--session", "work", "hello"]);
    return out + err;
  };
  const other = /work is another folder than the one in which this session worked/;
  assert.doesNotMatch(await ask(), other);
  renameSync(world.workspace, `${world.workspace}-before`);
  mkdirSync(world.workspace);
  assert.match(await ask(), other);
  assert.doesNotMatch(await ask(), other);
});
