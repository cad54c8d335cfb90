import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { cage, connect, escapeFails, listenAt, probe, victim } from "../tools/shell/sandbox.fixture.ts";
import { makeScratchFolder, outputOf } from "../tools/shell/shell.fixture.ts";
import { findSandbox } from "./bubblewrap.ts";
import { assembleFilter } from "./seccomp.ts";

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

test("nothing of a confined command survives its time limit", async (context) => {
  // A busy machine may not begin the programs within a short limit: then they get a longer one.
  for (const limit of [500, 5000, 30_000]) {
    const made = await cage(context, limit);
    if (made === null) return;
    const late = (name: string): string => join(made.workspace, name);
    const survivor = (path: string): string =>
      probe(
        `child.spawn("sh", ["-c", "sleep ${limit / 1000 + 0.4}; touch ${path}"], { detached: true, stdio: "ignore" }).unref(); setInterval(() => {}, 1000);`,
      );
    const [control, confined] = await Promise.all([
      made.outside.run(survivor(late("control"))),
      made.inside.run(survivor(late("confined"))),
    ]);
    const haveBegun = [control, confined].every((outcome) => outputOf(outcome).includes("TRIED"));
    if (!haveBegun && limit < 30_000) continue;
    assert.match(outputOf(control), /timed-out.*TRIED/s);
    assert.match(outputOf(confined), /timed-out.*TRIED/s);
    for (let tries = 0; tries < 2400 && !existsSync(late("control")); tries += 1) await wait(50);
    assert.ok(existsSync(late("control")), "control: the survivor did its work outside");
    await wait(100);
    assert.equal(existsSync(late("confined")), false);
    return;
  }
});

test("a confined command gets nothing of the daemon's environment", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const shown = outputOf(
    await made.inside.run(probe("console.log(Object.keys(process.env).sort().join());")),
  );
  assert.match(shown, /HOME,LANG,PATH,PWD,PYTHONDONTWRITEBYTECODE,TERM\\n/);
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

test("a bubblewrap that fails for a moment is tried again with its filter; one that the kernel refuses is not", async (context) => {
  const folder = await makeScratchFolder(context);
  const [program, trials] = [join(folder, "bwrap"), join(folder, "trials")];
  const useProgram = async (lines: string) => {
    await writeFile(program, `#!/bin/sh\necho >> ${trials}\n${lines}\n`);
    await chmod(program, 0o755);
    await rm(trials, { force: true });
  };
  const tried = async () => (await readFile(trials, "utf8")).length;
  const replaced = 'bwrap: Unable to find "/newroot/etc/ld.so.cache (deleted)" in mount table';
  await useProgram(`[ $(wc -l < ${trials}) -gt 1 ] || { echo '${replaced}' >&2; exit 1; }`);
  const found = await findSandbox(program);
  assert.equal(await tried(), 2);
  assert.equal(found?.filter === null, assembleFilter(process.arch) === null);
  await useProgram("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
  assert.equal(await findSandbox(program), null);
  const variants = await tried();
  await useProgram(`echo '${replaced}' >&2; exit 1`);
  assert.equal(await findSandbox(program), null);
  assert.equal(await tried(), variants + 2);
});

test("where no file can be opened the sandbox counts as not tried, never as missing", async () => {
  const module = join(import.meta.dirname, "bubblewrap.ts");
  const script = `
    import { openSync } from "node:fs";
    import { findSandbox } from ${JSON.stringify(module)};
    try { for (;;) openSync("/dev/null"); } catch (error) { if (error.code !== "EMFILE") throw error; }
    const found = await findSandbox("/usr/bin/env").then((sandbox) => sandbox === null ? "missing" : "works", (error) => error.message);
    process.stdout.write(found);
  `;
  const { stdout } = await promisify(execFile)("/bin/sh", [
    "-c",
    'ulimit -n 64; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    script,
  ]);
  assert.match(stdout, /^The sandbox \/usr\/bin\/env could not be tried \(EMFILE\)/);
});
