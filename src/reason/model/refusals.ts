import type { RefusedContent, RefusedContents } from "../../signal/refused-content.ts";
import { describeError } from "../../text/describe-error.ts";
import { digestOfMessage, type LeavablePart, leaveOut } from "./left-out.ts";
import type { ModelRequest, Provider } from "./model-port.ts";

/** How many refused things are remembered. */
const mostKept = 1_000;

/** What the memory of refusals needs. */
export type RefusalParts = {
  readonly refusals: RefusedContents;
  readonly report: (message: string) => void;
};

type Asked = { readonly provider: Pick<Provider, "name" | "settings">; readonly model: string };

/** Remembers what a provider refused, so that no later request of the conversation has it. */
export class Refusals {
  readonly #parts: RefusalParts;
  #kept: readonly RefusedContent[] = [];
  #loading: Promise<void> | null = null;

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  /** Reads what was kept. Without it, each refusal is found again. */
  ready(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** A request without what this provider refused before. */
  apply({ provider, model }: Asked, request: ModelRequest): ModelRequest {
    const known = this.#kept.filter(
      (one) => one.provider === provider.name && one.settings === provider.settings && one.model === model,
    );
    if (known.length === 0) return request;
    const outs = new Map(known.map(({ message, out }) => [message, out]));
    const parts = [...request.messages.entries()].flatMap(([at, message]): readonly LeavablePart[] => {
      const out = outs.get(digestOfMessage(message));
      return out === undefined ? [] : [{ at, out }];
    });
    const left = leaveOut(request, parts);
    return outs.has(null) ? { ...left, strict: true } : left;
  }

  /**
   * Remembers that a provider refuses a part of a request, or, with null, that it takes the strict form
   * only.
   */
  async add(
    { provider, model }: Asked,
    { messages }: Pick<ModelRequest, "messages">,
    part: LeavablePart | null,
  ): Promise<void> {
    const message = part === null ? undefined : messages[part.at];
    if (part !== null && message === undefined) return;
    const refused: RefusedContent = {
      provider: provider.name,
      settings: provider.settings,
      model,
      message: message === undefined ? null : digestOfMessage(message),
      out: part?.out ?? "all",
    };
    const others = this.#kept.filter((one) => !isOfTheSame(one, refused));
    this.#kept = [...others, refused].slice(-mostKept);
    try {
      await this.#parts.refusals.save(this.#kept);
    } catch (error) {
      this.#parts.report(`What ${provider.name} refused could not be saved: ${describeError(error)}`);
    }
  }

  async #load(): Promise<void> {
    try {
      this.#kept = await this.#parts.refusals.all();
    } catch (error) {
      this.#parts.report(`What providers refused could not be read: ${describeError(error)}`);
    }
  }
}

/** Whether two refusals tell of the same message and provider: the later one leaves out what both do. */
function isOfTheSame(one: RefusedContent, other: RefusedContent): boolean {
  return (
    one.provider === other.provider &&
    one.settings === other.settings &&
    one.model === other.model &&
    one.message === other.message
  );
}
