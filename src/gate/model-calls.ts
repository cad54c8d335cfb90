import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";
import { describeFindings } from "./secret-filter.ts";

/** What a person may do where a model is not asked because of private text. */
export const waysOn =
  "choose a local model with /model, go on in a new session, or release words that are not private any more by /public WORDS";

/** The owner gate of model calls. Private and secret text goes to local providers only, and no call may carry a secret that the scanner found. Withholding is done before, in `reason/model/withhold-private.ts`; this gate blocks what got past it. */
export const modelCalls: Gate = {
  name: "model-calls",
  priority: 500,
  revision: 2,
  answer(effect, facts, index) {
    if (effect.kind !== "call-model") return { result: "not-concerned" };
    const provider = oneLine(effect.target);
    const block = (code: string, reason: string) => ({ result: "block", code, reason }) as const;
    const found = describeFindings(facts, index);
    if (found !== null) return block("secret-leaves", `the prompt for ${provider} holds ${found}`);
    if (effect.local !== true && effect.label.secrecy !== "public") {
      const code = effect.label.secrecy === "secret" ? "secret-to-provider" : "private-to-provider";
      return block(
        code,
        `the prompt for ${provider} holds ${effect.label.secrecy} text, and ${provider} is not local; ${waysOn}`,
      );
    }
    return {
      result: "passed",
      reason: effect.local ? "the provider is local" : "all of it is public",
    };
  },
};
