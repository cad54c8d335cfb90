import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { readToolList } from "../../src/act/mcp/list-tools.ts";
import { ServerFailure } from "../../src/act/mcp/server-failure.ts";
import { entryDigest, ServerPool } from "../../src/act/mcp/server-pool.ts";
import { startPortsOf } from "../../src/act/mcp/start-ports.ts";
import { openMcpAcceptances } from "../../src/settings/mcp-acceptances.ts";
import { fillText, readMcpFile } from "../../src/settings/mcp-servers.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { calls, filesWith, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import { removeFolder } from "../remove-folder.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { noLogins, revisions, setUpServers } from "./mcp-world.ts";

const never = new AbortController().signal;

/** A pool with one server of the network, under a name that no resolver knows. */
function openPool(t: TestContext, { port }: HttpServer, timeout = 600) {
  const url = `http://any.invalid:${port}/mcp`;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-http-")));
  const path = join(folder, "mcp.json");
  const headers = { Authorization: `Bearer \${TOKEN}` };
  writeFileSync(path, JSON.stringify({ mcpServers: { http: { url, headers, passepartout: { timeout } } } }));
  const [server] = readMcpFile(path, { home: folder, project: null }).servers;
  assert.ok(server !== undefined);
  const fillMcpText = (text: string) =>
    fillText(text, { TOKEN: "swan-token" }, () => ({ ok: false, reason: "" }));
  const settings = {
    searchPath: "",
    isSecretPath: () => false,
    scan: () => [],
    folders: { home: folder, notes: `${folder}/memex`, own: [] },
    config: { programFolders: [], places: { runtime: folder }, fillMcpText, mcpLogins: noLogins },
  };
  const pool = new ServerPool({
    ...startPortsOf(settings, null, async () => bottomLabel),
    version: "test",
    recordConnection: () => undefined,
    connectTimeout: 10_000,
  });
  t.after(async () => {
    await pool[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  return { pool, use: { server, accepted: null, addresses: ["127.0.0.1"] } };
}

test("a server of the network is reached at the judged address alone, with its key, in both revisions", async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const server = await startHttpServer(t, revision, "plain");
      const { pool, use } = openPool(t, server);
      const { list, revision: agreed } = await pool.list(use, never);
      assert.deepEqual([agreed, list.tools.map(({ name }) => name)], [revision, ["echo"]]);
      const call = { tool: "echo", args: {}, answers: null, digest: list.digest };
      assert.deepEqual(await pool.call(use, call, never), {
        kind: "done",
        outcome: { status: "success", content: "echo" },
      });
      assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer swan-token"));
      assert.ok(server.requests.every(({ headers }) => headers.host === `any.invalid:${server.port}`));
      await assert.rejects(pool.call({ ...use, addresses: [] }, call, never), /no address was given/);
    });
});

test("a server of the network that leads elsewhere, floods or hangs fails its own call, in both revisions", async (both) => {
  for (const revision of revisions)
    for (const [mode, words] of [
      ["redirects", /redirect/i],
      ["floods", /^it sent a message of more than \d+ bytes$/],
      ["floods-events", /^it sent more than 10000 messages$/],
      ["refuses", /^it refused the key of its entry \(401\)\. Correct it/],
      ["lost", /^it answered 404\. Look whether its url is right$/],
      ["hangs", /did not answer in time/],
    ] as const)
      await both.test(`${revision}, ${mode}`, async (t) => {
        const server = await startHttpServer(t, revision, mode);
        const { pool, use } = openPool(t, server, mode === "hangs" ? 2 : 600);
        const { list } = await pool.list(use, never);
        const call = { tool: "echo", args: {}, answers: null, digest: list.digest };
        await assert.rejects(
          pool.call(use, call, never),
          (error) => error instanceof ServerFailure && words.test(error.message),
        );
      });
});

test("a server of the network that sends one byte after the other without end is given up in its time, holds up no other, and is asked again", async (both) => {
  for (const revision of revisions)
    for (const mode of ["drips", "drips-headers", "drips-events"] as const)
      await both.test(`${revision}, ${mode}`, async (t) => {
        const slow = await startHttpServer(t, revision, mode);
        const other = await startHttpServer(t, revision, "plain");
        const [one, two] = [openPool(t, slow, 2), openPool(t, other)];
        const call = async ({ pool, use }: typeof one) => {
          const { list } = await pool.list(use, never);
          return pool.call(use, { tool: "echo", args: {}, answers: null, digest: list.digest }, never);
        };
        const late = assert.rejects(
          call(one),
          (error) => error instanceof ServerFailure && /^it did not answer in time$/.test(error.message),
        );
        assert.equal((await call(two)).kind, "done");
        await late;
        while (slow.unended() > 0) await pause(20);
        slow.mode = "plain";
        assert.equal((await call(one)).kind, "done");
      });
});

test("a result that is far too large costs little memory, and its server is asked again", async (both) => {
  for (const revision of revisions)
    await both.test(revision, async (t) => {
      const server = await startHttpServer(t, revision, "floods");
      const { pool, use } = openPool(t, server);
      const { list } = await pool.list(use, never);
      const call = { tool: "echo", args: {}, answers: null, digest: list.digest };
      const before = process.memoryUsage().rss;
      await assert.rejects(pool.call(use, call, never), /sent a message of more than 4194304 bytes/);
      const grown = (process.memoryUsage().rss - before) / 1e6;
      assert.ok(grown < 200, `${Math.round(grown)} MB`);
      while (server.unended() > 0) await pause(20);
      server.mode = "plain";
      assert.equal((await pool.call(use, call, never)).kind, "done");
    });
});

test("in a turn the host is judged, the entry licenses its own host alone, and the key is shown and kept nowhere", async (t) => {
  const server = await startHttpServer(t, revisions[0], "plain");
  const key = "clear-key-of-the-file-4711";
  const world = await makeWorld(t);
  setUpServers(world, {
    notes: {
      type: "http",
      url: `http://127.0.0.1:${server.port}/mcp`,
      headers: { Authorization: `Bearer ${key}` },
      passepartout: { tools: { echo: "read" } },
    },
    metadata: { url: "http://169.254.169.254/mcp", passepartout: { tools: { echo: "read" } } },
  });
  const accepted = await world.command(["mcp", "accept", "notes", "--yes"]);
  assert.equal(accepted.code, 0, accepted.err);
  assert.doesNotMatch(accepted.out, new RegExp(key));
  const metadata = await world.command(["mcp", "accept", "metadata", "--yes"]);
  assert.equal(metadata.code, 1, "nobody accepts what gives out the machine's credentials");
  assert.match(metadata.err, /169\.254\.169\.254 is link-local or a metadata service/);
  const doctor = await world.command(["doctor"]);
  assert.match(doctor.out, /ok {4}servers: notes answers, with 1 tool/);
  assert.match(doctor.out, /note {2}servers: metadata is not accepted yet, so it is not used/);
  const asked = server.requests.length;
  assert.doesNotMatch((await world.command(["doctor", "--quick"])).out, /servers:/);
  assert.equal(server.requests.length, asked, "a quick check asks no server");
  world.provider.add(calls(["notes__echo", { message: "hi" }]), { text: `The key is ${key}` });
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    const status = await talk.say("/status");
    assert.match(
      status.text,
      /Servers of tools: 1 ready, with 1 tool; 1 not accepted as they are now \(passepartout mcp list\)\./,
    );
    const said = await talk.say("Echo with notes");
    assert.equal(said.end, "answered");
    assert.doesNotMatch(said.text, new RegExp(key), "an answer never shows it");
    const [verdict] = named(said.events, "verdict");
    const reached = verdict?.effects.find(({ kind }) => kind === "reach-host");
    assert.equal(reached?.target, "127.0.0.1");
    assert.match(JSON.stringify(verdict?.trace), /allowed by rule the server's entry in mcp\.json/);
  }
  assert.ok(server.requests.some(({ headers }) => headers.authorization === `Bearer ${key}`));
  assert.deepEqual(filesWith(world.state, key), []);
  assert.doesNotMatch(JSON.stringify(journalOf(world)), new RegExp(key));
  assert.doesNotMatch(sent(world, 1), new RegExp(key));
});

test("a server whose host cannot be found is named as such by a call, by mcp accept and by doctor", async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, {
    notes: { url: "http://notes.invalid/mcp", passepartout: { tools: { echo: "read" } } },
  });
  const [server] = readMcpFile(join(world.configuration, "mcp.json"), {
    home: world.home,
    project: null,
  }).servers;
  assert.ok(server !== undefined);
  openMcpAcceptances(join(world.configuration, "mcp-accepted.json")).accept("notes", {
    entry: entryDigest(server),
    list: readToolList([{ name: "echo", description: "Echoes", inputSchema: { type: "object" } }]),
    revision: revisions[0],
    acceptedAt: 0,
  });
  world.provider.add(calls(["notes__echo", {}]), { text: "Done." });
  {
    await using agent = await world.open();
    const said = await (await talkTo(agent)).say("Echo with notes");
    assert.equal(said.end, "answered", said.text);
    const [outcome] = named(said.events, "outcome");
    assert.deepEqual(
      [outcome?.code, /its host cannot be found/.test(String(outcome?.content))],
      ["server-not-found", true],
    );
  }
  const accepted = await world.command(["mcp", "accept", "notes", "--yes"]);
  assert.match(
    accepted.err,
    /^The server notes gave no list of tools: its host cannot be found\. Look whether/,
  );
  assert.match(
    (await world.command(["doctor"])).out,
    /note {2}servers: The server notes gave no list of tools: its host/,
  );
});

test("a project's servers are listed, and used only where its folder is trusted and they were accepted", async (t) => {
  const server = await startHttpServer(t, revisions[1], "plain");
  const world = await makeWorld(t);
  mkdirSync(world.configuration, { recursive: true, mode: 0o700 });
  const entry = { url: `http://127.0.0.1:${server.port}/mcp`, passepartout: { tools: { echo: "read" } } };
  writeFileSync(world.path(".mcp.json"), JSON.stringify({ mcpServers: { project: entry } }));
  assert.match(
    (await world.command(["mcp", "list"])).out,
    /^project .*not used, since you do not trust its folder/,
  );
  const early = await world.command(["mcp", "accept", "project", "--yes"]);
  assert.equal(early.code, 1);
  assert.match(early.err, /you do not trust that folder/);
  assert.equal(server.requests.length, 0, "nothing was asked of it");
  world.provider.add({ text: "Done." }, calls(["project__echo", { message: "hi" }]));
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    await talk.say("/trust-folder");
    await talk.say("/trust-folder yes");
    await talk.say("Echo with project");
    assert.doesNotMatch(
      sent(world, 0),
      /project__echo/,
      "trust in the folder alone is no yes to its servers",
    );
  }
  assert.equal((await world.command(["mcp", "accept", "project", "--yes"])).code, 0);
  {
    await using agent = await world.open();
    const asked = await (await talkTo(agent)).say("Echo with project");
    assert.equal(asked.end, "approval-required", "what a project declares of its tools counts for nothing");
    await (await talkTo(agent)).say("/trust-folder off");
  }
  assert.match((await world.command(["mcp", "list"])).out, /you do not trust its folder/);
});
