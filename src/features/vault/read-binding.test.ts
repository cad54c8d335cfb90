import assert from "node:assert/strict";
import { test } from "node:test";
import { readBinding } from "./read-binding.ts";

const bound = (variable: string) => readBinding("api", "api.example.org", { variable });

test("a variable that shells, loaders and interpreters obey holds no credential", () => {
  for (const name of "PATH LD_PRELOAD BASH_ENV HOME IFS NODE_OPTIONS PYTHONPATH GIT_SSH_COMMAND HTTPS_PROXY PERL5LIB RUSTFLAGS".split(
    " ",
  ))
    assert.match(String(bound(name)), /is a variable that programs obey/, name);
});

test("the variables of credentials are taken, also in a family that programs obey", () => {
  for (const name of "API_TOKEN GITHUB_TOKEN GOOGLE_API_KEY NODE_AUTH_TOKEN CARGO_REGISTRY_TOKEN PGPASSWORD UV_PUBLISH_TOKEN API".split(
    " ",
  ))
    assert.equal(typeof bound(name), "object", name);
});
