import type { ServiceAct } from "../../signal/effect.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import type { Order } from "./order.ts";
import { areRecipients } from "./recipient-place.ts";
import { isVerbOfAct } from "./verb-object.ts";
import { isWhollyUnderstood } from "./whole-order.ts";

/** Acts that nobody can take back. */
const irrevocable: ReadonlySet<ServiceAct> = new Set<ServiceAct>([
  "send",
  "delete",
  "pay",
  "credential",
  "grant",
]);

/**
 * Whether the owner's words order the act so plainly that it needs no question: what cannot be taken back
 * must be understood as a whole, and whom it reaches must be named as its recipient. `companions`: the
 * clauses that may name a person too.
 */
export function isPlainOrder(order: Order, companions: readonly Clause[]): boolean {
  const { act, values } = order;
  // The owner has said yes to each of them.
  if (values.length > 0 && values.every(({ origin }) => origin === "approved" || origin === "endorsed"))
    return true;
  if (!irrevocable.has(act)) return true;
  const asking = order.clauses.filter((clause) => act !== "send" || isVerbOfAct(clause, order));
  const asked = { ...order, clauses: [...asking, ...companions] };
  return asking.length > 0 && areRecipients(asked, asked.clauses) && isWhollyUnderstood(asked);
}
