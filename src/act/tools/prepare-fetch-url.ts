import { isIP } from "node:net";
import { goesThroughProxy } from "../../connect/send.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Flow, FlowOrigin, Licence } from "../../signal/facts.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Caller, Outcome, Preparation } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import { done, errorCode, type Fallible, problem } from "../files/fallible.ts";
import { traceFetch } from "../flow/trace-fetch.ts";
import { readBody } from "../web/read-body.ts";
import {
  addressesOfHost,
  isPrivateAddress,
  type ResolveHost,
  type SendRequest,
  sendRequest,
} from "../web/send-request.ts";
import type { ToolCall } from "./define-tool.ts";
import { type AnswerLimits, defaultAnswerLimits, readAnswer } from "./read-answer.ts";
import { whyNotFetched } from "./why-not-fetched.ts";

/** The ports of fetch-url. Without a resolver a host name can be judged but not fetched. */
export type FetchPorts = {
  readonly resolveHost: ResolveHost | null;
  readonly sendRequest?: SendRequest;
  /** The time limit of the whole fetch, including name resolution, in milliseconds. */
  readonly milliseconds?: number;
} & Partial<AnswerLimits>;

const maxRedirects = 5;

/** The parsed arguments of the tool fetch-url. */
export type FetchUrlArguments = { readonly url: string };

/** Prepares the fetch of a text from a URL. */
export async function prepareFetchUrl(
  { url: typed }: FetchUrlArguments,
  { ports, caller, labelOf }: ToolCall<FetchPorts>,
  read: typeof readAnswer = readAnswer,
): Promise<Preparation> {
  const url = readUrl(typed);
  if (!url.ok) return url;
  const addresses = judgedAddresses(hostOf(url.value));
  const label = labelOf(typed);
  const origin = caller.sources === undefined ? null : await traceFetch(url.value, typed, caller.sources);
  return {
    ok: true,
    effects: [
      {
        kind: "reach-host",
        target: hostOf(url.value),
        scheme: url.value.protocol.slice(0, -1),
        port: portOf(url.value),
        addresses,
        label,
        reversal: "final",
      },
    ],
    plan: { url: url.value.href, addresses },
    changes: [],
    ...(origin === null ? {} : { ...flowOf(origin), licences: licencesOf(origin, label) }),
    resultLabel: untrusted(url.value),
    run: (cancel) =>
      fetchText(
        {
          sendRequest: sendRequest,
          milliseconds: 30_000,
          ...defaultAnswerLimits,
          ...ports,
          url: url.value,
          addresses,
          read,
        },
        cancel,
      ),
  };
}

/** Prepares the fetch of what lies at an address that the owner typed: at most so many bytes, by the rules of `fetch-url`. */
export async function prepareFetchBytes(
  typed: string,
  ports: FetchPorts,
  most: number,
): Promise<
  Fallible<{
    readonly effects: readonly Effect[];
    readonly run: (cancel: AbortSignal) => Promise<Fallible<Buffer>>;
  }>
> {
  const got: { bytes: Buffer | null } = { bytes: null };
  const prepared = await prepareFetchUrl(
    { url: typed },
    { ports, caller: typing, labelOf: () => bottomLabel },
    async (answer, { url }) => {
      const status = answer.statusCode ?? 0;
      const wrong = (code: string, why: string): Outcome =>
        failure({ code, message: `${beginOf(url.href, 500)} was not fetched: ${why}.` });
      if (status < 200 || status > 299)
        return wrong("http-error", `the server answered with status ${status}`);
      const body = await readBody(answer, most);
      if (!body.ok)
        return wrong("unknown-encoding", `it is encoded in a way that is not known (${body.encoding})`);
      if (body.cut) return wrong("too-large", `it has more than ${most.toLocaleString("en")} bytes`);
      got.bytes = body.bytes;
      return success({});
    },
  );
  if (!prepared.ok) return prepared;
  return done({
    effects: prepared.effects,
    async run(cancel) {
      const outcome = await prepared.run(cancel);
      if (outcome.status === "error") return { ok: false, code: outcome.code, message: outcome.message };
      return got.bytes === null
        ? problem("redirect", `${beginOf(typed, 500)} leads to another host, which was not asked.`)
        : done(got.bytes);
    },
  });
}

/** The owner at the command line, outside of a turn. */
const typing: Caller = {
  turn: "command",
  session: "command",
  person: "owner",
  source: "cli",
  startedBy: "person",
  workspace: null,
  known: new Map(),
  promptLabel: bottomLabel,
};

function readUrl(typed: string): Fallible<URL> {
  const url = URL.parse(typed);
  if (url === null)
    return problem(
      "invalid-url",
      `'${beginOf(typed, 200)}' is not a URL. Write it in full: https://host/path.`,
    );
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return problem("invalid-url", `Only http and https are fetched, not '${url.protocol}'.`);
  }
  if (url.username !== "" || url.password !== "")
    return problem("invalid-url", "The URL has a user name or password. Write it without them.");
  url.hash = "";
  return done(url);
}

function flowOf(origin: FlowOrigin): { readonly flows: readonly Flow[] } {
  return { flows: [{ effectIndex: 0, argument: "/url", role: "destination", origin }] };
}

/**
 * To read an address that comes from the owner is what they ask for; of private content in another one they
 * said nothing. An address of this machine or network asks all the same.
 */
function licencesOf(origin: FlowOrigin, { secrecy }: Label): readonly Licence[] {
  const name = ownersAddresses.get(origin);
  if (name === undefined || (origin !== "words" && secrecy !== "public")) return [];
  const kind = origin === "endorsed" ? "endorsement" : "intent";
  return [{ kind, name, discharges: ["reach-host"], effectIndexes: [0] }];
}

const ownersAddresses: ReadonlyMap<FlowOrigin, string> = new Map([
  ["words", "your words, which name the address"],
  ["link", "your words, which name the source of the link"],
  ["endorsed", "your answer that this host counts as yours in this turn"],
]);

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The addresses that are known without a resolver: an IP address itself, and this machine for `localhost` (RFC 6761, 6.3). None for any other name. */
function judgedAddresses(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host];
  return /(?:^|\.)localhost\.?$/i.test(host) ? ["127.0.0.1", "::1"] : [];
}

function untrusted(url: URL): Label {
  return { integrity: "untrusted", secrecy: "public", sources: [{ id: beginOf(url.href, 500), path: "" }] };
}

type Fetch = Required<FetchPorts> & {
  readonly url: URL;
  /** The judged addresses; empty if the name must be resolved. */
  readonly addresses: readonly string[];
  readonly read: typeof readAnswer;
};

async function fetchText(job: Fetch, cancel: AbortSignal): Promise<Outcome> {
  const timeout = AbortSignal.timeout(job.milliseconds);
  const signal = AbortSignal.any([cancel, timeout]);
  const host = hostOf(job.url);
  try {
    const addresses =
      job.addresses.length > 0
        ? done(job.addresses)
        : await publicAddresses(job.url, job.resolveHost, signal);
    return addresses.ok ? await follow({ ...job, addresses: addresses.value }, signal) : failure(addresses);
  } catch (error) {
    if (cancel.aborted) return failure({ code: "cancelled", message: `Fetching from ${host} was stopped.` });
    if (timeout.aborted)
      return failure({
        code: "timeout",
        message: `${host} did not answer in full within ${job.milliseconds} ms. Try again later.`,
      });
    return failure({ code: "not-fetched", message: `${host} ${whyNotFetched(error)}` });
  }
}

// A name with a private address was not judged as private: it is refused, even if it has public addresses too.
async function publicAddresses(
  url: URL,
  resolveHost: ResolveHost | null,
  signal: AbortSignal,
): Promise<Fallible<readonly string[]>> {
  const host = hostOf(url);
  if (resolveHost === null)
    return problem("not-resolved", `The address of '${host}' was not resolved, so it cannot be fetched.`);
  const found = await resolveName(url, resolveHost, signal);
  if (!found.ok) return found;
  const inside = found.value.find(isPrivateAddress);
  if (inside === undefined) return found;
  return problem(
    "private-address",
    `'${host}' leads to ${inside}, which is not a public address, so nothing was sent. To fetch it, put this address in the URL in place of the name.`,
  );
}

async function resolveName(
  url: URL,
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<Fallible<readonly string[]>> {
  const host = hostOf(url);
  try {
    const found = await unlessAborted(() => addressesOfHost(url, resolveHost), signal);
    return found.length > 0 || goesThroughProxy(url)
      ? done(found.toSorted())
      : problem("host-not-found", `'${host}' has no address. Check the name.`);
  } catch (error) {
    if (signal.aborted) throw error;
    const code = errorCode(error);
    // Without a code it is no answer of a name server: a proxy that is set cannot be used.
    if (code === "" && error instanceof Error)
      return problem("host-not-found", `Nothing was sent: ${error.message}.`);
    return problem(
      "host-not-found",
      `'${host}' could not be resolved (${code || String(error)}). Check the name and the connection.`,
    );
  }
}

async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stop = Promise.withResolvers<never>();
  const onAbort = () => stop.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([stop.promise, work()]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function follow(job: Fetch, signal: AbortSignal): Promise<Outcome> {
  let url = job.url;
  for (let hop = 0; ; hop += 1) {
    const answer = await job.sendRequest(url, job.addresses, signal);
    const status = answer.statusCode ?? 0;
    const location = answer.headers.location;
    if (status < 300 || status > 399 || location === undefined)
      return await job.read(answer, { url, limits: job }, signal);
    answer.destroy();
    const next = URL.parse(location, url.href);
    if (next === null || next.origin !== url.origin || hop >= maxRedirects) {
      const to = (next?.href ?? location).slice(0, 2000);
      return success({
        url: url.href,
        status,
        location: to,
        note: `This page redirects to ${to}, which was not fetched. Fetch that URL if you need it.`,
      });
    }
    url = next;
  }
}
