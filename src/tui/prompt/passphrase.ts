import { isJsonObject } from "../../signal/json.ts";
import { TypingGuard } from "../screen/answer-guard.ts";
import { cleanPaste } from "../screen/clean.ts";
import { isKey } from "../screen/toolkit.ts";
import type { SilentRequests } from "../session/silent-requests.ts";

/** Asks for the passphrase of a vault that is locked. It is shown by dots alone, sent once, and kept nowhere. */
export class Passphrase {
  readonly #requests: SilentRequests;
  readonly #guard: TypingGuard;
  readonly #say: (text: string, tone: "dim" | "warning") => void;
  #typed: string | null = null;

  constructor(
    requests: SilentRequests,
    {
      say,
      clock,
    }: {
      readonly say: (text: string, tone: "dim" | "warning") => void;
      readonly clock: () => number;
    },
  ) {
    this.#requests = requests;
    this.#say = say;
    this.#guard = new TypingGuard(clock);
  }

  /** Whether keys go to the passphrase. */
  get isOpen(): boolean {
    return this.#typed !== null;
  }

  get dots(): string {
    return "•".repeat(this.#typed?.length ?? 0);
  }

  /** Asks the daemon whether the vault is locked, and a provider in use needs it. */
  check(): void {
    this.#requests.ask({ action: "vault-status" }, ({ code, data }) => {
      const isNeeded = !isJsonObject(data) || data["needed"] !== false;
      this.#typed = code === "vault-locked" && isNeeded ? "" : null;
      this.#guard.restart();
    });
  }

  /** Takes a key, if a passphrase is asked for. What is typed as it opens was meant for the prompt. */
  takeKey(data: string): boolean {
    if (this.#typed === null || !this.#guard.takesKey()) return false;
    if (isKey(data, "escape") || isKey(data, "ctrl+c")) {
      this.#typed = null;
      this.#say(
        "The vault stays locked: keys in it are not used. passepartout vault unlock opens it.",
        "dim",
      );
    } else if (isKey(data, "enter")) this.#send(this.#typed);
    else if (isKey(data, "backspace")) this.#typed = [...this.#typed].slice(0, -1).join("");
    else if (isKey(data, "ctrl+u")) this.#typed = "";
    else if (!data.startsWith("\u001b")) this.takeText(data);
    return true;
  }

  /** Takes what was pasted, if a passphrase is asked for. */
  takeText(text: string): boolean {
    if (this.#typed === null) return false;
    this.#typed += cleanPaste(text).replaceAll("\n", "");
    return true;
  }

  #send(passphrase: string): void {
    this.#typed = null;
    if (passphrase === "") return;
    this.#requests.ask({ action: "vault-unlock", passphrase }, ({ code, text }) => {
      if (code === "wrong-passphrase") this.#typed = "";
      this.#say(text, code === "vault-unlocked" ? "dim" : "warning");
    });
  }
}
