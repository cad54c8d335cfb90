// The only file that knows the terminal library. It is loaded by its parts, since the whole of it takes a fifth of a second.
import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import {
  type KeybindingsConfig,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { decodePrintableKey, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import {
  type Component,
  CURSOR_MARKER,
  type Focusable,
  type TuiMouseEvent,
} from "@earendil-works/pi-tui/dist/tui.js";
import { TuiAltScreen } from "@earendil-works/pi-tui/dist/tui-alt-screen.js";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { guardRow } from "./clean.ts";
import type { Theme } from "./theme.ts";

export type { AutocompleteProvider, KeyId, Terminal };

/** Columns that a text fills. */
export const widthOf = visibleWidth;

/** A text, coloured or not, as rows of at most so many columns. */
export function wrap(text: string, columns: number): readonly string[] {
  return wrapTextWithAnsi(text, Math.max(1, columns));
}

/** A text cut to so many columns, with a sign that it is. */
export function cut(text: string, columns: number): string {
  return truncateToWidth(text, Math.max(0, columns), "…");
}

/** Whether what the terminal sent is this key. */
export const isKey = (data: string, key: KeyId): boolean => matchesKey(data, key);

/** The text that a key types; empty for every other key. */
export function printableOf(data: string): string {
  return decodePrintableKey(data) ?? (/\p{Cc}/u.test(data) ? "" : data);
}

/** What stands in a row where the cursor is. */
export const cursorMark = CURSOR_MARKER;

/** The terminal of this process. */
export const openProcessTerminal = (): Terminal => new ProcessTerminal();

/** What a screen shows, and what it does with keys. */
export type ScreenContent = {
  /** Exactly so many rows, at most; the cursor stands where the line editor put it. */
  readonly render: (columns: number, rows: number) => readonly string[];
  readonly onKey: (data: string) => void;
  /** Rows that the wheel moved: negative is up. */
  readonly onWheel: (rows: number) => void;
  readonly onClick: (row: number) => void;
};

/** A full screen of the terminal, painted row by row where it changed. */
export class Screen {
  readonly #tui: TuiAltScreen;
  readonly terminal: Terminal;
  #hasMouse = true;

  constructor(terminal: Terminal, content: ScreenContent) {
    this.terminal = terminal;
    // Links of others are not made clickable, and images are not drawn.
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, ownScrolling));
    this.#tui = new TuiAltScreen(terminal, true, undefined, { copyOnSelect: false });
    const root = new ContentComponent(terminal, content);
    this.#tui.setLayoutRoot(root);
    this.#tui.setFocus(root);
  }

  start(): void {
    this.#hasMouse = true;
    this.#tui.start();
  }

  /** Leaves the alternate screen; what stood on the main screen is there again. */
  stop(): void {
    this.#tui.stop({ preserveScreen: true });
  }

  /** Paints soon, at most sixty times a second. A key is painted at once. */
  requestPaint(): void {
    this.#tui.requestRender();
  }

  /** Paints all rows anew. */
  repaint(): void {
    this.#tui.requestRender(true);
  }

  /** The terminal's background, asked of it; null where it does not answer in time. */
  async askBackground(milliseconds: number): Promise<"dark" | "light" | null> {
    const colour = await this.#tui.queryTerminalBackgroundColor({ timeoutMs: milliseconds });
    if (colour === undefined) return null;
    return 0.299 * colour.r + 0.587 * colour.g + 0.114 * colour.b > 128 ? "light" : "dark";
  }

  /** Sends the selected text to the terminal's clipboard; false where nothing is selected. Whether the terminal took it nobody can know. */
  copySelection(): boolean {
    const isSelected = this.#tui.hasActiveSelection();
    if (isSelected) void this.#tui.copyActiveSelectionToClipboard();
    return isSelected;
  }

  /** Leaves the mouse to the terminal, which selects text by its own means, or takes it again; gives whether it was taken. */
  toggleMouse(): boolean {
    this.#hasMouse = !this.#hasMouse;
    const modes = this.#hasMouse ? ["1000h", "1002h", "1006h"] : ["1006l", "1003l", "1002l", "1000l"];
    this.terminal.write(modes.map((mode) => `\u001b[?${mode}`).join(""));
    return this.#hasMouse;
  }

  /** Sends a text to the terminal's clipboard (OSC 52); whether the terminal took it nobody can know. */
  sendToClipboard(text: string): void {
    this.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  }

  /** The editor of lines at the prompt. */
  makeEditor(theme: () => Theme): LineEditor {
    const style = (name: "dim" | "accent" | "bold") => (text: string) => theme()[name](text);
    const editor = new BorderlessEditor(this.#tui, {
      borderColor: style("dim"),
      selectList: {
        selectedPrefix: style("accent"),
        selectedText: style("bold"),
        description: style("dim"),
        scrollInfo: style("dim"),
        noMatch: style("dim"),
      },
    });
    editor.focused = true;
    return editor;
  }
}

/** The line editor, as far as this room uses it. */
export type LineEditor = Pick<
  Editor,
  | "render"
  | "handleInput"
  | "getText"
  | "getExpandedText"
  | "getLines"
  | "getCursor"
  | "setText"
  | "insertTextAtCursor"
  | "addToHistory"
  | "setAutocompleteProvider"
  | "isShowingAutocomplete"
> & { onSubmit?: (text: string) => void; focused: boolean };

/** The lines without a border: the prompt has its own. */
class BorderlessEditor extends Editor {
  protected override renderTopBorder(width: number, hidden: number): string {
    return hidden > 0 ? super.renderTopBorder(width, hidden) : "";
  }

  protected override renderBottomBorder(width: number, hidden: number): string {
    return hidden > 0 ? super.renderBottomBorder(width, hidden) : "";
  }

  override render(width: number): string[] {
    return super.render(width).filter((row) => row !== "");
  }
}

/** The transcript scrolls by keys of this room: the library would scroll a document that is not mounted. */
const ownScrolling: KeybindingsConfig = Object.fromEntries(
  Object.keys(TUI_KEYBINDINGS)
    .filter((name) => name.startsWith("tui.altScreen."))
    .map((name) => [name, []]),
);

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

/** Lays Markdown out as rows. */
export type RenderMarkdown = (text: string, columns: number, theme: Theme) => readonly string[];

/** Loads what lays Markdown out; the prompt is painted before. */
export async function loadMarkdown(): Promise<RenderMarkdown> {
  const { Markdown } = await import("@earendil-works/pi-tui/dist/components/markdown.js");
  return (text, columns, theme) => {
    const { accent, bold, code, dim, italic } = theme;
    const markdown = new Markdown(
      text,
      0,
      0,
      {
        heading: (words) => bold(accent(words)),
        link: accent,
        linkUrl: dim,
        code,
        codeBlock: code,
        codeBlockBorder: dim,
        quote: italic,
        quoteBorder: dim,
        hr: dim,
        listBullet: (mark) => accent(mark.replace(/^[-*+] /, "• ")),
        bold,
        italic,
        strikethrough: dim,
        underline: italic,
      },
      undefined,
      { preserveOrderedListMarkers: true, preserveBackslashEscapes: true, renderLatex: false },
    );
    return markdown.render(Math.max(1, columns)).map((row) => row.trimEnd());
  };
}
