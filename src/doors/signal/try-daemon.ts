import type { DoorSettings } from "../chat/chat-kernel.ts";
import { askProgram, oldestJava, oldestVersion } from "./ask-program.ts";
import { describeJava, hasSignalCli, javaVersion } from "./find-programs.ts";
import { type DaemonPlace, openSignalDaemon, readPlace } from "./signal-daemon.ts";

/** Asks a daemon what it is, and types a moment in each chat. */
export async function tryDaemon(
  key: string,
  {
    settings,
    chats,
  }: { readonly settings: Pick<DoorSettings, "variables">; readonly chats: readonly string[] },
) {
  const place = readPlace(key);
  if (place === null) return { ok: false, reason: wrongForm } as const;
  const daemon = openSignalDaemon(place);
  try {
    const asked = await askProgram(daemon, place);
    if (!asked.ok) {
      const help = asked.code === "try-later" ? whatToInstall(place, settings.variables) : "";
      return { ok: false, reason: `Signal: ${asked.reason}.${help}` } as const;
    }
    const { params, version } = asked.account;
    const tried: { readonly chat: string; readonly problem: string | null }[] = [];
    for (const chat of chats) {
      const to = chat.includes("-") ? { recipient: [chat] } : { groupId: chat };
      const typed = await daemon.call("sendTyping", { ...params, ...to });
      tried.push({ chat, problem: typed.ok ? null : typed.reason });
    }
    const program = `signal-cli ${version}, ${describeJava(settings.variables)}`;
    return { ok: true, name: place.number, program, chats: tried } as const;
  } finally {
    daemon.close();
  }
}

const wrongForm =
  "This is no address of signal-cli's daemon on this machine with the agent's own number: it looks like /run/user/1000/signal-cli/socket +4915112345678, or http://127.0.0.1:8080 +4915112345678.";

/** What is missing where nothing listens. */
function whatToInstall({ address, number }: DaemonPlace, variables: DoorSettings["variables"]): string {
  const releases = "https://github.com/AsamK/signal-cli/releases";
  const lines: string[] = [];
  if (!hasSignalCli(variables))
    lines.push(`signal-cli is not on PATH: install version ${oldestVersion} or newer from ${releases}.`);
  const java = javaVersion(variables);
  if (java === null)
    lines.push(`Java was not found: signal-cli needs version ${oldestJava} (its native build needs none).`);
  else if (Number.parseInt(java, 10) < oldestJava)
    lines.push(`Java ${java} is too old: signal-cli needs version ${oldestJava}.`);
  const at = address.startsWith("/") ? `--socket ${address}` : `--http ${address.replace("http://", "")}`;
  lines.push(`Then start it, and let it run: signal-cli -a ${number} daemon ${at} --receive-mode=manual.`);
  return `\n${lines.join("\n")}\n`;
}
