import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { bottomLabel } from "../../signal/label.ts";
import { makeScratchFolder, parser, shellIn } from "../tools/shell/shell.fixture.ts";
import { inBatches } from "./in-batches.ts";
import { planCommand } from "./plan.ts";

test("results come in the order of the items, and few items are worked on side by side", async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const work = countSideBySide(async (item: number) => {
    for (let turn = 0; turn < item % 7; turn += 1) await setImmediate();
    return item * 2;
  });
  const results = await Array.fromAsync(inBatches(items, work.run));
  assert.deepEqual(
    results,
    items.map((item) => item * 2),
  );
  assert.ok(work.most() <= 32, `${work.most()} side by side`);
});

test("the commands of a long line are looked up a few at a time", async () => {
  for (const line of ["dd /xy; ".repeat(1_100)]) {
    const cmd = `${line}dd /xy`;
    const lookUp = countSideBySide(async (path: string) => {
      await setImmediate();
      return path;
    });
    const plan = await planCommand(cmd, await parser.parse(cmd, "/home/u"), {
      cwd: "/nowhere",
      workspace: "/nowhere",
      searchPath: "/usr/bin:/bin",
      mayLook: true,
      resolvePath: lookUp.run,
      exists: async () => false,
      home: "/home/u",
      confined: true,
      isSecretPath: () => false,
      isForbidden: () => false,
      isHidden: async () => false,
      network: null,
      credentials: [],
    });
    assert.ok(plan.flatMap(({ commands }) => commands).length > 1_000);
    assert.ok(lookUp.most() <= 32, `${lookUp.most()} side by side`);
  }
});

test("a line of a thousand commands over a thousand files names the files once in what is approved", async (context) => {
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "many"));
  for (let index = 0; index < 1_000; index += 1) await writeFile(join(folder, "many", `f${index}.py`), "x");
  const labelled: string[] = [];
  const shell = shellIn(folder, {
    labelOfRead: async ({ path }) => {
      labelled.push(path);
      return bottomLabel;
    },
  });
  const prepared = await shell.prepare(`python3 many;${"x;".repeat(1_000)}x`);
  assert.ok(prepared.ok);
  assert.equal(JSON.stringify(prepared.plan).split("/many/f999.py").length, 2);
  assert.equal(labelled.filter((path) => path.endsWith("/many/f999.py")).length, 1);
});

function countSideBySide<Item, Result>(work: (item: Item) => Promise<Result>) {
  let [running, most] = [0, 0];
  return {
    most: () => most,
    run: async (item: Item): Promise<Result> => {
      running += 1;
      most = Math.max(most, running);
      const result = await work(item);
      running -= 1;
      return result;
    },
  };
}
