import { findSandbox } from "../../sandbox/bubblewrap.ts";
import { openTerminals } from "../../shell/terminals.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { labelOfAgentWords, parser } from "./shell.fixture.ts";
import { makeTerminalTool } from "./terminal.ts";

// Starts a script of its workspace on a terminal, and is killed as soon as that runs.
const [workspace = "", state = "", script = ""] = process.argv.slice(2);
const tool = makeTerminalTool({
  parser,
  sandbox: await findSandbox(),
  isSecretPath: () => false,
  hidden: [],
  home: "/home/u",
  searchPath: "/usr/bin:/bin",
  mask: (text) => text,
  tries: true,
  overlays: openCommandOverlays(state, rememberNothing),
  terminals: openTerminals(),
});
const caller = { turn: "t", session: "s", person: "owner", source: "cli", startedBy: "person" } as const;
const prepared = await tool.prepare(
  { cmd: `python3 ${script}` },
  { ...caller, workspace, known: new Map(), promptLabel: labelOfAgentWords },
  () => labelOfAgentWords,
);
if (!prepared.ok || prepared.trial === undefined) throw new Error("It could not be started.");
const { outcome } = await prepared.trial(new AbortController().signal);
process.stdout.write(JSON.stringify(outcome), () => process.kill(process.pid, "SIGKILL"));
