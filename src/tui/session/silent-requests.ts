import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { WireSession } from "./wire-session.ts";

/** What the daemon answered to a request. */
export type SilentAnswer = { readonly code: string; readonly text: string; readonly data: Json };

/** Requests of the screen itself, whose answers are not part of the conversation. */
export class SilentRequests {
  readonly #session: () => WireSession;
  readonly #waiting = new Map<string, (answer: SilentAnswer) => void>();

  constructor(session: () => WireSession) {
    this.#session = session;
  }

  ask(payload: JsonObject, answered: (answer: SilentAnswer) => void): void {
    this.#waiting.set(this.#session().request(payload), answered);
  }

  /** Takes an answer to one of these requests; false for every other message. */
  take({ type, id, payload }: JsonObject): boolean {
    if (type !== "response" || typeof id !== "string") return false;
    const answered = this.#waiting.get(id);
    if (answered === undefined) return false;
    this.#waiting.delete(id);
    const { code, text, data } = isJsonObject(payload) ? payload : {};
    answered({
      code: typeof code === "string" ? code : "",
      text: typeof text === "string" ? text : "",
      data: data ?? null,
    });
    return true;
  }

  /** Takes the refusal of one of these requests by a daemon that does not know it. */
  refuse(id: string, reason: string): boolean {
    const answered = this.#waiting.get(id);
    this.#waiting.delete(id);
    answered?.({ code: "refused", text: reason, data: null });
    return answered !== undefined;
  }
}
