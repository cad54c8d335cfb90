import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { startProxy, startSecureFront } from "../../src/connect/proxy.fixture.ts";
import { calls, isMissing, makeWorld, providerKey } from "../agent-world.ts";

test("behind a proxy with an own authority, whose names this machine cannot look up, a provider answers and a page is read; the proxy sees names alone", async (t) => {
  if (isMissing(t, "openssl", "install openssl: an own authority is made with it")) return;
  const world = await makeWorld(t, [{ text: "Hello from behind." }]);
  const page = createServer((_request, response) => response.end("words of a page")).listen(0, "127.0.0.1");
  await once(page, "listening");
  t.after(() => page.close());
  const place = page.address();
  assert.ok(typeof place === "object" && place !== null);
  await using models = await startSecureFront(["models.invalid"], world.provider.port);
  await using pages = await startSecureFront(["page.invalid"], place.port);
  const ports = new Map([
    ["models.invalid:443", models.port],
    ["page.invalid:443", pages.port],
  ]);
  await using proxy = await startProxy(ports, "pass-word-1");
  const settings = {
    LOOP_BASE_URL: "https://models.invalid/v1",
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
    HTTPS_PROXY: proxy.url.replace("//", "//user:pass-word-1@"),
    NODE_EXTRA_CA_CERTS: models.authority,
  };
  const asked = await world.run(["ask", "hello"], { settings });
  assert.deepEqual([asked.code, asked.out], [0, "Hello from behind.\n"], asked.err);
  const fetched = await world.run(["ask", "fetch https://page.invalid/"], {
    settings: { ...settings, PROVIDER_CASCADE: "", NODE_EXTRA_CA_CERTS: pages.authority },
  });
  assert.match(fetched.out, /words of a page/, fetched.err);
  assert.deepEqual(
    [...new Set(proxy.seen.map(({ line }) => line))],
    ["CONNECT models.invalid:443", "CONNECT page.invalid:443"],
  );
  assert.doesNotMatch(JSON.stringify(proxy.seen), new RegExp(providerKey));

  const wrong = { ...settings, HTTPS_PROXY: proxy.url.replace("//", "//user:hunter2@") };
  const refused = await world.run(["ask", "hello"], { settings: wrong });
  assert.match(refused.out + refused.err, /through the proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\).*407/);
  assert.match(refused.out + refused.err, /passepartout vault set proxy-password/);
  assert.doesNotMatch(refused.out + refused.err, /hunter2|Start loop/);
  const doctor = await world.run(["doctor", "--quick"], { settings });
  assert.match(
    doctor.out,
    /network: https:\/\/ goes through the proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\); except this machine/,
  );
  assert.doesNotMatch(doctor.out, /pass-word-1/);
});

test("an approved command reaches its host through the proxy, and a SOCKS proxy is named in its failure", async (t) => {
  if (isMissing(t, "curl", "install curl: a command fetches a page with it")) return;
  const cmd = "curl --silent --show-error http://page.invalid/";
  const world = await makeWorld(t, [
    calls(["shell", { cmd }]),
    { text: "That was it." },
    calls(["shell", { cmd }]),
    { text: "That was not it." },
  ]);
  const page = createServer((_request, response) => response.end("words of a page")).listen(0, "127.0.0.1");
  await once(page, "listening");
  t.after(() => page.close());
  const place = page.address();
  assert.ok(typeof place === "object" && place !== null);
  await using proxy = await startProxy(new Map([["page.invalid:80", place.port]]));
  const allow = async (settings: Record<string, string>): Promise<string> => {
    const { err } = await world.run(["ask", "Fetch it."], { settings });
    const [, token = ""] = /passepartout (approve \S+)/.exec(err) ?? [];
    const answered = await world.run(["ask", "--continue", `/${token}`], { settings });
    return `${answered.out}\n${answered.err}\n${world.provider.requests.at(-1)?.body ?? ""}`;
  };
  assert.match(await allow({ ALL_PROXY: proxy.url }), /words of a page/);
  assert.deepEqual(
    proxy.seen.map(({ line }) => line),
    ["CONNECT page.invalid:80"],
  );
  const failed = await allow({ ALL_PROXY: "socks5://me:hunter2@127.0.0.1:1" });
  assert.match(failed, /ALL_PROXY names a SOCKS proxy, which is not supported/);
  assert.doesNotMatch(failed, /hunter2/);
});
