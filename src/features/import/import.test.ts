import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import type { foreignAgents } from "./foreign-agents.ts";
import { kept, madeUpKey, makeHome } from "./import.fixture.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { planRemoval, removeImport, writeImport } from "./write-import.ts";

async function planned(
  home: ReturnType<typeof makeHome>,
  agent: keyof typeof foreignAgents,
): Promise<ImportPlan> {
  const plan = await planImport(home.policy(), agent);
  assert.ok(plan !== null, agent);
  return plan;
}

const readServers = (path: string): { readonly mcpServers: Readonly<Record<string, JsonObject>> } =>
  JSON.parse(readFileSync(path, "utf8"));

const namesOf = ({ notes }: ImportPlan) =>
  notes.map(({ target, state }) => `${target.split("/").at(-1)} ${state}`);
const leftOf = ({ left }: ImportPlan) => left.map(({ path, why }) => `${path}: ${why}`).join("\n");

test("what each agent keeps is found where it keeps it, and nothing is written by looking", async (t) => {
  const home = makeHome(t, kept);
  const found = {
    openclaw: [
      ["SOUL.org new", "USER.org new", "MEMORY.org new", "memory-2026-01-02.org new", "cron-jobs.org new"],
      ["github"],
      1,
    ],
    hermes: [
      ["SOUL.org new", "memories-MEMORY.org new", "memories-USER.org new", "cron-jobs.org new"],
      ["notes"],
      1,
    ],
    claude: [["CLAUDE.org new", "projects-home-ada-site-memory-MEMORY.org new"], ["files"], 1],
    codex: [
      ["AGENTS.org new", "memories-MEMORY.org new", "automations-weekly-automation.org new"],
      ["docs"],
      0,
    ],
  } as const;
  for (const agent of ["openclaw", "hermes", "claude", "codex"] as const) {
    const plan = await planned(home, agent);
    const servers = plan.servers.map(({ name }) => name);
    assert.deepEqual([namesOf(plan), servers, plan.skills.length], found[agent], `${agent}\n${leftOf(plan)}`);
  }
  assert.match(leftOf(await planned(home, "openclaw")), /^\.env: keys are not copied/m);
  assert.match(
    leftOf(await planned(home, "claude")),
    /settings\.json: its permissions and hooks mean nothing here/,
  );
  assert.equal(existsSync(home.path("memex")), false);
  assert.equal(existsSync(home.path(".config")), false);
  assert.equal(await planImport(makeHome(t, {}).policy(), "hermes"), null);
});

test("what was imported is words of others, inert, without a key, and servers are switched off", async (t) => {
  const home = makeHome(t, kept);
  for (const agent of ["openclaw", "codex"] as const)
    await writeImport(home.policy(), await planned(home, agent));
  const folder = home.path("memex/imported/openclaw");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const memory = read("MEMORY.org");
  assert.equal(memory.match(/^:ORIGIN:/gm)?.length, 1);
  assert.match(memory, /^:ORIGIN: {3}untrusted$/m);
  assert.match(memory, /^:IMPORTED_FROM: \.openclaw\/workspace\/MEMORY\.md$/m);
  assert.doesNotMatch(memory, /^[ \t]*#\+begin_src|^\*+ Allow|Local Variables:$/m);
  assert.match(
    read("cron-jobs.org"),
    /Nothing here runs these jobs[\s\S]*Morning brief: 0 7 \* \* \* Europe\/Berlin/,
  );
  const { mcpServers } = readServers(home.path(".config/passepartout/mcp.json"));
  assert.deepEqual(mcpServers["github"], {
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-github"],
    env: { GITHUB_TOKEN: `\${vault:github-github-token}`, PORT: "3456" },
    disabled: true,
    importedFrom: "openclaw",
  });
  assert.equal(mcpServers["docs"]?.["disabled"], true);
  const all = spawnSync(
    "grep",
    ["-rl", madeUpKey, home.path("memex"), home.path(".config"), home.path(".local")],
    { encoding: "utf8" },
  );
  assert.equal(all.stdout, "");
  assert.match(read("USER.org"), /Name:\*\* Ada/);
});

test("an import can be repeated without doubling, leaves what its owner changed, and can be taken back", async (t) => {
  const home = makeHome(t, kept);
  await writeImport(home.policy(), await planned(home, "openclaw"));
  const again = await planned(home, "openclaw");
  assert.deepEqual([...new Set(again.notes.map(({ state }) => state))], ["same"]);
  assert.deepEqual(
    again.servers.map(({ state }) => state),
    ["same"],
  );
  const folder = home.path("memex/imported/openclaw");
  const before = readFileSync(join(folder, "SOUL.org"), "utf8");
  writeFileSync(join(folder, "SOUL.org"), `${before}mine\n`);
  writeFileSync(home.path("clawd/USER.md"), "Ada of Wight.\n");
  writeFileSync(home.path("clawd/SOUL.md"), "Be loud.\n");
  const changed = await planned(home, "openclaw");
  assert.deepEqual(namesOf(changed).slice(0, 2), ["SOUL.org yours", "USER.org newer"]);
  await writeImport(home.policy(), changed);
  assert.match(readFileSync(join(folder, "SOUL.org"), "utf8"), /mine\n$/);
  assert.match(readFileSync(join(folder, "USER.org"), "utf8"), /Ada of Wight/);
  const path = home.path(".config/passepartout/mcp.json");
  const mine = readServers(path);
  writeFileSync(
    path,
    JSON.stringify({ ...mine, other: 1, mcpServers: { ...mine.mcpServers, own: { command: "x" } } }),
  );
  const removal = planRemoval(home.policy(), "openclaw");
  assert.deepEqual(removal.servers, ["github"]);
  assert.deepEqual(removal.stays, [join(folder, "SOUL.org")]);
  await removeImport(home.policy(), "openclaw", removal);
  assert.deepEqual(readdirSync(folder), ["SOUL.org"]);
  assert.deepEqual(readServers(path), {
    other: 1,
    mcpServers: { own: { command: "x" } },
  });
});

test("links out of the folder, large files, pipes, bytes, hostile names and broken settings are left, with the reason", async (t) => {
  const home = makeHome(t, {
    ".ssh/id_ed25519": "PRIVATE",
    "elsewhere/secret.md": "SECRET OF ANOTHER FOLDER",
    ".hermes/memories/USER.md": "x",
    ".hermes/config.yaml": `a: &a [x,x,x,x]\nb: &b [*a,*a,*a]\nmcp_servers: { "evil\\u001b[2J": { command: "x" }, ok: { command: "run", args: ["--token=${madeUpKey}"] } }\n`,
    ".hermes/cron/jobs.json": "{ not json [",
    ".codex/AGENTS.md": "ok\n",
    ".codex/config.toml": "[mcp_servers\n",
    ".openclaw/openclaw.json": '{"agents":{"defaults":{"workspace":"/etc"}}}',
    ".claude/rules/a\u001b]0;x\u0007b.md": "hi\u202e\n* head\n",
    ".claude/CLAUDE.md": "",
  });
  symlinkSync(home.path(".ssh/id_ed25519"), home.path(".hermes/SOUL.md"));
  symlinkSync(home.path("elsewhere"), home.path(".codex/memories"));
  writeFileSync(home.path(".hermes/memories/MEMORY.md"), "");
  truncateSync(home.path(".hermes/memories/MEMORY.md"), 1_000_000_000);
  rmSync(home.path(".claude/CLAUDE.md"));
  spawnSync("mkfifo", [home.path(".claude/CLAUDE.md")]);
  const hermes = await planned(home, "hermes");
  assert.deepEqual(namesOf(hermes), ["memories-USER.org new"]);
  assert.match(leftOf(hermes), /SOUL\.md: it is a link to another place/);
  assert.match(leftOf(hermes), /MEMORY\.md: it is larger than 256 kB/);
  assert.match(leftOf(hermes), /config\.yaml: it cannot be parsed/);
  assert.match(leftOf(hermes), /jobs\.json: it cannot be parsed/);
  const codex = await planned(home, "codex");
  assert.deepEqual(namesOf(codex), ["AGENTS.org new"]);
  assert.match(leftOf(codex), /config\.toml: it cannot be parsed: line 1/);
  assert.match(
    leftOf(await planned(home, "openclaw")),
    /\/etc: its workspace is not inside your home folder/,
  );
  const claude = await planned(home, "claude");
  assert.match(leftOf(claude), /CLAUDE\.md: it is no plain file/);
  for (const { source, target, text } of claude.notes) {
    assert.match(target, /\/memex\/imported\/claude\/[\w.-]+\.org$/);
    assert.doesNotMatch(`${source}${text}`.replaceAll("\n", ""), /[\p{Cc}\u202a-\u202e]/u);
    assert.doesNotMatch(text, /^\* head/m);
  }
  for (const agent of ["hermes", "codex", "claude"] as const)
    await writeImport(home.policy(), await planned(home, agent));
  const leaked = spawnSync("grep", ["-rlE", `PRIVATE|SECRET OF|${madeUpKey}`, home.path("memex")], {
    encoding: "utf8",
  });
  assert.equal(leaked.stdout, "");
});

const key = ["Zq8", "kW3mN7", "pX2"].join("");
const commands: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ["--api-key", key],
    ["--api-key", `\${vault:s-api-key}`],
  ],
  [[`--api-key=${key}`], [`--api-key=\${vault:s-api-key}`]],
  [
    ["-k", key, "-v"],
    ["-k", `\${vault:s-k}`, "-v"],
  ],
  [
    ["--password", key, "--port", "80"],
    ["--password", `\${vault:s-password}`, "--port", "80"],
  ],
  [
    ["--access-token", key],
    ["--access-token", `\${vault:s-access-token}`],
  ],
  [
    ["--token", key, "--token", key],
    ["--token", `\${vault:s-token}`, "--token", `\${vault:s-token-2}`],
  ],
  [
    ["run", "-e", `X_API_KEY=${key}`, "image"],
    ["run", "-e", `X_API_KEY=\${vault:s-x-api-key}`, "image"],
  ],
  [
    ["--header", `Authorization: Bearer ${key}`],
    ["--header", `Authorization: Bearer \${vault:s-authorization}`],
  ],
  [[`https://example.org/?api_key=${key}&a=1`], [`https://example.org/?api_key=\${vault:s-api-key}&a=1`]],
  [
    ["-c", `serve --token ${key}`],
    ["-c", `\${vault:s-argument-2}`],
  ],
  [[madeUpKey], [`\${vault:s-argument-1}`]],
  [
    ["--key", "~/keys/a.pem", "-k", "https://example.org/", "--api-key", "-v", `--token=\${MINE}`],
    ["--key", "~/keys/a.pem", "-k", "https://example.org/", "--api-key", "-v", `--token=\${MINE}`],
  ],
];

test("a key among the arguments of a server is a reference to the vault, and stands nowhere else", async (t) => {
  for (const [args, expected] of commands) {
    const home = makeHome(t, {
      ".claude/CLAUDE.md": "hi\n",
      ".claude.json": JSON.stringify({ mcpServers: { s: { command: "run", args } } }),
    });
    const plan = await planned(home, "claude");
    assert.deepEqual(plan.servers[0]?.entry["args"], expected);
    await writeImport(home.policy(), plan);
    rmSync(home.path(".claude.json"));
    const kept = spawnSync("grep", ["-rlE", `${key}|${madeUpKey}`, home.path("")], { encoding: "utf8" });
    assert.deepEqual([kept.stdout, JSON.stringify(plan).includes(key)], ["", false], args.join(" "));
  }
});

test("a key in the address of a server is a reference to the vault", async (t) => {
  const home = makeHome(t, {
    ".claude/CLAUDE.md": "hi\n",
    ".claude.json": JSON.stringify({ mcpServers: { s: { url: `https://example.org/mcp?apiKey=${key}` } } }),
  });
  const [server] = (await planned(home, "claude")).servers;
  assert.deepEqual(
    [server?.entry["url"], server?.vault],
    [`https://example.org/mcp?apiKey=\${vault:s-apikey}`, ["s-apikey"]],
  );
});

test("a server whose name or command line cannot be taken is left, and a notes folder that leads elsewhere is not written", async (t) => {
  const home = makeHome(t, {
    ".claude/CLAUDE.md": "hi\n",
    ".claude.json": JSON.stringify({
      mcpServers: {
        "evil\u001b[2J": { command: "x" },
        __proto__x: { command: "x" },
        keyed: { command: "run", args: [`--token=${madeUpKey}`] },
        headed: {
          url: "https://example.org/mcp",
          headers: { Authorization: "Bearer abc" },
          excludeTools: ["wipe"],
          oauth: { clientSecret: "abc" },
        },
        empty: {},
        fine: { command: "run" },
      },
    }),
  });
  mkdirSync(home.path("memex"));
  mkdirSync(home.path("outside"));
  symlinkSync(home.path("outside"), home.path("memex/imported"));
  const plan = await planned(home, "claude");
  assert.deepEqual(
    plan.servers.map(({ name, vault }) => [name, ...vault]),
    [["keyed", "keyed-token"], ["headed", "headed-authorization"], ["fine"]],
  );
  assert.equal(JSON.stringify(plan.servers).includes("abc"), false);
  assert.match(leftOf(plan), /headed.*these keys are not imported: excludeTools, oauth/);
  assert.doesNotMatch(leftOf(plan), /abc/);
  assert.match(leftOf(plan), /CLAUDE\.md: .* leads out of your notes folder/);
  assert.equal(leftOf(plan).includes(madeUpKey) || leftOf(plan).includes("\u001b"), false);
  await writeImport(home.policy(), plan);
  assert.deepEqual(readdirSync(home.path("outside")), []);
  assert.equal(statSync(home.path(".config/passepartout/mcp.json")).mode & 0o777, 0o600);
});
