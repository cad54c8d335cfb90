import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, requestOf, says } from "../../../test/door-world.ts";
import { buildProviders } from "./registry.ts";
import { type ProviderSetting, settingsFrom } from "./settings.ts";

const setting = (rest: Partial<ProviderSetting>): ProviderSetting => ({
  name: "p",
  kind: "openai-compatible",
  baseUrl: "https://models.example/v1",
  apiKey: null,
  model: null,
  ...rest,
});
const build = (rest: Partial<ProviderSetting>) => {
  const { providers, problems } = buildProviders([setting(rest)], () => 0);
  return { provider: providers.get("p"), problems };
};

test("Ollama and llama.cpp are local on loopback only, and others nowhere, unless the owner says so", () => {
  const here = "http://127.0.0.1:1/v1";
  assert.equal(build({ kind: "ollama", baseUrl: here }).provider?.local, true);
  assert.equal(build({ kind: "llama", baseUrl: "http://localhost:1/v1" }).provider?.local, true);
  assert.equal(build({ kind: "llama", baseUrl: "http://[::1]:1/v1" }).provider?.local, true);
  assert.equal(build({ kind: "ollama", baseUrl: "http://192.168.0.2:1/v1" }).provider?.local, false);
  assert.equal(build({ kind: "ollama", baseUrl: "http://127.0.0.1.example:1/v1" }).provider?.local, false);
  assert.equal(build({ baseUrl: here }).provider?.local, false);
  assert.equal(build({ baseUrl: here, local: true }).provider?.local, true);
  assert.equal(build({ kind: "ollama", baseUrl: here, local: false }).provider?.local, false);
  assert.equal(build({ baseUrl: "http://192.168.0.2:1/v1", local: true }).provider?.local, false);
});

const pricesAt = async (rest: Partial<ProviderSetting>) =>
  (await build(rest).provider?.recordOf(rest.model ?? "default"))?.prices;

test("a provider on loopback costs nothing unless it is priced; elsewhere an unknown price stays unknown", async () => {
  const prices = { inputMicrodollarsPerMillion: 1, outputMicrodollarsPerMillion: 2 };
  const here = "http://127.0.0.1:1/v1";
  assert.equal((await pricesAt({ baseUrl: here }))?.inputMicrodollarsPerMillion, 0);
  const own = { ...prices, cacheReadMicrodollarsPerMillion: 1, cacheWriteMicrodollarsPerMillion: 1.25 };
  assert.deepEqual(await pricesAt({ baseUrl: here, prices }), own);
  assert.equal(await pricesAt({}), null);
});

test("an address that is missing, invalid or contains a password is a problem, with a message without the password", () => {
  for (const baseUrl of [
    null,
    "models.example",
    "ftp://models.example",
    "https://u:hunter22@models.example",
  ]) {
    const { provider, problems } = build({ baseUrl });
    assert.equal(provider, undefined);
    assert.match(problems.join(), /P_BASE_URL/);
    assert.ok(!problems.join().includes("hunter22"));
  }
});

test("a name that is set up twice is reported, and the first settings count", () => {
  const { providers, problems } = buildProviders([setting({ model: "a" }), setting({ model: "b" })], () => 0);
  assert.equal(providers.get("p")?.model, "a");
  assert.equal(problems.length, 1);
});

test("a hosted provider without a key sends nothing and names the variable", async () => {
  const { provider } = build({ kind: "anthropic", baseUrl: null });
  assert.ok(provider);
  const request = { ...requestOf(says("hi")), model: "m" };
  const parts = await Array.fromAsync(provider.stream(request, paid, new AbortController().signal));
  assert.deepEqual(
    parts.map((part) => part.kind === "failed" && [part.failure.code, part.failure.message]),
    [["auth", "has no key: set P_API_KEY"]],
  );
});

test("settings are read from each provider's own variables", () => {
  const values = {
    GROQ_API_KEY: "k",
    GROQ_MODEL: " m ",
    MY_BOX_CHEAPER_MODEL: "little",
    MY_BOX_BASE_URL: "http://box:1/v1",
    MY_BOX_API_KEY: "",
  };
  assert.deepEqual(settingsFrom(["groq", "my-box"], values), [
    { name: "groq", kind: "groq", baseUrl: null, apiKey: "k", model: "m", cheaperModel: null },
    {
      name: "my-box",
      kind: "openai-compatible",
      baseUrl: "http://box:1/v1",
      apiKey: null,
      model: null,
      cheaperModel: "little",
    },
  ]);
});

for (const [host, address] of [
  ["127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
  ["http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
  ["https://box.example/v1/", "https://box.example/v1"],
  ["box", "http://box:11434/v1"],
  ["0.0.0.0:7", "http://127.0.0.1:7/v1"],
  ["[::1]:7", "http://[::1]:7/v1"],
] as const) {
  test(`OLLAMA_HOST ${host} is the address ${address}`, () => {
    assert.equal(settingsFrom(["ollama"], { OLLAMA_HOST: host })[0]?.baseUrl, address);
  });
}

test("a base URL wins over a host, and without both the default port of this machine is used", async () => {
  const both = settingsFrom(["llama"], { LLAMA_HOST: "a:1", LLAMA_BASE_URL: "http://b:2/v1" });
  assert.equal(both[0]?.baseUrl, "http://b:2/v1");
  const { providers } = buildProviders(settingsFrom(["ollama", "llama"], {}), () => 0);
  const costs = [...providers.values()].map(async ({ local, model, recordOf }) => [
    local,
    (await recordOf(model)).prices?.outputMicrodollarsPerMillion,
  ]);
  assert.deepEqual(await Promise.all(costs), [
    [true, 0],
    [true, 0],
  ]);
});
