import type { CascadeNow } from "../../../settings/live-cascade.ts";
import type { Turn } from "../../../signal/turn.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import { orderRoute } from "./route-turn.ts";

/** Tells each session once, in a line, that its turns ask the providers in another order than before. */
export type OrderNotice = {
  /** What a turn is told of the order that it asks in; null where that is known in its session. */
  readonly ofTurn: (turn: Turn) => string | null;
  /** The order that counts from the next turn on, for whoever has just changed it. */
  readonly ofChange: (session: string) => string;
};

/** Makes the notice. Sessions know the order of the start. */
export function makeOrderNotice(started: readonly string[], now: () => CascadeNow): OrderNotice {
  const known = new Map<string, string>();
  const first = JSON.stringify([...new Set(started)]);
  const isNews = (session: string, order: readonly string[], problem: string | null): boolean => {
    const key = JSON.stringify(order) + (problem ?? "");
    const isKnown = (known.get(session) ?? first) === key;
    if (!isKnown) known.set(session, key);
    return !isKnown;
  };
  return {
    ofTurn({ session, route }) {
      if (route !== null && route?.by !== orderRoute) return null;
      const order = route === null ? [...new Set(started)] : route.asked.map(({ provider }) => provider);
      const live = now();
      // A turn under way keeps its own order, and the news of another one is for the next turn.
      if (order.join() !== live.order.join() || !isNews(session, order, live.problem)) return null;
      return inWords("From this turn on", live);
    },
    ofChange(session) {
      const live = now();
      isNews(session, live.order, live.problem);
      return inWords("From the next turn on", live);
    },
  };
}

function inWords(since: string, { order, problem }: CascadeNow): string {
  const how =
    order.length === 0 ? "no model is asked" : `models are asked in this order: ${order.join(", ")}`;
  return escapeInvisible(`${since} ${how}.${problem === null ? "" : ` ${problem}`}`);
}
