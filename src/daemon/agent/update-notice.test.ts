import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeptValue } from "../../memory/state/kept-value.ts";
import type { Json } from "../../text/json.ts";
import { tellUpdate } from "./update-notice.ts";

const changelog = `# Changelog

## [Unreleased]

- Not out yet.

## [0.10.0] - 2026-12-01

### Added

- Backups of everything. They are verified.
- A service: it runs.

### Fixed

- The clock

## [0.9.0] - 2026-11-01

- Older.

## [0.2.0] - 2026-10-01

- Oldest.
`;

function keepIn(start: Json): KeptValue & { value: Json } {
  const kept = {
    value: start,
    get: async () => kept.value,
    set: async (value: Json) => {
      kept.value = value;
    },
  };
  return kept;
}

test("the first start of a newer version tells once what is new since the last start", async () => {
  const kept = keepIn("0.9.0");
  const tell = (version: string) => tellUpdate(kept, version, () => changelog);
  assert.equal(
    await tell("0.10.0"),
    "This is version 0.10.0; the last start was 0.9.0. What is new:\n  - Backups of everything.\n  - A service:\n  - The clock",
  );
  assert.equal(await tell("0.10.0"), null);
  assert.equal(await tell("0.9.0"), null, "an older version has nothing new");
  assert.equal(kept.value, "0.9.0");
  assert.equal(await tell("0.0.0-test"), null);
  assert.equal(kept.value, "0.9.0");
  const first = keepIn(null);
  assert.equal(
    await tellUpdate(first, "0.10.0", () => assert.fail("nothing is read at the first start")),
    null,
  );
  assert.equal(first.value, "0.10.0");
  assert.equal(
    await tellUpdate(keepIn("0.10.0"), "0.11.0", () => changelog),
    "This is version 0.11.0; the last start was 0.10.0.",
  );
});
