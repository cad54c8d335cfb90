import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Interpreter, type Jail, keepInterpreter, locateJailWorker } from "./jail.ts";
import { openJailThreads, usualMemory } from "./jail-threads.ts";

const never = new AbortController().signal;
const patient = { milliseconds: 20_000, maxCharacters: 1000 };
const folder = mkdtempSync(join(tmpdir(), "jail-threads-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The worker where no interpreter lies beside it: it cannot read one. */
const alone = pathToFileURL(join(folder, "jail-worker.js"));
copyFileSync(fileURLToPath(locateJailWorker()), fileURLToPath(alone));

async function evaluate(jail: Jail, code: string): Promise<string> {
  const reply = await jail.request({ kind: "evaluate", code }, patient, never);
  return reply.ok ? reply.json : reply.code;
}

test("all jails run the interpreter that was compiled once, and share nothing else", async () => {
  const compiled = keepInterpreter(locateJailWorker());
  const given = new Set<Interpreter>();
  const interpreter = async (): Promise<Interpreter> => {
    const module = await compiled();
    given.add(module);
    return module;
  };
  await using threads = openJailThreads(alone, interpreter);
  await using others = openJailThreads(alone, interpreter);
  const jails = [
    await threads.take(usualMemory, never),
    await threads.take(usualMemory, never),
    await others.take(usualMemory, never),
  ] as const;
  assert.equal(given.size, 1);
  const [first, second, third] = jails;
  assert.equal(await evaluate(first, "globalThis.left = Array.prototype.join = 1"), "1");
  for (const jail of [second, third])
    assert.equal(await evaluate(jail, "[typeof left, [1, 2].join()]"), '["undefined","1,2"]');
  assert.equal(
    await evaluate(second, "for (const all = [];;) all.push(new Uint8Array(1e6))"),
    "memory-limit",
  );
  assert.ok(second.ended);
  assert.equal(await evaluate(third, "new Uint8Array(3e7).length"), "30000000", "its own memory is whole");
  assert.equal(await evaluate(first, "left"), "1");
});

test("an interpreter that could not be compiled is compiled again for the next jail", async () => {
  await using threads = openJailThreads(alone);
  await assert.rejects(threads.take(usualMemory, never), /ENOENT.*emscripten-module\.wasm/);
  const name = "emscripten-module.wasm";
  copyFileSync(fileURLToPath(new URL(name, locateJailWorker())), join(folder, name));
  assert.equal(await evaluate(await threads.take(usualMemory, never), "1 + 1"), "2");
});
