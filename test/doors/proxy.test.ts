import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startProxy, startSecureFront } from "../../src/connect/proxy.fixture.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { isMissing, makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { givePassphrase } from "../vault-world.ts";
import { keepKey, linkOwner, passphrase, until } from "./chat-world.ts";
import { botToken, FakeTelegram } from "./fake-telegram.ts";
import { makeSignalWorld } from "./signal-world.ts";

test("a door to Telegram goes through the proxy alone, which sees the service's name and not the token", async (t) => {
  if (isMissing(t, "openssl", "install openssl: an own authority is made with it")) return;
  await using fake = await FakeTelegram.start();
  await using front = await startSecureFront(["api.telegram.org"], Number(new URL(fake.url).port));
  await using proxy = await startProxy(new Map([["api.telegram.org:443", front.port]]));
  const world = await makeWorld(t, [{ text: "Hello from behind." }]);
  await keepKey(world, "telegram-token", botToken);
  linkOwner(loadPolicy(world.environment));
  const settings = {
    ...givePassphrase(world, passphrase),
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: front.authority,
  };
  const daemon = await startDaemon(t, world, { settings });
  fake.say("hello?");
  await until("the answer", () => fake.said().includes("Hello from behind."));
  const tried = await world.run(["gateway", "test", "telegram"], { settings });
  assert.match(tried.out, /as @agent_bot\.\n {2}chat 7001: can be reached/, tried.err);
  assert.deepEqual([...new Set(proxy.seen.map(({ line }) => line))], ["CONNECT api.telegram.org:443"]);
  assert.doesNotMatch(JSON.stringify(proxy.seen), /AAfake/);
  daemon.signal("SIGTERM");
  await daemon.end;
});

test("a proxy that refuses is named where Telegram cannot be reached, and NO_PROXY goes past it", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  // Where there is no network, what is tried directly can only fail by itself.
  const script = `
    import { openTelegramApi } from ${JSON.stringify(join(import.meta.dirname, "../../src/doors/telegram/telegram-api.ts"))};
    const readKey = () => ({ ok: true, value: ${JSON.stringify(botToken)} });
    const api = openTelegramApi({ address: null, variables: process.env, readKey });
    const result = await api.call("getMe", {}, new AbortController().signal);
    console.log(result.reason);
    api.close();
  `;
  const ask = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const program = [process.execPath, "--input-type=module", "-e", script];
    const args = ["--dev-bind", "/", "/", "--unshare-net", ...program];
    const { stdout } = await promisify(execFile)("bwrap", args, {
      env: { PATH: process.env["PATH"], ...variables },
    });
    return stdout;
  };
  const HTTPS_PROXY = "http://127.0.0.1:9";
  assert.match(await ask({ HTTPS_PROXY }), /through the proxy 127\.0\.0\.1:9 \(HTTPS_PROXY\)/);
  for (const NO_PROXY of ["api.telegram.org", ".telegram.org", "*"]) {
    const past = await ask({ HTTPS_PROXY, NO_PROXY });
    assert.match(past, /it cannot be reached/);
    assert.doesNotMatch(past, /proxy|AAfake/);
  }
});

test("signal-cli on this machine is never reached through a proxy", async (t) => {
  const { fake, world } = await makeSignalWorld(t, []);
  await using proxy = await startProxy(new Map());
  const settings: Record<string, string> = { ...givePassphrase(world, passphrase) };
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"])
    settings[name] = proxy.url;
  const set = await world.run(["gateway", "link", "signal", "--token"], {
    settings,
    input: `${fake.key}\n`,
  });
  assert.match(set.out, /The vault keeps the key of \+4915100000001 \(signal-cli 0\.14\.10/, set.err);
  assert.ok(fake.calls.length > 0);
  assert.deepEqual(proxy.seen, []);
});
