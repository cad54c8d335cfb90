import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sandboxFor } from "../tools/shell/shell.fixture.ts";
import { startingWords, userOptions } from "./starting-words.ts";

/** The mounts at devices that a sandbox shows, with their options, for each way to start it. */
async function shownDevices(context: TestContext, before: readonly string[]) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const system = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  return startingWords(true).map((start) => {
    const words = [...start.before, sandbox.program, ...userOptions(start.knowsAll), ...system];
    const [program = "", ...rest] = [...before, ...words, "/bin/cat", "/proc/self/mountinfo"];
    const mounts = execFileSync(program, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return devicesIn(mounts);
  });
}

/** The options of the mounts at devices, by their places; of several the last is the one that is seen. */
function devicesIn(mounts: string): ReadonlyMap<string, readonly string[]> {
  const found = [...mounts.matchAll(/ (\/dev\/(?:null|zero|full|u?random|tty)) (\S+)/g)];
  return new Map(found.map(([, point = "", options = ""]) => [point, options.split(",")]));
}

function haveOnlyReadOnly(devices: ReadonlyMap<string, readonly string[]>): void {
  assert.equal(devices.size, 6);
  for (const [point, options] of devices) assert.ok(options.includes("ro"), `${point} ${options.join()}`);
}

async function areReadOnly(context: TestContext, before: readonly string[]): Promise<void> {
  for (const devices of (await shownDevices(context, before)) ?? []) haveOnlyReadOnly(devices);
}

/** A test for root alone: no other sandbox could change a device. */
function rootTest(name: string, run: (context: TestContext) => Promise<void>): void {
  if (process.geteuid?.() === 0) void test(name, run);
}

rootTest("in each way to start root's sandbox the devices of the machine are read-only mounts", (context) =>
  areReadOnly(context, []),
);

rootTest(
  "a device that is a mount of its own, as in a container, is read-only in root's sandbox",
  async (context) => {
    const script = 'mount --bind /dev/null /dev/null && exec "$@"';
    await areReadOnly(context, ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "test"]);
  },
);

rootTest(
  "root without the right to mount has a sandbox whose devices are read-only, or none",
  async (context) => {
    if (!existsSync("/usr/bin/setpriv")) return context.skip("setpriv is missing");
    const sandbox = await sandboxFor(context);
    if (sandbox === null) return;
    const script = `
    import { findSandbox } from ${JSON.stringify(join(import.meta.dirname, "bubblewrap.ts"))};
    import { outputInSandbox } from ${JSON.stringify(join(import.meta.dirname, "output-in-sandbox.ts"))};
    const sandbox = await findSandbox();
    const confinement = { cwd: "/", workspace: null, writable: false, readable: [], locked: [], masked: [], environment: new Map() };
    const output = sandbox === null ? "none" : await outputInSandbox(sandbox, { argv: ["/bin/cat", "/proc/self/mountinfo"], confinement }, { milliseconds: 60000, bytes: 100000 }, new AbortController().signal);
    process.stdout.write(output === "none" ? output : output.text);
  `;
    const words = ["--bounding-set", "-sys_admin", process.execPath, "--input-type=module", "-e", script];
    const found = execFileSync("/usr/bin/setpriv", words, { encoding: "utf8" });
    if (found !== "none") haveOnlyReadOnly(devicesIn(found));
  },
);
