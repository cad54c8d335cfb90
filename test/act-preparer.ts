import assert from "node:assert/strict";
import { type ActuatorRegistry, type DeliverMessage, openActuatorRegistry } from "../src/act/actuators.ts";
import { builtInActuators, makeMessageActuator } from "../src/act/built-in-actuators.ts";
import { openActionPreparer } from "../src/act/prepare.ts";
import type { PreparerParts, SecretScanner } from "../src/act/preparer-parts.ts";
import { locateJailWorker } from "../src/act/sandbox/jail.ts";
import { openJailThreads } from "../src/act/sandbox/jail-threads.ts";
import { makeEvalTool } from "../src/act/tools/code/eval.ts";
import { makeFetchUrlTool } from "../src/act/tools/fetch-url.ts";
import { makeEditFileTool } from "../src/act/tools/files/edit-file.ts";
import { makeListFilesTool } from "../src/act/tools/files/list-files.ts";
import { makeReadFileTool } from "../src/act/tools/files/read-file.ts";
import { makeSearchFilesTool } from "../src/act/tools/files/search-files.ts";
import { makeWriteFileTool } from "../src/act/tools/files/write-file.ts";
import { makeRecallTool } from "../src/act/tools/notes/recall.ts";
import { makeRememberTool } from "../src/act/tools/notes/remember.ts";
import { callerAt, type Workbench } from "../src/act/tools/workbench.fixture.ts";
import type { Action } from "../src/signal/action.ts";
import type { Caller, PreparedAction, Tool } from "../src/signal/tool.ts";
import type { JsonObject } from "../src/text/json.ts";

/** Finds made-up keys such as `KEY-1`. */
const scan: SecretScanner = (text) =>
  [...text.matchAll(/KEY-\d+/g)].map(({ index, 0: key }) => ({
    rule: "key",
    start: index,
    end: index + key.length,
  }));
/** Delivers every message. */
export const alwaysDelivered: DeliverMessage = async () => ({ delivered: true });
/** The built-in actuators, and three that send messages over one port. */
export const actuatorsOver = (tell: DeliverMessage): ActuatorRegistry =>
  openActuatorRegistry([
    ...["cli", "tui", "telegram"].map((name) => makeMessageActuator({ name, tell })),
    ...builtInActuators,
  ]);

/** Nine tools over a workbench. */
function toolsOf({ ports }: Workbench): readonly Tool[] {
  return [
    makeReadFileTool(ports),
    makeWriteFileTool(ports),
    makeEditFileTool(ports),
    makeListFilesTool(ports),
    makeSearchFilesTool(ports),
    makeEvalTool({ threads: openJailThreads(locateJailWorker()) }),
    makeFetchUrlTool({ resolveHost: null }),
    makeRememberTool({ ...ports, clock: () => 0, keepObject: async () => undefined }),
    makeRecallTool({ search: async () => [] }),
  ];
}

/** A small tool in place of the shell. */
export function shellDouble(prepare?: Tool["prepare"]): Tool {
  const effects = [
    {
      kind: "evaluate",
      target: "x",
      language: "x",
      jailed: true,
      label: callerAt(null).promptLabel,
      reversal: "final",
    },
  ] as const;
  return {
    name: "shell",
    description: "A double",
    permission: "ask",
    parameters: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
    prepare:
      prepare ??
      (async (args) => ({
        ok: true,
        effects,
        plan: args,
        changes: [],
        resultLabel: callerAt(null).promptLabel,
        run: async () => ({ status: "success", content: args }),
      })),
  };
}

/** An action preparer over a workbench. */
export function openTestPreparer(bench: Workbench, parts: Partial<PreparerParts> = {}) {
  return openActionPreparer({
    tools: [...toolsOf(bench), shellDouble()],
    actuators: actuatorsOver(alwaysDelivered),
    folders: bench.ports.folders,
    lostNotes: async () => null,
    scan,
    privateText: { ready: async () => undefined, holdsPrivate: (text) => text.includes("PRIVATE") },
    sandbox: true,
    healthy: () => true,
    permissions: new Map(),
    defaultActuator: "cli",
    silentActuators: ["Tool"],
    ...parts,
  });
}

/** A proposal with an explanation. */
export const proposal = (target: string, payload: JsonObject): Action => ({
  target,
  payload,
  explanation: "because it was asked",
});

/** Prepares an action of the owner at a terminal. */
export async function prepareProposal(
  bench: Workbench,
  proposed: Action,
  {
    parts = {},
    caller = callerAt(bench.workspace),
  }: { parts?: Partial<PreparerParts>; caller?: Caller } = {},
) {
  return await openTestPreparer(bench, parts).prepare(proposed, caller, []);
}

/** The reason why an action was refused; fails the test if it was not. */
export function expectRefusal(prepared: PreparedAction): string {
  assert.equal(prepared.ok, false);
  return prepared.ok ? "" : `${prepared.code}: ${prepared.message}`;
}

/** The prepared action; fails the test if it was refused. */
export function expectPrepared(prepared: PreparedAction): PreparedAction & { readonly ok: true } {
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  return prepared;
}
