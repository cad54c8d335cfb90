import type { Claim } from "../../../memory/scribe/triage.ts";
import type { Policy } from "../../../settings/policy.ts";
import { joinAll, type Label } from "../../../signal/label.ts";
import { type AskForTextParts, askForText } from "../models/ask-for-text.ts";

/** The parts that drafting needs. */
export type DraftParts = AskForTextParts & {
  readonly policy: {
    readonly config: Pick<Policy["config"], "cognitionModel">;
    readonly cascade: () => { readonly order: readonly string[] };
  };
};

const most = 40;
const longest = 400;
const order = `Write each of these lines as one short sentence for a diary, in its own language. Add nothing that it does not say, and call no tool. Answer with the same numbers, one line each, and nothing else.`;

/**
 * Has the small model write a sentence for each claim. Only public words of the owner and the agent are sent. Every other claim, and each that the model leaves
 * out, keeps its own words. Without a small model nothing is sent.
 */
export async function draftClaims(
  { state, policy, loop, clock }: DraftParts,
  claims: readonly Claim[],
): Promise<ReadonlyMap<Claim, string>> {
  const shown = claims
    .filter(
      ({ kind, label }) => kind !== "change" && label.secrecy === "public" && label.integrity !== "untrusted",
    )
    .slice(0, most);
  const [provider = ""] = policy.config.cognitionModel.split("/");
  if (shown.length === 0 || !policy.cascade().order.includes(provider)) return new Map();
  const text = [
    order,
    ...shown.map((claim, index) => `${index + 1}. ${claim.text.replaceAll(/\s+/g, " ")}`),
  ].join("\n");
  const label: Label = joinAll(shown.map((claim) => claim.label));
  const answer = await askForText({ state, loop, clock }, { job: "scribe", tier: "cognition", text, label });
  return answer.ok ? readDrafts(answer.text, shown) : new Map();
}

function readDrafts(text: string, shown: readonly Claim[]): ReadonlyMap<Claim, string> {
  const drafts = new Map<Claim, string>();
  for (const line of text.split("\n")) {
    const [, number = "", sentence = ""] = /^\s*(\d{1,2})[.):]\s+(\S.*)$/.exec(line) ?? [];
    const claim = shown[Number(number) - 1];
    if (claim !== undefined && sentence.length <= longest) drafts.set(claim, sentence.trim());
  }
  return drafts;
}
