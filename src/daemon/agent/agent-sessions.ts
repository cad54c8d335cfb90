import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { noteFirstPlace } from "../commands/session-place.ts";
import type { AgentSessions } from "./local-agent.ts";
import { followFolder } from "./resources/follow-folder.ts";
import { type FollowTrustParts, followTrust } from "./resources/follow-trust.ts";
import { takeWorkspace } from "./resources/take-workspace.ts";

/** What the sessions of a local agent need. */
export type SessionParts = FollowTrustParts & {
  readonly state: State;
  /** The workspace of this process; null where only clients bring theirs. */
  readonly workspace: string | null;
  readonly policy: Pick<Policy, "folders" | "rules">;
};

/** Opens sessions, each in the workspace of its first client, and keeps what was delivered in them. */
export function makeAgentSessions(parts: SessionParts): AgentSessions {
  const { state, workspace } = parts;
  const { folders, rules } = parts.policy;
  const knownSession = async (named: string): Promise<string | null> => {
    const kept = await state.sessions.find(named);
    return kept === null || (await state.sessions.isUnproved(kept.id)) ? null : kept.id;
  };
  const openSession: AgentSessions["openSession"] = async ({ name, latest, source, workspace: given }) => {
    const taken = given === undefined || given === null ? given : takeWorkspace(given, folders.home);
    const place = taken === undefined ? workspace : taken;
    if (place !== null) await followFolder(state, place);
    if (place !== null) await followTrust(parts, place);
    const kept = name === null ? null : await knownSession(name);
    const known = kept ?? (latest ? ((await state.sessions.latest(place))?.id ?? null) : null);
    const session = known ?? (await state.sessions.open({ name, workspace: place, source })).id;
    const own = (await state.sessions.get(session))?.workspace ?? null;
    if (own !== null) await noteFirstPlace(state, session, own);
    return session;
  };
  return {
    openSession,
    knownSession,
    resolveSession: (named, client) => openSession({ name: named, latest: false, ...client }),
    sessionOf: async (turn) => (await state.turns.get(turn))?.session ?? null,
    async figures(session) {
      const pending = (await state.approvals.open()).length;
      return { rules: rules.count(), pending, focus: (await state.sessions.get(session))?.focus ?? null };
    },
    async markDelivered(turn) {
      const kept = await state.turns.get(turn);
      if (kept !== null) await state.outbox.markTurnDelivered(kept.session, turn);
    },
    undelivered: state.outbox.undelivered,
    unseenEnds: state.outbox.unseenEnds,
  };
}
