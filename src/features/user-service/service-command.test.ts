import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import type { Io } from "../../kernel/io.ts";
import { launchAgent } from "./launch-agent.ts";
import { serviceCommand } from "./service-command.ts";
import { findServiceManager, type ServiceManager } from "./service-manager.ts";
import { systemdUnit } from "./systemd-unit.ts";

const statusReport = z.object({
  running: z.boolean(),
  pid: z.int(),
  memoryBytes: z.int(),
  lingers: z.boolean(),
});

/** A home with programs that note how they were called, and answer what a test says. */
function makePlace(t: TestContext, answers: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), "service-"));
  t.after(() => rmSync(home, { recursive: true }));
  const programs = join(home, "programs");
  mkdirSync(programs);
  for (const name of ["systemctl", "journalctl", "systemd-notify", "launchctl"]) {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${home}/calls'\n${answers[name] ?? "exit 0"}\n`);
    chmodSync(path, 0o755);
  }
  const manager = (platform: NodeJS.Platform = "linux"): ServiceManager => {
    const found = findServiceManager({
      platform,
      folders: { home, state: join(home, "state") },
      user: { id: 1000, name: "ada" },
      configurationHome: join(home, ".config"),
      programs,
      lingering: join(home, "linger"),
    });
    assert.ok(found);
    return found;
  };
  const run = async (args: readonly string[], platform?: NodeJS.Platform) => {
    let [out, err] = ["", ""];
    const io: Io = {
      args,
      environment: {
        HOME: home,
        PATH: "/usr/bin:/bin",
        XDG_STATE_HOME: join(home, "100% state"),
        OPENAI_API_KEY: "sk-none",
        HTTPS_PROXY: "http://ada:hunter2@proxy.example:3128",
        no_proxy: ".example.org",
      },
      cwd: home,
      version: "0.0.0-test",
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      outIsTerminal: false,
      errIsTerminal: false,
      outputsAreOne: false,
      inputIsPipe: false,
      input: Readable.from([]),
      output: new PassThrough(),
      onInterrupt: () => () => undefined,
    };
    const code = await serviceCommand(io, manager(platform));
    return { code, out, err };
  };
  const calls = (): string =>
    existsSync(join(home, "calls")) ? readFileSync(join(home, "calls"), "utf8") : "";
  return { home, manager, run, calls };
}

test("a service is shown before it is written, written and started after a yes, and removed with its file", async (t) => {
  const { run, calls, manager, home } = makePlace(t);
  const { file } = manager();
  const asked = await run(["install"]);
  assert.deepEqual([asked.code, asked.out, existsSync(file), calls()], [1, "", false, ""]);
  assert.match(
    asked.err,
    /passepartout\.service would be written:\n.*ExecStart=.*Then these commands would run:/s,
  );
  const dry = await run(["install", "--dry-run", "--json"]);
  assert.deepEqual([dry.code, existsSync(file)], [0, false]);
  const { text } = z.object({ text: z.string() }).parse(JSON.parse(dry.out));
  const done = await run(["install", "--yes"]);
  assert.equal(done.code, 0, done.err);
  assert.equal(readFileSync(file, "utf8"), text);
  assert.match(done.out, /To let it run without you: loginctl enable-linger/);
  assert.equal(
    calls(),
    "systemctl --user daemon-reload\nsystemctl --user enable passepartout.service\nsystemctl --user restart passepartout.service\n",
  );
  assert.doesNotMatch(text, /sk-none|hunter2/);
  assert.ok(text.includes('Environment="HTTPS_PROXY=http://ada@proxy.example:3128"'), text);
  assert.ok(text.includes('Environment="no_proxy=.example.org"'), text);
  assert.match((await run(["install", "--dry-run"])).out, /vault set proxy-password/);
  assert.ok(text.includes(`Environment="XDG_STATE_HOME=${join(home, "100%% state")}"`), text);
  writeFileSync(file, "[Service]\nExecStart=/mine\n");
  await run(["install", "--yes"]);
  assert.match(readFileSync(`${file}.before`, "utf8"), /mine/);
  const removed = await run(["uninstall", "--yes", "--json"]);
  assert.deepEqual(
    [removed.code, JSON.parse(removed.out), existsSync(file)],
    [0, { removed: true, file }, false],
  );
  assert.match(calls(), /disable --now passepartout\.service\nsystemctl --user daemon-reload\n$/);
  const again = await run(["uninstall", "--yes"]);
  assert.deepEqual([again.code, again.err], [0, ""]);
});

test("a manager that refuses is told in its own words, with what to do next", async (t) => {
  const { run } = makePlace(t, {
    systemctl: 'case "$*" in *restart*) echo "Job failed" >&2; exit 1;; esac',
    journalctl: 'echo "No journal files" >&2; exit 1',
  });
  const { code, err } = await run(["install", "--yes"]);
  assert.equal(code, 1);
  assert.match(
    err,
    /restart passepartout\.service failed: Job failed\. The file .* is written\. See .* service logs\n$/,
  );
  const logs = await run(["logs"]);
  assert.deepEqual([logs.code, logs.err], [1, "The log cannot be read: No journal files.\n"]);
});

test("the status of a service says whether it runs, in words and as JSON", async (t) => {
  const answer = "printf 'ActiveState=active\\nMainPID=4711\\nNRestarts=2\\nMemoryCurrent=91000000\\n'";
  const { run, manager, home } = makePlace(t, {
    systemctl: answer,
    journalctl: "echo Listening on a socket",
  });
  const none = await run(["status"]);
  assert.deepEqual(
    [none.code, none.out],
    [1, "There is no service. Install it: passepartout service install\n"],
  );
  mkdirSync(join(home, "linger"));
  writeFileSync(join(home, "linger/ada"), "");
  await run(["install", "--yes"]);
  const { code, out } = await run(["status"]);
  assert.deepEqual(
    [code, out],
    [0, "The service runs: active (process 4711, 91 MB, started again 2 times).\n"],
  );
  const json = statusReport.parse(JSON.parse((await run(["status", "--json"])).out));
  assert.deepEqual([json.running, json.pid, json.memoryBytes, json.lingers], [true, 4711, 91_000_000, true]);
  assert.deepEqual((await run(["logs", "--lines", "5"])).out, "Listening on a socket\n");
  assert.deepEqual(manager().readStatus("ActiveState=failed\nMainPID=0\nMemoryCurrent=[not set]\n"), {
    running: false,
    state: "failed",
    pid: null,
    restarts: null,
    memoryBytes: null,
  });
});

test("on macOS a launch agent is bootstrapped, and its text survives any path", async (t) => {
  const { run, calls, manager, home } = makePlace(t, {
    launchctl: "printf '\\tstate = running\\n\\tpid = 12\\n'",
  });
  const done = await run(["install", "--yes"], "darwin");
  assert.equal(done.code, 0, done.err);
  const { file } = manager("darwin");
  assert.equal(calls(), `launchctl bootstrap gui/1000 ${file}\n`);
  assert.equal(file, join(home, "Library/LaunchAgents/passepartout.agent.plist"));
  assert.match((await run(["status"], "darwin")).out, /The service runs: running \(process 12\)/);
  const text = launchAgent({ command: ["/a & b/<node>"], variables: { PATH: "/x&y" } }, "/log");
  assert.ok(text.includes("<string>/a &amp; b/&lt;node&gt;</string>") && text.includes("/x&amp;y"));
});

test("systemd takes the unit without a word, with a watchdog where something can tell it that the agent lives", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'a "b" $c %d');
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
  const command = { command: ["/bin/sh", program, "daemon"], variables: { PATH: '/a "b" \\c:100%' } };
  const unit = systemdUnit(command, true);
  assert.match(unit, /Type=notify\nNotifyAccess=all\nWatchdogSec=180\n/);
  assert.match(unit, /MemoryMax=50%/);
  assert.doesNotMatch(unit, /RestrictSUIDSGID/, "folders of a team hand on their group");
  assert.doesNotMatch(systemdUnit(command, false), /Watchdog|NotifyAccess/);
  if (!existsSync("/usr/bin/systemd-analyze"))
    return t.skip("needs systemd-analyze: install the package systemd");
  const path = join(folder, "passepartout.service");
  writeFileSync(path, unit);
  const { status, stderr } = spawnSync("/usr/bin/systemd-analyze", ["--user", "verify", path], {
    encoding: "utf8",
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
  });
  assert.deepEqual(
    [status, stderr.split("\n").filter((line) => line.includes("passepartout"))],
    [0, []],
    stderr,
  );
});
