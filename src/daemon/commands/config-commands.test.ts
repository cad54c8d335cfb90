import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sampleSignal } from "../../memory/state/samples.fixture.ts";
import { recogniseCommand } from "../../perceive/commands.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { JsonObject } from "../../text/json.ts";
import { type ConfigParts, configCommand } from "./config-commands.ts";

const key = "sk-proj-4f8a1b2c3d4e5f60718293a4b5c6d7e8";

function makePlace(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "config-command-"));
  t.after(() => rmSync(home, { recursive: true }));
  const file = join(home, ".config", "passepartout", ".env");
  const notes: JsonObject[] = [];
  const parts: ConfigParts = {
    policy: loadPolicy({ HOME: home, OPENAI_API_KEY: key }),
    journal: async ({ detail }) => void notes.push(detail ?? {}),
    tellOrder: () => "",
    shownChanges: new Map(),
  };
  const say = (text: string, session = "s") => {
    const command = recogniseCommand({ ...sampleSignal(), source: "tui", text });
    assert.ok(command?.kind === "config", text);
    return configCommand(parts, command, session);
  };
  const written = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { say, written, notes, file };
}

test("/config lists the settings with their origin, and no key", async (t) => {
  const { say } = makePlace(t);
  const { text } = await say("/config");
  assert.match(text, /^BUDGET_PER_DAY=10 \(default\)$/m);
  assert.match(text, /^OPENAI_API_KEY=\(a key\) \(environment\)$/m);
  assert.equal(text.includes(key), false);
  assert.match((await say("/config get NOTICES")).text, /^NOTICES=bell \(default\)$/);
  assert.match((await say("/config get NOTICE")).text, /Did you mean NOTICES\?/);
});

test("what may loosen something is shown first, and written only by /config keep of the same session", async (t) => {
  const { say, written, notes, file } = makePlace(t);
  for (const loosening of [
    "/config set BUDGET_PER_DAY 100",
    "/config set TOOL_PERMISSIONS shell=allow",
    "/config set MEMEX_DIR /tmp/elsewhere",
    "/config set PROTOCOL_ENFORCE_HMAC false",
    "/config set OLLAMA_HOST http://example.org:11434",
    "/config unset PRIVACY_FILTER_TAGS",
  ]) {
    const { code, text } = await say(loosening);
    assert.ok(code === "config-shown" || text.includes("set already"), `${loosening}: ${text}`);
    assert.equal(written(), "");
  }
  await say("/config set BUDGET_PER_DAY 100");
  assert.equal((await say("/config keep", "another")).code, "not-done");
  const { code, text } = await say("/config keep");
  assert.equal(code, "config-written", text);
  assert.match(text, /BUDGET_PER_DAY=100[\s\S]*start again/);
  assert.equal(written(), "BUDGET_PER_DAY=100\n");
  assert.equal((await say("/config keep")).code, "not-done");
  assert.deepEqual(notes, [{ event: "setting-written", name: "BUDGET_PER_DAY" }]);
  assert.ok(text.startsWith(file), text);
});

test("what only changes looks is written at once, and another change drops the one that waited", async (t) => {
  const { say, written } = makePlace(t);
  await say("/config set BUDGET_PER_DAY 100");
  assert.equal((await say("/config set MEMEX_ASSISTANT Ada of the garden")).code, "config-written");
  assert.equal(written(), "MEMEX_ASSISTANT='Ada of the garden'\n");
  assert.equal((await say("/config keep")).code, "not-done");
  assert.equal((await say("/config unset MEMEX_ASSISTANT")).code, "config-written");
  assert.equal(written(), "");
});

test("a key, an unknown name and a value that cannot be parsed are refused", async (t) => {
  const { say, written } = makePlace(t);
  for (const [words, why] of [
    [`/config set OPENAI_API_KEY ${key}`, /vault set openai-key/],
    [`/config set ANTHROPIC_API_KEY ${key}`, /vault set/],
    ["/config set BUDGET_PER_DAY much", /BUDGET_PER_DAY/],
    ["/config set BUDGET_PER_DAI 3", /Did you mean BUDGET_PER_DAY\?/],
  ] as const) {
    const { code, text } = await say(words);
    assert.equal(code, "not-done", text);
    assert.match(text, why);
    assert.equal(text.includes(key), false, text);
  }
  assert.equal(written(), "");
});
