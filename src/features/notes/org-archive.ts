import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { warnOfLostNotes } from "../../program/warn-of-folders.ts";
import { withAgent } from "../../program/with-agent.ts";
import { isJsonObject } from "../../text/json.ts";
import { loadAcceptProposal } from "../review/feature.ts";
import { orgArchiveSpec } from "./command-specs.ts";

/** Archives an entry, or the done trees of a file: proposed, and accepted by the same command. */
export async function orgArchiveCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, orgArchiveSpec);
  const request = { verb: "archive", id: words[0] ?? "" } as const;
  await warnOfLostNotes(makeStartContext(io));
  const proposed: { id: string | null } = { id: null };
  const propose = async (agent: Agent): Promise<number> => {
    const reply = await agent.runCommand({ kind: "review", request }, "");
    const data = reply.kind === "said" ? (reply.data ?? null) : null;
    if (data !== null && isJsonObject(data) && typeof data["id"] === "string") proposed.id = data["id"];
    else if (reply.kind !== "turn") io.err(`${reply.text}\n`);
    return proposed.id === null ? exitCodes.failed : exitCodes.done;
  };
  const code = await withAgent(io, "cli", propose, { isLookup: true });
  const { id } = proposed;
  return id === null ? code : (await loadAcceptProposal())(io, id, values.json);
}
