import { type ChosenModel, choiceIn } from "../../signal/chosen-model.ts";
import { describeRest } from "../../signal/provider-rest.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatTokens } from "../../text/format-time.ts";
import type { CommandReply } from "./command-reply.ts";
import type { OverviewParts } from "./overview.ts";
import type { StatusParts } from "./status.ts";
import type { UndoParts } from "./undo-request.ts";

/** What choosing a model needs. */
export type ModelCommandParts = Pick<StatusParts, "policy" | "state" | "resting"> &
  Pick<OverviewParts, "modelOf"> & {
    /** The order that counts from the next turn on, in a line; the session is not told of it again. */
    readonly tellOrder: (session: string) => string;
  } & Pick<UndoParts, "journal">;

/** Lists the models that are asked, or chooses the one that a session asks from now on. Only the owner does this. */
export async function modelCommand(
  parts: ModelCommandParts,
  name: string | null,
  session: string,
): Promise<CommandReply> {
  const { order: cascade } = parts.policy.cascade();
  if (name === null) return listModels(parts, choiceIn(cascade, await parts.state.chosenModels.of(session)));
  if (name === "default") {
    await choose(parts, session, null);
    const order =
      cascade.length === 0 ? "No model is set up." : `Asked in this order: ${cascade.join(", ")}.`;
    return { code: "model-chosen", text: `This session asks as the settings say again. ${order}` };
  }
  const chosen = readChoice(name, cascade);
  if (chosen === null) {
    const known =
      cascade.length === 0 ? "No provider is set up; see /setup." : `Providers: ${cascade.join(", ")}.`;
    const form = "Say /model PROVIDER, /model PROVIDER/MODEL, a number of the list, or default.";
    return {
      code: "not-done",
      text: `${escapeInvisible(name)} names none of the providers. ${known} ${form}`,
    };
  }
  const asked = await parts.modelOf(chosen.provider, chosen.model);
  if (asked === null)
    return {
      code: "not-done",
      text: `${chosen.provider} is not set up, so it cannot be asked. passepartout setup does that.`,
    };
  await choose(parts, session, chosen);
  const window = `${formatTokens(asked.window)} tokens`;
  return {
    code: "model-chosen",
    text: `From the next turn on this session asks ${escapeInvisible(`${chosen.provider}/${asked.model}`)} (${window}) and no other. /model default takes that back.`,
  };
}

/**
 * Writes another order of the providers into the settings file. It counts from the next turn on; a turn under
 * way keeps its own.
 */
export async function orderModels(
  parts: ModelCommandParts,
  order: readonly string[],
  session: string,
): Promise<CommandReply> {
  const { policy, journal } = parts;
  const name = "PROVIDER_CASCADE";
  const { usable } = policy.cascade();
  const unknown = order.filter((one) => !usable.has(one));
  const notDone = (text: string): CommandReply => ({ code: "not-done", text: escapeInvisible(text) });
  if (unknown.length > 0)
    return notDone(
      `${unknown.join(", ")} is not set up, so nothing was changed. Set up: ${[...usable].join(", ")}. passepartout setup sets up others; then start again.`,
    );
  const prepared = policy.settings.prepare(name, [...new Set(order)].join(","));
  if (!prepared.ok) return notDone(prepared.reason);
  if (prepared.warning !== null) return notDone(`${prepared.warning} Nothing was changed.`);
  await journal({ kind: "note", session, detail: { event: "setting-written", name } });
  if (prepared.lines.length > 0) await prepared.make();
  return { code: "model-chosen", text: parts.tellOrder(session) };
}

async function choose(
  { state, journal }: ModelCommandParts,
  session: string,
  chosen: ChosenModel | null,
): Promise<void> {
  await journal({ kind: "note", session, detail: { event: "model-chosen", chosen } });
  await state.chosenModels.choose(session, chosen);
}

/** Null where no provider of the cascade is meant. A model alone is meant of the only provider. */
function readChoice(name: string, cascade: readonly string[]): ChosenModel | null {
  const [only, other] = cascade;
  const numbered = /^\d{1,3}$/.test(name) ? cascade[Number(name) - 1] : undefined;
  const provider = numbered ?? cascade.find((one) => one === name);
  if (provider !== undefined) return { provider, model: null };
  const prefixed = cascade.find((one) => name.startsWith(`${one}/`) && name.length > one.length + 1);
  if (prefixed !== undefined) return { provider: prefixed, model: name.slice(prefixed.length + 1) };
  const isNumber = /^\d+$/.test(name);
  return only !== undefined && other === undefined && !isNumber ? { provider: only, model: name } : null;
}

/** The providers in the order in which they are asked, each with its model, and what the session chose instead. */
async function listModels(parts: ModelCommandParts, chosen: ChosenModel | null): Promise<CommandReply> {
  const { order: cascade } = parts.policy.cascade();
  const how =
    "/model NAME asks one of them alone in this session. /model order NAME,NAME… changes the order for good, as does PROVIDER_CASCADE in .env of the configuration folder; it counts from the next turn on. passepartout setup sets up others; then start again.";
  if (cascade.length === 0)
    return { code: "models", text: "No model is set up. /setup says how to set one up.", data: [] };
  const now = Date.now();
  const rests = await parts.resting(now);
  const models = await Promise.all(
    cascade.map(async (provider) => {
      const isChosen = chosen?.provider === provider;
      const asked = await parts.modelOf(provider, isChosen ? chosen.model : null);
      const rest = rests.find((one) => one.provider === provider);
      return {
        provider,
        model: asked?.model ?? null,
        "context-window": asked?.window ?? 0,
        problem: rest !== undefined ? describeRest(rest, now) : asked === null ? "is not set up" : null,
        chosen: isChosen,
      };
    }),
  );
  const lines = models.map((each, index) => `  ${index + 1}  ${describeModel(each)}`);
  const heading = chosen === null ? "Asked in this order:" : "In this session only the chosen one is asked:";
  return { code: "models", text: [heading, ...lines, how].join("\n"), data: models };
}

function describeModel(each: {
  readonly provider: string;
  readonly model: string | null;
  readonly "context-window": number;
  readonly problem: string | null;
  readonly chosen: boolean;
}): string {
  const room = each["context-window"] === 0 ? "" : `, ${formatTokens(each["context-window"])} tokens`;
  const trouble = each.problem === null ? "" : `: ${each.problem}`;
  const name = `${each.provider}${each.model === null ? "" : `/${each.model}`}`;
  return escapeInvisible(`${name}${room}${each.chosen ? ", chosen" : ""}${trouble}`);
}
