import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import * as z from "zod";

const root = mkdtempSync(join(tmpdir(), "eval-jail-"));
after(() => rmSync(root, { recursive: true, force: true }));

const [jail, threads, worker] = ["./eval-jail.ts", "./jail-threads.ts", "./jail.ts"].map(
  (file) => new URL(file, import.meta.url).href,
);

/** Evaluates code in a process of its own: its code, the milliseconds it took, and the most memory that the process had, in MB. */
async function measure(code: string, milliseconds: number) {
  const script = `
    const { defaultJailLimits, runInJail } = await import(${JSON.stringify(jail)});
    const { openJailThreads } = await import(${JSON.stringify(threads)});
    const { locateJailWorker } = await import(${JSON.stringify(worker)});
    const limits = { ...defaultJailLimits, milliseconds: ${milliseconds} };
    const begun = performance.now();
    const job = { threads: openJailThreads(locateJailWorker()), code: ${JSON.stringify(code)}, limits };
    const outcome = await runInJail(job, new AbortController().signal);
    const megabytes = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify([outcome.code ?? "success", performance.now() - begun, megabytes]));`;
  const file = join(root, "measure.mjs");
  writeFileSync(file, script);
  const run = promisify(execFile)(process.execPath, [file], { timeout: 60_000, killSignal: "SIGKILL" });
  return z.tuple([z.string(), z.number(), z.number()]).parse(JSON.parse((await run).stdout));
}

const bombs = [
  "for (const a = [];;) a.push(new Uint8Array(1e6))",
  "const m = new Map(); for (let i = 0;; i++) m.set(i, new ArrayBuffer(65536))",
  "const a = []; for (;;) { try { for (;;) a.push(new Float64Array(1e5)) } catch {} }",
  "const a = []; for (;;) a.push(new Uint8Array(1e6).slice())",
  "const a = []; for (;;) a.push('y'.repeat(1e6) + a.length)",
  "Array(2 ** 25).join('abcdefgh')",
];

test("no code takes more memory than the jail's 64 MB, however it is asked for", async (context) => {
  const [, , plain] = await measure("1", 5000);
  for (const code of bombs) {
    const [outcome, , megabytes] = await measure(code, 1500);
    context.diagnostic(`${Math.round(megabytes - plain)} MB for ${code}`);
    assert.ok(["memory-limit", "time-limit"].includes(outcome), `${outcome}: ${code}`);
    assert.ok(megabytes - plain < 96, `${Math.round(megabytes - plain)} MB: ${code}`);
  }
});

test("what is thrown is cut inside the jail, so that no copy of it takes further memory", async () => {
  const [, , plain] = await measure("1", 5000);
  for (const code of [
    "throw 'x'.repeat(5e7)",
    "throw { name: 'x'.repeat(3e7), message: 'y'.repeat(3e7) }",
    "Promise.reject(Symbol('x'.repeat(5e7)))",
    "(async () => { throw Object.assign(new Error('m'.repeat(2e7)), { name: 'n'.repeat(3e7) }); })()",
  ]) {
    const [outcome, , megabytes] = await measure(code, 25_000);
    assert.ok(["eval-error", "memory-limit"].includes(outcome), `${outcome}: ${code}`);
    assert.ok(megabytes - plain < 96, `${Math.round(megabytes - plain)} MB: ${code}`);
  }
});

test("work that the interpreter does not interrupt ends by its thread being ended", async () => {
  for (const code of [
    "Array(2 ** 32 - 1).indexOf(1)",
    "const s = 'a'.repeat(2 ** 23); s.indexOf('a'.repeat(2 ** 22) + 'b')",
    "Array(2 ** 27).join('')",
    "for (const s = 'abcdefgh'.repeat(2 ** 18);;) s.split('').join('-')",
  ]) {
    const [outcome, took] = await measure(code, 400);
    assert.ok(["memory-limit", "time-limit"].includes(outcome), `${outcome}: ${code}`);
    assert.ok(took < 30_000, `${Math.round(took)} ms: ${code}`);
  }
});
