import { randomUUID } from "node:crypto";
import type { Claim } from "../../memory/scribe/triage.ts";
import type { State } from "../../memory/state/state.ts";
import type { Config } from "../../settings/config.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import { sessionNameOf } from "./cap-of-job.ts";

/** What drafting needs. */
export type DraftParts = {
  readonly state: Pick<State, "sessions" | "turns">;
  readonly config: Pick<Config, "cognitionModel" | "cascade">;
  readonly loop: Pick<Loop, "submit" | "whenSettled">;
  readonly clock: () => number;
};

const most = 40;
const longest = 400;
const order = `Write each of these lines as one short sentence for a diary, in its own language. Add nothing that it does not say, and call no tool. Answer with the same numbers, one line each, and nothing else.`;

/**
 * Sentences of the small model for claims, by the claim. Only public words of the owner and the agent are sent; every other claim, and each that the model leaves
 * out, stays as it was said. Without a small model nothing is sent.
 */
export async function draftClaims(
  { state, config, loop, clock }: DraftParts,
  claims: readonly Claim[],
): Promise<ReadonlyMap<Claim, string>> {
  const shown = claims
    .filter(
      ({ kind, label }) => kind !== "change" && label.secrecy === "public" && label.integrity !== "untrusted",
    )
    .slice(0, most);
  const [provider = ""] = config.cognitionModel.split("/");
  if (shown.length === 0 || !config.cascade.includes(provider)) return new Map();
  const text = [
    order,
    ...shown.map((claim, index) => `${index + 1}. ${claim.text.replaceAll(/\s+/g, " ")}`),
  ].join("\n");
  const session = await state.sessions.open({
    name: sessionNameOf("scribe"),
    workspace: null,
    source: "cli",
  });
  await state.turns.shorten(session.id, "cleared");
  const label: Label = joinLabels(...shown.map((claim) => claim.label));
  const id = randomUUID();
  const submitted = await loop.submit({
    id,
    clientId: `scribe/${id}`,
    sensor: "cron",
    session: session.id,
    source: "cli",
    person: "nobody",
    text,
    payload: { text, tier: "cognition", job: "scribe" },
    depth: 0,
    label,
    at: clock(),
  });
  if (submitted.kind !== "turn") return new Map();
  await loop.whenSettled(submitted.turn);
  const turn = await state.turns.get(submitted.turn);
  return turn?.state === "answered" ? readDrafts(turn.text, shown) : new Map();
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
