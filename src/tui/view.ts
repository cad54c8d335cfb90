import type { Conversation } from "./conversation/conversation.ts";
import { keyHelp } from "./conversation/greet.ts";
import { windowTop } from "./frame.ts";
import { Browse } from "./panels/browse.ts";
import type { Look } from "./screen/block.ts";
import type { Panels } from "./screen/panel.ts";
import type { Screen } from "./screen/screens.ts";
import { isKey, type Terminal } from "./screen/toolkit.ts";
import { type ViewAction, viewActionOf } from "./screen/view-keys.ts";

/** What moving the view needs. */
export type ViewParts = {
  readonly conversation: Conversation;
  readonly terminal: Terminal;
  readonly screen: () => Screen;
  readonly look: () => Look;
  readonly panels: Panels;
  readonly say: (hint: string) => void;
  readonly copy: (text: string) => void;
  readonly suspend: () => void;
  readonly state: () => { readonly isDialog: boolean; readonly isEmpty: boolean };
};

/** Keys and clicks that move what is shown, or show more of it; they answer nothing and write nothing. */
export class View {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** A key for the panel that is open, or for the view; false for every other. */
  onKey(data: string): boolean {
    const { panels, conversation } = this.#parts;
    const isPanel = panels.current !== null;
    const action = viewActionOf(data, {
      page: this.#page,
      isDialog: this.#parts.state().isDialog || isPanel,
      isScrolledUp: !conversation.transcript.follows,
      isEmpty: this.#parts.state().isEmpty && !isPanel,
    });
    if (action !== null) this.#act(action);
    else if (isKey(data, "ctrl+t")) this.#browse(false);
    else if (isKey(data, "ctrl+f") && !isPanel) this.#browse(true);
    else return panels.takeKey(data);
    return true;
  }

  get #page(): number {
    return Math.max(1, this.#parts.terminal.rows - 8);
  }

  #browse(search: boolean): void {
    const { panels, conversation, terminal, look, say, copy, screen } = this.#parts;
    const { current } = panels;
    if (current !== null) {
      if (current instanceof Browse) panels.close();
      return;
    }
    // What stands in the terminal's own history cannot be unfolded there.
    screen().openWhole();
    const browse = new Browse(
      {
        transcript: conversation.transcript,
        look,
        columns: () => terminal.columns,
        page: () => this.#page,
        scroll: (rows) => this.scroll(rows),
        copy,
        say,
        close: () => panels.close(browse),
        closed: () => screen().closeWhole(),
        waiting: () => conversation.questions.own.size,
      },
      { search },
    );
    panels.open(browse);
  }

  #act(action: ViewAction): void {
    const { transcript } = this.#parts.conversation;
    if (isAboutThePast(action) && this.#parts.screen().isMain && this.#parts.panels.current === null)
      this.#browse(false);
    switch (action.kind) {
      case "scroll":
        this.scroll(action.rows);
        return;
      case "to-start":
        transcript.toStart();
        return;
      case "to-end":
        transcript.toEnd();
        return;
      case "mouse":
        if (this.#parts.screen().isMain) {
          this.#parts.say("the terminal has the mouse on its main screen");
          return;
        }
        this.#parts.say(
          this.#parts.screen().toggleMouse()
            ? "the mouse scrolls and clicks again"
            : "the mouse selects text of the terminal; F3 takes it back",
        );
        return;
      case "repaint":
        this.#parts.screen().repaint();
        return;
      case "keys":
        this.#parts.conversation.notice(keyHelp);
        transcript.toEnd();
        return;
      case "suspend":
        this.#parts.suspend();
        return;
      case "gates":
      case "output":
        this.#parts.conversation.calls.toggleFold(action.kind);
    }
  }

  scroll(rows: number): void {
    const { conversation, terminal, look, screen } = this.#parts;
    conversation.transcript.scroll(rows, terminal.columns, look());
    screen().requestPaint();
  }

  click(row: number): void {
    const { conversation, terminal, screen } = this.#parts;
    conversation.transcript.click(row - windowTop(terminal.rows));
    screen().requestPaint();
  }
}

/** Whether a key is about what stands above, which the main screen has in the terminal's own history. */
function isAboutThePast({ kind }: ViewAction): boolean {
  return ["scroll", "to-start", "gates", "output"].includes(kind);
}
