import type { Clause } from "../../signal/intent/find-clauses.ts";
import { handedOn } from "./handed-on.ts";
import { askedClauses, isAskedNow } from "./open-message.ts";
import { kindsOf, type Order, placesOf } from "./order.ts";
import { areRecipients } from "./recipient-place.ts";
import { isClauseUnderstood, isWhollyUnderstood } from "./whole-order.ts";

/**
 * Whether the owner's words order the act so plainly that it needs no question. What deletes, pays, books and
 * signs in must be understood as a whole, what lets somebody in up to the end of its clause; of a message
 * what it says is free. `companions`: the clauses that may name a person too.
 */
export function isPlainOrder(order: Order, companions: readonly Clause[]): boolean {
  const { act, tool, values } = order;
  // The owner has said yes to each of them.
  if (values.length > 0 && values.every(({ origin }) => origin === "approved" || origin === "endorsed"))
    return true;
  if (act === "delete" || act === "credential") return isWhollyUnderstood(order);
  if (act === "pay") return areRecipients(order, order.clauses) && isWhollyUnderstood(order);
  if (act !== "grant" && act !== "send") return true;
  const asked = { ...order, clauses: askedClauses(order) };
  const letsIn = act === "grant" || tool.senses.has("share");
  return (
    asked.clauses.length > 0 &&
    !goesWhereHanded(order) &&
    areRecipients(asked, [...asked.clauses, ...companions]) &&
    (!letsIn || isClauseUnderstood(asked)) &&
    isAskedNow(asked)
  );
}

/** Whether a value is named only in a request that is handed on: "Tell Mark: post it in general". */
function goesWhereHanded(order: Order): boolean {
  const handed = handedOn(order.intent);
  const kinds = kindsOf(order);
  return order.values
    .map((value) => placesOf(value, order, kinds))
    .some(
      (places) =>
        places.length > 0 &&
        places.every((place) => handed.some(({ at, from, to }) => place >= Math.min(at, from) && place < to)),
    );
}
