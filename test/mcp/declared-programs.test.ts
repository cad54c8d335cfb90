import assert from "node:assert/strict";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startPortsOf } from "../../src/act/mcp/start-ports.ts";
import { prepareStart } from "../../src/act/mcp/start-server.ts";
import { makeScratchFolder, sandboxFor } from "../../src/act/tools/shell/shell.fixture.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { noLogins } from "./mcp-world.ts";

test("a server that is a declared program sees what lies beside it and nothing covered, and a change there is asked about", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const home = realpathSync(await makeScratchFolder(t));
  const bin = join(home, ".nvm/v20/bin");
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, text.startsWith("#!") ? 0o755 : 0o644);
  };
  file(join(bin, "node"), '#!/bin/sh\nexec /bin/sh "$@"\n');
  file(
    join(bin, "../lib/server.js"),
    `#!/usr/bin/env node\ncat "\${0%/*}/../lib/words" "\${0%/*}/../lib/.env"\n`,
  );
  symlinkSync("../lib/server.js", join(bin, "server"));
  file(join(bin, "../lib/words"), "WORDS");
  file(join(bin, "../lib/.env"), "NEEDLE");
  const startOf = async (
    programFolders: readonly string[],
    accepted: Parameters<typeof prepareStart>[0]["accepted"],
  ) => {
    const settings = {
      searchPath: `${bin}:/usr/bin`,
      scan: () => [],
      isSecretPath: (path: string) => path.endsWith(".env"),
      folders: { home, notes: join(home, "memex"), own: [], readable: [] },
      config: {
        programFolders,
        places: { runtime: home },
        mcpLogins: noLogins,
        fillMcpText: () => ({ ok: false, reason: "" }) as const,
      },
    };
    const ports = {
      ...startPortsOf(settings, sandbox, async () => bottomLabel),
      recordConnection: () => undefined,
    };
    const server = { name: "one", command: "server", args: [], environment: new Map(), cwd: null };
    const grants = { read: [], write: [], hosts: [] };
    return prepareStart({ ...server, grants, accepted }, ports);
  };
  const started = await startOf([join(home, ".nvm")], null);
  assert.ok(started.ok);
  assert.ok(started.program.some(({ path }) => path === join(home, ".nvm")));
  const { argv } = started.process;
  assert.ok(argv.join("\0").includes(`--ro-bind-try\0${join(home, ".nvm")}`));
  assert.ok(argv.join("\0").includes(`--ro-bind\0/dev/null\0${join(home, ".nvm/v20/lib/.env")}`));
  assert.equal((await startOf([join(home, ".nvm")], started.program)).ok, true, "control: nothing changed");
  file(join(bin, "../lib/words"), "OTHER WORDS");
  const changed = await startOf([join(home, ".nvm")], started.program);
  assert.ok(
    !changed.ok && /is not what it was when you accepted it/.test(changed.reason),
    JSON.stringify(changed),
  );
  const undeclared = await startOf([], null);
  assert.ok(
    undeclared.ok &&
      !undeclared.process.argv.join("\0").includes(`${join(home, ".nvm")}\0${join(home, ".nvm")}\0`),
  );
});
