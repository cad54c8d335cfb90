import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "./shell.fixture.ts";

/** A workspace, the agent's own folders beside it, and the same tool with and without the sandbox. */
export async function cage(context: TestContext, timeoutMilliseconds = 20_000) {
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
    inside: shellIn(workspace, {
      ...common,
      sandbox,
      overlays: openCommandOverlays(join(state, "commands"), rememberNothing),
    }),
    outside: shellIn(workspace, { ...common, sandbox: null }),
  };
}

/** A command that runs a probe in node. The probe prints TRIED first, and REACHED if it got through. */
export function probe(script: string): string {
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

export type Cage = NonNullable<Awaited<ReturnType<typeof cage>>>;

/** Checks that a command gets through unconfined, as a control, and does not get through confined. */
export async function escapeFails({ inside, outside }: Cage, cmd: string): Promise<void> {
  const control = outputOf(await outside.run(cmd));
  assert.match(control, /TRIED.*REACHED/s, `control: ${control}`);
  const confined = outputOf(await inside.run(cmd));
  assert.match(confined, /TRIED/, confined);
  assert.doesNotMatch(confined, /REACHED/);
}

export async function listenAt(
  context: TestContext,
  where: { path: string } | { port: number; host: string },
): Promise<Server> {
  const server = createServer((socket) => socket.end("hello"));
  server.listen(where);
  await once(server, "listening");
  context.after(() => server.close());
  return server;
}

export const connect = (where: string): string =>
  `net.connect(${where}).on("error", refused).on("data", reached);`;
export async function victim(context: TestContext): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("sleep", ["30"], { env: { PATH: "/usr/bin:/bin", MARK: "here" }, stdio: "ignore" });
  await once(child, "spawn");
  context.after(() => child.kill("SIGKILL"));
  assert.ok(child.pid !== undefined);
  return Object.assign(child, { pid: child.pid });
}
