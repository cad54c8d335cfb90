import type { JsonObject } from "../../text/json.ts";
import { refusalOf, replyId } from "./remote-messages.ts";

/** How a request is sent, and how its reply is read. */
export type RequestExchange<T> = {
  /** Sends the request, under the same id each time. False where it cannot be sent. */
  readonly send: () => boolean;
  /** Null for a message that is not the reply yet. */
  readonly read: (message: JsonObject) => T | null;
};

type PendingRequest = {
  /** True where the message was the reply, or the refusal of one. */
  readonly settle: (message: JsonObject) => boolean;
  readonly fail: (error: Error) => void;
  readonly send: () => boolean;
};

/** The requests that wait for a reply of the daemon, by their ids. */
export class PendingRequests {
  readonly #pending = new Map<string, PendingRequest>();

  /** Sends a request and resolves with its reply. Rejects where it cannot be sent, is refused, or the connection fails for good. */
  request<T>(id: string, { send, read }: RequestExchange<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {
        send,
        settle(message) {
          const value = read(message);
          const refusal = value === null ? refusalOf(message) : null;
          if (value !== null) resolve(value);
          if (refusal !== null) reject(new Error(refusal));
          return value !== null || refusal !== null;
        },
        fail: reject,
      });
      if (send()) return;
      this.#pending.delete(id);
      reject(new Error("The daemon cannot be reached at the moment. Try again."));
    });
  }

  /** Settles the request that a message replies to; false if there is none. */
  handle(message: JsonObject): boolean {
    const id = replyId(message);
    const settled = id !== null && this.#pending.get(id)?.settle(message) === true;
    if (settled) this.#pending.delete(id);
    return settled;
  }

  refuse(id: string, reason: string): void {
    this.#pending.get(id)?.fail(new Error(reason));
    this.#pending.delete(id);
  }

  /** Sends every request again over a new connection: its reply may have been lost with the former one. */
  resendAll(): void {
    for (const { send } of this.#pending.values()) send();
  }

  /** Fails all requests; false where none waited. */
  failAll(error: Error): boolean {
    const waited = this.#pending.size > 0;
    for (const { fail } of this.#pending.values()) fail(error);
    this.#pending.clear();
    return waited;
  }
}
