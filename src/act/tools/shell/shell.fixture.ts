import { existsSync } from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { HiddenObjects } from "../../../memory/private-text/hidden-objects.ts";
import { holdsStandIn } from "../../../memory/private-text/stand-in-objects.ts";
import type { Label } from "../../../signal/label.ts";
import type { Caller, Outcome, Preparation } from "../../../signal/tool.ts";
import type { Json } from "../../../text/json.ts";
import { findSandbox, type Sandbox } from "../../sandbox/bubblewrap.ts";
import { removeTree } from "../../sandbox/overlay.ts";
import { makeStandIns } from "../../sandbox/process-folders.ts";
import { loadBashGrammar } from "../../shell/load-bash-grammar.ts";
import { openShellParser } from "../../shell/parse.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { makeShellTool } from "./shell.ts";

/** The label of a model's words. */
export const labelOfAgentWords: Label = { integrity: "agent", secrecy: "public", sources: [] };

/** A parser with the installed grammar. */
export const parser = openShellParser(loadBashGrammar);

/** Skips a test whose requirements are missing; fails it with CI=true. */
function missing(context: TestContext, what: string): void {
  if (process.env["CI"] === "true")
    throw new Error(`${what} is missing, and with CI=true every test must run`);
  context.skip(`needs ${what}`);
}

/** The sandbox of this machine. Null without one, and the test is skipped. */
export async function sandboxFor(context: TestContext): Promise<Sandbox | null> {
  const sandbox = await findSandbox();
  if (sandbox === null) missing(context, "bubblewrap (on Debian: apt-get install bubblewrap)");
  return sandbox;
}

/** The folder of the labelled commands beside the checkout. Null without it, and the test is skipped. */
export function shellDataFor(context: TestContext): string | null {
  const folder = new URL("../../../../../shared/data/shell/", import.meta.url).pathname;
  if (existsSync(folder)) return folder;
  missing(context, "the test data in ../shared/data");
  return null;
}

/** Makes a folder for the test and returns its real path. It is removed after the test. */
export async function makeScratchFolder(context: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "passepartout-shell-")));
  context.after(() => removeTree(folder));
  return folder;
}

/** A few well-known secret names, for tests. */
export function isTestSecretPath(path: string): boolean {
  return (
    /^(?:\.env|id_rsa|\.ssh|\.gnupg|shadow|\.netrc|\.pypirc|\.git-credentials|\.kube)$/.test(
      basename(path),
    ) || /\/\.(?:ssh|kube|gnupg)\//.test(path)
  );
}

/** Covers what git keeps of these in repositories that commands use. */
export function coverTestSecrets(): Required<
  Pick<ShellPorts, "secretObjects" | "isCovered" | "holdsStandIn">
> {
  const objects = new HiddenObjects({
    isSecretPath: isTestSecretPath,
    searchPath: "/usr/bin:/bin",
    makeFolder: makeStandIns,
  });
  return {
    secretObjects: (asked) => objects.masksOf(asked),
    isCovered: async (repository) => objects.isCovered(repository),
    holdsStandIn: async (bytes) => holdsStandIn(bytes),
  };
}

/** A shell tool over a workspace, with some ports replaced. */
export function shellIn(
  workspace: string,
  changed: Partial<ShellPorts> = {},
): {
  readonly prepare: (
    cmd: string,
    hosts?: readonly string[],
    credentials?: readonly string[],
  ) => Promise<Preparation>;
  readonly run: (
    cmd: string,
    cancel?: AbortSignal,
    hosts?: readonly string[],
    credentials?: readonly string[],
  ) => Promise<Outcome>;
} {
  const tool = makeShellTool({
    parser,
    sandbox: null,
    isSecretPath: isTestSecretPath,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    mask: (text) => text,
    ...coverTestSecrets(),
    ...changed,
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
  const prepare = (
    cmd: string,
    hosts?: readonly string[],
    credentials?: readonly string[],
  ): Promise<Preparation> =>
    tool.prepare(
      {
        cmd,
        ...(hosts === undefined ? {} : { network: hosts }),
        ...(credentials === undefined ? {} : { credentials }),
      },
      caller,
      () => labelOfAgentWords,
    );
  return {
    prepare,
    run: async (cmd, cancel = new AbortController().signal, hosts, credentials) => {
      const prepared = await prepare(cmd, hosts, credentials);
      if (!prepared.ok) return { status: "error", code: prepared.code, message: prepared.message };
      return prepared.run(cancel);
    },
  };
}

/** The output of a run, or the code and message of its error. */
export function outputOf(outcome: Outcome): string {
  if (outcome.status === "error") return `${outcome.code}: ${outcome.message}`;
  const content: Json = outcome.content;
  return JSON.stringify(content);
}
