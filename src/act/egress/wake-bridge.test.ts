import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { perl, wakingBridge } from "./wake-bridge.ts";

const skip = existsSync(perl) ? false : "install Perl";

/** A port on which nobody listens, or this process. */
async function portFor(t: TestContext, isTaken: boolean): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (isTaken) t.after(() => server.close());
  else await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const connecting = (port: number): string =>
  `${perl} -e 'socket($s, 2, 1, 0); connect($s, pack("S n C4 x8", 2, ${port}, 127, 0, 0, 1)) or die; sleep 1'`;

function run(port: number, ...words: readonly string[]) {
  return runBehind(["/bin/echo", "bridge"], port, words);
}

function runBehind(bridge: readonly string[], port: number, words: readonly string[]) {
  const [program = "", ...before] = wakingBridge(bridge, port);
  const { status, stdout, stderr } = spawnSync(program, [...before, ...words], {
    input: "in",
    encoding: "utf8",
    env: {},
  });
  return [status, stdout, stderr];
}

test("a bridge starts only once somebody connects, with the descriptor that listens", { skip }, async (t) => {
  const port = await portFor(t, false);
  const shell = ["--", "/bin/sh", "-c"];
  assert.deepEqual(run(port, ...shell, "echo quiet"), [0, "quiet\n", ""]);
  const [, said] = run(port, ...shell, `${connecting(port)}; echo done`);
  assert.match(String(said), /^bridge fd:\d+\ndone\n$/);
});

test("a program behind a bridge that waits keeps its words, variables, input and end", {
  skip,
}, async (t) => {
  const port = await portFor(t, false);
  const shell = ["--", "/bin/sh", "-c"];
  const all = 'echo "$A|$B|$1|$2"; cat; echo err >&2; exit 9';
  assert.deepEqual(run(port, "A=b c=d\n", "B=", ...shell, all, "x", "", "--"), [
    9,
    "b c=d\n|||--\nin",
    "err\n",
  ]);
  assert.deepEqual(run(port, ...shell, "kill -9 $$"), [137, "", ""]);
  assert.deepEqual(run(port, "--", "/nowhere"), [127, "", "/nowhere: No such file or directory\n"]);
});

test("where nothing can listen, the bridge starts the program itself", { skip }, async (t) => {
  const port = await portFor(t, true);
  assert.deepEqual(run(port, "A=b", "--", "/bin/true"), [0, `bridge ${port} A=b -- /bin/true\n`, ""]);
});

test("a bridge that cannot start is told, and the program runs once", { skip }, async (t) => {
  const [free, taken] = [await portFor(t, false), await portFor(t, true)];
  const shell = ["--", "/bin/sh", "-c", `echo run; ${connecting(free)}; exit 3`];
  const missing = "/nowhere: No such file or directory\n";
  assert.deepEqual(runBehind(["/nowhere"], free, shell), [3, "run\n", missing]);
  assert.deepEqual(runBehind(["/nowhere"], taken, shell), [127, "", missing]);
});
