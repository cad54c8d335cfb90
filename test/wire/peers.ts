import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import type { Form } from "../../src/text/form.ts";
import type { JsonObject } from "../../src/text/json.ts";
import { daemonCodec } from "../../src/wire/codec/codec.ts";
import { frame, longestFrame, makeFrameReader } from "../../src/wire/codec/frame.ts";
import { readForm } from "../../src/wire/codec/reader.ts";
import { anyMessage } from "../../src/wire/codec/schema.fixture.ts";
import { daemonMessages } from "../../src/wire/codec/schema-messages.ts";

/** The folder with the peers' own programs. */
export const folderOfPeers = dirname(fileURLToPath(import.meta.url));

/** True where a program runs here; skips the test with a word where it does not, and fails it in CI. */
export function hasProgram(t: TestContext, program: string, install: string): boolean {
  if (spawnSync(program, ["--version"]).status === 0) return true;
  const message = `${program} is not there: ${install}`;
  assert.notEqual(process.env["CI"], "true", message);
  t.skip(message);
  return false;
}

const message = (text: string): JsonObject => ({
  type: "response",
  meta: { source: "emacs", "session-id": "s1", "turn-id": "t1" },
  payload: { action: "message", text, "rule-count": 3, "pending-count": 0 },
  "gate-trace": [{ gate: "shell", result: "passed", reason: 'says "yes" \\ and no', effects: [0] }],
});

/** Messages whose every sort of text and list a peer must read as we do. */
export const hardMessages: readonly JsonObject[] = [
  message("beyond the basic plane: 😀 𝒳 \u{10ffff}, and é ß ı ſ Ω 中文"),
  message('quotes " and \\ and \\" and \\\\n, bars | ; # ` , \' ( ) and (:TYPE :EVENT)'),
  message("line\nend\ttab\rreturn\u0000nul\u001bescape\u007fdelete\u0085\u2028\ufeff\ufffd"),
  message(""),
  message("x".repeat(70_000)),
  {
    type: "event",
    payload: {
      sensor: "tool-output",
      tool: "t",
      result: {
        nested: [[[[[["deep", [1, [2, [3]]]]]]]], [], [[]]],
        flags: [true, false, null],
        numbers: [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.5],
        maxResults: 1,
        PATH: "/",
        false: 1,
        "a b": 1,
        "q\"(;#'`,\\?[]": 1,
        "中 É": 2,
        "": 3,
        ".": 4,
      },
    },
  },
];

/** Messages of every type as they come out of a fixed seed. A bar in a key is left out: Emacs knows no bars. */
export function drawnMessages(count: number): readonly JsonObject[] {
  return fc
    .sample(anyMessage(daemonMessages), { seed: 7, numRuns: count })
    .filter((drawn) => !/\|/.test(JSON.stringify(drawn)));
}

/** What a peer wrote when it had read these messages: what it read, printed back, and what it says to each. */
export type Reply = { readonly back: Form; readonly said: string };

/** Has a peer's program read frames from a file and answer them in another. `argv` gets both names. */
export function runPeer(
  messages: readonly JsonObject[],
  argv: (from: string, to: string) => readonly [string, ...string[]],
): readonly Reply[] {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-peer-"));
  try {
    const [from, to] = [join(folder, "from"), join(folder, "to")] as const;
    writeFileSync(from, messages.map((sent) => frame(daemonCodec.encode(sent))).join(" \n"));
    const [program, ...rest] = argv(from, to);
    const { status, stderr, error } = spawnSync(program, rest, { timeout: 60_000, encoding: "utf8" });
    assert.equal(status, 0, `${program}: ${error?.message ?? ""}${stderr}`);
    const texts = textsOf(readFileSync(to));
    assert.equal(texts.length, messages.length * 2);
    return messages.map((_, index) => ({
      back: formOf(texts[index * 2] ?? ""),
      said: texts[index * 2 + 1] ?? "",
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The form that a message is sent as. */
export function sentForm(sent: JsonObject): Form {
  return formOf(daemonCodec.encode(sent).toWellFormed());
}

function textsOf(bytes: Uint8Array): readonly string[] {
  const reader = makeFrameReader({ codePoints: longestFrame });
  const events = reader.push(bytes);
  assert.equal(reader.end(), null);
  return events.map((event) => {
    assert.ok(event.kind === "frame", event.text);
    return event.text;
  });
}

function formOf(text: string): Form {
  const reading = readForm(text);
  assert.ok(reading.ok, reading.ok ? "" : `${reading.message}: ${text.slice(0, 200)}`);
  return reading.form;
}
