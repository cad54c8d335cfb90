import type { State } from "../../memory/state/state.ts";
import { excerptOf, type LastExchange, type SessionDescription } from "../../shown/session-description.ts";
import { isJobSignal } from "../../signal/signal.ts";
import { countsAsSaid } from "../../signal/turn.ts";
import type { FolderOrders } from "../commands/folder-orders.ts";
import { makeFolderTrust } from "../commands/folder-trust.ts";
import type { Untold } from "./resources/untold.ts";

/** What describing a session needs. */
export type DescribeSessionParts = {
  readonly state: Pick<State, "sessions" | "turns" | "trustedFolders">;
  readonly hasModel: () => boolean;
  readonly orders: Pick<FolderOrders, "describe">;
  readonly untold: Pick<Untold, "all">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
};

/** What is shown of the owner's words and of the answer. */
const longestWords = { lines: 3, characters: 240 };
const longestAnswer = { lines: 8, characters: 1200 };
/** Turns of a session among which the owner's last is looked for: others begin by themselves. */
const searchedTurns = 5;

/** Describes a session to a client that joins it. */
export async function describeSession(
  parts: DescribeSessionParts,
  session: string,
): Promise<SessionDescription> {
  const { sessions, trustedFolders } = parts.state;
  const workspace = (await sessions.get(session))?.workspace ?? null;
  const isTrusted =
    workspace !== null && (await makeFolderTrust(trustedFolders).isTrusted(workspace, workspace));
  const orders = workspace === null ? null : await parts.orders.describe(workspace);
  const last = await lastExchange(parts, session);
  const recovered = await parts.untold.all();
  return { workspace, isTrusted, orders, hasModel: parts.hasModel(), recovered, last };
}

async function lastExchange(
  { state, filter }: DescribeSessionParts,
  session: string,
): Promise<LastExchange | null> {
  const turns = await state.turns.ofSession(session, { limit: searchedTurns });
  const last =
    turns.findLast((turn) => turn.signal.person === "owner" && countsAsSaid(turn)) ??
    turns.findLast(({ signal }) => isJobSignal(signal));
  if (last === undefined) return null;
  return {
    isJob: isJobSignal(last.signal),
    turn: last.id,
    state: last.state,
    words: excerptOf(filter(last.signal.text), longestWords),
    answer: excerptOf(filter(last.text), longestAnswer),
  };
}
