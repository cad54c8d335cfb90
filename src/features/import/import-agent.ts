import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { hasRunningAgent } from "../../program/has-running-agent.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { CommandSpec } from "../../text/command-spec.ts";
import { describeBytes } from "../../text/describe-bytes.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { underHome } from "../../text/under-home.ts";
import { type ForeignName, foreignAgents } from "./foreign-agents.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { planRemoval, removeImport, writeImport } from "./write-import.ts";

type Flags = {
  readonly undo: boolean;
  readonly yes: boolean;
  readonly "dry-run": boolean;
  readonly json: boolean;
};

/** Takes over what another agent kept, or takes that back: shows it, asks, and writes. */
export async function importAgent(io: Io, given: string, flags: Flags, spec: CommandSpec): Promise<number> {
  const agent = nameOf(given);
  if (agent === null)
    throw usageError(`--import needs one of ${Object.keys(foreignAgents).join(", ")}, not '${given}'.`, spec);
  const policy = loadPolicy(io.environment);
  return flags.undo ? takeBack(io, { policy, agent, flags }) : takeOver(io, { policy, agent, flags });
}

function nameOf(given: string): ForeignName | null {
  const wanted = given.toLowerCase();
  return wanted === "openclaw" || wanted === "hermes" || wanted === "claude" || wanted === "codex"
    ? wanted
    : null;
}

type Asked = { readonly policy: Policy; readonly agent: ForeignName; readonly flags: Flags };

async function takeOver(io: Io, { policy, agent, flags }: Asked): Promise<number> {
  const { title, folders } = foreignAgents[agent];
  const plan = await planImport(policy, agent);
  if (plan === null) {
    const where = folders.map((name) => `~/${name}`).join(" and ");
    return tell(io, flags, {
      text: `${title} has no folder here (${where}). Nothing was written.`,
      ok: false,
    });
  }
  const facts = factsOf(plan);
  const isNothing =
    facts.notes.every(({ state }) => state !== "new" && state !== "newer") &&
    facts.servers.every(({ state }) => state === "same");
  const text = describeImport(plan, policy.config.places.home);
  if (flags["dry-run"] || isNothing) {
    const end = isNothing ? "All of this is here already. Nothing was written." : "Nothing was written.";
    return tell(io, flags, { text: `${text}\n${end}`, ok: true, facts: { ...facts, written: false } });
  }
  if (!flags.json) io.out(`${text}\n`);
  const isWanted = await mayWrite(io, flags, "Import it?");
  if (!isWanted) return exitCodes.failed;
  await writeImport(policy, plan);
  const end =
    "Imported. Its words count as those of others: /trust ID makes a note yours. To take it back: passepartout setup --import " +
    `${agent} --undo`;
  return tell(io, flags, { text: end, ok: true, facts: { ...facts, written: true } });
}

async function takeBack(io: Io, { policy, agent, flags }: Asked): Promise<number> {
  const removal = planRemoval(policy, agent);
  const { home } = policy.config.places;
  const lines = [
    ...removal.notes.map((path) => `  − ${shown(path, home)}`),
    ...removal.servers.map((name) => `  − the server ${shown(name, home)} of mcp.json`),
    ...removal.stays.map((what) => `  ${shown(what, home)} stays: you changed it`),
  ];
  if (removal.notes.length + removal.servers.length === 0)
    return tell(io, flags, {
      text: [`Nothing of ${foreignAgents[agent].title} can be taken back.`, ...lines].join("\n"),
      ok: true,
      facts: { ...removal, removed: false },
    });
  if (!flags.json) io.out(`Would be removed:\n${lines.join("\n")}\n`);
  if (flags["dry-run"])
    return tell(io, flags, { text: "Nothing was removed.", ok: true, facts: { ...removal, removed: false } });
  if (!(await mayWrite(io, flags, "Remove it?"))) return exitCodes.failed;
  await removeImport(policy, agent, removal);
  return tell(io, flags, { text: "Removed.", ok: true, facts: { ...removal, removed: true } });
}

/** Whether it may be written: no agent runs, which would have the state, and the owner said yes. */
async function mayWrite(io: Io, { yes }: Flags, question: string): Promise<boolean> {
  if (await hasRunningAgent(io)) {
    io.err(
      "An agent runs. Leave its conversations, or end its daemon, and say this again. Nothing was written.\n",
    );
    return false;
  }
  const answer = yes || (await confirm(io, question));
  if (answer !== true)
    io.err(answer === null ? "Nothing was written. To write it, add --yes.\n" : "Nothing was written.\n");
  return answer === true;
}

function tell(
  io: Io,
  { json }: Flags,
  { text, ok, facts = {} }: { readonly text: string; readonly ok: boolean; readonly facts?: object },
): number {
  if (json) io.out(`${JSON.stringify({ ok, ...(ok ? {} : { reason: text }), ...facts })}\n`);
  else (ok ? io.out : io.err)(`${text}\n`);
  return ok ? exitCodes.done : exitCodes.failed;
}

function factsOf({ notes, servers, skills, left, folder, agent }: ImportPlan) {
  return {
    agent,
    folder,
    notes: notes.map(({ source, target, state, keys }) => ({ source, target, state, keys })),
    servers: servers.map(({ name, vault, state }) => ({ name, vault, state })),
    skills,
    left,
  };
}

const marks = { new: "+", newer: "~", same: "=", yours: "!" } as const;
const states = {
  new: "",
  newer: "; it changed there since, and would be written anew",
  same: "; it is here already",
  yours: "; you changed it here, so it stays",
} as const;

/** The plan for a person. */
function describeImport(plan: ImportPlan, home: string): string {
  const { title, folder, notes, servers, serversFile, skills, left } = plan;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      "Notes, whose words count as those of others until you say /trust ID:",
      notes.map(({ source, target, text, state, keys }) => {
        const taken =
          keys === 0
            ? ""
            : `; ${keys === 1 ? "a key is" : `${keys} keys are`} left out: passepartout vault set NAME`;
        return `${marks[state]} ${shown(target, home)} from ${source}, ${describeBytes(text.length)}${taken}${states[state]}`;
      }),
    ],
    [
      `MCP servers, added to ${shown(serversFile, home)} and switched off:`,
      servers.map(({ name, words, vault, state }) => {
        const keys = vault.map((value) => `; passepartout vault set ${value}`).join("");
        return `${marks[state]} ${name}: ${escapeInvisible(words)}${keys}${states[state]}`;
      }),
    ],
    [
      "Skills, which stay where they are: read one before you use it here",
      skills.map((path) => shown(path, home)),
    ],
    ["Left:", left.map(({ path, why }) => `${shown(path, home)}: ${why}`)],
  ];
  const filled = sections.filter(([, lines]) => lines.length > 0);
  return [
    `${title} in ${shown(folder, home)}`,
    ...filled.flatMap(([heading, lines]) => [heading, ...lines.map((line) => `  ${line}`)]),
  ].join("\n");
}

function shown(path: string, home: string): string {
  return escapeInvisible(underHome(path, home));
}
