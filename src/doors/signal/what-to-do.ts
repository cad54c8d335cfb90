import type { ChatFailure } from "../chat/chat-service.ts";
import { type DaemonResult, rpcErrors } from "./signal-daemon.ts";

/**
 * What the owner has to do where somebody's safety number is another one. Whoever took over their number
 * looks
 * just like their new phone.
 */
export function compareNumbers(number: string, who: string): string {
  return (
    `Signal: the safety number of ${who} is another one than before. If that person did not change their phone, this is somebody else: do nothing, and what they say stays unread. ` +
    `If they did, stop signal-cli's daemon and compare first: signal-cli -a ${number} listIdentities -n ${who} shows the number that the phone has to show in that chat. ` +
    `Only where they are the same: signal-cli -a ${number} trust -v "SAFETY NUMBER" ${who}. Then start the daemon again: what waits is sent, and what was kept is read.`
  );
}

/** A send that failed, with what the owner has to do about it. */
export function withWhatToDo(
  failed: DaemonResult & { readonly ok: false },
  { number, to }: { readonly number: string; readonly to: string },
): ChatFailure {
  if (failed.code !== "try-later") return failed;
  if (failed.rpc === rpcErrors.untrusted) return { ...failed, toDo: compareNumbers(number, to) };
  if (failed.challenge === undefined) return failed;
  return {
    ...failed,
    toDo:
      "Signal wants a proof that a person is there before it takes more messages of the agent. Solve the task at https://signalcaptchas.org/challenge/generate.html and copy the link of its button. Then stop signal-cli's daemon, and type " +
      `signal-cli -a ${number} submitRateLimitChallenge --challenge ${failed.challenge} --captcha LINK. Start the daemon again: what waits is sent.`,
  };
}
