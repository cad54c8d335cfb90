import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { type AgentWorld, filesWith, isMissing, makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { botToken, FakeTelegram } from "../doors/fake-telegram.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";
import { type OllamaServerOptions, startOllamaServer } from "../ollama-server.ts";
import { openTerminal } from "../open-terminal.ts";

const key = "sk-typed-9Zq4-never-in-clear";
const passphrase = "four herons over Bruges";

const setupReport = z.object({
  ok: z.boolean(),
  provider: z.string(),
  model: z.string(),
  trial: z.object({ text: z.string() }),
  changes: z.record(z.string(), z.string().nullable()),
  written: z.boolean(),
});

/** A home where nothing is set up, with an Ollama and an OpenAI of its own on loopback; nobody listens at llama.cpp's port. */
async function makeBareHome(
  t: TestContext,
  { ollama = true, ...options }: OllamaServerOptions & { readonly ollama?: boolean } = {},
) {
  const server = await startOllamaServer(options);
  const openai = await startLoopbackProvider([{ text: "I am ready.", repeat: true }], {
    models: ["gpt-5.6-terra", "gpt-5.6-mini"],
  });
  const closed = await startLoopbackProvider([]);
  await closed.close();
  t.after(async () => {
    await server[Symbol.asyncDispose]();
    await openai.close();
  });
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: undefined,
    LOOP_BASE_URL: undefined,
    LOOP_API_KEY: undefined,
    OLLAMA_HOST: ollama ? server.url : closed.url,
    LLAMA_HOST: closed.url,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    LANG: "C.UTF-8",
  });
  const folder = join(world.home, "credentials");
  mkdirSync(folder);
  writeFileSync(join(folder, "passepartout-passphrase"), `${passphrase}\n`);
  const run = (args: readonly string[], input = "", settings = {}) =>
    world.command(args, { input, settings });
  const env = (): string => readFileSync(join(world.configuration, ".env"), "utf8");
  return { world, server, openai, run, env, given: { CREDENTIALS_DIRECTORY: folder } };
}

/** Everything below a home, but what tests and terminals put there, and where the calls of setup are booked. */
function filesOf({ home }: AgentWorld): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        !/^(work|credentials|org|tmux|\.local\/state\/passepartout)/.test(name) &&
        statSync(join(home, name)).isFile(),
    )
    .toSorted();
}

test("from nothing to an answer of a model by Ollama: found, tried, shown, written after a yes", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const { world, env, run } = await makeBareHome(t, { takesTools: false });
  mkdirSync(join(world.home, "org"));
  writeFileSync(join(world.home, "org", "house.org"), "* TODO Call Hansen\n");
  await using terminal = await openTerminal(world, ["setup"], { columns: 100 });
  await terminal.shows(/Which model should answer\?\n.*Ollama +runs here, 1 model/);
  terminal.press("Enter");
  await terminal.shows(/Which model of Ollama\?\n.*m +free, on this machine · 16k tokens/);
  terminal.press("Enter");
  await terminal.shows(/m answered “Yes\.” \(\d+\.\d s\)\.\n.*takes no tools/);
  await terminal.shows(/Never read or written[\s\S]*● ~\/org +1 Org file/);
  terminal.press("Enter");
  await terminal.shows(/What is the assistant called\?/);
  terminal.press("Enter");
  await terminal.shows(/Reach it from your phone as well\?\n.*● No\n.*○ Telegram +with a bot/);
  terminal.press("Enter");
  await terminal.shows(
    /would be written[\s\S]*PROVIDER_CASCADE=ollama[\s\S]*MEMEX_DIR=~\/org[\s\S]*Write it\?/,
  );
  assert.deepEqual(filesOf(world), [], "nothing is written before the yes");
  terminal.press("Enter");
  await terminal.shows(/Written\. Now start a conversation: \S*passepartout[\s\S]*left with 0/);
  const lines = env().trim().split("\n");
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("OLLAMA_BASE_URL")),
    ["PROVIDER_CASCADE=ollama", "OLLAMA_MODEL=m", "OLLAMA_TOOLS=false", "MEMEX_DIR=~/org"],
  );
  assert.deepEqual(filesOf(world), [".config/passepartout/.env"]);
  const asked = await run(["ask", "hi"]);
  assert.deepEqual([asked.code, asked.out], [0, "Yes.\n"], asked.err);
});

test("a key goes into the vault alone: no file, no history and no screen has it", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  await using fake = await FakeTelegram.start();
  const bare = await makeBareHome(t, { ollama: false });
  const { openai, env, run } = bare;
  const environment = { ...bare.world.environment, TELEGRAM_ADDRESS: fake.url };
  const world = { ...bare.world, environment };
  await using terminal = await openTerminal(world, ["setup"], { columns: 100 });
  await terminal.shows(/No Ollama or llama\.cpp answers[\s\S]*● Anthropic/);
  terminal.press("Down");
  await terminal.shows(/● OpenAI/);
  terminal.press("Enter");
  await terminal.shows(/The key of OpenAI \(it is not shown/);
  terminal.type(key);
  terminal.press("Enter");
  await terminal.shows(/● gpt-5\.6-terra/);
  terminal.press("Enter");
  await terminal.shows(/answered “I am ready\.”[\s\S]*Where are your Org notes/);
  terminal.press("Enter");
  await terminal.shows(/assistant called/);
  terminal.type("Ada");
  terminal.press("Enter");
  await terminal.shows(/from your phone/);
  terminal.press("Down");
  await terminal.shows(/● Telegram/);
  terminal.press("Enter");
  await terminal.shows(/The token of the bot \(it is not shown\)/);
  terminal.type("nonsense");
  terminal.press("Enter");
  await terminal.shows(/This is no token of a bot[\s\S]*from your phone/);
  terminal.press("Down");
  terminal.press("Enter");
  await terminal.shows(/The token of the bot[\s\S]*The token of the bot/);
  terminal.type(botToken);
  terminal.press("Enter");
  await terminal.shows(
    /OPENAI_API_KEY=vault:openai-key[\s\S]*MEMEX_ASSISTANT=Ada\b[\s\S]*vault\.json[\s\S]*openai-key, encrypted[\s\S]*telegram-token, encrypted[\s\S]*Write it/,
  );
  terminal.press("Enter");
  await terminal.shows(/New passphrase of the vault/);
  terminal.type(passphrase);
  terminal.press("Enter");
  await terminal.shows(/The same passphrase again/);
  terminal.type("another one");
  terminal.press("Enter");
  await terminal.shows(/It is not the same/);
  for (let typed = 0; typed < "another one".length; typed += 1) terminal.press("BSpace");
  terminal.type(passphrase);
  terminal.press("Enter");
  const screen = await terminal.shows(/left with 0/);
  assert.ok(![key, passphrase, botToken].some((secret) => screen.includes(secret)));
  assert.match(
    screen.replaceAll(/\s+[│]?\s+/g, " "),
    /For 15 minutes whoever writes to @agent_bot is given a code/,
  );
  assert.match(
    (await run(["gateway"])).out,
    /^telegram: .*\n.*No chat is linked[^\n]*\n {2}For 15 more minutes/,
  );
  assert.match(env(), /^OPENAI_API_KEY=vault:openai-key$/m);
  assert.deepEqual([...filesWith(world.home, key), ...filesWith(world.home, botToken)], []);
  assert.deepEqual(
    [...new Set(openai.requests.map(({ headers }) => headers["authorization"]))],
    [`Bearer ${key}`],
  );
});

test("Esc and Ctrl-C leave all as it was, at every step", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const { world } = await makeBareHome(t);
  const steps = [
    /Which model should answer/,
    /Which model of Ollama/,
    /Where are your/,
    /assistant called/,
    /from your phone/,
    /Write it/,
  ];
  await Promise.all(
    steps.map(async (_, last) => {
      const home = join(world.workspace, String(last));
      mkdirSync(home);
      const own = { ...world, home, environment: { ...world.environment, HOME: home } };
      await using terminal = await openTerminal(own, ["setup"]);
      for (const step of steps.slice(0, last)) {
        await terminal.shows(step);
        terminal.press("Enter");
      }
      await terminal.shows(steps[last] ?? /never/);
      terminal.press(last % 2 === 0 ? "Escape" : "C-c");
      await terminal.shows(/Left\. Nothing was written\.[\s\S]*left with 1/);
      assert.deepEqual(filesOf(own), []);
    }),
  );
});

test("by flags: a dry run writes nothing, a run writes the same, a second one finds all set", async (t) => {
  const { world, run, env, given } = await makeBareHome(t);
  const args = ["setup", "--non-interactive", "--notes", "~/n", "--assistant", "Passe", "--json"];
  const dry = await run([...args, "--dry-run"]);
  assert.deepEqual([dry.code, dry.err], [0, ""]);
  const shown = setupReport.parse(JSON.parse(dry.out));
  assert.deepEqual(
    [shown.ok, shown.provider, shown.model, shown.trial.text, shown.written],
    [true, "ollama", "m", "Yes.", false],
  );
  assert.deepEqual(filesOf(world), []);
  const wrote = await run(args);
  assert.deepEqual(setupReport.parse(JSON.parse(wrote.out)).changes, shown.changes);
  assert.match(env(), /^MEMEX_DIR=~\/n\nMEMEX_ASSISTANT=Passe\n$/m);
  const again = await run(args);
  assert.deepEqual(setupReport.parse(JSON.parse(again.out)).changes, {});
  const hosted = ["setup", "--non-interactive", "--provider", "openai", "--key-stdin"];
  const keyed = await run(hosted, `${key}\n`, given);
  assert.equal(keyed.code, 0, keyed.err);
  assert.match(keyed.out, /PROVIDER_CASCADE=openai,ollama[\s\S]*openai-key, encrypted/);
  assert.deepEqual([...filesWith(world.home, key), ...filesWith(world.home, botToken)], []);
  const kept = await run(["setup", "--non-interactive", "--provider", "openai", "--dry-run"], "", given);
  assert.match(kept.out, /answered “I am ready\.”/, "the key of the vault is used");
});

test("by flags: what cannot be done is told with what to do, and nothing is written", async (t) => {
  const { world, run } = await makeBareHome(t, { ollama: false });
  const refused: readonly (readonly [readonly string[], RegExp, string?])[] = [
    [[], /No single Ollama or llama\.cpp answers[\s\S]*--provider NAME/],
    [["--provider", "openai"], /openai needs a key\.[\s\S]*--key-stdin/],
    [["--provider", "opnai"], /did you mean openai\?/],
    [["--provider", "openai", "--key-stdin"], /A key has 8 characters or more/, "short\n"],
    [
      ["--provider", "openai", "--key-stdin", "--model", "gpt-5.6-tera"],
      /Did you mean gpt-5\.6-terra\?/,
      key,
    ],
    [["--provider", "ollama"], /ollama did not tell its models/],
  ];
  for (const [flags, words, input = ""] of refused) {
    const { code, err, out } = await run(["setup", "--non-interactive", ...flags], input);
    assert.deepEqual([code, out], [1, ""], err);
    assert.match(err, words);
  }
  const wrong = await run(["setup", "--non-interactive", "--provider", "openai", "--notes", "/"]);
  assert.equal(wrong.code, 2);
  const asked = await run(["setup"], "y\n");
  assert.deepEqual([asked.code, asked.out], [2, ""]);
  assert.match(asked.err, /needs a terminal[\s\S]*--non-interactive/);
  assert.equal(existsSync(world.configuration), false);
});

test("a start without a model names /setup once, and /setup says what to run", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: undefined });
  const talked = await world.command(["cli"], { input: "hello\n" });
  assert.equal(talked.out.split("Type /setup, or use notes").length, 2);
  const said = await world.command(["ask", "/setup"]);
  assert.match(said.out, /passepartout setup/);
});

test("setup --import shows what it would write, writes it after a yes as words of others, and takes it back", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: undefined });
  mkdirSync(join(world.home, ".codex"));
  writeFileSync(join(world.home, ".codex", "AGENTS.md"), "The gardener prefers roses.\n");
  const run = (...args: readonly string[]) => world.command(["setup", "--import", "codex", ...args]);
  const unsaid = await run();
  assert.equal(unsaid.code, 1, unsaid.out);
  assert.match(unsaid.out, /\+ ~\/memex\/imported\/codex\/AGENTS\.org from \.codex\/AGENTS\.md/);
  assert.match(unsaid.err, /Nothing was written\. To write it, add --yes\./);
  const [dry, other] = [await run("--dry-run", "--json"), await world.command(["setup", "--import", "pi"])];
  assert.deepEqual([dry.code, JSON.parse(dry.out).written, other.code], [0, false, 2]);
  const note = join(world.home, "memex", "imported", "codex", "AGENTS.org");
  assert.equal(existsSync(note), false);
  assert.equal((await run("--yes")).code, 0);
  const { out } = await world.command(["memory", "search", "roses", "--json"]);
  const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  const shown = await world.command(["memory", "show", id]);
  assert.match(shown.out, /untrusted, public/);
  // Its origin is known by its words: a deleted property changes nothing.
  writeFileSync(note, readFileSync(note, "utf8").replace(/^:ORIGIN:.*\n/m, ""));
  assert.match((await world.command(["memory", "show", id])).out, /untrusted, public/);
  assert.match((await run("--undo", "--yes")).out, /AGENTS\.org stays: you changed it/);
  assert.equal(existsSync(note), true);
});

test("setup finds a llama.cpp server, tries its model, and takes over its context and what it says of tools", async (t) => {
  const { world, openai, env } = await makeBareHome(t, { ollama: false });
  const asked: string[] = [];
  const served = { window: 16_384 };
  const llama = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/props") {
      const props = {
        default_generation_settings: { n_ctx: served.window },
        chat_template_caps: { supports_tools: false },
      };
      response.setHeader("content-type", "application/json").end(JSON.stringify(props));
      return;
    }
    // The rest of what llama-server answers is OpenAI's protocol.
    const passed = forward(
      `${openai.url}${request.url}`,
      { method: request.method ?? "GET", headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    llama.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => llama.close());
  const address = llama.address();
  assert.ok(typeof address === "object" && address !== null);
  const settings = { LLAMA_HOST: `http://127.0.0.1:${address.port}` };
  const done = await world.command(["setup", "--non-interactive", "--json"], { settings });
  assert.equal(done.code, 0, `${done.err}${done.out}`);
  const report = setupReport.parse(JSON.parse(done.out));
  assert.deepEqual([report.provider, report.trial.text], ["llama", "I am ready."]);
  assert.ok(asked.includes("/props"), asked.join(" "));
  assert.match(env(), /PROVIDER_CASCADE=llama\n[\s\S]*LLAMA_TOOLS=false\n[\s\S]*LLAMA_CONTEXT_WINDOW=16384/);
  assert.doesNotMatch(done.out, /is small/);
  served.window = 4096;
  const small = await world.command(["setup", "--non-interactive", "--no-test"], { settings });
  assert.match(small.err, /a context of 4096 tokens is small.*llama-server with -c 16384/);
});

const bookedRow = z.object({ key: z.string().nullable(), calls: z.number(), failed: z.number() });

test("the call of setup is reserved under the caps and booked, also beside a running daemon; what cannot be booked is not asked", async (t) => {
  const { world, openai, run, given: credentials } = await makeBareHome(t);
  const given = { ...credentials, OPENAI_INPUT_PRICE: "1", OPENAI_OUTPUT_PRICE: "1" };
  const args = ["setup", "--non-interactive", "--provider", "openai", "--key-stdin"];
  const asked = (): number => openai.requests.length;
  const poor = await run(args, `${key}\n`, { ...given, BUDGET_PER_DAY: "0" });
  assert.equal(poor.code, 1);
  assert.match(poor.err, /was not asked\. Budget exhausted: \$0\.0000 remaining.*Raise BUDGET_PER_DAY/s);
  assert.equal(asked(), 0);
  const calls = async (): Promise<number | undefined> => {
    const { out } = await run(["usage", "--by", "job", "--json"]);
    const rows = out
      .trim()
      .split("\n")
      .map((line) => bookedRow.parse(JSON.parse(line)));
    return rows.find((row) => row.key === "setup")?.calls;
  };
  const done = await run(args, `${key}\n`, given);
  assert.deepEqual([done.code, asked(), await calls()], [0, 1, 1], done.err);
  await startDaemon(t, world);
  assert.equal((await run(args, `${key}\n`, given)).code, 0);
  assert.deepEqual([asked(), await calls()], [2, 2]);
  writeFileSync(join(world.state, "state.db"), "no database");
  const broken = await run(args, `${key}\n`, given);
  assert.match(broken.err, /was not asked, since what it costs cannot be booked/);
  assert.equal(asked(), 2);
});
