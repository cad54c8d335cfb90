import type { AttemptResult } from "./attempt-call.ts";
import { describePart, type LeavablePart, leavableParts, leaveOut } from "./left-out.ts";
import type { FailureCode, ModelFailure, ModelRequest } from "./model-port.ts";
import { trimRequest } from "./trim-request.ts";

/** How often a request is halved at most. */
const mostTrims = 6;
/** How many requests a search sends at most. */
const mostProbes = 40;
/** Tokens of the answer to a request that only asks whether it is taken. */
const probeTokens = 16;

/**
 * A request that a provider may take in the place of one that it refused, and what the owner is told of it.
 */
export type MendedRequest = {
  readonly request: ModelRequest;
  readonly notice: string | null;
  /** What was found to be refused, of the request before. */
  readonly refused: LeavablePart | null;
};

/** Sends a request whose answer nobody needs. */
type Probe = (request: ModelRequest) => Promise<AttemptResult>;

/**
 * Finds out what of the requests of one call a provider refuses. Nothing that was sent before outlives this:
 * it is left out, and named.
 */
export class RequestMender {
  readonly #provider: string;
  readonly #keep: number;
  readonly #probe: Probe;
  #trims = 0;
  #probes = 0;
  #isSentAgain = false;
  /** Whether what is searched for makes the provider say nothing. */
  #isSilent = false;

  /** `keep`: the last messages, which belong to this turn. */
  constructor(provider: string, keep: number, probe: Probe) {
    this.#provider = provider;
    this.#keep = keep;
    this.#probe = probe;
  }

  /** What to send in the place of a refused request; null if nothing mends it. */
  async mend(request: ModelRequest, failure: ModelFailure): Promise<MendedRequest | null> {
    if (failure.code === "too-long" && this.#trims < mostTrims) {
      const shorter = trimRequest(request, this.#keep);
      this.#trims += 1;
      const notice = `The prompt was too long for ${this.#provider}: its oldest part was left out.`;
      if (shorter !== null) return { request: shorter, notice, refused: null };
    }
    if ((failure.refusesRequest !== true && !silentRefusals.has(failure.code)) || this.#hasOnlyWords(request))
      return null;
    this.#isSilent = silentRefusals.has(failure.code);
    return await (request.strict === true || this.#isSilent
      ? this.#leaveOutRefused(request, failure, request)
      : this.#makeStrict(request, failure));
  }

  /**
   * Whether a request has nothing but the words of the turn and what was told beside them: it has no other
   * form.
   */
  #hasOnlyWords({ messages }: ModelRequest): boolean {
    return messages.length <= this.#keep && messages.every(({ role }) => role === "user");
  }

  /** A fault of the server looks like a refusal: the strict form is probed before it is blamed. */
  async #makeStrict(request: ModelRequest, failure: ModelFailure): Promise<MendedRequest | null> {
    const strict: ModelRequest = { ...request, strict: true };
    const mended = { request: strict, notice: null, refused: null };
    if (failure.code !== "server-error") return mended;
    const isTaken = await this.#isTaken(strict);
    if (isTaken === false) return await this.#leaveOutRefused(strict, failure, request);
    return isTaken === null ? null : await this.#unlessPassed(mended, request, request);
  }

  /** `sent`: the request that was sent last. */
  async #leaveOutRefused(
    request: ModelRequest,
    failure: ModelFailure,
    sent: ModelRequest,
  ): Promise<MendedRequest | null> {
    const parts = leavableParts(request, this.#keep);
    const count = await this.#countRefused(request, parts);
    const part = count === null ? undefined : parts[count - 1];
    if (count === null || part === undefined) return null;
    const notice = `${this.#provider} refuses ${describePart(request, part)} (${failure.message}): it is left out of what ${this.#provider} gets.`;
    const { strict: _, ...own } = leaveOut(request, [part]);
    const mended = { request: own, notice, refused: part };
    if (failure.code !== "server-error" && !this.#isSilent) return mended;
    const refused = leaveOut(request, parts.slice(0, count - 1));
    return await this.#unlessPassed(mended, refused, sent);
  }

  /**
   * The mended request, if the one without the mend is still refused. If that is taken now, a fault of the
   * server passed meanwhile: nothing is blamed, and the request that was sent last is sent once more.
   */
  async #unlessPassed(
    mended: MendedRequest,
    refused: ModelRequest,
    sent: ModelRequest,
  ): Promise<MendedRequest | null> {
    const isTaken = await this.#isTaken(refused);
    if (isTaken === false) return mended;
    if (isTaken === null || this.#isSentAgain) return null;
    this.#isSentAgain = true;
    return { request: sent, notice: null, refused: null };
  }

  /**
   * Binary search: the smallest number of newest parts without which the request is taken. The oldest of
   * these is refused. The newest part is tried first, as it came last, and then whether the request is taken
   * without any of them. Null where that was not found out.
   */
  async #countRefused(request: ModelRequest, parts: readonly LeavablePart[]): Promise<number | null> {
    const isTaken = (count: number) => this.#isTaken(leaveOut(request, parts.slice(0, count)));
    if (parts.length === 0) return null;
    const isNewest = await isTaken(1);
    if (isNewest !== false) return isNewest === null ? null : 1;
    if (parts.length === 1 || (await isTaken(parts.length)) !== true) return null;
    let [refused, taken] = [1, parts.length];
    while (taken - refused > 1) {
      const middle = Math.floor((refused + taken) / 2);
      const is = await isTaken(middle);
      if (is === null) return null;
      if (is) taken = middle;
      else refused = middle;
    }
    return taken;
  }

  /** Whether the provider takes a request; null where that is not known, and for one probe too many. */
  async #isTaken(request: ModelRequest): Promise<boolean | null> {
    this.#probes += 1;
    return this.#probes > mostProbes
      ? null
      : wasTaken(await this.#probe({ ...request, maxOutputTokens: probeTokens }), this.#isSilent);
  }
}

/** The ends of an answer that says nothing, of a provider that took the request. */
const silentEnds: ReadonlySet<FailureCode> = new Set(["out-of-tokens", "empty", "filtered"]);
/**
 * Those of them that may be for something in the request: no other form of it mends that, and they may
 * pass.
 */
const silentRefusals: ReadonlySet<FailureCode> = new Set(["empty", "filtered"]);

/**
 * Whether a provider took a request: it answered, or began to. Null where something else was in the way,
 * such as too many requests or a broken connection: that says nothing of the request. `isSilent`: to say
 * nothing is to refuse.
 */
function wasTaken(result: AttemptResult, isSilent: boolean): boolean | null {
  if (result.status === "answered") return true;
  if (result.status !== "failed") return null;
  const { failure, shown } = result;
  if (failure.refusesRequest === true || (isSilent && silentRefusals.has(failure.code))) return false;
  return shown || silentEnds.has(failure.code) ? true : null;
}
