import { hash } from "node:crypto";
import type { Message } from "../../signal/message.ts";
import {
  type NamedDigest,
  type PrefixBreak,
  type PrefixPart,
  prefixParts,
  type SentPrefix,
  type SentPrefixes,
} from "../../signal/sent-prefix.ts";
import type { Clock } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import type { Json } from "../../text/json.ts";
import type { ModelRequest } from "./model-port.ts";
import type { TokenUsage } from "./token-usage.ts";

/** What noting what was sent needs. */
export type SentPrefixParts = {
  readonly sentPrefixes: SentPrefixes;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** A request that a provider answered, as it was sent. */
type AnsweredRequest = {
  readonly session: string;
  readonly provider: string;
  readonly request: ModelRequest;
  readonly usage: TokenUsage;
};

/** Notes what was sent, and where it does not go on from what its session sent before. */
export async function noteSent(
  { sentPrefixes, clock, report }: SentPrefixParts,
  { session, provider, request, usage }: AnsweredRequest,
): Promise<void> {
  try {
    const before = await sentPrefixes.last(session);
    const now = prefixOf(provider, request);
    await sentPrefixes.save(session, now);
    const differs = before === null ? [] : compareWithSent(before, now);
    if (differs.length === 0) return;
    const { inputTokens, cacheReadTokens = 0 } = usage;
    await sentPrefixes.addBreak({
      at: clock(),
      session,
      model: now.model,
      differs,
      inputTokens,
      cacheReadTokens,
    });
  } catch (error) {
    report(`What was sent to ${provider} could not be noted: ${describeError(error)}`);
  }
}

/** What a request begins with, as digests. */
function prefixOf(provider: string, { model, strict, tools, ...rest }: ModelRequest): SentPrefix {
  const { system, messages, files } = rest;
  const sections = new Map<string, string>();
  let heading = "IDENTITY";
  for (const section of system.split("\n\n")) {
    heading = /^([A-Z][A-Z ]+):/.exec(section)?.[1] ?? heading;
    sections.set(heading, `${sections.get(heading) ?? ""}\n\n${section}`);
  }
  return {
    model: `${provider}/${model}`,
    strict: strict === true,
    tools: tools.map(({ name, description, parameters }) => [
      name,
      digestOf([name, description, parameters]),
    ]),
    instructions: [...sections].map(([name, text]) => [name, digestOf(text)]),
    messages: messages.map((message) => [nameOf(message), digestOfMessage(message, files)]),
  };
}

/** Digests of messages that were sent before. */
const digests = new WeakMap<Message, string>();

function digestOfMessage(message: Message, files: ModelRequest["files"]): string {
  const known = digests.get(message) ?? digestOf(message);
  digests.set(message, known);
  return message.role === "attachment" && files?.has(message.file.digest) === true ? `${known}+` : known;
}

function digestOf(part: Json | Message): string {
  return hash("sha256", JSON.stringify(part)).slice(0, 8);
}

function nameOf(message: Message): string {
  switch (message.role) {
    case "user":
      return message.told === true ? "what the program told" : "words";
    case "attachment":
      return "a file";
    case "assistant":
      return "an answer";
    case "result":
      return "a result";
    case "rejection":
      return "a note of the program";
  }
}

/** Says in which parts a request does not go on from what was sent before, and what differs in each. */
function compareWithSent(before: SentPrefix, now: SentPrefix): PrefixBreak["differs"] {
  const what: { readonly [part in PrefixPart]: string } = {
    model: before.model === now.model ? "" : `${before.model} became ${now.model}`,
    form: before.strict === now.strict ? "" : `the strict form ${now.strict ? "began" : "ended"}`,
    tools: compareNamed(before.tools, now.tools),
    instructions: compareNamed(before.instructions, now.instructions),
    messages: compareMessages(before.messages, now.messages),
  };
  return prefixParts.flatMap((part) => (what[part] === "" ? [] : [{ part, what: what[part] }]));
}

/** What joined, went and has other words; empty where nothing differs. */
function compareNamed(before: readonly NamedDigest[], now: readonly NamedDigest[]): string {
  if (JSON.stringify(before) === JSON.stringify(now)) return "";
  const [was, is] = [new Map(before), new Map(now)];
  const names = (list: readonly NamedDigest[], isMeant: (one: NamedDigest) => boolean): string =>
    list
      .filter(isMeant)
      .map(([name]) => name)
      .join(", ");
  const joined = names(now, ([name]) => !was.has(name));
  const gone = names(before, ([name]) => !is.has(name));
  const changed = names(now, ([name, digest]) => was.has(name) && was.get(name) !== digest);
  const told = [
    joined === "" ? "" : `new: ${joined}`,
    gone === "" ? "" : `gone: ${gone}`,
    changed === "" ? "" : `changed: ${changed}`,
  ].filter((one) => one !== "");
  return told.length === 0 ? "in another order" : told.join("; ");
}

/** The first message that does not stand where it stood. */
function compareMessages(before: readonly NamedDigest[], now: readonly NamedDigest[]): string {
  const at = before.findIndex(([, digest], index) => now[index]?.[1] !== digest);
  const [was, is] = [before[at], now[at]];
  if (was === undefined) return "";
  const place = `message ${at + 1} of ${before.length}, ${was[0]},`;
  const stands = (list: readonly NamedDigest[], [, digest]: NamedDigest): boolean =>
    list.slice(at).some(([, other]) => other === digest);
  if (is === undefined || stands(before, is)) return `${place} was left out`;
  return stands(now, was) ? `${is[0]} came before ${place.slice(0, -1)}` : `${place} was changed`;
}
