import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell.fixture.ts";
import { findSandbox } from "./bubblewrap.ts";

/** A workspace, the agent's own folders beside it, and the same tool with and without the sandbox. */
async function cage(context: TestContext, timeoutMilliseconds = 20_000) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const root = await makeScratchFolder(context);
  const [workspace, state, runtime, elsewhere] = ["workspace", "state", "runtime", "elsewhere"].map((name) =>
    join(root, name),
  );
  assert.ok(workspace && state && runtime && elsewhere);
  await Promise.all([workspace, state, runtime, elsewhere].map((folder) => mkdir(folder)));
  const common = { hidden: [state, runtime], timeoutMilliseconds };
  return {
    workspace,
    state,
    runtime,
    elsewhere,
    inside: shellIn(workspace, { ...common, sandbox }),
    outside: shellIn(workspace, { ...common, sandbox: null }),
  };
}

/** A command that runs a probe in node. The probe says TRIED first, and REACHED where it got what it wanted. */
function probe(script: string): string {
  assert.ok(!script.includes("'"));
  return `${process.execPath} -e '
    const fs = require("fs"), net = require("net"), child = require("child_process");
    const reached = () => { console.log("REACHED"); process.exit(0); };
    const refused = (fault) => { console.log("REFUSED " + fault.code); process.exit(0); };
    process.on("uncaughtException", refused);
    console.log("TRIED");
    ${script}
  '`;
}

type Cage = NonNullable<Awaited<ReturnType<typeof cage>>>;

/** The control first: the same command gets there unconfined; then it does not from inside. */
async function escapeFails({ inside, outside }: Cage, cmd: string): Promise<void> {
  const control = outputOf(await outside.run(cmd));
  assert.match(control, /TRIED.*REACHED/s, `control: ${control}`);
  const confined = outputOf(await inside.run(cmd));
  assert.match(confined, /TRIED/, confined);
  assert.doesNotMatch(confined, /REACHED/);
}

async function listenAt(
  context: TestContext,
  where: { path: string } | { port: number; host: string },
): Promise<Server> {
  const server = createServer((socket) => socket.end("hello"));
  server.listen(where);
  await once(server, "listening");
  context.after(() => server.close());
  return server;
}

const connect = (where: string): string => `net.connect(${where}).on("error", refused).on("data", reached);`;

test("a confined command does not reach the daemon's own socket", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.runtime, "daemon.sock");
  await listenAt(context, { path });
  await escapeFails(made, probe(connect(JSON.stringify({ path }))));
});

test("a confined command that is shown the runtime folder's parent does not reach the socket in it", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.runtime, "daemon.sock");
  await listenAt(context, { path });
  await escapeFails(made, `${probe(connect(JSON.stringify({ path })))} "" ${join(made.runtime, "..")}`);
});

test("a confined command does not reach an ssh-agent", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.elsewhere, "agent.1");
  await listenAt(context, { path });
  await escapeFails(made, `SSH_AUTH_SOCK=${path} ${probe(connect("{ path: process.env.SSH_AUTH_SOCK }"))}`);
});

test("a confined command does not reach an abstract socket, as D-Bus has", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const name = `passepartout-test-${process.pid}-${Date.now()}`;
  await listenAt(context, { path: `\0${name}` });
  await escapeFails(made, probe(connect(`{ path: "\\0${name}" }`)));
});

test("a confined command does not reach a server on loopback", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const server = await listenAt(context, { port: 0, host: "127.0.0.1" });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  await escapeFails(made, probe(connect(JSON.stringify({ port: address.port, host: "127.0.0.1" }))));
});

test("a confined command does not reach a socket that lies in the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.workspace, "tool.sock");
  await listenAt(context, { path });
  await escapeFails(made, probe(connect(JSON.stringify({ path }))));
});

test("a confined command reads neither the state nor the secret of the wire", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  for (const path of [join(made.state, "state.db"), join(made.runtime, "wire-secret")]) {
    await writeFile(path, "hidden");
    await escapeFails(
      made,
      probe(`if (fs.readFileSync(${JSON.stringify(path)}, "utf8") === "hidden") reached();`),
    );
  }
});

test("a confined command does not read the daemon's environment or memory", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const { pid } = await victim(context);
  await escapeFails(
    made,
    probe(`if (fs.readFileSync("/proc/${pid}/environ", "utf8").includes("MARK=here")) reached();`),
  );
  await escapeFails(
    made,
    probe(
      `fs.closeSync(fs.openSync("/proc/${pid}/mem", "r")); if (fs.readFileSync("/proc/${pid}/cmdline", "utf8").includes("sleep")) reached();`,
    ),
  );
});

test("a confined command cannot signal a process outside", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const first = await victim(context);
  const gone = once(first, "exit");
  assert.match(
    outputOf(await made.outside.run(probe(`process.kill(${first.pid}, "SIGTERM"); reached();`))),
    /REACHED/,
  );
  await gone;
  const second = await victim(context);
  const tried = outputOf(await made.inside.run(probe(`process.kill(${second.pid}, "SIGTERM"); reached();`)));
  assert.match(tried, /TRIED/, tried);
  assert.doesNotMatch(tried, /REACHED/);
  assert.equal(second.exitCode ?? second.signalCode, null);
});

async function victim(context: TestContext): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("sleep", ["30"], { env: { PATH: "/usr/bin:/bin", MARK: "here" }, stdio: "ignore" });
  await once(child, "spawn");
  context.after(() => child.kill("SIGKILL"));
  assert.ok(child.pid !== undefined);
  return Object.assign(child, { pid: child.pid });
}

test("a confined command does not read a secret file of the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  await mkdir(join(made.workspace, "deep", ".ssh"), { recursive: true });
  for (const name of [".env", "deep/.ssh/config"]) {
    const path = join(made.workspace, name);
    await writeFile(path, "hidden");
    await escapeFails(
      made,
      probe(`if (fs.readFileSync(${JSON.stringify(path)}, "utf8") === "hidden") reached();`),
    );
  }
});

test("a search that needs no approval does not enter the secret files of the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  await writeFile(join(made.workspace, ".env"), "NEEDLE=hidden");
  await writeFile(join(made.workspace, "a.txt"), "NEEDLE=shown");
  assert.match(outputOf(await made.outside.run("grep -r NEEDLE .")), /hidden/);
  const confined = outputOf(await made.inside.run("grep -r NEEDLE ."));
  assert.match(confined, /shown/);
  assert.doesNotMatch(confined, /hidden/);
});

test("a confined command writes nowhere but in the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.elsewhere, "written");
  const write = (where: string): string =>
    probe(`fs.writeFileSync(${JSON.stringify(where)}, "x"); reached();`);
  assert.match(outputOf(await made.outside.run(write(path))), /REACHED/);
  assert.ok(existsSync(path));
  const other = join(made.elsewhere, "other");
  assert.match(outputOf(await made.inside.run(write(other))), /TRIED/);
  assert.equal(existsSync(other), false);
  assert.match(outputOf(await made.inside.run(write(join(made.workspace, "mine")))), /REACHED/);
  assert.ok(existsSync(join(made.workspace, "mine")));
});

test("a confined command does not change what would be executed later", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const hooks = join(made.workspace, ".git", "hooks");
  await mkdir(hooks, { recursive: true });
  await writeFile(join(made.workspace, ".git", "config"), "[core]\n");
  for (const path of [join(hooks, "pre-commit"), join(made.workspace, ".git", "config")]) {
    await escapeFails(made, probe(`fs.appendFileSync(${JSON.stringify(path)}, "# more"); reached();`));
  }
});

test("a confined command that was proved to only read could not write the workspace", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const touch = async (writable: boolean): Promise<number | null> => {
    const given = {
      cwd: workspace,
      workspace,
      writable,
      readable: [],
      locked: [],
      masked: [],
      environment: new Map<string, string>(),
    };
    const [program = "", ...args] = sandbox.argv(
      ["/usr/bin/touch", join(workspace, `made-${writable}`)],
      given,
    );
    const child = spawn(program, args, { stdio: "ignore" });
    await once(child, "exit");
    return child.exitCode;
  };
  assert.equal(await touch(true), 0);
  assert.notEqual(await touch(false), 0);
});

test("nothing of a confined command survives its time limit", async (context) => {
  const made = await cage(context, 500);
  if (made === null) return;
  const late = (name: string): string => join(made.workspace, name);
  const survivor = (path: string): string =>
    probe(
      `child.spawn("sh", ["-c", "sleep 0.9; touch ${path}"], { detached: true, stdio: "ignore" }).unref(); setInterval(() => {}, 1000);`,
    );
  const [control, confined] = await Promise.all([
    made.outside.run(survivor(late("control"))),
    made.inside.run(survivor(late("confined"))),
  ]);
  assert.match(outputOf(control), /timed-out.*TRIED/s);
  assert.match(outputOf(confined), /timed-out.*TRIED/s);
  for (let tries = 0; tries < 40 && !existsSync(late("control")); tries += 1) await wait(50);
  assert.ok(existsSync(late("control")), "control: the survivor did its work outside");
  await wait(100);
  assert.equal(existsSync(late("confined")), false);
});

test("a confined command is told nothing of the daemon's environment", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const shown = outputOf(
    await made.inside.run(probe("console.log(Object.keys(process.env).sort().join());")),
  );
  assert.match(shown, /HOME,LANG,PATH,PWD,TERM\\n/);
});

test("a workspace in a folder of the agent's own is refused", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const root = await makeScratchFolder(context);
  const outcome = await shellIn(root, { sandbox, hidden: [root] }).run("ls");
  assert.match(outputOf(outcome), /cannot-confine/);
});

test("a confined command sees the installation in its workspace, and does not write it", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const dist = join(workspace, "dist");
  await mkdir(dist);
  await writeFile(join(dist, "main.js"), "shown");
  const both = { hidden: [dist], locked: [dist] };
  const inside = shellIn(workspace, { sandbox, ...both });
  assert.match(outputOf(await inside.run("grep -r shown .")), /main\.js:shown/);
  const path = join(dist, "main.js");
  const write = probe(`fs.appendFileSync(${JSON.stringify(path)}, "!"); reached();`);
  assert.match(outputOf(await inside.run(write)), /TRIED.*REFUSED/s);
  assert.equal(await readFile(path, "utf8"), "shown");
  const within = shellIn(dist, { sandbox, ...both });
  assert.match(outputOf(await within.run(write)), /TRIED.*REFUSED/s);
  assert.match(outputOf(await shellIn(workspace, both).run(write)), /REACHED/);
});

test("a bubblewrap that is missing or does not work is no sandbox", async (context) => {
  const folder = await makeScratchFolder(context);
  assert.equal(await findSandbox(join(folder, "bwrap")), null);
  const broken = join(folder, "broken");
  await writeFile(broken, "#!/bin/sh\nexit 1\n");
  await chmod(broken, 0o755);
  assert.equal(await findSandbox(broken), null);
  assert.match(await readFile(broken, "utf8"), /exit 1/);
});
