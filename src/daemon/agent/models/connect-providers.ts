import { readFileSync } from "node:fs";
import { wait } from "../../../machine/wait.ts";
import type { RefusedReservation, SpendingLimits } from "../../../memory/state/ledger.ts";
import { raisedBy } from "../../../memory/state/spending-day.ts";
import type { State } from "../../../memory/state/state.ts";
import { type ModelDoor, openModelDoor } from "../../../reason/model/call-model.ts";
import type { Provider } from "../../../reason/model/model-port.ts";
import type { LedgerPort } from "../../../reason/model/reservation.ts";
import type { PromptRoom } from "../../../reason/prepare-prompt.ts";
import { buildProviders } from "../../../reason/providers/registry.ts";
import { makeScriptedProvider, parseScript } from "../../../reason/providers/scripted.ts";
import type { Asked, ThinkParts } from "../../../reason/think.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import { describeUsedUp } from "../../../signal/jobs/call-caps.ts";
import type { Clock } from "../../../text/clock.ts";
import type { AppendToJournal } from "../../../turn/step-ports.ts";
import type { CapOfJob } from "../resources/cap-of-job.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";
import { askAboutPrivateWords } from "./held-back-words.ts";
import { identifyModel } from "./identify-model.ts";

/** What reaching the providers needs. */
export type ProviderParts = {
  readonly policy: Policy;
  readonly privateText: KnownPrivateText;
  readonly ledger: State["ledger"];
  readonly flightPlans: State["flightPlans"];
  readonly raisedBudget: State["raisedBudget"];
  /** What holds for the turns of a job's session: they have no cap of the session, and this one each, where the owner set it. Null for any other session. */
  readonly capOfJob: (call: { readonly session: string; readonly turn: string }) => Promise<CapOfJob | null>;
  /** The skill that takes part in a turn; null where none does. */
  readonly skillOf: (turn: string) => string | null;
  /** The sub-task whose turn this is; null for any other turn. */
  readonly subTaskOf: State["subTasks"]["of"];
  readonly rests: State["providerRests"];
  readonly refusals: State["refusedContents"];
  readonly sentPrefixes: State["sentPrefixes"];
  readonly attachments: Pick<State["attachments"], "bytes">;
  readonly journal: AppendToJournal;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** The providers that may be asked, by name. */
type Askable = Pick<ReadonlyMap<string, Provider>, "get">;

/** What fits where no provider says how much does. Tokens. */
const defaultRoom: PromptRoom = { contextWindow: 8_192, maxOutputTokens: 2_048 };

/** Milliseconds after which the waiting person is told that a provider is silent. */
const noticeAfter = 10_000;

const microdollars = 1e6;

type RefusedSums = NonNullable<ReturnType<ThinkParts["refusedReservation"]>>;

/** Opens the model door on the providers that the owner set up. What cannot be set up is reported and left out. */
export function connectProviders(parts: ProviderParts): Pick<
  ThinkParts,
  "door" | "room" | "refusedReservation" | "heldBack"
> & {
  /** The models that are asked, in order: for null those of the start. */
  readonly inOrder: (asked: Asked) => readonly ChosenModel[];
  /** These models and those of the order of now, first what is not local: a rule may choose any of them. */
  readonly remoteFirst: (asked: readonly ChosenModel[]) => readonly ChosenModel[];
  /** What is the same for two names of the same model, whichever provider has it. */
  readonly identityOf: (model: ChosenModel) => Promise<string>;
} {
  const all = makeProviders(parts);
  const { cascade } = parts.policy;
  // Whoever describes a provider does not let it be asked: naming it in the order does.
  const providers: Askable = { get: (name) => (cascade().named.has(name) ? all.get(name) : undefined) };
  const textMayLeave =
    parts.policy.config.embedding !== null || [...all.values()].some(({ local }) => !local);
  const refused = new Map<string, RefusedSums>();
  const door = doorOf({ ...parts, providers, textMayLeave }, refused);
  const inOrder = (asked: Asked): readonly ChosenModel[] =>
    asked ?? door.cascade.map((provider) => ({ provider, model: null }));
  return {
    door,
    heldBack: (turn, asked) =>
      askAboutPrivateWords(
        {
          privateText: parts.privateText,
          providers: inOrder(asked).flatMap(({ provider }) => providers.get(provider) ?? []),
        },
        turn,
      ),
    room: (asked) =>
      smallestRoom(
        inOrder(asked).flatMap(({ provider: name, model }) => {
          const provider = providers.get(name);
          return provider === undefined
            ? []
            : [
                {
                  recordOf: async (named: string) => door.roomOf(name, await provider.recordOf(named)),
                  model: model ?? provider.model,
                },
              ];
        }),
      ),
    inOrder,
    remoteFirst: (asked) =>
      [...asked, ...cascade().order.map((provider) => ({ provider, model: null }))].toSorted(
        (a, b) =>
          Number(providers.get(a.provider)?.local === true) -
          Number(providers.get(b.provider)?.local === true),
      ),
    identityOf: (model) => identifyModel(parts.policy.config.providers, providers, model),
    refusedReservation: (turn) => refused.get(turn) ?? null,
  };
}

/** The room of the model that has the least of it for a prompt. */
export async function smallestRoom(
  models: readonly (Pick<Provider, "model"> & {
    readonly recordOf: (model: string) => Promise<PromptRoom>;
  })[],
): Promise<PromptRoom> {
  const records = await Promise.all(models.map(({ recordOf, model }) => recordOf(model)));
  const [first = defaultRoom, ...others] = records;
  const left = ({ contextWindow, maxOutputTokens }: PromptRoom): number => contextWindow - maxOutputTokens;
  return others.reduce((least: PromptRoom, other) => (left(other) < left(least) ? other : least), first);
}

/** The provider that is asked first; null where none is set up. */
export function firstOf(cascade: readonly string[], providers: Askable): Provider | null {
  return cascade.flatMap((name) => providers.get(name) ?? [])[0] ?? null;
}

/**
 * The providers of the cascade, and others that may come into it, by name. What cannot be set up is left out,
 * and reported where the cascade has it.
 */
export function makeProviders({
  policy: { config, cascade },
  clock,
  report,
}: Pick<ProviderParts, "clock" | "report"> & {
  readonly policy: Pick<Policy, "config" | "cascade">;
}): ReadonlyMap<string, Provider> {
  const { usable } = cascade();
  const asked = ({ name }: { readonly name: string }): boolean => config.cascade.includes(name);
  const settings = config.providers.filter(({ name }) => name !== "scripted");
  const built = buildProviders(settings.filter(asked), clock);
  for (const problem of built.problems) report(problem);
  // Whoever puts one of the others into the cascade is told then what is wrong with it.
  const others = buildProviders(
    settings.filter((setting) => usable.has(setting.name) && !asked(setting)),
    clock,
  );
  const providers = new Map<string, Provider>([...built.providers, ...others.providers]);
  if (config.script === null || !config.cascade.includes("scripted")) return providers;
  const read = parseScript(readFileSync(config.script, "utf8"));
  if (read.ok) providers.set("scripted", makeScriptedProvider(read.script, wait));
  else report(`SCRIPTED_PROVIDER_FILE ${config.script}: ${read.message}`);
  return providers;
}

function doorOf(
  parts: ProviderParts & { readonly providers: Askable; readonly textMayLeave: boolean },
  refused: Map<string, RefusedSums>,
): ModelDoor {
  const { policy, privateText, ledger, attachments, journal, clock, report } = parts;
  const { config } = policy;
  const action = { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] } as const;
  const reserve = reserveUnderCaps(parts);
  return openModelDoor({
    providers: parts.providers,
    cascade: config.cascade,
    jitter: Math.random,
    judge: policy.judge,
    facts: ({ origin, findings }) => policy.makeFacts({ action, origin, workspace: null, findings }),
    ledger: {
      async reserve(wanted) {
        const reserved = await reserve(wanted);
        if (!reserved.ok) refused.set(wanted.turn, reserved);
        return reserved;
      },
      settle: ledger.settle,
      release: ledger.release,
    },
    journal: (record) => journal(record),
    secrets: { scan: policy.scan, mask: policy.mask },
    privatePassages: privateText,
    labelAgain: privateText.labelAgain,
    textMayLeave: parts.textMayLeave,
    readAttached: attachments.bytes,
    unpricedModels: config.unpricedModels,
    rests: parts.rests,
    refusals: parts.refusals,
    sentPrefixes: parts.sentPrefixes,
    report,
    clock,
    wait,
    timeouts: {
      firstTokenMs: config.firstTokenTimeout,
      silenceMs: config.firstTokenTimeout,
      cascadeMs: config.cascadeTimeout,
      noticeMs: noticeAfter,
    },
  });
}

/** What to do where a run of a job spent what its owner lets it: `/budget more` would not help. */
function adviceOn(
  job: CapOfJob | null,
  { perTurn }: SpendingLimits,
  { cap }: Pick<RefusedReservation, "cap">,
): { readonly advice?: string } {
  if (job?.run == null || cap !== "turn" || perTurn !== job.perTurn) return {};
  const add = `passepartout jobs add ${job.run}`;
  return {
    advice: `A run of the job ${job.run} may spend no more, by DOLLARS of its entry in jobs.org. Raise it there, then approve it: ${add}`,
  };
}

/** Reserves under all caps: of the day, the session, the turn, the flight plan of the session, and the job. */
function reserveUnderCaps({
  policy: { config },
  ledger,
  flightPlans,
  raisedBudget,
  capOfJob,
  subTaskOf,
  skillOf,
  clock,
}: ProviderParts): LedgerPort["reserve"] {
  const limitsOfNow = async (job: CapOfJob | null) => {
    const more = raisedBy(await raisedBudget.get(), clock());
    const perTurn = config.budgetPerTurn * microdollars + more;
    return {
      perDay: config.budgetPerDay * microdollars + more,
      perSession: job === null ? config.budgetPerSession * microdollars + more : null,
      perTurn: Math.min(perTurn, job?.perTurn ?? perTurn),
    };
  };
  // A call that would cost more than the flight plan of its session allows ends the plan: from then on its steps ask.
  return async ({ route, ...asked }) => {
    const subTask = await subTaskOf(asked.turn);
    // The turn that began a sub-task pays for it, under its own caps.
    const call =
      subTask === null ? asked : { ...asked, turn: subTask.root, session: subTask.rootSession, subTask };
    const job = await capOfJob(call);
    const limits = {
      ...(await limitsOfNow(job)),
      ...(subTask === null ? {} : { perSubTask: subTask.caps }),
      calls: job?.calls.models ?? null,
    };
    const purpose = { job: job?.run ?? null, skill: skillOf(asked.turn), route };
    const wanted = { ...call, purpose, earlierTurns: job?.earlierTurns ?? [] };
    const reserve = async (under: SpendingLimits): ReturnType<LedgerPort["reserve"]> => {
      const reserved = await ledger.reserve({ ...wanted, limits: under });
      if (reserved.ok) return reserved;
      if (reserved.mostCalls === undefined) return { ...reserved, ...adviceOn(job, under, reserved) };
      const usedUp =
        reserved.cap === "sub-task"
          ? `A sub-task may take ${reserved.mostCalls} answers of a model with all its parts, and they are used up.`
          : describeUsedUp(job?.run ?? "", "models", reserved.mostCalls);
      return { ...reserved, usedUp };
    };
    const plan = await flightPlans.of(wanted.session);
    if (plan === null || plan.spendingCap === null) return reserve(limits);
    const perPlan = { since: plan.since, microdollars: plan.spendingCap };
    const reserved = await reserve({ ...limits, perPlan });
    if (reserved.ok) return reserved;
    const beyond = await reserve(limits);
    if (beyond.ok) await flightPlans.drop(wanted.session, "overspent");
    return beyond;
  };
}
