import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProxy } from "./check-proxy.ts";

test("doctor says which proxy is used, for what it is not, and never its password", () => {
  assert.deepEqual(checkProxy({}), []);
  const [one] = checkProxy({ HTTPS_PROXY: "http://me:hunter2@proxy:3128", NO_PROXY: ".example.org" });
  assert.deepEqual(one, {
    name: "network",
    result: "ok",
    text: "https:// goes through the proxy proxy:3128 (HTTPS_PROXY); except this machine and .example.org",
  });
  const [bad] = checkProxy({ https_proxy: "socks5://me:hunter2@h:1" });
  assert.equal(bad?.result, "finding");
  assert.match(
    bad?.text ?? "",
    /^https_proxy names a SOCKS proxy, which is not supported: set HTTPS_PROXY to/,
  );
  assert.doesNotMatch(bad?.text ?? "", /hunter2/);
});

test("doctor says whether the own certificates are there", () => {
  assert.equal(checkProxy({ NODE_EXTRA_CA_CERTS: import.meta.filename })[0]?.result, "ok");
  assert.match(
    checkProxy({ NODE_EXTRA_CA_CERTS: "/no/such.pem" })[0]?.text ?? "",
    /names \/no\/such\.pem, which is not there/,
  );
});
