import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { firstOf, makeProviders, smallestRoom } from "../../daemon/agent/models/connect-providers.ts";
import { makeContextSource } from "../../daemon/agent/prompt/notes-context.ts";
import { openOrders } from "../../daemon/agent/prompt/open-orders.ts";
import { describeSurroundings, makePromptSettings } from "../../daemon/agent/prompt/prompt-settings.ts";
import { takeWorkspace } from "../../daemon/agent/resources/take-workspace.ts";
import { labelOfWords } from "../../memory/notes/labels/label-of-words.ts";
import type { State } from "../../memory/state/state.ts";
import { type NotesReader, openNotesReader } from "../../program/open-notes-reader.ts";
import { requestFor } from "../../reason/model/ask-provider.ts";
import type { ModelRequest, Provider } from "../../reason/model/model-port.ts";
import { makeRenderer, type PrivatePassages } from "../../reason/model/render.ts";
import { preparePrompt } from "../../reason/prepare-prompt.ts";
import { assembleContext, contextText } from "../../reason/prompt/assemble-context.ts";
import type { Context } from "../../reason/prompt/context.ts";
import { isInstalled, type LiveState } from "../../reason/prompt/live-state.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ContextQuestion } from "./explain-context.ts";
import { explainTools } from "./explain-tools.ts";
import type { LeftOut } from "./list-left-out.ts";

/** The whole request that a provider would get for the first words of a session, after every filter; or that there is no note to focus on. */
export type PromptExplanation =
  | {
      readonly kind: "prompt";
      readonly request: Pick<ModelRequest, "system" | "messages" | "tools">;
      /** The provider that would be asked first; null where none is set up. */
      readonly provider: Pick<Provider, "name" | "local"> | null;
      /**
       * Whether the words are tagged as private or stand in a private text, so that the owner would be
       * asked before anything is sent.
       */
      readonly asksFirst: boolean;
      /** The notes, tools and skills that are not in it, and why. */
      readonly leftOut: readonly LeftOut[];
    }
  | { readonly kind: "no-focus" };

/** Explains what would be sent for some words. Nothing is sent. */
export async function explainPrompt(
  start: StartContext,
  question: ContextQuestion,
): Promise<PromptExplanation> {
  const policy = loadPolicy(start.environment);
  const report = (message: string): void => start.warn?.(message);
  await using reading = await openNotesReader(start, { progress: () => undefined });
  const { state } = reading;
  const context = await contextOf(reading, policy, question);
  if (context === null) return { kind: "no-focus" };
  const { cascade } = policy.config;
  const providers = makeProviders({ policy, clock: Date.now, report });
  const provider = firstOf(cascade, providers);
  const sandbox = await findSandbox();
  const workspace = takeWorkspace(start.cwd, policy.folders.home);
  const { version } = start;
  const words = ownWords(policy, question.words);
  const room = (): ReturnType<typeof smallestRoom> =>
    smallestRoom(cascade.flatMap((name) => providers.get(name) ?? []));
  const sources = { policy, reading, sandbox, workspace, version, report };
  const given = await explainTools(sources, question, (await room()).contextWindow);
  const originsOf = async (digests: readonly string[]) => (await state?.origins.of(digests)) ?? new Map();
  const prompt = await preparePrompt(
    {
      ...makePromptSettings({ policy, originsOf, taughtMandates: () => given.mandates, version, report }),
      room,
      contextWindow: async () => (await room()).contextWindow,
      cascade,
    },
    {
      tools: given.tools,
      messages: [words],
      place: describeSurroundings(policy, {
        workspace,
        sandbox: sandbox !== null,
        orders: await ordersOf(state, policy, workspace),
        skills: given.skills,
      }),
      live: await liveStateOf(context, state, {
        lostNotes: reading.notes.status().lost.map(({ path, problem }) => `${path}: ${problem}`),
        rules: policy.rules.count(),
        taught: given.taught.filter((one) => !isInstalled(one)),
      }),
      installed: given.taught.filter(isInstalled),
      history: async () => ({ messages: [], hasOlder: false }),
    },
  );
  const unfiltered = requestOf(provider, await room(), { ...prompt, tools: given.tools });
  await state?.privateTexts.ready();
  const isLocal = provider?.local ?? true;
  const render = makeRenderer(policy, passagesOf(state));
  const { system, messages } = render(unfiltered, isLocal);
  return {
    kind: "prompt",
    request: { system, messages, tools: unfiltered.tools },
    provider: provider === null ? null : { name: provider.name, local: provider.local },
    leftOut: [...context.omitted.map(({ id, why }) => ({ what: `note ${id}`, why })), ...given.leftOut],
    asksFirst: !isLocal && isPrivate(words, state),
  };
}

type OwnWords = Extract<Message, { readonly role: "user" }>;

function ownWords({ config }: Policy, text: string): OwnWords {
  return { role: "user", text, label: labelOfWords(text, config.privacyTags) };
}

function isPrivate({ text, label }: OwnWords, state: State | null): boolean {
  return label.secrecy !== "public" || (state?.privateTexts.find(text).length ?? 0) > 0;
}

function requestOf(
  provider: Provider | null,
  { maxOutputTokens }: Awaited<ReturnType<typeof smallestRoom>>,
  prompt: Omit<Parameters<typeof requestFor>[2], "maxOutputTokens">,
): ReturnType<typeof requestFor> {
  return requestFor(
    { callsTools: provider?.callsTools ?? true, local: provider?.local ?? false },
    { model: provider?.model ?? "", maxOutputTokens },
    { ...prompt, maxOutputTokens: null },
  );
}

/** The orders of the folder that are obeyed now. What was shown was looked through then. */
async function ordersOf(state: State | null, policy: Policy, workspace: string | null): Promise<string> {
  if (state === null || workspace === null) return "";
  return (await openOrders({ state, policy }, async () => bottomLabel).read(workspace)).text;
}

/** Null if there is no note to focus on. */
async function contextOf(
  { notes, state, meant }: NotesReader,
  { config }: Policy,
  { words, focus }: ContextQuestion,
): Promise<Context | null> {
  const source = makeContextSource({
    notes,
    own: async (id) => (await state?.objects.get("own", id)) ?? null,
    meant,
  });
  if (focus !== null && (await source.node(focus)) === null) return null;
  const limits = { threshold: config.similarityThreshold, budget: config.contextBudget };
  return await assembleContext(source, { words, focus, ...limits });
}

/** The live state of a session that begins now. */
async function liveStateOf(
  context: Context,
  state: State | null,
  {
    rules,
    taught,
    lostNotes,
  }: Pick<LiveState, "rules" | "taught"> & { readonly lostNotes: readonly string[] },
): Promise<LiveState> {
  const now = Date.now();
  const privateContext = contextText(context, "private");
  return {
    context: contextText(context, "public"),
    privateContext: privateContext.text === "" ? null : privateContext,
    logs: [],
    time: { now, sessionStart: now, zoneMinutes: -new Date(now).getTimezoneOffset() },
    rules,
    taught,
    lostNotes,
    pendingApprovals: (await state?.approvals.open())?.length ?? 0,
  };
}

function passagesOf(state: State | null): PrivatePassages {
  return {
    ready: async () => undefined,
    withhold: (text) => state?.privateTexts.withhold(text) ?? text,
    withholdAcross: (texts) => state?.privateTexts.withholdAcross(texts) ?? texts,
    revision: () => state?.privateTexts.revision ?? 0,
  };
}
