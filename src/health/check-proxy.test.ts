import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { checkProxy, checkProxyOfAgent } from "./check-proxy.ts";

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

test("doctor says where the agent that runs was started with another proxy", {
  skip: process.platform !== "linux",
}, async () => {
  const through = { HTTPS_PROXY: "http://me:hunter2@proxy:3128" };
  const agent = spawn("/bin/sleep", ["60"], { env: { PATH: "/bin" } });
  try {
    await once(agent, "spawn");
    const [finding] = checkProxyOfAgent(through, agent.pid ?? 0);
    assert.match(finding?.text ?? "", /process \d+\) was started with no proxy, and goes by that\. End it/);
    assert.deepEqual(checkProxyOfAgent({}, agent.pid ?? 0), []);
    assert.deepEqual(checkProxyOfAgent(through, null), []);
  } finally {
    agent.kill();
  }
});

test("doctor says whether the own certificates are there", () => {
  assert.equal(checkProxy({ NODE_EXTRA_CA_CERTS: import.meta.filename })[0]?.result, "ok");
  assert.match(
    checkProxy({ NODE_EXTRA_CA_CERTS: "/no/such.pem" })[0]?.text ?? "",
    /names \/no\/such\.pem, which is not there/,
  );
});
