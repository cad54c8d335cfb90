import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { isTestSecretPath, parser, shellDataFor } from "../tools/shell/shell.fixture.ts";
import { expandGlobs } from "./expand-globs.ts";
import type { PathUse } from "./programs/proof.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";

const line = z.object({ id: z.string(), cmd: z.string(), expect: z.string(), category: z.string() });

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
  const place = { cwd: "/workspace", mayLook: false, exists: async () => false, isHidden: async () => false };
  const parsed = program.pipelines.flatMap(({ commands }) => commands);
  const expanded = await Promise.all(parsed.map((command) => expandGlobs(command, place)));
  return expanded.every((command) => {
    if (typeof command === "string") return false;
    const { argv, assignments, redirects } = command;
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
  const halves = { first: { reading: 0, passed: 0 }, second: { reading: 0, passed: 0 } };
  const wrong: string[] = [];
  for (const name of ["benign", "dangerous", "gtfobins-gpl3", "recon"]) {
    const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString("utf8");
    for (const each of text.split("\n").filter((row) => row !== "")) {
      const { id, cmd, expect } = line.parse(JSON.parse(each));
      const passed = await passes(cmd);
      if (passed && (expect === "deny" || expect === "ask_or_deny")) wrong.push(cmd);
      if (expect === "allow") {
        const counted = isFirstHalf(id) ? halves.first : halves.second;
        counted.reading += 1;
        counted.passed += Number(passed);
      }
    }
  }
  assert.deepEqual(wrong, []);
  for (const [half, { reading, passed }] of Object.entries(halves)) {
    context.diagnostic(
      `${half} half: ${passed} of ${reading} reading commands pass (${((100 * passed) / reading).toFixed(1)} %)`,
    );
    assert.ok(passed / reading >= 0.9, half);
  }
});

/** The grammar was made for the first half; the second tells what it is worth for commands that nobody looked at. */
function isFirstHalf(id: string): boolean {
  return (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0;
}
