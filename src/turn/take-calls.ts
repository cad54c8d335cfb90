import { callsUsedUp } from "../signal/jobs/call-caps.ts";
import type { Turn } from "../signal/turn.ts";
import { type CallWithVerdict, toolNameOf } from "./judge-call.ts";
import type { RefusedCall } from "./refuse-calls.ts";

/** Counts a call that is about to run, and says why it may not: all that may be made were made. Null where it may. Counting the same call again changes nothing. */
export type TakeCalls = (
  turn: Turn,
  judged: Pick<CallWithVerdict, "call" | "prepared">,
) => Promise<string | null>;

/** A call that would run, refused where its turn made all the calls that it may make; null where it may run. */
export async function refusedByCap(
  { takeCalls }: { readonly takeCalls: TakeCalls },
  turn: Turn,
  judged: CallWithVerdict,
): Promise<RefusedCall | null> {
  const { decision } = judged.verdict;
  if (decision !== "pass" && decision !== "trial") return null;
  const reason = await takeCalls(turn, judged);
  return reason === null ? null : { call: judged.call, tool: toolNameOf(judged), reason, code: callsUsedUp };
}
