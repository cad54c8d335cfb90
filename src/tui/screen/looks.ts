import type { Look } from "./block.ts";
import type { Screen } from "./screens.ts";
import { type ColourDepth, describeTheme, themeFor } from "./theme.ts";
import { loadMarkdown } from "./toolkit.ts";

/** Milliseconds that the terminal is waited for to tell its background. */
const longestWait = 500;

/** How the conversation looks. Markdown and the terminal's background come after the first frame. */
export class Looks {
  readonly #depth: ColourDepth;
  readonly #assumed: "dark" | "light";
  #current: Look;

  constructor({ depth, background }: { readonly depth: ColourDepth; readonly background: "dark" | "light" }) {
    this.#depth = depth;
    this.#assumed = background;
    this.#current = { theme: themeFor(background, depth), markdown: null };
  }

  get current(): Look {
    return this.#current;
  }

  /** What is set, and what there is. */
  get description(): string {
    return describeTheme(this.#current.theme.name);
  }

  use(background: "dark" | "light"): void {
    this.#current = { ...this.#current, theme: themeFor(background, this.#depth) };
  }

  async complete(screen: Screen): Promise<void> {
    const [markdown, background] = await Promise.all([loadMarkdown(), screen.askBackground(longestWait)]);
    this.#current = { theme: themeFor(background ?? this.#assumed, this.#depth), markdown };
    screen.requestPaint();
  }
}
