import type { State } from "../../../memory/state/state.ts";
import { labelOfMessage } from "../../../reason/model/withhold-private.ts";
import { estimateMessageTokens } from "../../../reason/prompt/estimate-tokens.ts";
import type { LiveState } from "../../../reason/prompt/live-state.ts";
import {
  asksForPrivacy,
  chooseRoute,
  forbiddenBy,
  type RouteSigns,
} from "../../../reason/route/choose-route.ts";
import { findDifficulty } from "../../../reason/route/find-difficulty.ts";
import type { Config } from "../../../settings/config.ts";
import { type ChosenModel, choiceIn } from "../../../signal/chosen-model.ts";
import type { Message } from "../../../signal/message.ts";
import { type ModelRoute, nameOfModel } from "../../../signal/model-route.ts";
import { isHeartbeat, isJobSignal } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";

/** What choosing the models of a turn needs. */
export type RouteTurnParts = {
  readonly config: Pick<Config, "cascade" | "modelRoutes" | "cognitionModel">;
  /**
   * The order in which a turn that begins now asks the providers; `config.cascade` is the one that this agent
   * started with.
   */
  readonly order: () => readonly string[];
  readonly state: {
    readonly chosenModels: Pick<State["chosenModels"], "of">;
    readonly turns: Pick<State["turns"], "get">;
  };
  readonly privateText: Pick<KnownPrivateText, "ready" | "learnMarked" | "passagesIn">;
  /** The messages before a turn that its prompt would show. */
  readonly past: (turn: Turn) => Promise<readonly Message[]>;
  readonly liveState: (turn: Turn) => Promise<Pick<LiveState, "privateContext">>;
  /** Whether the reflex engine answers the turn whatever models there are. */
  readonly isReflex: (turn: Turn) => boolean;
};

/** The route of turns that ask the model that the owner chose for their session. */
export const ownerRoute = "/model";

/** What decides without the rules of `MODEL_ROUTES`. A turn with such a route keeps it. */
const fixed = { owner: ownerRoute, small: "COGNITION_MODEL", heartbeat: "heartbeat" };

/** The route of turns that began after the order of the providers was changed. */
export const orderRoute = "PROVIDER_CASCADE";

/**
 * Chooses the models of a turn: those of a heartbeat and of a job for the small model by `COGNITION_MODEL`, else what the owner chose for the session, else
 * by the rules: each of the order of now, and no other. A turn under way keeps its own, but for private text
 * that came into it since: then a rule for private text counts.
 */
export function makeTurnRoute(parts: RouteTurnParts): (turn: Turn) => Promise<ModelRoute | null> {
  const { config, state } = parts;
  return async (turn) => {
    const kept = turn.route;
    if (kept !== undefined) return keepRoute(parts, turn, kept);
    if (parts.isReflex(turn)) return null;
    const paying = await payingTurn(state, turn);
    const order = parts.order();
    const small = smallModel(config, order);
    if (begunByOf(paying) === "heartbeat") return alone(fixed.heartbeat, small);
    if (small !== null && isCognition(paying)) return alone(fixed.small, small);
    const chosen = choiceIn(order, await state.chosenModels.of(paying.session));
    if (chosen !== null) return alone(fixed.owner, chosen);
    const byRule =
      config.modelRoutes.length === 0
        ? null
        : chooseRoute(config.modelRoutes, order, await signsOf(parts, turn));
    if (byRule !== null) return byRule;
    if (paying !== turn && isByOrder(paying.route)) return paying.route;
    return routeByOrder(order, config.cascade);
  };
}

/** Why a model may not be asked about a turn beside those that answer it, in words; null where it may. `/model` chooses who answers, and lifts no rule here. */
export function makeModelLimit(
  parts: RouteTurnParts,
): (turn: Turn, model: ChosenModel) => Promise<string | null> {
  const { config, state } = parts;
  return async (turn, model) => {
    if (begunByOf(await payingTurn(state, turn)) === "heartbeat") {
      const small = smallModel(config, parts.order());
      const isSmall = small !== null && nameOfModel(small) === nameOfModel(model);
      return isSmall ? null : "a heartbeat asks the model of COGNITION_MODEL alone";
    }
    if (!parts.order().includes(model.provider)) return "PROVIDER_CASCADE does not name it";
    if (config.modelRoutes.length === 0) return null;
    const rule = forbiddenBy(config.modelRoutes, await signsOf(parts, turn), model);
    return rule === null ? null : `your rule "${rule}" keeps it away`;
  };
}

/** Null for the order of the start, which is asked without a route. */
function routeByOrder(order: readonly string[], started: readonly string[]): ModelRoute | null {
  if (order.join() === [...new Set(started)].join()) return null;
  return { by: orderRoute, asked: order.map((provider) => ({ provider, model: null })), isPrivate: false };
}

function isByOrder(route: ModelRoute | null | undefined): route is ModelRoute | null {
  return route === null || route?.by === orderRoute;
}

/** The turn whose models a turn asks: for a sub-task the one at the beginning. */
async function payingTurn({ turns }: RouteTurnParts["state"], turn: Turn): Promise<Turn> {
  const subTask = subTaskOf(turn.signal);
  return subTask === null ? turn : ((await turns.get(subTask.root)) ?? turn);
}

async function keepRoute(
  parts: RouteTurnParts,
  turn: Turn,
  kept: ModelRoute | null,
): Promise<ModelRoute | null> {
  const { modelRoutes } = parts.config;
  const isFixed = kept !== null && Object.values(fixed).includes(kept.by);
  if (isFixed || kept?.isPrivate === true || !asksForPrivacy(modelRoutes)) return kept;
  const signs = await signsOf(parts, turn);
  return signs.isPrivate ? (chooseRoute(modelRoutes, parts.order(), signs) ?? kept) : kept;
}

function alone(by: string, model: ChosenModel | null): ModelRoute {
  return { by, asked: model === null ? [] : [model], isPrivate: false };
}

/** The model for the jobs of the second tier; null where the owner named none. */
function smallModel(
  { cognitionModel }: RouteTurnParts["config"],
  order: readonly string[],
): ChosenModel | null {
  const [provider = "", ...model] = cognitionModel.split("/");
  if (!order.includes(provider)) return null;
  return { provider, model: model.length === 0 ? null : model.join("/") };
}

function begunByOf({ signal }: Turn): RouteSigns["begunBy"] {
  if (signal.person !== "nobody") return "person";
  if (isHeartbeat(signal)) return "heartbeat";
  return isJobSignal(signal) ? "job" : "event";
}

function isCognition({ signal }: Turn): boolean {
  return isJobSignal(signal) && signal.payload["tier"] === "cognition";
}

/**
 * What the rules ask of a turn. A sub-task was begun by whoever began the turn at the beginning, and has that
 * one's job.
 */
async function signsOf(parts: RouteTurnParts, turn: Turn): Promise<RouteSigns> {
  const { messages } = turn;
  const paying = await payingTurn(parts.state, turn);
  const { signal } = paying;
  const given = messages.filter(({ role }) => role === "user" || role === "attachment");
  const job = isJobSignal(signal) ? signal.payload["job"] : null;
  return {
    begunBy: begunByOf(paying),
    isSubTask: subTaskOf(turn.signal) !== null,
    job: typeof job === "string" ? job : null,
    isCognition: isCognition(paying),
    tokens: given.reduce((sum, message) => sum + estimateMessageTokens(message), 0),
    difficulty: findDifficulty({
      words: wordsOf(messages).join("\n"),
      files: given.filter(({ role }) => role === "attachment").length,
    }),
    isPrivate: asksForPrivacy(parts.config.modelRoutes) && (await holdsPrivate(parts, turn)),
  };
}

function wordsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
}

/** Whether private text is in a turn: in its messages, in the notes that go with it, in what the session said before, or because the words stand in a private text. */
async function holdsPrivate({ past, privateText, liveState }: RouteTurnParts, turn: Turn): Promise<boolean> {
  const isPrivate = (message: Message): boolean => labelOfMessage(message).secrecy !== "public";
  if (turn.messages.some(isPrivate)) return true;
  if ((await liveState(turn)).privateContext !== null) return true;
  if ((await past(turn)).some(isPrivate)) return true;
  await privateText.ready();
  for (const words of wordsOf(turn.messages)) {
    await privateText.learnMarked(words);
    if (privateText.passagesIn(words).length > 0) return true;
  }
  return false;
}
