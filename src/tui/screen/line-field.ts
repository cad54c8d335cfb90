import type { Theme } from "./theme.ts";
import { cursorMark, isKey, printableOf } from "./toolkit.ts";

/** One line that is typed in a panel; the cursor stands at its end. */
export class LineField {
  text = "";

  /** Whether this key wrote in it. */
  onKey(data: string): boolean {
    if (isKey(data, "backspace")) this.text = graphemes(this.text).slice(0, -1).join("");
    else if (isKey(data, "ctrl+u")) this.text = "";
    else if (isKey(data, "ctrl+w")) this.text = this.text.replace(/\S+\s*$/, "");
    else {
      const typed = printableOf(data);
      if (typed === "") return false;
      this.text += typed;
    }
    return true;
  }

  paste(text: string): void {
    this.text += text.replaceAll(/\s+/g, " ").replaceAll(/\p{Cc}/gu, "");
  }

  row(label: string, theme: Theme): string {
    return ` ${theme.accent(label)} ${this.text}${cursorMark}${theme.inverse(" ")}`;
  }
}

const segmenter = new Intl.Segmenter();

function graphemes(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
