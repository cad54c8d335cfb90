import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import { eventsOfSignal } from "../../../turn/events-of-signal.ts";
import { makeSecrecyOfEvents } from "./secrecy-of-events.ts";

test("the name of a file in an event is as secret as the file; of a note that is gone nobody knows that", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "passepartout-events-"));
  t.after(() => rmSync(home, { recursive: true }));
  const [folder, code] = [join(home, "notes"), join(home, "code")];
  for (const path of [folder, join(code, "src")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, "divorce.org"), "#+FILETAGS: :@personal:\n* Lawyer\n");
  writeFileSync(join(folder, "roses.org"), "* Roses\n");
  writeFileSync(join(code, "src", "a.ts"), "1;\n");
  writeFileSync(join(code, "src", "scan.txt"), "attached\n");
  const secrecyOf = makeSecrecyOfEvents({
    notes: { folder, variables: [] },
    originsOf: async () => new Map(),
    privacyTags: ["@personal"],
    labelOfAttached: async (path) => ({
      ...bottomLabel,
      secrecy: path === join(code, "src", "scan.txt") ? "private" : "public",
    }),
  });
  const listed = [
    { name: "note-changed", subject: "divorce.org" },
    { name: "note-changed", subject: "roses.org" },
    { name: "note-changed", subject: "gone.org" },
    { name: "file-changed", subject: "src/a.ts" },
    { name: "file-changed", subject: "src/scan.txt" },
    { name: "file-changed", subject: "src/gone.ts" },
    { name: "turn-ended", subject: "t1" },
  ] as const;
  assert.deepEqual(await secrecyOf({ listed, more: 0, chain: [] }, code), [
    "private",
    "public",
    "private",
    "public",
    "private",
    "public",
    "public",
  ]);
  const inNotes = listed.slice(0, 2).map(({ subject }) => ({ name: "file-changed" as const, subject }));
  assert.deepEqual(await secrecyOf({ listed: inNotes, more: 0, chain: [] }, folder), ["private", "public"]);

  const shown = eventsOfSignal({
    payload: {
      events: { listed: ["note-changed roses.org"], private: ["note-changed divorce.org"], more: 2 },
    },
  });
  assert.deepEqual(
    shown.map(({ text, label }) => [text, label.secrecy, label.integrity]),
    [
      ["note-changed roses.org\nand 2 more", "public", "untrusted"],
      ["note-changed divorce.org", "private", "untrusted"],
    ],
  );
});
