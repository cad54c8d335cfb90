import { isJsonObject } from "../../text/json.ts";
import { type Typing, TypingGuard } from "../screen/answer-guard.ts";
import { isKey } from "../screen/toolkit.ts";
import type { SilentRequests } from "../session/silent-requests.ts";
import { MaskedField, type MaskedLook } from "./masked-field.ts";

/** Asks for the passphrase of a vault that is locked. It is shown by dots alone, sent once, and kept nowhere. */
export class Passphrase {
  readonly #requests: SilentRequests;
  readonly #guard: TypingGuard;
  readonly #say: (text: string, tone: "dim" | "warning") => void;
  readonly #field = new MaskedField();
  #isOpen = false;

  constructor(
    requests: SilentRequests,
    {
      say,
      clock,
      typing,
    }: {
      readonly say: (text: string, tone: "dim" | "warning") => void;
      readonly clock: () => number;
      readonly typing: Typing;
    },
  ) {
    this.#requests = requests;
    this.#say = say;
    this.#guard = new TypingGuard(clock, typing);
  }

  /** Null where no passphrase is asked for. */
  get look(): MaskedLook | null {
    const keys = "Enter unlocks · Esc leaves it locked";
    return this.#isOpen
      ? { above: [], label: "Passphrase of the vault", dots: this.#field.dots, keys }
      : null;
  }

  /** Asks the daemon whether the vault is locked, and a provider in use needs it. */
  check(): void {
    this.#requests.ask({ action: "vault-status" }, ({ code, data }) => {
      const isNeeded = !isJsonObject(data) || data["needed"] !== false;
      this.#isOpen = code === "vault-locked" && isNeeded;
      this.#field.clear();
      this.#guard.restart();
    });
  }

  /** Takes a key, if a passphrase is asked for. What is typed as it opens was meant for the prompt. */
  takeKey(data: string): boolean {
    if (!this.#isOpen || !this.#guard.takesKey()) return false;
    if (isKey(data, "escape") || isKey(data, "ctrl+c")) {
      this.#isOpen = false;
      this.#field.clear();
      this.#say(
        "The vault stays locked: keys in it are not used. passepartout vault unlock opens it.",
        "dim",
      );
    } else if (isKey(data, "enter")) this.#send(this.#field.take());
    else this.#field.onKey(data);
    return true;
  }

  /** Takes what was pasted, if a passphrase is asked for. */
  takeText(text: string): boolean {
    if (this.#isOpen) this.#field.paste(text);
    return this.#isOpen;
  }

  #send(passphrase: string): void {
    this.#isOpen = false;
    if (passphrase === "") return;
    this.#requests.ask({ action: "vault-unlock", passphrase }, ({ code, text }) => {
      if (code === "wrong-passphrase") this.#isOpen = true;
      this.#say(text, code === "vault-unlocked" ? "dim" : "warning");
    });
  }
}
