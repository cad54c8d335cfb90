import { makeTurnRoute } from "../../daemon/agent/models/route-turn.ts";
import { makeContextSource } from "../../daemon/agent/prompt/notes-context.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import { assembleContext, contextText } from "../../reason/prompt/assemble-context.ts";
import { findDifficulty } from "../../reason/route/find-difficulty.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { JobTier } from "../../signal/jobs/job.ts";
import { nameOfModel } from "../../signal/model-route.ts";
import { turnSaying } from "./turn-saying.ts";

/** Words that somebody would say, or a job. */
export type RouteQuestion = {
  readonly words: string;
  readonly job: { readonly name: string; readonly tier: JobTier } | null;
};

/** Which models would be asked, in order, and what chose them; `rule` is null where the order of the settings holds. */
export type RouteExplanation = {
  readonly asked: readonly string[];
  readonly rule: string | null;
  /** Why the words count as hard; empty for easy ones. */
  readonly hard: readonly string[];
  readonly private: boolean;
};

/** Explains which models would answer in a new session, by the mechanism that decides it. Nobody is asked. */
export async function explainRoute(
  start: StartContext,
  { words, job }: RouteQuestion,
): Promise<RouteExplanation> {
  const { config } = loadPolicy(start.environment);
  await using reading = await openNotesReader(start, { progress: () => undefined });
  const { notes, state } = reading;
  const source = makeContextSource({
    notes,
    own: async (id) => (await state?.objects.get("own", id)) ?? null,
  });
  const limits = { threshold: config.similarityThreshold, budget: config.contextBudget };
  const routeOf = makeTurnRoute({
    config,
    order: () => config.cascade,
    state: { turns: { get: async () => null }, chosenModels: { of: async () => null } },
    past: async () => [],
    privateText: {
      ready: async () => void (await state?.privateTexts.ready()),
      learnMarked: async () => undefined,
      passagesIn: (text) =>
        (state?.privateTexts.find(text) ?? []).map(({ begin, end }) => text.slice(begin, end)),
    },
    async liveState() {
      const shown = contextText(await assembleContext(source, { words, focus: null, ...limits }), "private");
      return { privateContext: shown.text === "" ? null : shown };
    },
    isReflex: () => job?.tier === "reflex",
  });
  const route = await routeOf(turnSaying(words, job));
  const isReflex = job?.tier === "reflex";
  return {
    asked: isReflex ? [] : (route?.asked.map(nameOfModel) ?? config.cascade),
    rule: isReflex ? "TIER reflex" : (route?.by ?? null),
    hard: findDifficulty({ words, files: 0 }),
    private: route?.isPrivate === true,
  };
}
