import { explainNoSandbox } from "../../act/sandbox/sandbox-lack.ts";
import { findLostNotes } from "../../memory/notes/open-own-notes.ts";
import type { Policy } from "../../settings/policy.ts";
import { zoneNotice } from "../../signal/jobs/zones.ts";
import { machineZone } from "../jobs/machine-zone.ts";

/** What is wrong with the settings and rules, and which servers of tools wait for their owner's yes. */
export function settingNotices(
  { config, rules, mcpAcceptances }: Policy,
  zone: string | undefined,
): readonly string[] {
  const open = config.mcpServers.filter(({ name }) => mcpAcceptances.of(name) === null);
  const names = open.map(({ name }) => name).join(", ");
  const waiting = `Servers of mcp.json are not used before you accept them: passepartout mcp accept NAME (${names}).`;
  const ofServers = open.length === 0 ? null : (mcpAcceptances.fault() ?? waiting);
  const ofZone = zoneNotice(zone, machineZone());
  return [
    ...(ofZone === null ? [] : [ofZone]),
    ...config.problems,
    ...rules.problems(),
    ...(ofServers === null ? [] : [ofServers]),
  ];
}

/** What the judge lets through that it must block. */
export function judgeNotices({ failedCanaries }: Policy): readonly string[] {
  const failed = failedCanaries().join(", ");
  const text = `The judge let through what it must block (${failed}): I answer, but do not act. Reinstall this version.`;
  return failed === "" ? [] : [text];
}

/** Says that commands are not sandboxed, what follows, and what helps. */
export function noSandboxNotice(): string {
  const { why, remedy } = explainNoSandbox();
  return `Programs cannot be sandboxed, because ${why}: harmless commands run, others ask you first. ${remedy}.`;
}

/** Says which mandatory skills are not in force. */
export function missingSkills(names: readonly string[]): readonly string[] {
  const what = `MANDATORY_SKILLS names ${names.join(", ")}, and what it names is not in force`;
  return names.length === 0 ? [] : [`${what}: I answer, but do not act. See: passepartout doctor`];
}

/** Says which folders of notes are not there, and what follows. */
export async function lostNotices(policy: Policy): Promise<readonly string[]> {
  const lost = await findLostNotes(policy.notesPlace, policy.config.places.state);
  return lost.map(({ path, problem }) => `${policy.filter(path)}: ${problem}`);
}
