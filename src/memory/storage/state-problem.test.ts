import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

test("a limit on the size of files is named, and is not told as a full disk", () => {
  const place = mkdtempSync(join(tmpdir(), "passepartout-limit-"));
  after(() => rmSync(place, { recursive: true }));
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL("database.ts", import.meta.url).href)});
    const { explainFault } = await import(${JSON.stringify(new URL("state-problem.ts", import.meta.url).href)});
    const { writeFileSync } = await import("node:fs");
    for (const act of [
      () => {
        const database = openDatabase(${JSON.stringify(join(place, "state.db"))}, "write");
        database.script("CREATE TABLE IF NOT EXISTS words (word TEXT)");
        for (;;) database.run("INSERT INTO words VALUES (?)", "word".repeat(1000));
      },
      () => writeFileSync(${JSON.stringify(join(place, "journal"))}, "x".repeat(1_000_000)),
    ])
      try {
        act();
      } catch (fault) {
        console.log(explainFault(fault, ${JSON.stringify(join(place, "state.db"))}).message);
      }`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const limited = (bytes: number): string =>
    execFileSync("prlimit", [`--fsize=${bytes}`, ...node], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const words =
    /^\S+state\.db could not be written: no file may be larger than (\d+) kB here \(ulimit -f\)\. Raise that limit, then try again\.$/gm;
  for (const size of [10, 200])
    assert.deepEqual(
      [...limited(size * 1024).matchAll(words)].map(([, told]) => Number(told)),
      [size, size],
    );
});
