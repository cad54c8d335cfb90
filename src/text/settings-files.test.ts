import assert from "node:assert/strict";
import { test } from "node:test";
import { namesLogin } from "./settings-files.ts";

test("a value that only begins like a version or like a word for none is a login", () => {
  for (const line of [
    '"password": "1.2.3hunter2secret"',
    '"token": "10.0.0.1:hunter2"',
    "db.password=4.7.11-hunter2",
    "token: no-more-secrets",
    "password = nullable77",
  ])
    assert.ok(namesLogin("a/settings.json", line), line);
  for (const line of [
    '"token": "1.2.3"',
    '"password": "^2.0.0-rc.1",',
    "token: string;",
    "password: null",
    "  token: string)",
    "secret = true",
  ])
    assert.ok(!namesLogin("a/settings.json", line), line);
});
