import assert from "node:assert/strict";
import { test } from "node:test";
import type { Advisory } from "./advisories.ts";
import { checkRuntime } from "./check-runtime.ts";
import { openAdvisories } from "./open-advisories.ts";

test("a Node with a known fault is a finding that names the fault, what is left undone and the fixed versions", () => {
  for (const version of ["24.0.0", "24.22.0", "25.9.0", "26.12.0", "26.12.1-rc.1"]) {
    const { result, text } = checkRuntime(version);
    assert.equal(result, "finding", version);
    assert.match(text, /CVE-2026-111497 \(.*nothing is asked for or read in Brotli\)/);
    assert.match(text, /Install Node 24\.22\.1, or 26\.12\.1, or newer/);
  }
  for (const version of ["24.22.1", "24.30.0", "26.12.1", "27.0.0"])
    assert.equal(checkRuntime(version).result, "ok", version);
  assert.match(checkRuntime("26.12.1").text, /known on 20\d\d-\d\d-\d\d/);
});

test("an advisory concerns its ranges alone, and a version that does not parse", () => {
  const known: readonly Advisory[] = [
    {
      id: "X-1",
      component: "x",
      about: "",
      published: "2026-01-01",
      affected: [{ introduced: "1.2.0", fixed: "1.2.10" }, { introduced: "3.0.0" }],
    },
  ];
  const isOpen = (version: string): boolean => openAdvisories("x", version, known).length > 0;
  assert.deepEqual(["1.2.0", "1.2.9", "3.0.0", "9.9.9", "rubbish", ""].map(isOpen), Array(6).fill(true));
  assert.deepEqual(["1.1.99", "1.2.10", "1.10.0", "2.0.0"].map(isOpen), Array(4).fill(false));
  assert.deepEqual(openAdvisories("y", "1.2.0", known), []);
});
