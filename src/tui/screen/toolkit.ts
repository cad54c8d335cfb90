// With screens.ts the only file that knows the terminal library. It is loaded by its parts, since the whole of it takes a fifth of a second.

import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import { decodePrintableKey, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { CURSOR_MARKER, type TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { keepWords, withoutStops } from "./keep-words.ts";
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

/** The editor of lines at the prompt. */
export function makeLineEditor(tui: TUI, theme: () => Theme): LineEditor {
  const style = (name: "dim" | "accent" | "bold") => (text: string) => theme()[name](text);
  const editor = new BorderlessEditor(tui, {
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

/**
 * Characters that may be styled for each character of a text, and for all of it: emphasis inside emphasis is
 * styled again by each.
 */
const stylesEach = 200;
const stylesFree = 50_000;

/** Styles that throw where laying out does too much work. */
function counted(theme: Theme, most: number): Theme {
  let left = most;
  const count =
    (style: (words: string) => string) =>
    (words: string): string => {
      left -= words.length;
      if (left < 0) throw new Error("it is too intricate to be laid out");
      return style(words);
    };
  const { accent, bold, code, dim, italic } = theme;
  const styles = { accent: count(accent), bold: count(bold), code: count(code) };
  return { ...theme, ...styles, dim: count(dim), italic: count(italic) };
}

/** Lays Markdown out as rows. */
export type RenderMarkdown = (text: string, columns: number, theme: Theme) => readonly string[];

/** Loads what lays Markdown out; the prompt is painted before. */
export async function loadMarkdown(): Promise<RenderMarkdown> {
  const { Markdown } = await import("@earendil-works/pi-tui/dist/components/markdown.js");
  return (text, columns, theme) => {
    const { accent, bold, code, dim, italic } = counted(theme, stylesEach * text.length + stylesFree);
    const markdown = new Markdown(
      keepWords(text),
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
    return markdown.render(Math.max(1, columns)).map((row) => withoutStops(row).trimEnd());
  };
}
