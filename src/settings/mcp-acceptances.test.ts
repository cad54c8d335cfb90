import assert from "node:assert/strict";
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openMcpAcceptances } from "./mcp-acceptances.ts";

const digest = "0".repeat(64);
const list = { digest, tools: [{ name: "echo", description: "", parameters: {}, digest }], unusable: [] };
const accepted = { entry: digest, list, revision: "2026-07-28", acceptedAt: 1 };

test("what was accepted is known to every process at once, and a file that cannot be used accepts nothing", (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-accepted-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "mcp-accepted.json");
  const [one, other] = [openMcpAcceptances(path), openMcpAcceptances(path)];
  assert.deepEqual([one.of("a"), one.fault(), existsSync(path)], [null, null, false]);
  one.accept("a", accepted);
  assert.deepEqual(other.of("a"), accepted);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(other.of("__proto__"), null);
  const offered = { ...list, digest: "1".repeat(64) };
  other.offer("a", offered);
  other.offer("never-accepted", offered);
  assert.deepEqual(one.of("a"), { ...accepted, offered });
  assert.equal(one.of("never-accepted"), null);
  assert.deepEqual([one.forget("a"), one.forget("a"), other.of("a")], [true, false, null]);
  for (const broken of ["{", "[]", '{"version": 2, "servers": {}}', '{"version": 1, "servers": {"a": {}}}']) {
    writeFileSync(path, broken);
    assert.match(
      one.fault() ?? "",
      /mcp-accepted\.json cannot be used, so no server of mcp\.json is/,
      broken,
    );
    assert.equal(one.of("a"), null);
    assert.throws(() => one.accept("a", accepted), /cannot be used/);
  }
});
