import type { Theme } from "./theme.ts";

/** A part at the foot of the screen that takes all keys while it is open, in place of the question and the prompt. */
export type Panel = {
  /** At most so many rows. */
  readonly rows: (columns: number, rows: number, theme: Theme) => readonly string[];
  readonly onKey: (data: string) => void;
  /** Takes text that was pasted. */
  readonly onPaste?: (text: string) => void;
  /** It goes away, by whatever way. */
  readonly onClose?: () => void;
  /** Whether the prompt stays in view above its rows. */
  readonly keepsPrompt: boolean;
};

/** The panel that is open. */
export class Panels {
  readonly #changed: () => void;
  readonly #closed: () => void;
  #open: Panel | null = null;

  /** `closed`: the question and the prompt have the keys again. */
  constructor(changed: () => void, closed: () => void) {
    this.#changed = changed;
    this.#closed = closed;
  }

  get current(): Panel | null {
    return this.#open;
  }

  open(panel: Panel): void {
    this.#open?.onClose?.();
    this.#open = panel;
    this.#changed();
  }

  /** Closes this panel, or whichever is open. */
  close(panel: Panel | null = this.#open): void {
    if (panel === null || this.#open !== panel) return;
    this.#open = null;
    panel.onClose?.();
    this.#closed();
    this.#changed();
  }

  /** A paste for the panel; false where none is open. */
  takePaste(text: string): boolean {
    this.#open?.onPaste?.(text);
    return this.#open !== null;
  }

  /** A key for the panel; false where none is open. The key that closes it does nothing else. */
  takeKey(data: string): boolean {
    const open = this.#open;
    open?.onKey(data);
    return open !== null;
  }
}
