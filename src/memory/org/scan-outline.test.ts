import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "./scan-outline.ts";

test("a headline is read with all of its tokens", () => {
  const text =
    "#+TODO: TODO NEXT | DONE\n* NEXT [#A] COMMENT A title [1/2]  :a:b:\n  SCHEDULED: <2024-01-01 Mon>\n:PROPERTIES:\n:ID: x\n:END:\nbody\n** sub\n";
  const { headlines, settings } = scanOutline(text);
  const [first, second] = headlines;
  assert.deepEqual(
    settings.todo.map(({ word }) => word),
    ["TODO", "NEXT", "DONE"],
  );
  assert.equal(first?.todo?.word, "NEXT");
  assert.equal(first?.priority?.value, "A");
  assert.equal(first?.title, "A title [1/2]");
  assert.deepEqual(first?.tags?.names, ["a", "b"]);
  assert.equal(first?.planning?.scheduled?.raw, "<2024-01-01 Mon>");
  assert.equal(first?.properties?.properties[0]?.value, "x");
  assert.equal(first?.end, text.length);
  assert.equal(second?.parent, 0);
});
