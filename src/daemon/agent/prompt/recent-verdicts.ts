import type { LoopEvent } from "../../../signal/loop-event.ts";

/** A verdict as clients were told of it, with the name of its call. */
export type RecentVerdict = Extract<LoopEvent, { readonly type: "verdict" }> & { readonly called: string };

/** The verdicts of the last turn of each session that had any, since this process started. */
export type RecentVerdicts = {
  readonly observe: (event: LoopEvent) => void;
  readonly of: (session: string) => readonly RecentVerdict[];
};

/** Verdicts of a turn, and sessions, that are remembered. */
const most = { verdicts: 20, sessions: 200 };

/** Begins with none. */
export function rememberVerdicts(): RecentVerdicts {
  const bySession = new Map<string, readonly RecentVerdict[]>();
  const called = new Map<string, string>();
  return {
    observe(event) {
      if (event.type === "proposed") {
        const { tool } = event.action.payload;
        called.clear();
        called.set(event.call, typeof tool === "string" ? tool : event.action.target);
      }
      if (event.type !== "verdict") return;
      const before = (bySession.get(event.session) ?? []).filter(({ turn }) => turn === event.turn);
      bySession.delete(event.session);
      const verdict = { ...event, called: called.get(event.call) ?? "a call" };
      bySession.set(event.session, [...before, verdict].slice(-most.verdicts));
      if (bySession.size > most.sessions)
        for (const oldest of bySession.keys().take(1)) bySession.delete(oldest);
    },
    of: (session) => bySession.get(session) ?? [],
  };
}
