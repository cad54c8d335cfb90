// With toolkit.ts the only file that knows the terminal library.
import {
  type KeybindingsConfig,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import {
  type Component,
  type Focusable,
  TuiBase,
  type TuiMouseEvent,
  type TuiStopOptions,
} from "@earendil-works/pi-tui/dist/tui.js";
import { TuiAltScreen } from "@earendil-works/pi-tui/dist/tui-alt-screen.js";
import { AppendPainter, type MainFrame } from "./append-frame.ts";
import { guardRow } from "./clean.ts";
import type { Theme } from "./theme.ts";
import { type LineEditor, makeLineEditor } from "./toolkit.ts";

/** What a screen shows, and what it does with keys. */
export type ScreenContent = {
  /** Exactly so many rows, at most; the cursor stands where the line editor put it. */
  readonly render: (columns: number, rows: number) => readonly string[];
  /** The same for the main screen. */
  readonly renderMain: (columns: number, rows: number) => MainFrame;
  /** Whether nobody can see the screen: then no frame is painted. */
  readonly isHidden: () => boolean;
  readonly onKey: (data: string) => void;
  /** Rows that the wheel moved: negative is up. */
  readonly onWheel: (rows: number) => void;
  readonly onClick: (row: number) => void;
  /** A text that was selected with the mouse is to be copied. */
  readonly onCopy: (text: string) => void;
};

/** Where a conversation is shown, and what the mouse is for. */
export type ScreenKind = {
  /** On a screen of its own, or on the main screen, into the terminal's own history. */
  readonly place: "whole" | "main";
  /** It scrolls and clicks here, or it selects as the terminal does. */
  readonly mouse: "scroll" | "select";
};

/** A conversation on the terminal: on a whole screen of its own, painted row by row where it changed, or on the main screen. */
export class Screen {
  readonly terminal: Terminal;
  readonly #whole: WholeScreen;
  /** Null where a screen of its own is all there is. */
  readonly #main: MainScreen | null;
  #isWhole: boolean;
  #hasMouse: boolean;

  constructor(terminal: Terminal, content: ScreenContent, { place, mouse }: ScreenKind) {
    this.terminal = terminal;
    this.#hasMouse = mouse === "scroll";
    this.#isWhole = place === "whole";
    // Links of others are not made clickable, and images are not drawn.
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, ownScrolling));
    this.#whole = new WholeScreen(terminal, content);
    this.#main = place === "main" ? new MainScreen(terminal, content) : null;
  }

  get #shown(): WholeScreen | MainScreen {
    return this.#isWhole || this.#main === null ? this.#whole : this.#main;
  }

  start(): void {
    this.#shown.start();
    if (this.#isWhole && !this.#hasMouse) this.#sendMouse();
    // What was asked for while it was stopped is painted too.
    this.repaint();
  }

  /** Leaves the screen of its own, or takes what changes from the main screen: what stood there is there again. */
  stop(): void {
    this.#shown.stop({ preserveScreen: this.#isWhole });
  }

  /** Paints soon, at most sixty times a second. A key is painted at once. */
  requestPaint(): void {
    this.#shown.requestRender();
  }

  /** Paints all rows anew. */
  repaint(): void {
    this.#shown.requestRender(true);
  }

  /** Whether the conversation stands on the main screen now. */
  get isMain(): boolean {
    return !this.#isWhole;
  }

  /** Shows the conversation on a screen of its own, where it can be scrolled; the main screen stays as it is. */
  openWhole(): void {
    if (this.#main === null || this.#isWhole) return;
    this.#main.stop({ preserveScreen: true });
    this.#isWhole = true;
    this.start();
  }

  /** Goes back to the main screen, if the conversation is shown there. */
  closeWhole(): void {
    if (this.#main === null || !this.#isWhole) return;
    this.stop();
    this.#isWhole = false;
    this.start();
  }

  /** The terminal's background, asked of it; null where it does not answer in time. */
  async askBackground(milliseconds: number): Promise<"dark" | "light" | null> {
    const colour = await this.#shown.queryTerminalBackgroundColor({ timeoutMs: milliseconds });
    if (colour === undefined) return null;
    return 0.299 * colour.r + 0.587 * colour.g + 0.114 * colour.b > 128 ? "light" : "dark";
  }

  /** Has the selected text copied; false where nothing is selected. */
  copySelection(): boolean {
    const isSelected = this.#whole.hasActiveSelection();
    if (isSelected) void this.#whole.copyActiveSelectionToClipboard();
    return isSelected;
  }

  /** Leaves the mouse to the terminal, which selects text by its own means, or takes it again; gives whether it was taken. */
  toggleMouse(): boolean {
    this.#hasMouse = !this.#hasMouse;
    this.#sendMouse();
    return this.#hasMouse;
  }

  #sendMouse(): void {
    const modes = this.#hasMouse ? ["1000h", "1002h", "1006h"] : ["1006l", "1003l", "1002l", "1000l"];
    this.terminal.write(modes.map((mode) => `\u001b[?${mode}`).join(""));
  }

  /** Sends a text to the terminal's clipboard (OSC 52); whether the terminal took it nobody can know. */
  sendToClipboard(text: string): void {
    this.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  }

  /** The editor of lines at the prompt. */
  makeEditor(theme: () => Theme): LineEditor {
    return makeLineEditor(this.#main ?? this.#whole, theme);
  }
}

/** The transcript scrolls by keys of this room: the library would scroll a document that is not mounted. */
const ownScrolling: KeybindingsConfig = Object.fromEntries(
  Object.keys(TUI_KEYBINDINGS)
    .filter((name) => name.startsWith("tui.altScreen."))
    .map((name) => [name, []]),
);

class WholeScreen extends TuiAltScreen {
  readonly #content: ScreenContent;

  constructor(terminal: Terminal, content: ScreenContent) {
    const copySelection = async (text: string): Promise<boolean> => {
      content.onCopy(text);
      return true;
    };
    super(terminal, true, undefined, { copyOnSelect: false, copySelection });
    this.#content = content;
    const root = new ContentComponent(terminal, content);
    this.setLayoutRoot(root);
    this.setFocus(root);
  }

  protected override doRender(): void {
    if (!this.#content.isHidden()) super.doRender();
  }

  /** The library would say "Copied!", which nobody verified. */
  override flash(): void {}
}

/** The main screen: the library's own would clear the terminal's history. */
class MainScreen extends TuiBase {
  readonly mode = "regular";
  readonly #content: ScreenContent;
  readonly #painter = new AppendPainter();

  constructor(terminal: Terminal, content: ScreenContent) {
    super(terminal, true);
    this.#content = content;
    this.setFocus(new ContentComponent(terminal, content));
  }

  protected override doRender(): void {
    if (this.stopped || this.#content.isHidden()) return;
    const [columns, rows] = this.#size;
    const { settled, live } = this.#content.renderMain(columns, rows);
    const painted = this.#painter.paint(
      { settled: settled.map(guardRow), live: live.map(guardRow) },
      columns,
      rows,
    );
    if (painted !== "") this.terminal.write(painted);
  }

  protected override resetRenderState(): void {
    this.#painter.repaint();
  }

  protected override beforeTerminalStop({ preserveScreen }: TuiStopOptions): void {
    const [columns, rows] = this.#size;
    if (preserveScreen !== true) this.terminal.write(this.#painter.erase(columns, rows));
  }

  get #size(): readonly [number, number] {
    return [Math.max(1, this.terminal.columns), Math.max(1, this.terminal.rows)];
  }
}

class ContentComponent implements Component, Focusable {
  focused = false;
  readonly #terminal: Terminal;
  readonly #content: ScreenContent;

  constructor(terminal: Terminal, content: ScreenContent) {
    this.#terminal = terminal;
    this.#content = content;
  }

  render(columns: number): string[] {
    return this.#content.render(columns, Math.max(1, this.#terminal.rows)).map(guardRow);
  }

  handleInput(data: string): void {
    this.#content.onKey(data);
  }

  handleMouse(event: TuiMouseEvent): { readonly handled: boolean } | undefined {
    if (event.type === "wheel") this.#content.onWheel(event.wheelDelta ?? 0);
    else if (event.type === "click" && event.button === "left") this.#content.onClick(event.y);
    else return undefined;
    return { handled: true };
  }

  invalidate(): void {
    // Nothing is kept here.
  }
}
