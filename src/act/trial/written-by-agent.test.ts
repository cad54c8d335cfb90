import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { CalledResult } from "../../signal/called-result.ts";
import { bottomLabel } from "../../signal/label.ts";
import { makeWrittenFiles } from "./written-by-agent.ts";

test("a look reads the change of each command once, and only where a path stands in its folder", async () => {
  const read: string[] = [];
  const look = makeWrittenFiles({
    changes: {
      ofFile: async () => [],
      preImage: async () => ({ status: "lost" }),
      neededCommands: async () => {
        read.push("commands");
        return new Map([
          ["here", "/ada/a"],
          ["elsewhere", "/ada/b"],
        ]);
      },
    },
    overlays: {
      displacedBy: async (set) => {
        read.push(set);
        return [{ path: "/ada/a/one", kept: null }];
      },
    },
  });
  const written = await look([found("1", ["one", "two"], "of one"), found("2", ["one"], "again")], "/ada/a");
  assert.deepEqual(read, ["commands", "here"]);
  assert.deepEqual([...written.keys()], ["1", "2"]);
});

test("a file below a folder that a command replaced has what stands there now and did not before", async (t) => {
  const kept = await makeFolder(t);
  await mkdir(join(kept, "sub"));
  await writeFile(join(kept, "sub", "page"), "see https://old.example");
  const look = makeWrittenFiles({
    changes: {
      ofFile: async () => [],
      preImage: async () => ({ status: "lost" }),
      neededCommands: async () => new Map([["set", "/ada/a"]]),
    },
    overlays: { displacedBy: async () => [{ path: "/ada/a/docs", kept }] },
  });
  const result = found("1", ["docs/sub/page"], "see https://old.example https://new.example");
  const words = (await look([result], "/ada/a")).get("1") ?? [];
  assert.match(words.join(" "), /new\.example/);
  assert.doesNotMatch(words.join(" "), /old\.example/);
});

function found(id: string, paths: readonly string[], text: string): CalledResult {
  const content = { matches: paths.map((path) => ({ path, text })) };
  return { id, tool: "search-files", args: {}, content, label: bottomLabel };
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "passepartout-test-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}
