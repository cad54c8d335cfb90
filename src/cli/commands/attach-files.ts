import { resolve } from "node:path";
import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { isJsonObject } from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";

/** Attaches files for the next words of a session, and says what becomes of each. Gives their ids; null where one of them is not attached, which is told. */
export async function attachFiles(
  io: Io,
  agent: Agent,
  {
    session,
    files,
    quiet,
  }: { readonly session: string; readonly files: readonly string[]; readonly quiet: boolean },
): Promise<readonly string[] | null> {
  const ids: string[] = [];
  for (const file of files) {
    const path = file.startsWith("~/") ? file : resolve(io.cwd, file);
    const reply = await agent.runCommand({ kind: "attach", path }, session);
    const attached = attachedIn(reply);
    if (reply.kind !== "turn" && (!quiet || attached.length === 0)) io.err(`${reply.text}\n`);
    if (attached.length === 0) return null;
    pushAll(ids, attached);
  }
  return ids;
}

/** What the agent replies to words and commands. */
export type Reply = Awaited<ReturnType<Agent["say"]>>;

/** The id of the file that a reply says was attached. */
export function attachedIn(reply: Reply): readonly string[] {
  const data = reply.kind === "said" && reply.code === "attached" ? (reply.data ?? null) : null;
  return isJsonObject(data) && typeof data["id"] === "string" ? [data["id"]] : [];
}
