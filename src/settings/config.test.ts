import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadConfig } from "./config.ts";
import { loadPolicy } from "./policy.ts";

/** An empty home whose `.env` holds these lines. */
function homeWith(t: TestContext, lines: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), "passepartout-config-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, ".config", "passepartout");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".env"), `${lines.join("\n")}\n`);
  return home;
}

test("settings are read from .env of the configuration folder, and the process wins over it", (t) => {
  const home = homeWith(t, ["MEMEX_ASSISTANT=Filed", "DEPTH_LIMIT=7", "PROVIDER_CASCADE= one , Two "]);
  const config = loadConfig({ HOME: home, MEMEX_ASSISTANT: "Processed" });
  assert.equal(config.assistant, "Processed");
  assert.equal(config.depthLimit, 7);
  assert.deepEqual(config.cascade, ["one", "two"]);
  assert.deepEqual(config.problems, []);
});

test("an empty variable of the process means the default, whatever .env says", (t) => {
  const home = homeWith(t, ["PROVIDER_CASCADE=one", "ONE_BASE_URL=http://127.0.0.1:9/v1", "DEPTH_LIMIT=7"]);
  const config = loadConfig({ HOME: home, PROVIDER_CASCADE: "", ONE_BASE_URL: "", DEPTH_LIMIT: undefined });
  assert.deepEqual(config.cascade, []);
  assert.equal(
    config.providers.find(({ name }) => name === "one"),
    undefined,
  );
  assert.equal(config.depthLimit, 7);
  assert.equal(loadConfig({ HOME: home, DEPTH_LIMIT: "" }).depthLimit, 50);
  assert.deepEqual(config.problems, []);
});

test("a time that cannot be parsed is reported with the value used, in seconds", (t) => {
  const { problems } = loadConfig({
    HOME: homeWith(t, []),
    SHELL_TIMEOUT: "soon",
    APPROVAL_EXPIRY: "ever",
    HEARTBEAT_INTERVAL: "0",
    SHELL_OUTPUT_LIMIT: "0",
  });
  assert.match(problems.join("\n"), /^APPROVAL_EXPIRY is not [^;]*; 60 is used/m);
  assert.match(problems.join("\n"), /^SHELL_TIMEOUT is not [^;]*; 30 is used/m);
  assert.match(problems.join("\n"), /^HEARTBEAT_INTERVAL is not [^;]*; 60 is used/m);
  assert.match(problems.join("\n"), /^SHELL_OUTPUT_LIMIT is not [^;]*; 100000 is used/m);
});

test("without any setting every default is used", (t) => {
  const config = loadConfig({ HOME: homeWith(t, []) });
  assert.equal(config.assistant, "Agent");
  assert.equal(config.defaultActuator, "cli");
  assert.deepEqual(config.silentActuators, ["cli", "system-message", "emacs"]);
  assert.deepEqual(config.cascade, []);
  assert.equal(config.places.notes, join(config.places.home, "memex"));
  assert.equal(config.shellTimeout, 30_000);
  assert.equal(config.shellOutputLimit, 100_000);
});

test("the default actuator can only be an actuator that tells a person", (t) => {
  const home = homeWith(t, []);
  assert.equal(loadConfig({ HOME: home, DEFAULT_ACTUATOR: "TUI" }).defaultActuator, "tui");
  for (const name of ["shell", "system", "tool", "nonsense", "emacs", "telegram", "signal"]) {
    const config = loadConfig({ HOME: home, DEFAULT_ACTUATOR: name });
    assert.equal(config.defaultActuator, "cli");
    assert.match(config.problems.join(), /DEFAULT_ACTUATOR is not one of cli, tui;/);
  }
});

test("a value that cannot be parsed is reported, and the default is used", (t) => {
  const config = loadConfig({ HOME: homeWith(t, []), SHELL_TIMEOUT: "soon" });
  assert.equal(config.shellTimeout, 30_000);
  assert.match(config.problems.join(), /SHELL_TIMEOUT is not a number .* Correct it/);
});

test("a security setting that cannot be parsed gets its stricter value", (t) => {
  const home = homeWith(t, []);
  const broken = {
    BUDGET_PER_DAY: "lots",
    DEPTH_LIMIT: "-1",
    APPROVAL_EXPIRY: "ever",
    TOOL_PERMISSIONS: "shell: yes",
  };
  const config = loadConfig({ HOME: home, ...broken });
  assert.equal(config.budgetPerDay, 0);
  assert.equal(config.depthLimit, 10);
  assert.equal(config.approvalExpiry, 60_000);
  assert.deepEqual([...config.permissions], [["*", "ask"]]);
  assert.equal(config.problems.length, 4);
});

test("a line of .env that is not an assignment is reported by its number, never by its text", (t) => {
  const config = loadConfig({
    HOME: homeWith(t, ["# fine", "MEMEX_ASSISTANT=Ada", "sk-secret-without-a-name"]),
  });
  assert.equal(config.assistant, "Ada");
  assert.match(config.problems.join(), /\.env, line 3 is not NAME=value/);
  assert.doesNotMatch(config.problems.join(), /sk-secret/);
});

test("data, settings and state follow the XDG folders", (t) => {
  const home = homeWith(t, []);
  const { places } = loadConfig({
    HOME: home,
    XDG_CONFIG_HOME: "/x/config",
    XDG_STATE_HOME: "/x/state",
    XDG_RUNTIME_DIR: home,
    MEMEX_DIR: "~/notes",
  });
  assert.deepEqual(places, {
    home,
    configuration: "/x/config/passepartout",
    state: "/x/state/passepartout",
    runtime: join(home, "passepartout"),
    notes: join(home, "notes"),
    otherNotes: [],
  });
  const defaults = loadConfig({ HOME: home, XDG_RUNTIME_DIR: "/not/there" }).places;
  symlinkSync("loop", join(home, "loop"));
  const unreachable = loadConfig({ HOME: home, XDG_RUNTIME_DIR: join(home, "loop/run") }).places;
  assert.equal(unreachable.runtime, defaults.runtime);
  assert.equal(defaults.state, join(home, ".local/state/passepartout"));
  assert.equal(defaults.runtime, join(home, ".local/state/passepartout/run"));
});

test("MEMEX_DIR names several folders with a colon between them, and one with a colon in its name", (t) => {
  const home = homeWith(t, []);
  mkdirSync(join(home, "year:2024"));
  const foldersFor = (MEMEX_DIR: string): readonly string[] => {
    const { notes, otherNotes } = loadConfig({ HOME: home, MEMEX_DIR }).places;
    return [notes, ...otherNotes].map((path) => (path.startsWith(home) ? path.slice(home.length + 1) : path));
  };
  assert.deepEqual(foldersFor("~/memex:~/work:/mnt/shared"), ["memex", "work", "/mnt/shared"]);
  assert.deepEqual(foldersFor(" ~/memex : work/ ::"), ["memex", "work"]);
  assert.deepEqual(foldersFor("~/year:2024"), ["year:2024"], "a folder that exists is taken whole");
  assert.deepEqual(foldersFor("~/memex:~/year\\:2024"), ["memex", "year:2024"]);
  assert.deepEqual(foldersFor("~/odd\\:name"), ["odd:name"]);
  assert.deepEqual(foldersFor(":"), ["memex"]);
  for (const root of ["/", "~/memex:/", "/tmp/..", "~/memex://"])
    assert.throws(() => foldersFor(root), /MEMEX_DIR names \//);
});

test("the notes folders are known by their real paths, each once", (t) => {
  const home = homeWith(t, []);
  for (const name of ["memex", "work"]) mkdirSync(join(home, name));
  symlinkSync(join(home, "work"), join(home, "job"));
  const MEMEX_DIR = "~/memex:~/job:~/work/:~/memex/../work:~/memex/.:~/later";
  const { folders } = loadPolicy({ HOME: home, MEMEX_DIR });
  const real = realpathSync(home);
  assert.equal(folders.notes, join(real, "memex"));
  assert.deepEqual(folders.otherNotes, [join(real, "work"), join(real, "later")]);
});

test("an agenda file may be in any of the notes folders", (t) => {
  const home = homeWith(t, []);
  const settings = { HOME: home, MEMEX_DIR: "~/memex:~/work", ORG_AGENDA_FILES: "plan.org:~/work/a.org" };
  assert.deepEqual(loadConfig(settings).problems, []);
  const outside = loadConfig({ ...settings, ORG_AGENDA_FILES: "~/elsewhere/a.org" });
  assert.match(outside.problems.join(), /elsewhere\/a\.org, which is in no notes folder/);
});

test("a folder of programs that is or holds what is the owner's own is left out, with what to write instead", (t) => {
  const home = homeWith(t, []);
  const read = (PROGRAM_FOLDERS: string) => loadConfig({ HOME: home, MEMEX_DIR: "~/memex", PROGRAM_FOLDERS });
  const good = read("~/.nvm:.pyenv:/opt/with\\:colon");
  assert.deepEqual(good.problems, []);
  assert.deepEqual(good.programFolders, [join(home, ".nvm"), join(home, ".pyenv"), "/opt/with:colon"]);
  const refused =
    "~ / .. ~/memex ~/memex/bin ~/.local ~/.local/share ~/.config ~/.config/passepartout ~/.ssh /usr /etc/x /home /proc /tmp";
  for (const name of refused.split(" ")) {
    const { problems, programFolders } = read(`${name}:~/.nvm`);
    assert.deepEqual(programFolders, [join(home, ".nvm")], name);
    assert.ok(problems[0]?.startsWith(`PROGRAM_FOLDERS names ${name}, and no command sees it: `), name);
    assert.match(problems[0] ?? "", /Name the folder of one|Take it out/, name);
  }
});

test("every key in the process's environment or in .env is listed as a secret", (t) => {
  const home = homeWith(t, [
    "GROQ_API_KEY=groq-key-1234",
    "HOME_TOKEN=token-5678",
    "MEMEX_ASSISTANT=no-key-at-all",
  ]);
  const { keys } = loadConfig({ HOME: home, OPENAI_API_KEY: "openai-key-90" });
  assert.deepEqual([...keys].sort(), ["groq-key-1234", "openai-key-90", "token-5678"]);
});

test("a provider's prices and window come from its own variables, in dollars for a million tokens", (t) => {
  const config = loadConfig({
    HOME: homeWith(t, []),
    PROVIDER_CASCADE: "mine,half",
    MINE_BASE_URL: "http://127.0.0.1:9/v1",
    MINE_INPUT_PRICE: "1.5",
    MINE_OUTPUT_PRICE: "0",
    HALF_BASE_URL: "http://127.0.0.1:9/v1",
    HALF_INPUT_PRICE: "3",
    HALF_CACHE_READ_PRICE: "0.3",
    HALF_MAX_OUTPUT: "20000",
    MINE_CONTEXT_WINDOW: "32000",
    OPENAI_OUTPUT_PRICE: "much",
  });
  const mine = config.providers.find(({ name }) => name === "mine");
  assert.deepEqual(mine?.prices, { inputMicrodollarsPerMillion: 1_500_000, outputMicrodollarsPerMillion: 0 });
  assert.equal(mine?.contextWindow, 32_000);
  const half = config.providers.find(({ name }) => name === "half");
  assert.deepEqual(half?.prices, {
    inputMicrodollarsPerMillion: 3_000_000,
    cacheReadMicrodollarsPerMillion: 300_000,
  });
  assert.equal(half?.maxOutputTokens, 20_000);
  assert.match(config.problems.join(), /OPENAI_OUTPUT_PRICE/);
});

test("a window or an answer that is too small for any request is ignored, and said to be", (t) => {
  const { providers, problems } = loadConfig({
    HOME: homeWith(t, []),
    PROVIDER_CASCADE: "mine",
    MINE_BASE_URL: "http://127.0.0.1:9/v1",
    MINE_CONTEXT_WINDOW: "1023",
    MINE_MAX_OUTPUT: "255",
  });
  assert.equal(providers.find(({ name }) => name === "mine")?.contextWindow, undefined);
  assert.match(problems.join(" "), /MINE_CONTEXT_WINDOW is not a number of 1024 or more/);
  assert.match(problems.join(" "), /MINE_MAX_OUTPUT is not a number of 256 or more/);
});

test("settings of the Lisp system without effect are accepted, and listed as unused", (t) => {
  const config = loadConfig({
    HOME: homeWith(t, ["DAEMON_SLEEP_INTERVAL=60"]),
    MEMORY_AUTO_SAVE_INTERVAL: "10",
  });
  assert.deepEqual(config.unusedSettings, ["MEMORY_AUTO_SAVE_INTERVAL", "DAEMON_SLEEP_INTERVAL"]);
  assert.deepEqual(config.problems, []);
});

test("the heartbeat's interval is in seconds, and from one to a day", (t) => {
  const home = homeWith(t, []);
  assert.equal(loadConfig({ HOME: home }).heartbeatInterval, 60_000);
  assert.equal(loadConfig({ HOME: home, HEARTBEAT_INTERVAL: "5" }).heartbeatInterval, 5000);
  for (const [seconds, kept] of [
    ["1", 1000],
    ["86400", 86_400_000],
  ] as const)
    assert.equal(loadConfig({ HOME: home, HEARTBEAT_INTERVAL: seconds }).heartbeatInterval, kept);
  for (const seconds of ["0", "0.9", "86401"]) {
    const config = loadConfig({ HOME: home, HEARTBEAT_INTERVAL: seconds });
    assert.equal(config.heartbeatInterval, 60_000);
    assert.match(config.problems.join(), /HEARTBEAT_INTERVAL/);
  }
});

test("a provider's model has native tool calls unless NAME_TOOLS says no, and a value that is neither is reported", () => {
  const cascade = "plain,asked,odd";
  const config = loadConfig({
    HOME: "/home/nobody",
    PROVIDER_CASCADE: cascade,
    PLAIN_TOOLS: "",
    ASKED_TOOLS: " No ",
    ODD_TOOLS: "perhaps",
  });
  const called = cascade
    .split(",")
    .map((wanted) => config.providers.find(({ name }) => name === wanted)?.callsTools);
  assert.deepEqual(called, [true, false, true]);
  assert.match(config.problems.join(), /ODD_TOOLS is neither true nor false/);
});
