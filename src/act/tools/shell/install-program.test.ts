import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Caller, Outcome } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { makeInstallTool } from "./install-program.ts";
import { labelOfAgentWords, makeScratchFolder, parser } from "./shell.fixture.ts";
import { makeShellTool } from "./shell.ts";

/** A machine whose package manager makes the program `greeter`, which is missing before. */
async function openMachine(t: TestContext, script?: string, isGuessed = false) {
  const folder = await makeScratchFolder(t);
  const [bin, workspace] = [join(folder, "bin"), join(folder, "work")];
  for (const made of [bin, workspace]) mkdirSync(made);
  const manager = join(folder, "manager");
  const makes = `printf '#!/bin/sh\\necho hello "$@"\\n' > ${bin}/greeter; chmod 755 ${bin}/greeter`;
  writeFileSync(
    manager,
    `#!/bin/sh\n[ "$1 $2" = "install greeter-package" ] || exit 3\n${script ?? makes}\n`,
  );
  chmodSync(manager, 0o755);
  const searchPath = `${bin}:/usr/bin:/bin`;
  const common = { searchPath, home: folder, mask: (text: string) => text };
  const shell = makeShellTool({ ...common, parser, sandbox: null, isSecretPath: () => false, hidden: [] });
  const tool = makeInstallTool({
    ...common,
    shell,
    resolve: true,
    findInstallation: async (program) =>
      program === "greeter"
        ? {
            program,
            package: "greeter-package",
            isGuessed,
            argv: [manager, "install", "greeter-package"],
          }
        : null,
  });
  const caller: Caller = {
    turn: "turn",
    session: "session",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    promptLabel: labelOfAgentWords,
  };
  const prepare = (args: { program: string; retry?: string }) =>
    tool.prepare(args, caller, () => labelOfAgentWords);
  const run = async (args: { program: string; retry?: string }): Promise<Outcome> => {
    const prepared = await prepare(args);
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return prepared.run(new AbortController().signal);
  };
  const lacking = async (cmd: string): Promise<Outcome> => {
    const prepared = await shell.prepare({ cmd }, caller, () => labelOfAgentWords);
    assert.ok(prepared.ok);
    return prepared.run(new AbortController().signal);
  };
  return { prepare, run, lacking, workspace };
}

function said(outcome: Outcome): string {
  if (outcome.status === "error") return outcome.message;
  return isJsonObject(outcome.content)
    ? `${String(outcome.content["stdout"])}|${String(outcome.content["note"])}`
    : "";
}

test("what is missing is installed with the owner's yes to the very words that run, and the command that lacked it runs then", async (t) => {
  const { prepare, run, lacking } = await openMachine(t);
  assert.match(said(await lacking("greeter Ada")), /^greeter is not installed on this machine/);
  const prepared = await prepare({ program: "greeter", retry: "greeter Ada" });
  assert.ok(prepared.ok);
  const [install, command] = prepared.effects;
  assert.ok(install?.kind === "run-program" && command?.kind === "run-program");
  assert.deepEqual(install.argv.slice(1), ["install", "greeter-package"]);
  assert.equal(install.confined, false);
  assert.match(install.doubt, /installs the package greeter-package for everybody/);
  assert.deepEqual(command.argv, ["greeter", "Ada"]);
  assert.match(
    said(await run({ program: "greeter", retry: "greeter Ada" })),
    /^hello Ada\n\|.*greeter-package was installed/,
  );
});

test("an installation that fails, or brings another program, runs nothing after it", async (t) => {
  const failing = await openMachine(t, "echo no network >&2; exit 100");
  const failed = await failing.run({ program: "greeter", retry: "touch made" });
  assert.ok(
    failed.status === "success" && isJsonObject(failed.content) && failed.content["exitCode"] === 100,
  );
  const empty = await openMachine(t, "exit 0");
  assert.match(
    said(await empty.run({ program: "greeter", retry: "greeter x" })),
    /was installed, and greeter is still not there/,
  );
  const unknown = await empty.prepare({ program: "nothing-has-this" });
  assert.ok(!unknown.ok && unknown.code === "no-package");
});

test("where only the name of a package says that it has the program, the question says so", async (t) => {
  const { prepare } = await openMachine(t, undefined, true);
  const prepared = await prepare({ program: "greeter" });
  const [install] = prepared.ok ? prepared.effects : [];
  assert.match(install?.kind === "run-program" ? install.doubt : "", /only guessed from its name/);
});
