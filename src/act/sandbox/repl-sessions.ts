import type { JailWork } from "../../signal/jail-work.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { Outcome } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { describeError } from "../../text/describe-error.ts";
import { isJsonObject } from "../../text/json.ts";
import { defaultJailLimits, type JailLimits, outcomeOf } from "./eval-jail.ts";
import type { Jail } from "./jail.ts";
import type { JailThreads } from "./jail-threads.ts";

/** What a session is asked: to evaluate code, to keep a text under a name, to describe the value of an expression, or to list its names. */
export type ReplRequest =
  | { readonly kind: "evaluate"; readonly code: string }
  | { readonly kind: "keep"; readonly name: string; readonly text: string }
  | { readonly kind: "inspect"; readonly expression: string }
  | { readonly kind: "list" };

/** The sessions of code in the jail: one for each conversation that has one, with its variables. */
export type ReplSessions = {
  /** The join of the labels of all that went into a session: what any of its values may tell. */
  readonly labelOf: (session: string) => Label;
  /** Does a request, in a new session where there is none. `label` is that of what goes in; it counts from before it runs, and until the session ends. */
  readonly run: (
    session: string,
    asked: { readonly request: ReplRequest; readonly label: Label },
    cancel: AbortSignal,
  ) => Promise<Outcome>;
  /** Ends a session with its variables; false where there is none. */
  readonly end: (session: string) => Promise<boolean>;
  /** Whether there is none. */
  readonly isIdle: () => boolean;
};

/** How many sessions live at once, and milliseconds after which one that nobody used ends. */
const limitsOfSessions = { most: 4, idleMilliseconds: 600_000 };

/** Names that are remembered of a session's code. */
const mostNames = 2000;

type Session = {
  readonly jail: Jail;
  label: Label;
  /** The words of its code, of which some are names of variables. */
  readonly words: Set<string>;
  readonly builtIn: ReadonlySet<string>;
  timer: NodeJS.Timeout | null;
};

/** Opens the sessions. None is started before it is used. */
export function openReplSessions(
  threads: JailThreads,
  limits: JailLimits = defaultJailLimits,
  { most, idleMilliseconds } = limitsOfSessions,
): ReplSessions {
  const held = new Map<string, Session>();
  const end = async (name: string): Promise<boolean> => {
    const found = held.get(name);
    if (found === undefined) return false;
    held.delete(name);
    if (found.timer !== null) clearTimeout(found.timer);
    await found.jail.end();
    return true;
  };
  const begin = async (name: string, cancel: AbortSignal): Promise<Session> => {
    const [oldest] = held.keys();
    if (held.size >= most && oldest !== undefined) await end(oldest);
    const jail = await threads.take(limits.memoryBytes, cancel);
    const builtIn = new Set(
      await ask(jail, { code: "Object.getOwnPropertyNames(globalThis)", limits }, cancel),
    );
    const made: Session = { jail, label: bottomLabel, words: new Set(), builtIn, timer: null };
    held.set(name, made);
    return made;
  };
  return {
    labelOf: (name) => held.get(name)?.label ?? bottomLabel,
    end,
    isIdle: () => held.size === 0,
    async run(name, { request, label }, cancel) {
      if (cancel.aborted) return failure({ code: "cancelled", message: "The evaluation was stopped." });
      const known = held.get(name);
      const session = known ?? (await begin(name, cancel).catch(describeError));
      if (typeof session === "string") return noSession(session, cancel);
      // The one that was used last stands last.
      held.delete(name);
      held.set(name, session);
      if (session.timer !== null) clearTimeout(session.timer);
      session.label = joinLabels(session.label, label);
      const outcome = await perform(session, { request, limits }, cancel);
      if (session.jail.ended) {
        if (held.get(name) === session) held.delete(name);
        return endedWith(outcome);
      }
      session.timer = setTimeout(() => void end(name), idleMilliseconds);
      session.timer.unref();
      return known === undefined ? asNew(outcome) : outcome;
    },
  };
}

type Asked = { readonly request: ReplRequest; readonly limits: JailLimits };

async function perform(session: Session, { request, limits }: Asked, cancel: AbortSignal): Promise<Outcome> {
  if (request.kind === "list") {
    const names = await namesOf(session, limits, cancel);
    return success({ names });
  }
  rememberWords(session, request);
  const reply = await session.jail.request(workOf(request), limits, cancel);
  if (request.kind !== "keep" || !reply.ok) return outcomeOf(reply, limits);
  return success({ name: request.name, characters: request.text.length });
}

function workOf(request: Exclude<ReplRequest, { readonly kind: "list" }>): JailWork {
  switch (request.kind) {
    case "evaluate":
      return { kind: "evaluate", code: request.code };
    case "keep":
      return {
        kind: "evaluate",
        code: `globalThis[${JSON.stringify(request.name)}] = ${JSON.stringify(request.text)}; null`,
      };
    case "inspect":
      return { kind: "evaluate", code: `(${inspector})(\n${request.expression}\n)` };
    default:
      return request satisfies never;
  }
}

/** Runs in the jail. What code of the session changed of the language changes what it says, and nothing else. */
const inspector = `(value) => {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? value.constructor?.name ?? "object" : typeof value;
  if (typeof value === "string") return { type, length: value.length, begins: value.slice(0, 500) };
  if (typeof value === "function") return { type, name: value.name, source: String(value).slice(0, 2000) };
  if (type === "array") return { type, length: value.length, begins: value.slice(0, 10) };
  if (value instanceof Map || value instanceof Set) return { type, size: value.size, begins: [...value].slice(0, 10) };
  if (typeof value !== "object" || value === null) return { type, value };
  const keys = Object.keys(value);
  return { type, keys: keys.slice(0, 100).map((key) => key + ": " + typeof value[key]), ...(keys.length > 100 ? { of: keys.length } : {}) };
}`;

function rememberWords({ words }: Session, request: ReplRequest): void {
  const text = request.kind === "keep" ? request.name : request.kind === "evaluate" ? request.code : "";
  for (const [word] of text.slice(0, 100_000).matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    if (words.size >= mostNames) return;
    words.add(word);
  }
}

/** The words of the code that are names now, each with the type of its value. Constants of a script are no properties of the global object, so that only their names find them. */
async function namesOf(
  { jail, words, builtIn }: Session,
  limits: JailLimits,
  cancel: AbortSignal,
): Promise<readonly string[]> {
  const asked = JSON.stringify([...words].filter((word) => !builtIn.has(word)));
  const code = `${asked}.flatMap((word) => { try { const type = typeof (0, eval)(word); return type === "undefined" ? [] : [word + ": " + type]; } catch { return []; } })`;
  return await ask(jail, { code, limits }, cancel);
}

/** A list of texts that code in the jail makes; empty where it makes something else. */
async function ask(
  jail: Jail,
  { code, limits }: { readonly code: string; readonly limits: JailLimits },
  cancel: AbortSignal,
): Promise<readonly string[]> {
  const reply = await jail.request({ kind: "evaluate", code }, limits, cancel);
  const value: unknown = reply.ok ? JSON.parse(reply.json) : [];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function noSession(reason: string, { aborted }: AbortSignal): Outcome {
  return aborted
    ? failure({ code: "cancelled", message: "The evaluation was stopped." })
    : failure({ code: "jail-failed", message: `No session could be started: ${reason}. Try again.` });
}

const lost = "The session ended with all its variables; the next call begins a new one.";

function endedWith(outcome: Outcome): Outcome {
  return outcome.status === "error" ? { ...outcome, message: `${outcome.message} ${lost}` } : outcome;
}

function asNew(outcome: Outcome): Outcome {
  if (outcome.status === "error") return { ...outcome, message: `${outcome.message}\nThe session is new.` };
  return isJsonObject(outcome.content) ? success({ ...outcome.content, session: "new" }) : outcome;
}
