import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { installCommand } from "../../src/act/steward/package-manager.ts";
import { calls, isMissing, makeWorld, talkTo } from "../agent-world.ts";
import { refusingUrl } from "../loopback-provider.ts";
import { startOllamaServer } from "../ollama-server.ts";
import { openTerminal } from "../open-terminal.ts";

test("doctor on a healthy machine lists its checks and ends with 0", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["doctor"]);
  assert.equal(done.code, 0);
  const health = /^ {2}note /m.test(done.out) ? "degraded" : "healthy";
  assert.match(done.out, new RegExp(`^Passepartout \\S+ is ${health}\\.\n`));
  for (const name of ["gates", "settings", "providers", "sandbox", "folders", "state"]) {
    assert.match(done.out, new RegExp(`^ {2}\\S+ +${name}: `, "m"));
  }
  assert.match(done.out, /all that must be blocked is blocked/);
  assert.equal(existsSync(world.state), false);
});

test("diagnostics is another name of doctor, and --json prints one object", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["diagnostics", "--json"]);
  assert.equal(done.code, 0);
  assert.match(
    done.out,
    /^\{"health":"(healthy|degraded)","checks":\[\{"name":"gates","result":"ok","text":"/,
  );
});

test("doctor is degraded with a finding for each setting that cannot be parsed and each provider that is not set up", async (t) => {
  const world = await makeWorld(t, [], { DEPTH_LIMIT: "many", PROVIDER_CASCADE: "loop,second" });
  const done = await world.command(["doctor"]);
  assert.equal(done.code, 0);
  assert.match(done.out, /is degraded\./);
  assert.match(
    done.out,
    /note +settings: DEPTH_LIMIT is not a whole number above 0; 10 is used\. Correct it in \S/,
  );
  assert.match(done.out, /note +providers: The provider second has no address: set SECOND_BASE_URL/);
});

test("doctor is unhealthy and ends with 1 if the journal is damaged, and leaves it as it is", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("list");
  }
  const file = join(world.state, "journal.jsonl");
  const damaged = readFileSync(file, "utf8").replace('"verdict":"pass"', '"verdict":"ask_"');
  writeFileSync(file, damaged);
  const done = await world.command(["doctor"]);
  assert.equal(done.code, 1);
  assert.match(done.out, /is unhealthy\.[\s\S]*BAD +journal: damaged/);
  assert.equal(readFileSync(file, "utf8"), damaged);
});

test("doctor is unhealthy if the database is damaged, and says so", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(world.state, { recursive: true });
  writeFileSync(join(world.state, "state.db"), "this is no database at all, and was one once ".repeat(100));
  const done = await world.command(["doctor"]);
  assert.equal(done.code, 1);
  assert.match(done.out, /BAD +state: The database .*state\.db is damaged\. It was left as it is\./);
});

test("doctor finds a provider of the cascade whose key is missing", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "openai,loop" });
  const { out } = await world.command(["doctor"]);
  assert.match(out, /is degraded\./);
  assert.match(out, /note +providers: openai has no key\. Set OPENAI_API_KEY, or remove openai from/);
});

test("doctor finds a provider on this machine without a server, by number and by name", async (t) => {
  const url = await refusingUrl();
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "loop,gone,named",
    GONE_BASE_URL: `${url}/v1`,
    NAMED_BASE_URL: `http://localhost:${new URL(url).port}/v1`,
  });
  const { out } = await world.command(["doctor"]);
  assert.match(out, /is degraded\./);
  assert.match(out, /ok +providers: loop: /);
  assert.match(
    out,
    /note +providers: gone: no server listens at 127\.0\.0\.1:\d+ on this machine\. Start gone/,
  );
  assert.match(out, /note +providers: named: no server listens at localhost:\d+/);
});

test("doctor says where a provider is and what it costs", async (t) => {
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "loop,priced,far",
    PRICED_BASE_URL: "http://192.0.2.1/v1",
    PRICED_INPUT_PRICE: "1",
    PRICED_OUTPUT_PRICE: "2",
    FAR_BASE_URL: "https://192.0.2.1:8443/v1",
  });
  const { out } = await world.command(["doctor"]);
  assert.match(
    out,
    /ok +providers: loop: default, at an address of this machine, but private text is withheld from it.*set LOOP_LOCAL=true\. Price: free \(this machine\)\. Context: 8192 tokens \(the default of this provider\)\. /,
  );
  assert.match(
    out,
    /ok +providers: priced: default, on another machine \(192\.0\.2\.1\)\. Price for a million tokens: \S+ in, .*\(your setting\)\..*\n/,
  );
  assert.match(
    out,
    /ok +providers: far: default, on another machine \(192\.0\.2\.1:8443\)\. Price: unknown, so it is not asked\. Set FAR_INPUT_PRICE and FAR_OUTPUT_PRICE, or UNPRICED_MODELS=allow\. .*\n/,
  );
});

test("doctor shows the context that Ollama is asked for, and what its model could have", async (t) => {
  await using server = await startOllamaServer({ contextLength: 131_072 });
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "ollama",
    OLLAMA_HOST: server.url,
    OLLAMA_MODEL: "m",
  });
  assert.match(
    (await world.command(["doctor"])).out,
    /ok +providers: ollama: m, .*Context: 16384 tokens \(a bound, since a context takes memory; the model has up to 131072, which OLLAMA_CONTEXT_WINDOW can ask for\)/,
  );
  const { out } = await world.command(["doctor"], { settings: { OLLAMA_CONTEXT_WINDOW: "500000" } });
  assert.match(out, /Context: 131072 tokens \(the model on its server\)/);
});

test("doctor finds a scripted provider without a script", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "scripted" });
  assert.match(
    (await world.command(["doctor"])).out,
    /note +providers: scripted has no script\. Set SCRIPTED_PROVIDER_FILE to a JSON file/,
  );
  const settings = { SCRIPTED_PROVIDER_FILE: world.path("none.json") };
  const { out } = await world.command(["doctor"], { settings });
  assert.match(
    out,
    /note +providers: scripted has no script at \/\S+\/none\.json\. Set SCRIPTED_PROVIDER_FILE to a JSON file/,
  );
});

test("doctor is unhealthy if notes or state cannot be saved, and names the obstacle", async (t) => {
  const world = await makeWorld(t);
  const file = world.path("file");
  writeFileSync(file, "x");
  for (const [settings, said] of [
    [{ MEMEX_DIR: file }, /BAD +folders: notes cannot be saved: \S+\/file is not a folder\. .*MEMEX_DIR/],
    [{ MEMEX_DIR: join(file, "notes") }, /BAD +folders: .*\/file \(for \S+\/file\/notes\) is not a folder/],
    [
      { XDG_STATE_HOME: file },
      /BAD +state: nothing can be saved: \S+\/file \(for .*\) is not a folder\. .*XDG_STATE_HOME/,
    ],
  ] as const) {
    const { code, out } = await world.command(["doctor"], { settings });
    assert.equal(code, 1, out);
    assert.match(out, /is unhealthy\./);
    assert.match(out, said);
  }
});

test("doctor names the settings file, and finds one that other users can open", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.configuration, ".env");
  assert.match((await world.command(["doctor"])).out, /ok +folders: .*there is no \S+\/\.env yet\n/);
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(file, "MEMEX_ASSISTANT=Ada\n");
  chmodSync(file, 0o640);
  const open = await world.command(["doctor"]);
  assert.match(open.out, /ok +folders: settings are read from \S+\/\.env\n/);
  assert.match(open.out, /note +folders: other users .* open \S+\/\.env, .* chmod 600 \S+\/\.env\n/);
  chmodSync(file, 0o600);
  const closed = await world.command(["doctor"]);
  assert.doesNotMatch(closed.out, /chmod 600/);
});

test("doctor sends nothing to any provider", async (t) => {
  const world = await makeWorld(t);
  await world.command(["doctor"]);
  assert.equal(world.provider.requests.length, 0);
});

test("a fresh install without a model is not called degraded for that", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  const { out, code } = await world.command(["doctor"]);
  assert.equal(code, 0);
  assert.match(out, /ok +providers: no model is set up; .* passepartout setup sets one up/);
  assert.doesNotMatch(out, /note +providers/);
});

test("doctor --fix shows each change, keeps what it replaces, and leaves a sound home; --dry-run changes nothing", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.configuration, ".env");
  mkdirSync(world.configuration, { recursive: true });
  const before = "# mine\nMEMEX_ASISTANT=Ada\nSHELL_TIMEOUT=20\n";
  writeFileSync(file, before);
  chmodSync(file, 0o644);
  const lock = join(world.configuration, "rules.json.lock");
  writeFileSync(lock, "");
  utimesSync(lock, 1_700_000_000, 1_700_000_000);
  const dry = await world.command(["doctor", "--fix", "--dry-run"]);
  assert.match(
    dry.out,
    /would fix +\S+\.env: MEMEX_ASISTANT becomes MEMEX_ASSISTANT; .* kept as \S+\.env\.old/,
  );
  assert.deepEqual([readFileSync(file, "utf8"), statSync(file).mode & 0o777], [before, 0o644]);
  const fixed = await world.command(["doctor", "--fix"]);
  assert.match(fixed.out, /fixed +\S+\.env: mode 644 becomes 600/);
  assert.doesNotMatch(fixed.out, /MEMEX_ASISTANT, but|chmod 600|was killed left/);
  assert.equal(readFileSync(file, "utf8"), "# mine\nSHELL_TIMEOUT=20\nMEMEX_ASSISTANT=Ada\n");
  assert.equal(readFileSync(`${file}.old`, "utf8"), before);
  assert.deepEqual([existsSync(lock), existsSync(`${lock}.old`)], [false, true]);
  assert.match((await world.command(["doctor", "--fix"])).out, /^Nothing here can be fixed/);
});

test("doctor names the models that an Ollama has, where it lacks the one that is set", async (t) => {
  await using server = await startOllamaServer();
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "ollama",
    OLLAMA_HOST: server.url,
    OLLAMA_MODEL: "absent:8b",
  });
  const { out } = await world.command(["doctor"]);
  assert.match(
    out,
    /note +providers: ollama has no model absent:8b: it has m\. Get it with: ollama pull absent:8b/,
  );
});

test("doctor --watch prints what changed, and ends by Ctrl-C", async (t) => {
  const world = await makeWorld(t);
  const seen = Promise.withResolvers<void>();
  const done = await world.run(["doctor", "--watch"], {
    onOutput: (text) => (text.includes(" is ") ? seen.resolve() : undefined),
    begun: ({ signal }) => void seen.promise.then(() => signal("SIGINT")),
  });
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^Passepartout \S+ is /);
});

test("doctor --fix proposes the command that installs a missing program, and runs nothing without a yes at a terminal", async (t) => {
  const command = await installCommand("git");
  if (command === null) return t.skip("no package manager is known here");
  const world = await makeWorld(t, [], { PATH: join("/", "nowhere") });
  const found = await world.command(["doctor", "--quick"]);
  assert.ok(found.out.includes(`Install it: ${command}`), found.out);
  const dry = await world.command(["doctor", "--fix", "--dry-run", "--quick"]);
  assert.ok(dry.out.includes(`would fix  git is installed: ${command}`), dry.out);
  const alone = await world.command(["doctor", "--fix", "--quick", "--json"]);
  const { fixed, left } = fixedReport.parse(JSON.parse(alone.out));
  assert.deepEqual(fixed, []);
  assert.ok(left.includes(`git: nobody is at a terminal to say yes. Run it yourself: ${command}`), alone.out);
  if (isMissing(t, "tmux", "tmux")) return;
  const bin = join(world.home, "bin");
  mkdirSync(bin);
  for (const program of ["tmux", "sleep"]) symlinkSync(placeOf(program), join(bin, program));
  const own = { ...world, environment: { ...world.environment, PATH: bin } };
  await using terminal = await openTerminal(own, ["doctor", "--fix", "--quick"], { columns: 200 });
  await terminal.shows(/Install git for everybody on this machine, by: .*\[y\/N\]/);
  terminal.press("n");
  terminal.press("Enter");
  await terminal.shows(/left +git: you said no\. To install it later:/);
});

function placeOf(program: string): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? "";
}

const fixedReport = z.looseObject({ fixed: z.array(z.string()), left: z.array(z.string()) });
