import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import { describeTools } from "./describe-tools.ts";

test("the text that every model without tool calls reads leaves out a tool whose words are private", () => {
  const tool = { name: "search", description: "Find it", parameters: {} };
  const knee = { name: "knee", description: "Of the knee", parameters: {} };
  const label = { ...bottomLabel, secrecy: "private" } as const;
  const text = describeTools([tool, { ...knee, label }]);
  assert.match(text, /- search/);
  assert.doesNotMatch(text, /knee/);
});
