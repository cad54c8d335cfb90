import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Caller, Outcome, OutputView } from "../../../signal/tool.ts";
import { isJsonObject, type JsonObject } from "../../../text/json.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import type { TerminalLimits } from "../../shell/terminal-outcome.ts";
import { openTerminals } from "../../shell/terminals.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { labelOfAgentWords, makeScratchFolder, parser, sandboxFor } from "./shell.fixture.ts";
import { makeShellTool } from "./shell.ts";
import { makeTerminalTool } from "./terminal.ts";

const usual: TerminalLimits = { life: 120_000, idle: 60_000, bytes: 32_000_000, answer: 60_000 };
type Desk = Partial<TerminalLimits> & Pick<ShellPorts, "askHidden" | "mask">;

/** A session with its terminal over a workspace; null without a sandbox, and the test is skipped. */
export async function openDesk(
  t: TestContext,
  { askHidden, mask = (text) => text, ...limits }: Partial<Desk> = {},
) {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return null;
  const folder = await makeScratchFolder(t);
  const workspace = join(folder, "work");
  await mkdir(workspace);
  const terminals = openTerminals({ ...usual, ...limits });
  const overlays = openCommandOverlays(join(folder, "state"), rememberNothing);
  t.after(async () => {
    await terminals.close();
    await overlays.trials.close();
  });
  const ports = {
    parser,
    sandbox,
    isSecretPath: () => false,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    mask,
    ...(askHidden === undefined ? {} : { askHidden }),
    tries: true,
    overlays,
    terminals,
  };
  const tools = { shell: makeShellTool(ports), terminal: makeTerminalTool(ports) };
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
  const prepare = async (
    args: JsonObject,
    by: Partial<Caller> = {},
    tool: keyof typeof tools = "terminal",
  ) => {
    const prepared = await tools[tool].prepare(args, { ...caller, ...by }, () => labelOfAgentWords);
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return prepared;
  };
  const trying = async (
    args: JsonObject,
    cancel: AbortSignal = new AbortController().signal,
    { view, by = {} }: { readonly view?: OutputView; readonly by?: Partial<Caller> } = {},
  ) => {
    const tried = await (await prepare(args, by)).trial?.(cancel, view);
    assert.ok(tried);
    return { ...tried, ...shown(tried.outcome) };
  };
  return { workspace, terminals, overlays, prepare, trying, tools, caller };
}

/** What a model reads of an outcome. */
export function shown(outcome: Outcome): {
  readonly text: string;
  readonly note: string;
  readonly code: string;
} {
  if (outcome.status === "error") return { text: "", note: outcome.message, code: outcome.code };
  assert.ok(isJsonObject(outcome.content));
  return { text: String(outcome.content["stdout"]), note: String(outcome.content["note"]), code: "" };
}
