import type { OwnerCommand } from "../../perceive/commands.ts";
import type { Policy } from "../../settings/policy.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { nearestName } from "../../text/nearest-name.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { CommandReply } from "./command-reply.ts";

/** A change of a setting that was shown, and waits for its `keep`; null takes the setting out. */
type ShownChange = { readonly name: string; readonly value: string | null };

/** What showing and changing settings needs. */
export type ConfigParts = {
  readonly policy: Pick<Policy, "settings" | "filter">;
  /** The order of the providers that counts from the next turn on, in a line. */
  readonly tellOrder: (session: string) => string;
  readonly journal: AppendToJournal;
  /** The change that was shown last in each session, and not made. */
  readonly shownChanges: Map<string, ShownChange>;
};

type ConfigCommand = Extract<OwnerCommand, { readonly kind: "config" }>;

/**
 * Shows settings, or changes one in the settings file. Only the owner does this. A key is neither shown nor set; a change that may loosen something is shown
 * first, and made by `/config keep`.
 */
export async function configCommand(
  parts: ConfigParts,
  command: ConfigCommand,
  session: string,
): Promise<CommandReply> {
  const { shownChanges } = parts;
  switch (command.change) {
    case "list":
      return list(parts);
    case "get":
      return get(parts, command.name);
    case "set":
      return change(parts, { name: command.name, value: command.value }, session);
    case "unset":
      return change(parts, { name: command.name, value: null }, session);
    case "keep": {
      const waiting = shownChanges.get(session);
      if (waiting === undefined)
        return {
          code: "not-done",
          text: "No change waits in this session. Show one with /config set NAME VALUE. Nothing was written.",
        };
      shownChanges.delete(session);
      return make(parts, waiting, session);
    }
  }
}

function list({ policy }: ConfigParts): CommandReply {
  const settings = policy.settings.list();
  const lines = settings.map(({ name, value, origin }) => `${name}=${value} (${origin})`);
  return { code: "config", text: shown(policy, lines) };
}

function get({ policy }: ConfigParts, asked: string): CommandReply {
  const settings = policy.settings.list();
  const found = settings.find(({ name }) => name === asked);
  if (found !== undefined) {
    const line = `${found.name}=${found.value} (${found.file ?? found.origin})`;
    return { code: "config", text: shown(policy, [line]) };
  }
  const near = nearestName(
    asked,
    settings.map(({ name }) => name),
  );
  const hint = near === null ? "/config lists them." : `Did you mean ${near}?`;
  return {
    code: "not-done",
    text: shown(policy, [`No setting is named ${asked}, or it is not set. ${hint}`]),
  };
}

/** Shows a change, and makes it where it only changes looks, sizes and times. */
async function change(parts: ConfigParts, asked: ShownChange, session: string): Promise<CommandReply> {
  const { policy, shownChanges } = parts;
  shownChanges.delete(session);
  const prepared = policy.settings.prepare(asked.name, asked.value);
  if (!prepared.ok) return { code: "not-done", text: shown(policy, [prepared.reason]) };
  const { path, lines } = prepared;
  if (lines.length === 0) return { code: "config", text: "This is set already. Nothing was written." };
  if (!prepared.mayLoosen) return make(parts, asked, session);
  shownChanges.set(session, asked);
  const text = shown(policy, [
    `${path}, where this may change what is asked, sent or spent:`,
    ...lines.map(indent),
    "To write it: /config keep. Nothing is written yet.",
  ]);
  return { code: "config-shown", text };
}

async function make(
  { policy, journal, tellOrder }: ConfigParts,
  { name, value }: ShownChange,
  session: string,
): Promise<CommandReply> {
  // The file may have changed since the change was shown.
  const prepared = policy.settings.prepare(name, value);
  if (!prepared.ok) return { code: "not-done", text: shown(policy, [prepared.reason]) };
  await journal({ kind: "note", session, detail: { event: "setting-written", name } });
  await prepared.make();
  const { path, lines, warning } = prepared;
  const isLive = name === "PROVIDER_CASCADE" && warning === null;
  const since = isLive ? tellOrder(session) : nextStart;
  const told = [path, ...lines.map(indent), ...(warning === null ? [] : [warning]), since];
  return { code: "config-written", text: shown(policy, told) };
}

/** Lines for the owner: no key, and nothing that hides in a line. */
function shown(policy: ConfigParts["policy"], lines: readonly string[]): string {
  return policy.filter(lines.map((line) => escapeInvisible(line)).join("\n"));
}

const indent = (line: string): string => `  ${line}`;
const nextStart =
  "Written. This agent keeps the settings that it was started with: leave all conversations, or end the daemon, and start again.";
