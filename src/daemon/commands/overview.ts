import { readSpending } from "../../memory/state/spending.ts";
import { choiceIn } from "../../signal/chosen-model.ts";
import { formatMoney } from "../../signal/spending.ts";
import { formatTokens } from "../../text/format-time.ts";
import type { JsonObject } from "../../text/json.ts";
import { underHome } from "../../text/under-home.ts";
import type { CommandReply } from "./command-reply.ts";
import { shownFocus } from "./focus.ts";
import { makeFolderTrust } from "./folder-trust.ts";
import type { StatusParts } from "./status.ts";

/** What the overview needs besides the status. */
export type OverviewParts = {
  readonly version: string;
  /** The model that a provider is asked for, with its window in tokens; null for a provider that is not set up. */
  readonly modelOf: (
    provider: string,
    /** Another one than the provider's own. */
    model?: string | null,
  ) => Promise<{ readonly model: string; readonly window: number } | null>;
  /** The title of a note; null where there is none. */
  readonly noteTitle: (id: string) => Promise<string | null>;
  /** How many notes the last prompt of a session showed, and the tokens that they took. */
  readonly shownNotes: (session: string) => { readonly notes: number; readonly tokens: number };
};

/** What a status bar shows of a session. It changes nothing, and costs no token. */
export async function overview(parts: StatusParts & OverviewParts, id: string): Promise<CommandReply> {
  const { state, policy } = parts;
  const session = await state.sessions.get(id);
  const workspace = session?.workspace ?? null;
  const latest = await state.ledger.latest(id);
  const { order } = policy.cascade();
  const chosen = choiceIn(order, await state.chosenModels.of(id));
  const provider = chosen?.provider ?? latest?.provider ?? order[0] ?? null;
  const model = chosen === null ? latest?.model : chosen.model;
  const asked = provider === null ? null : await parts.modelOf(provider, model);
  const spent = await readSpending(state.ledger, { session: id, budgets: policy.config, now: Date.now() });
  const unfinished = (await state.turns.unfinished()).filter((turn) => turn.session === id);
  const focus = session?.focus ?? null;
  const near = parts.shownNotes(id);
  const figures = {
    version: parts.version,
    session: id,
    name: session?.name ?? null,
    workspace,
    "notes-folders": [policy.folders.notes, ...(policy.folders.otherNotes ?? [])],
    trusted:
      workspace !== null && (await makeFolderTrust(state.trustedFolders).isTrusted(workspace, workspace)),
    provider,
    model: asked?.model ?? model ?? null,
    "context-used": latest?.promptTokens ?? 0,
    "context-window": asked?.window ?? 0,
    rules: policy.rules.count(),
    questions: (await state.approvals.open()).length,
    problem: await findProblem(parts),
    running: unfinished.filter((turn) => turn.state !== "suspended").length,
    "focus-id": focus,
    "focus-title":
      focus === null
        ? null
        : filtered((await parts.noteTitle(focus)) ?? shownFocus(focus, workspace), policy.filter),
    "notes-shown": near.notes,
    "notes-tokens": near.tokens,
    "asking-turn": latest?.turn ?? null,
    "turn-input-tokens": latest?.inputTokens ?? 0,
    "turn-output-tokens": latest?.outputTokens ?? 0,
    "turn-microdollars": latest?.microdollars ?? 0,
    "session-microdollars": spent.session.microdollars,
    "today-microdollars": spent.today.microdollars,
    "today-limit-microdollars": Math.round(spent.today.limitMicrodollars),
  };
  return { code: "overview", text: formatOverview(figures, policy.folders.home), data: figures };
}

/** What keeps the agent from working as it should, in a few words; null where nothing is known to. */
async function findProblem({ state, policy, resting, lostNotes }: StatusParts): Promise<string | null> {
  if (policy.failedCanaries().length > 0) return "gates fail their own check";
  if ((await state.diskReserve.findLack()) !== null) return "the disk is full";
  if ((await lostNotes()).length > 0) return "a notes folder is lost";
  const [rest] = await resting(Date.now());
  return rest === undefined ? null : `${rest.provider} failed`;
}

function filtered(text: string | null, filter: (text: string) => string): string | null {
  return text === null ? null : filter(text);
}

function formatOverview(figures: JsonObject, home: string): string {
  const { workspace, provider, model } = figures;
  const number = (key: string): number => Number(figures[key] ?? 0);
  return [
    typeof workspace === "string" ? underHome(workspace, home) : "no folder",
    provider === null ? "no model" : `${provider}/${model}`,
    `${number("notes-shown")} notes in focus`,
    ...(number("context-window") === 0
      ? []
      : [`${formatTokens(number("context-used"))} of ${formatTokens(number("context-window"))}`]),
    ...(number("today-microdollars") === 0 ? [] : [`today ${formatMoney(number("today-microdollars"))}`]),
    ...(number("questions") === 0 ? [] : [`${number("questions")} waiting`]),
  ].join(" · ");
}
