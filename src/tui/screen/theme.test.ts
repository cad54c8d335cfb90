import assert from "node:assert/strict";
import { test } from "node:test";
import { ownCommandOf } from "../conversation/command-list.ts";
import { describeTheme } from "./theme.ts";

test("/theme alone says what is set and what there is", () => {
  assert.equal(ownCommandOf("/theme"), "theme");
  assert.match(describeTheme("dark"), /dark background.*dark and light: \/theme light/);
  assert.match(describeTheme("light"), /light background.*\/theme dark/);
  assert.match(describeTheme("plain"), /No colours/);
});
