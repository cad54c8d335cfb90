import assert from "node:assert/strict";
import { test } from "node:test";
import { readWrittenJobs } from "./own-jobs.ts";
import { entryAsReflex, replaceEntry } from "./reflex-entry.ts";

const lines = 'call shell {"cmd":"make"}\ncall list-files {"path":"."}';

test("an entry keeps its head and what it is allowed, gets its calls for its words, and gets its words back byte for byte", () => {
  for (const [entry, tier] of [
    [
      "* build\n:PROPERTIES:\n:CRON: @daily\n:END:\n- ALLOW: run make\nBuild it.\n\n- and look",
      ":TIER: reflex\n:ORIGIN: untrusted https://example.org/$1\n:END:",
    ],
    ["* build\n:PROPERTIES:\n:TIER:   cognition\n:CRON: @daily\n:END:\nBuild it.", ":TIER:   reflex\n:CRON:"],
    [
      "* build\n  :PROPERTIES:\n  :cron: @daily\n  :origin: agent\n  :END:\n  Build it.",
      "  :origin: untrusted https://example.org/$1\n  :TIER: reflex\n  :END:",
    ],
  ] as const) {
    const made = entryAsReflex(entry, lines, "untrusted https://example.org/$1");
    assert.ok(made?.includes(tier) && !made.includes("Build it"), made ?? "");
    const [read] = readWrittenJobs(made ?? "");
    assert.ok(read?.ok);
    assert.deepEqual([read.job.tier, read.job.text], ["reflex", lines]);
    const sources = [{ id: "https://example.org/$1", path: "" }];
    assert.deepEqual(read.job.label, { integrity: "untrusted", secrecy: "public", sources });
    assert.equal(read.job.allows.length, entry.includes("ALLOW") ? 1 : 0);
    const file = `#+TITLE: Jobs\r\n\n* other\nx\n${entry}\n\n\n* last\n`;
    const changed = replaceEntry(file, entry, made ?? "");
    assert.equal(replaceEntry(changed ?? "", made ?? "", entry), file);
    assert.equal(replaceEntry(`${file}${entry}`, entry, made ?? ""), null);
    assert.equal(replaceEntry("* other\n", entry, made ?? ""), null);
  }
});
