import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { isTestSecretPath, parser, shellDataFor } from "../tools/shell.fixture.ts";
import type { PathUse } from "./programs/proof.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";

const line = z.object({ cmd: z.string(), expect: z.string(), category: z.string() });

/** As the path gate will say: contents only inside the workspace, secret paths never. */
function mayRead({ path, access }: PathUse): boolean {
  const real = resolve("/workspace", path);
  if (isTestSecretPath(real)) return false;
  return (
    access === "names" || real === "/workspace" || real.startsWith("/workspace/") || real === "/dev/null"
  );
}

async function passes(cmd: string): Promise<boolean> {
  const program = await parser.parse(cmd, "/home/u");
  if (program.kind === "opaque") return false;
  return program.pipelines
    .flatMap(({ commands }) => commands)
    .every(({ argv, assignments, redirects }) => {
      const proof = proveHarmless(argv);
      const files = redirects.filter(({ op }) => op !== "<<<" && op !== ">&");
      return (
        proof.harmless &&
        assignments.length === 0 &&
        proof.reads.every(mayRead) &&
        files.every(
          ({ op, target }) =>
            target === "/dev/null" ||
            (op === "<" && mayRead({ path: target, access: "contents", tree: false })),
        )
      );
    });
}

test("no labelled command passes that must not, and most commands that only read pass", async (context) => {
  const folder = shellDataFor(context);
  if (folder === null) return;
  const counted = { reading: 0, passed: 0 };
  const wrong: string[] = [];
  for (const name of ["benign", "dangerous", "gtfobins-gpl3", "recon"]) {
    const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString("utf8");
    for (const each of text.split("\n").filter((row) => row !== "")) {
      const { cmd, expect } = line.parse(JSON.parse(each));
      const passed = await passes(cmd);
      if (passed && (expect === "deny" || expect === "ask_or_deny")) wrong.push(cmd);
      if (expect === "allow") {
        counted.reading += 1;
        counted.passed += Number(passed);
      }
    }
  }
  context.diagnostic(
    `${counted.passed} of ${counted.reading} reading commands pass (${((100 * counted.passed) / counted.reading).toFixed(1)} %)`,
  );
  assert.deepEqual(wrong, []);
  assert.ok(counted.passed / counted.reading > 0.807);
});
