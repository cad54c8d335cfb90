import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeJournalPort } from "../../daemon/agent/resources/journal-port.ts";
import { openStateForWriting } from "../../daemon/serve.ts";
import { nodesIn } from "../../memory/notes/labels/label-of-file.ts";
import { changeAlone } from "../../settings/change-alone.ts";
import type { Policy } from "../../settings/policy.ts";
import { replaceFile } from "../../settings/replace-file.ts";
import type { ForeignName } from "./foreign-agents.ts";
import { entriesOf } from "./foreign-servers.ts";
import { readMarks } from "./import-marks.ts";
import { type ImportPlan, importedLabel, importFolderOf } from "./plan-import.ts";
import { readServersFile } from "./plan-servers.ts";

/** Writes what a plan says: first the origin of each text, then the notes and the servers. No other process may have the state. */
export async function writeImport(policy: Policy, plan: ImportPlan): Promise<void> {
  const notes = plan.notes.filter(({ state }) => state === "new" || state === "newer");
  const servers = plan.servers.filter(({ state }) => state === "new");
  await using state = await openStateForWriting(policy);
  for (const { target, text } of notes) {
    const bytes = new TextEncoder().encode(text);
    const { nodes } = await nodesIn({ path: target, notes: policy.notesPlace }, bytes);
    const words = nodes.flatMap((node) => (node.words === "" ? [] : [node.words]));
    await state.origins.keep([...new Set(words)], importedLabel);
  }
  const counts = { agent: plan.agent, notes: notes.length, servers: servers.length };
  await makeJournalPort(state)({ kind: "note", detail: { event: "imported", ...counts } });
  for (const { target, text } of notes) replaceFile(target, text);
  if (servers.length > 0)
    await changeServers(plan.serversFile, (entries) => {
      for (const { name, entry } of servers) if (!entries.has(name)) entries.set(name, entry);
    });
}

/** What taking an import back would remove, and what stays since its owner changed it. */
export type ImportRemoval = {
  readonly notes: readonly string[];
  readonly servers: readonly string[];
  readonly stays: readonly string[];
};

/** Finds what an import wrote, by what it says of itself. */
export function planRemoval(policy: Policy, agent: ForeignName): ImportRemoval {
  const folder = importFolderOf(policy, agent);
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = names
    .filter((one) => one.isFile() && one.name.endsWith(".org"))
    .map(({ name }) => join(folder, name));
  const isOurs = (path: string): boolean => readMarks(readFileSync(path, "utf8"))?.isUnchanged === true;
  const path = serversFileOf(policy);
  const entries = existsSync(path) ? [...(readServersFile(path) ?? [])] : [];
  const marked = entries.filter(([, entry]) => entriesOf(entry).get("importedFrom") === agent);
  const isOff = ([, entry]: readonly [string, unknown]): boolean => entriesOf(entry).get("disabled") === true;
  return {
    notes: files.filter(isOurs),
    servers: marked.filter(isOff).map(([name]) => name),
    stays: [
      ...files.filter((file) => !isOurs(file)),
      ...marked.filter((one) => !isOff(one)).map(([name]) => `the server ${name}`),
    ],
  };
}

/** Takes an import back. What its owner changed stays. */
export async function removeImport(
  policy: Policy,
  agent: ForeignName,
  { notes, servers }: ImportRemoval,
): Promise<void> {
  await using state = await openStateForWriting(policy);
  const counts = { agent, notes: notes.length, servers: servers.length };
  await makeJournalPort(state)({ kind: "note", detail: { event: "import-undone", ...counts } });
  for (const path of notes) rmSync(path);
  const folder = importFolderOf(policy, agent);
  for (const each of [folder, dirname(folder)])
    if (existsSync(each) && readdirSync(each).length === 0) rmdirSync(each);
  if (servers.length > 0)
    await changeServers(serversFileOf(policy), (entries) => {
      for (const name of servers) entries.delete(name);
    });
}

function serversFileOf({ config }: Policy): string {
  return join(config.places.configuration, "mcp.json");
}

/** Changes the servers of the owner's file; all else in it stays. */
async function changeServers(path: string, change: (entries: Map<string, unknown>) => void): Promise<void> {
  await changeAlone(path, () => {
    const whole = existsSync(path) ? entriesOf(JSON.parse(readFileSync(path, "utf8"))) : new Map();
    const entries = new Map(entriesOf(whole.get("mcpServers")));
    change(entries);
    const changed = new Map([...whole, ["mcpServers", Object.fromEntries(entries)]]);
    replaceFile(path, `${JSON.stringify(Object.fromEntries(changed), null, 2)}\n`);
  });
}
