import { isJsonObject } from "../../../text/json.ts";
import { findSandbox } from "../../sandbox/bubblewrap.ts";
import { loadBashGrammar } from "../../shell/load-bash-grammar.ts";
import { openShellParser } from "../../shell/parse.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { makeShellTool } from "./shell.ts";

// Proposes a command in a folder: node foreign-file.fixture.ts WORKSPACE STATE TRIES COMMAND. Prints how each
// proposal of it, until it lacks nothing, is judged and what became of it.
const [workspace = "", state = "", tries = "", cmd = ""] = process.argv.slice(2);
const label = { integrity: "agent", secrecy: "public", sources: [] } as const;
const tool = makeShellTool({
  parser: openShellParser(loadBashGrammar),
  sandbox: await findSandbox(),
  isSecretPath: () => false,
  hidden: [state],
  home: "/home/u",
  searchPath: "/usr/bin:/bin",
  mask: (text) => text,
  tries: tries === "true",
  overlays: openCommandOverlays(state, rememberNothing),
});
const { signal } = new AbortController();
const said = [];
for (let lacks = true; lacks; ) {
  const caller = {
    turn: "turn",
    session: "session",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    promptLabel: label,
  } as const;
  const prepared = await tool.prepare({ cmd }, caller, () => label);
  if (!prepared.ok) throw new Error(prepared.message);
  const [program] = prepared.effects.filter(({ kind }) => kind === "run-program");
  const isTried = program !== undefined && "triable" in program && prepared.trial !== undefined;
  const tried = isTried ? await prepared.trial?.(signal) : undefined;
  const outcome = tried?.outcome ?? (await prepared.run(signal));
  const content = outcome.status === "success" && isJsonObject(outcome.content) ? outcome.content : {};
  const words =
    outcome.status === "error" ? outcome.message.replace(/^.*\n/s, "") : String(content["note"] ?? "");
  said.push({ isTried, reversal: program?.reversal, status: outcome.status, words });
  lacks = tried?.lacks !== undefined || (!isTried && /again/.test(words) && said.length < 3);
}
process.stdout.write(JSON.stringify(said));
process.exit();
