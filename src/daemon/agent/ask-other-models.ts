import type { Think } from "../../reason/think.ts";
import type { Config } from "../../settings/config.ts";
import type { Call } from "../../signal/action.ts";
import type { ChosenModel } from "../../signal/chosen-model.ts";
import { type Consensus, isCritical } from "../../signal/consensus.ts";
import { describeEffect } from "../../signal/describe-effect.ts";
import { describeError } from "../../signal/describe-error.ts";
import type { Effect } from "../../signal/effect.ts";
import { canonicalJson, type Json } from "../../signal/json.ts";
import { nameOfModel } from "../../signal/model-route.ts";
import { consensusRoute } from "../../signal/spending.ts";
import type { PreparedAction } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";

/** What asking other models for their proposal needs. */
export type AskOtherModelsParts = {
  readonly config: Pick<Config, "consensusModels" | "consensusEffects">;
  readonly think: Think;
  /** The effects of a call of a turn. Reads the world and changes nothing. */
  readonly prepare: (turn: Turn, call: Call) => Promise<PreparedAction>;
};

type Prepared = Extract<PreparedAction, { readonly ok: true }>;

/** What a model proposed, in words, and its effects to compare; null where it proposed none. */
type Vote = { readonly words: string; readonly effects: string | null };

const silent = { onText: () => undefined, onReset: () => undefined, onNotice: () => undefined };

/**
 * Asks the models of `CONSENSUS_MODELS` for their own proposal of a step with critical effects, all at once: each gets what the first one got, without its answer. Equal
 * effects agree, whatever the words. A model that gives words alone, fails, or proposes what cannot be prepared does not agree.
 */
export function makeConsensus({ config, think, prepare }: AskOtherModelsParts) {
  return async (turn: Turn, calls: readonly Prepared[], cancel: AbortSignal): Promise<Consensus | null> => {
    const critical = calls.filter(({ effects }) =>
      effects.some((effect) => isCritical(effect, config.consensusEffects)),
    );
    const answer = turn.messages.findLastIndex(({ role }) => role === "assistant");
    const first = turn.messages[answer];
    if (critical.length === 0 || first?.role !== "assistant" || first.provider === "reflex") return null;
    const others = config.consensusModels.filter(({ provider }) => provider !== first.provider);
    if (config.consensusModels.length === 0) return null;
    const before: Turn = { ...turn, messages: turn.messages.slice(0, answer), pending: [] };
    const votes = await Promise.all(others.map((model) => voteOf(model, before)));
    const own = calls.flatMap(({ effects }) => effects);
    const agreed = votes.length > 0 && votes.every(({ effects }) => effects === comparable(own));
    const said = [`${first.provider} would ${describe(own)}`, ...votes.map(({ words }) => words)];
    const alone = votes.length === 0 ? ["no other model is set for it"] : [];
    return {
      digests: critical.map(({ digest }) => digest),
      disagreement: agreed ? null : [...said, ...alone].join("; "),
    };

    async function voteOf(model: ChosenModel, asked: Turn): Promise<Vote> {
      const name = nameOfModel(model);
      try {
        const route = { by: consensusRoute, asked: [model], isPrivate: false };
        const result = await think({ ...asked, route }, silent, cancel);
        if (result.kind === "failure")
          return { words: `${name} gave no proposal (${result.error.message})`, effects: null };
        if (result.thought.kind !== "calls")
          return { words: `${name} answered with words and proposed nothing`, effects: null };
        const prepared = await Promise.all(result.thought.calls.map((call) => prepare(turn, call)));
        const whole = prepared.filter((one): one is Prepared => one.ok);
        const effects = whole.flatMap((one) => one.effects);
        if (whole.length < prepared.length)
          return { words: `${name} proposed what cannot be done`, effects: null };
        return { words: `${name} would ${describe(effects)}`, effects: comparable(effects) };
      } catch (error) {
        return { words: `${name} gave no proposal (${describeError(error)})`, effects: null };
      }
    }
  };
}

/** How many effects a question tells of one model. */
const mostTold = 4;

function describe(effects: readonly Effect[]): string {
  if (effects.length === 0) return "do nothing";
  const more = effects.length > mostTold ? [`and ${effects.length - mostTold} more`] : [];
  return [...effects.slice(0, mostTold).map(describeEffect), ...more].join(", ");
}

/** Effects as they are compared: what would be done, in any order, without where its values come from and without addresses, which change by themselves. */
function comparable(effects: readonly Effect[]): string {
  return canonicalJson(effects.map((effect): Json => canonicalJson(withoutLabels(effect))).toSorted());
}

function withoutLabels(effect: Effect): Json {
  const { label: _, ...rest } = effect;
  return JSON.parse(JSON.stringify("addresses" in rest ? { ...rest, addresses: [] } : rest));
}
