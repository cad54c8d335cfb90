import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ServerFailure } from "../../src/act/mcp/server-failure.ts";
import { type SignIn, signIn } from "../../src/act/mcp/sign-in.ts";
import { useLogin } from "../../src/act/mcp/use-login.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import {
  type AgentWorld,
  calls,
  filesWith,
  journalOf,
  makeWorld,
  named,
  sent,
  talkTo,
} from "../agent-world.ts";
import { givePassphrase, keepInVault } from "../vault-world.ts";
import { type Lies, type LoginService, startLoginService } from "./login-service.ts";
import { setUpServers } from "./mcp-world.ts";

const never = new AbortController().signal;
const addressesOf = new Map([
  ["127.0.0.1", "127.0.0.1"],
  ["intern.example", "10.0.0.1"],
  ["metadata.example", "169.254.169.254"],
]);

/** Signs in as a person with a browser does, which follows what it is shown. */
function asking(service: LoginService, more: Partial<SignIn> = {}): SignIn {
  return {
    server: new URL(service.url),
    client: null,
    resolveHost: async (host) => [addressesOf.get(host) ?? assert.fail(`${host} is looked up`)],
    scopes: [],
    earlier: null,
    show: async (page) => {
      await (await fetch(page)).text();
    },
    clock: () => 1_000_000,
    ...more,
  };
}

const pathsOf = ({ requests }: LoginService): readonly string[] =>
  requests.map(({ path }) => path.split("?")[0] ?? "");

test("signing in finds the authorization server, registers, proves itself by PKCE and state, and gives the tokens", async (t) => {
  const service = await startLoginService(t);
  let page: URL | null = null;
  const login = await signIn(
    asking(service, {
      scopes: ["write"],
      show: async (shown, issuer) => {
        page = shown;
        assert.equal(issuer, service.issuer);
        const wrong = new URL(shown.searchParams.get("redirect_uri") ?? "");
        for (const state of ["", "other", "x".repeat(43)]) {
          wrong.search = new URLSearchParams({ code: "stolen", state }).toString();
          assert.equal((await fetch(wrong)).status, 400, "another state changes nothing");
        }
        assert.match(await (await fetch(shown)).text(), /You can close this page/);
      },
    }),
    never,
  );
  assert.deepEqual(
    [login?.server, login?.issuer, login?.scope, login?.expiresAt, login?.resource],
    [service.url, service.issuer, "write", 4_600_000, service.url],
  );
  assert.deepEqual([login?.accessToken, login?.refreshToken], service.given);
  assert.ok(page !== null);
  assert.equal(new URL(page).searchParams.get("code_challenge_method"), "S256");
  assert.ok(service.requests.every(({ authorization }) => authorization === undefined));
});

/** Each lie of a service, what is said of it, and what it must not have been asked. */
const lies: readonly (readonly [string, (service: LoginService) => Lies, RegExp, ...string[]])[] = [
  [
    "its metadata at another address",
    () => ({ challenge: 'Bearer resource_metadata="https://evil.example/m"' }),
    /evil\.example, not its own address/,
    "/register",
  ],
  [
    "a plain authorization server",
    () => ({ authorizationServer: "http://evil.example" }),
    /without encryption, at evil\.example/,
    "/register",
  ],
  [
    "one in the local network",
    () => ({ authorizationServer: "https://intern.example" }),
    /no public address/,
    "/register",
  ],
  [
    "one that gives out credentials",
    () => ({ authorizationServer: "https://metadata.example" }),
    /no public address/,
    "/register",
  ],
  [
    "another issuer",
    () => ({ metadata: { issuer: "https://accounts.example" } }),
    /Issuer mismatch/,
    "/register",
  ],
  [
    "a token endpoint elsewhere",
    () => ({ metadata: { token_endpoint: "https://evil.example/token" } }),
    /leads to evil\.example.*"hosts"/,
    "/register",
  ],
  [
    "a plain token endpoint",
    () => ({ metadata: { token_endpoint: "http://evil.example/token" } }),
    /without encryption/,
    "/register",
  ],
  [
    "a token endpoint on another port",
    () => ({ metadata: { token_endpoint: "http://127.0.0.1:1/token" } }),
    /leads to 127\.0\.0\.1:1/,
    "/register",
  ],
  [
    "a registration elsewhere",
    () => ({ metadata: { registration_endpoint: "https://evil.example/register" } }),
    /leads to evil\.example/,
    "/register",
  ],
  [
    "a revocation elsewhere",
    () => ({ metadata: { revocation_endpoint: "https://evil.example/revoke" } }),
    /leads to evil\.example/,
    "/register",
  ],
  [
    "a page that is none",
    () => ({ metadata: { authorization_endpoint: "javascript:alert(1)" } }),
    /./,
    "/register",
  ],
  [
    "a file as its page",
    () => ({ metadata: { authorization_endpoint: "file:///etc/passwd" } }),
    /not http or https/,
    "/register",
  ],
  [
    "a redirect of its metadata",
    () => ({ redirect: "https://evil.example/m" }),
    /does not say that it knows PKCE/,
    "/register",
  ],
  [
    "no PKCE",
    () => ({ metadata: { code_challenge_methods_supported: undefined } }),
    /does not say that it knows PKCE/,
    "/register",
  ],
  [
    "plain PKCE",
    () => ({ metadata: { code_challenge_methods_supported: ["plain"] } }),
    /does not say that it knows PKCE/,
    "/register",
  ],
  [
    "a token for another server",
    () => ({ resource: "https://other.example/mcp" }),
    /does not match/,
    "/register",
  ],
  ["another issuer with the code", () => ({ iss: "https://accounts.example" }), /Issuer mismatch/, "/token"],
  ["no issuer with the code", () => ({ iss: null }), /Issuer mismatch/, "/token"],
  [
    "a token with a line break",
    () => ({ token: "token\r\nHost: evil.example" }),
    /a token that cannot be used/,
  ],
  ["a token that is too short", () => ({ token: "short" }), /a token that cannot be used/],
];

test("a service that lies about its login gets no login, and no token goes elsewhere", async (t) => {
  for (const [name, lie, words, ...never_asked] of lies)
    await t.test(name, async (each) => {
      const service = await startLoginService(each);
      service.lies = lie(service);
      await assert.rejects(signIn(asking(service), never), (error) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /Host: evil/);
        return true;
      });
      for (const path of never_asked) assert.ok(!pathsOf(service).includes(path), `${path} was asked`);
    });
});

test("an entry says which issuer its secret is for, and which further hosts are right", async (t) => {
  const service = await startLoginService(t);
  const client = { clientId: "mine", clientSecret: "for-one-issuer-alone", scopes: [], hosts: [] };
  await assert.rejects(
    signIn(asking(service, { client: { ...client, issuer: "https://accounts.example" } }), never),
    (error) =>
      error instanceof ServerFailure && /its entry says https:\/\/accounts\.example/.test(error.message),
  );
  assert.ok(service.requests.every(({ body }) => !body.includes("for-one-issuer-alone")));
  service.lies = { metadata: { revocation_endpoint: "https://revoke.example/r" } };
  const hosts = { clientId: null, clientSecret: null, issuer: null, scopes: [], hosts: ["revoke.example"] };
  assert.equal(
    (await signIn(asking(service, { client: hosts }), never))?.revocationEndpoint,
    "https://revoke.example/r",
  );
});

test("a login that nobody finishes ends, and leaves no port open", async (t) => {
  const service = await startLoginService(t);
  const stop = new AbortController();
  let port = "";
  const show = async (page: URL): Promise<void> => {
    port = page.searchParams.get("redirect_uri") ?? "";
    stop.abort();
  };
  await assert.rejects(signIn(asking(service, { show }), stop.signal), /nobody signed in in time|abort/i);
  await assert.rejects(fetch(port));
});

/** A world with a server to sign in to, a vault with a known passphrase, and a person who follows the printed address. */
async function makeLoginWorld(t: TestContext) {
  const service = await startLoginService(t);
  const world = await makeWorld(t);
  await keepInVault(world, "three swans on a lake", "another", "of no server");
  const settings = givePassphrase(world, "three swans on a lake");
  setUpServers(world, { notes: { url: service.url, passepartout: { tools: { echo: "read" } } } });
  const run = (...args: readonly string[]) => {
    const followed = new Set<string>();
    return world.command(["mcp", ...args], { settings, onOutput: (_, err) => follow(err, followed) });
  };
  return { world, service, settings, run };
}

function follow(text: string, followed: Set<string>): void {
  const page = /^Sign in to .*\n(http\S+)\n/m.exec(text)?.[1];
  if (page === undefined || followed.has(page)) return;
  followed.add(page);
  void fetch(page).then((answer) => answer.text());
}

/** Fails where any token stands in a file of the world, in its journal, or in what a model was told. */
function assertNoToken(world: AgentWorld, { given }: LoginService): void {
  assert.ok(given.length > 0);
  for (const token of given) {
    assert.deepEqual(filesWith(world.state, token), []);
    assert.deepEqual(filesWith(world.configuration, token), []);
    assert.ok(!JSON.stringify(journalOf(world)).includes(token));
    for (const index of world.provider.requests.keys()) assert.ok(!sent(world, index).includes(token));
  }
}

test("an owner signs in, calls, has the token refreshed, widens the rights and signs out; no token is seen anywhere", async (t) => {
  const { world, service, settings, run } = await makeLoginWorld(t);
  const early = await run("accept", "notes", "--yes");
  assert.equal(early.code, 1);
  assert.match(early.err, /it wants you to sign in\. Run: passepartout mcp login notes/);
  const login = await run("login", "notes");
  assert.equal(login.code, 0, login.err);
  assert.match(
    login.out,
    new RegExp(`Its tokens are in the vault, and go to ${new URL(service.url).origin} alone`),
  );
  assert.match(login.err, new RegExp(`for ${service.issuer}`));
  assert.equal((await run("accept", "notes", "--yes")).code, 0);
  assert.match((await run("list")).out, /ready, 1 tool, signed in/);
  assert.ok((await run("show", "notes")).out.includes(`runs: ${service.url}`), "its address is no secret");
  const echo = (message: string) => calls(["notes__echo", { message }]);
  world.provider.add(echo("hi"), { text: "Done." }, echo("again"), { text: "Done." }, echo("write"), {
    text: "Done.",
  });
  {
    await using agent = await world.open(settings);
    const talk = await talkTo(agent);
    assert.equal((await talk.say("Echo with notes")).end, "answered");
    service.end("access");
    const refreshed = await talk.say("Echo with notes again");
    assert.deepEqual(
      named(refreshed.events, "outcome").map(({ status }) => status),
      ["success"],
    );
    assert.equal(service.given.length, 4, "both tokens are new");
    const wider = await talk.say("Echo write with notes");
    assert.match(
      JSON.stringify(named(wider.events, "outcome")),
      /mcp login notes --scope \\+"read write\\+"/,
    );
    assert.equal((await run("login", "notes", "--scope", "read write", "--json")).code, 0);
    world.provider.add(echo("write"), { text: "Done." }, echo("hi"), { text: "Done." });
    const wide = await talk.say("Echo write with notes");
    assert.deepEqual(
      named(wide.events, "outcome").map(({ status }) => status),
      ["success"],
    );
    service.end("all");
    const over = await talk.say("Echo with notes");
    assert.match(
      JSON.stringify(named(over.events, "outcome")),
      /its login has expired\. Run: passepartout mcp login notes/,
    );
  }
  assertNoToken(world, service);
  assert.equal((await run("login", "notes")).code, 0);
  const logout = await run("logout", "notes");
  assert.deepEqual([logout.code, logout.out], [0, "Signed out of notes: its tokens are forgotten.\n"]);
  assert.ok(
    service.requests.some(
      ({ path, body }) => path === "/revoke" && body.includes(service.given.at(-1) ?? "-"),
    ),
  );
  assert.doesNotMatch((await run("list", "--json")).out, /signed in/);
  assert.equal((await run("logout", "notes")).code, 1);
  assertNoToken(world, service);
});

test("a token goes to the address that it was given for, and to no server of a project", async (t) => {
  const { world, service, run } = await makeLoginWorld(t);
  assert.equal((await run("login", "notes")).code, 0);
  const other = await startLoginService(t);
  setUpServers(world, { notes: { url: other.url } });
  const moved = await run("accept", "notes", "--yes");
  assert.deepEqual([moved.code, /it wants you to sign in/.test(moved.err)], [1, true]);
  setUpServers(world, {});
  writeFileSync(world.path(".mcp.json"), JSON.stringify({ mcpServers: { notes: { url: service.url } } }));
  world.provider.add({ text: "Done." });
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    assert.match((await talk.say("/trust-folder")).text, /notes/);
    await talk.say("/trust-folder yes");
  }
  const asked = service.requests.length;
  const project = await run("accept", "notes", "--yes");
  assert.deepEqual([project.code, /no server of a project gets/.test(project.err)], [1, true], project.err);
  assert.equal((await run("login", "notes")).code, 1, "nor can one sign in to it");
  for (const { authorization } of [...other.requests, ...service.requests.slice(asked)])
    assert.equal(authorization, undefined);
  assert.ok(readFileSync(join(world.configuration, "vault.json"), "utf8").includes("mcp.notes.login"));
});

test("a login at the same service uses its registered client again, and registers anew where its port is taken", async (t) => {
  const service = await startLoginService(t);
  const registered = (): number => pathsOf(service).filter((path) => path === "/register").length;
  const first = await signIn(asking(service), never);
  const second = await signIn(asking(service, { earlier: first, scopes: ["write"] }), never);
  assert.equal(registered(), 1);
  assert.deepEqual([second?.clientId, second?.redirectUrl], [first?.clientId, first?.redirectUrl]);
  const taken = createServer().listen(Number(new URL(second?.redirectUrl ?? "").port), "127.0.0.1");
  t.after(() => taken.close());
  await once(taken, "listening");
  const third = await signIn(asking(service, { earlier: second }), never);
  assert.equal(registered(), 2);
  assert.notEqual(third?.redirectUrl, first?.redirectUrl);
  const other = await startLoginService(t);
  const elsewhere = await signIn(asking(other, { earlier: third }), never);
  assert.equal(pathsOf(other).filter((path) => path === "/register").length, 1);
  assert.equal(elsewhere?.issuer, other.issuer);
});

test("two processes that refresh one login at the same time use its refresh token once, and both have the new one", async (t) => {
  const { world, service, run, settings } = await makeLoginWorld(t);
  assert.equal((await run("login", "notes")).code, 0);
  assert.equal((await run("accept", "notes", "--yes")).code, 0);
  const ways = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { config } = loadPolicy({ ...world.environment, ...settings });
      assert.equal((await config.vault.unlock("three swans on a lake")).ok, true);
      const server = config.mcpServers.find(({ name }) => name === "notes") ?? assert.fail("no server");
      const use = { logins: config.mcpLogins, resolveHost: async () => ["127.0.0.1"], clock: Date.now };
      return useLogin(server, new URL(service.url), use);
    }),
  );
  for (let round = 0; round < 4; round += 1) {
    const given = service.given.length;
    for (const way of ways) await way.token();
    service.end("access");
    const context = {
      response: new Response(null, { status: 401 }),
      serverUrl: new URL(service.url),
      fetchFn: fetch,
    };
    await Promise.all(ways.map(async (way) => way.onUnauthorized?.(context)));
    const tokens = await Promise.all(ways.map((way) => way.token()));
    assert.equal(new Set(tokens).size, 1);
    assert.equal(service.given.length, given + 2, "one refresh gives two tokens");
    assert.equal(tokens[0], service.given.at(-2));
  }
  assertNoToken(world, service);
});
