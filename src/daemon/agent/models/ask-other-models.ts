import type { Think } from "../../../reason/think.ts";
import type { Config } from "../../../settings/config.ts";
import type { Call } from "../../../signal/action.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import { isCritical, type Opinion } from "../../../signal/consensus.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import { nameOfModel } from "../../../signal/model-route.ts";
import { consensusRoute } from "../../../signal/spending.ts";
import type { PreparedAction } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { ConsensusPort } from "../../../turn/seek-consensus.ts";
import { describeProposals, joinSteps, type Proposal } from "./describe-proposals.ts";

/** What asking other models for their proposal needs. */
export type AskOtherModelsParts = {
  readonly config: Pick<Config, "consensusModels" | "consensusEffects">;
  readonly think: Think;
  /** What a call of a turn would do. Reads the world and changes nothing. */
  readonly prepare: (turn: Turn, call: Call) => Promise<PreparedAction>;
  /** Why a model may not be asked about a turn, in words; null where it may. */
  readonly limit: (turn: Turn, model: ChosenModel) => Promise<string | null>;
  /** What is the same for two names of the same model. */
  readonly identityOf: (model: ChosenModel) => Promise<string>;
  /** Masks keys. */
  readonly filter: (text: string) => string;
};

type Answer = Extract<Message, { readonly role: "assistant" }>;

const silent = {
  onText: () => undefined,
  onThinking: () => undefined,
  onReset: () => undefined,
  onNotice: () => undefined,
};

/**
 * Asks the models of `CONSENSUS_MODELS` for their own proposal of a step with critical effects, all at once: each gets what the first one got, without its answer.
 * They agree where all would do the same, whatever they say about it and however they write it. A model that gives words alone, fails, may not be asked, or proposes
 * what cannot be prepared does not agree. A model that has two names counts once, and not beside itself.
 */
export function makeConsensus(parts: AskOtherModelsParts): ConsensusPort {
  const { consensusModels, consensusEffects } = parts.config;
  return {
    concerns: (effects) =>
      consensusModels.length > 0 && effects.some((effect) => isCritical(effect, consensusEffects)),
    async ask(turn, cancel) {
      const at = turn.messages.findLastIndex(({ role }) => role === "assistant");
      const first = turn.messages[at];
      if (first?.role !== "assistant" || first.provider === "reflex") return null;
      const before: Turn = { ...turn, messages: turn.messages.slice(0, at).map(withoutSending), pending: [] };
      const others = await othersThan(parts, first);
      const votes = await Promise.all(others.map((model) => voteOf(parts, { turn, before, model }, cancel)));
      // Prepared once more, so that all are compared as the world is now.
      const own = await proposalOf(parts, turn, { name: first.provider, calls: first.calls });
      const { disagreement, label } = opinionOf(own, votes);
      return { disagreement: disagreement === null ? null : parts.filter(disagreement), label };
    },
  };
}

function opinionOf({ proposal: own, label: ownLabel }: Vote, votes: readonly Vote[]): Opinion {
  const label = joinAll([ownLabel, ...votes.map((vote) => vote.label)]);
  const agreed =
    own.steps !== null && votes.length > 0 && votes.every(({ proposal }) => proposal.steps === own.steps);
  if (agreed) return { disagreement: null, label };
  const said = describeProposals(
    own,
    votes.map(({ proposal }) => proposal),
  );
  return { disagreement: votes.length === 0 ? `${said}; no other model is set for it` : said, label };
}

/** What the owner said to send as it is went to the model that was asked then, and to no other. */
function withoutSending(message: Message): Message {
  if (message.role === "attachment") {
    const { asIsFor: _, ...rest } = message;
    return rest;
  }
  if (message.role !== "user") return message;
  const { asIs: _, asIsFor: _for, ...rest } = message;
  return rest;
}

/** The models that are asked, each once and without the one that answered. */
async function othersThan(
  { config, identityOf }: AskOtherModelsParts,
  { provider, model }: Answer,
): Promise<readonly ChosenModel[]> {
  const known = new Set([await identityOf({ provider, model: model ?? null })]);
  const others: ChosenModel[] = [];
  for (const other of config.consensusModels) {
    const identity = await identityOf(other);
    if (!known.has(identity)) others.push(other);
    known.add(identity);
  }
  return others;
}

/** What a model proposed, and the label of what it was sent and of what it would do. */
type Vote = { readonly proposal: Proposal; readonly label: Label };
type Ballot = { readonly turn: Turn; readonly before: Turn; readonly model: ChosenModel };

async function voteOf(
  parts: AskOtherModelsParts,
  { turn, before, model }: Ballot,
  cancel: AbortSignal,
): Promise<Vote> {
  const name = nameOfModel(model);
  const none = (words: string, label: Label = bottomLabel): Vote => ({
    proposal: { words: `${name} ${words}`, steps: null, calls: [] },
    label,
  });
  try {
    const limit = await parts.limit(turn, model);
    if (limit !== null) return none(`was not asked: ${limit}`);
    const route = { by: consensusRoute, asked: [model], isPrivate: false };
    const result = await parts.think({ ...before, route }, silent, cancel);
    if (result.kind === "failure") return none(`gave no proposal (${result.error.message})`);
    // Where the budget does not hold the model, a cheaper one of its provider, or the reflex engine, answers a turn: neither counts here.
    const answered = { provider: result.provider, model: result.model ?? null };
    if ((await parts.identityOf(answered)) !== (await parts.identityOf(model)))
      return none("gave no proposal (the budget does not hold it)", result.label);
    if (result.thought.kind !== "calls")
      return none("answered with words and proposed nothing", result.label);
    const { proposal, label } = await proposalOf(parts, turn, { name, ...result.thought });
    return { proposal, label: joinLabels(result.label, label) };
  } catch (error) {
    return none(`gave no proposal (${describeError(error)})`);
  }
}

/** What calls would do, prepared as those of the turn. */
async function proposalOf(
  { prepare }: AskOtherModelsParts,
  turn: Turn,
  { name, calls }: { readonly name: string; readonly calls: readonly Call[] },
): Promise<Vote> {
  const prepared = await Promise.all(calls.map(async (call) => ({ call, ...(await prepare(turn, call)) })));
  const whole = prepared.flatMap((one) => (one.ok ? [one] : []));
  if (whole.length < prepared.length) {
    const proposal = { words: `${name} proposed what cannot be done`, steps: null, calls: [] };
    return { proposal, label: bottomLabel };
  }
  const proposal = {
    words: `${name} would`,
    steps: joinSteps(whole.flatMap(({ comparable }) => comparable)),
    calls: whole.map(({ action, effects }) => ({ action, effects })),
  };
  return { proposal, label: joinAll(whole.map(({ reasonLabel = bottomLabel }) => reasonLabel)) };
}
