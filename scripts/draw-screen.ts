import type { IBufferCell, Terminal } from "@xterm/headless";

/** Sizes of a cell in pixels, and of the frame around the screen. */
const cell = { width: 8.4, height: 18 };
const frame = 14;

/** The colours of a terminal: text, background, and the 16 that programs name. */
const palettes = {
  dark: {
    text: "#d8dee4",
    background: "#101418",
    basic: ["#3b4252", "#e06c75", "#8fc47a", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee4"],
  },
  light: {
    text: "#24292f",
    background: "#fdfdfb",
    basic: ["#24292f", "#b3261e", "#1a7f37", "#8a5a00", "#0b57a4", "#8250df", "#0a7a83", "#6e7781"],
  },
} as const;

type Palette = (typeof palettes)[keyof typeof palettes];
type Run = {
  readonly column: number;
  readonly columns: number;
  readonly text: string;
  readonly style: string;
};

/** Draws the screen of a terminal as SVG: every run of one style is a text of its own, as wide as its cells. */
export function drawScreen(terminal: Terminal, background: "dark" | "light"): string {
  const palette = palettes[background];
  const width = Math.round(terminal.cols * cell.width + 2 * frame);
  const height = terminal.rows * cell.height + 2 * frame;
  const rows = Array.from({ length: terminal.rows }, (_, row) => drawRow(terminal, row, palette));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${palette.text}" xml:space="preserve">
${rows.filter((row) => row !== "").join("\n")}
</g>
</svg>
`;
}

function drawRow(terminal: Terminal, row: number, palette: Palette): string {
  const y = frame + row * cell.height + 13;
  return runsOf(terminal, row, palette)
    .filter(({ text }) => text.trim() !== "")
    .map(({ column, columns, text, style }) => {
      const x = (frame + column * cell.width).toFixed(1);
      const length = (columns * cell.width).toFixed(1);
      return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style}>${escapeXml(text)}</text>`;
    })
    .join("");
}

/** The cells of a row, those of one style together; blanks at the ends of a run are left out. */
function runsOf(terminal: Terminal, row: number, palette: Palette): readonly Run[] {
  const line = terminal.buffer.active.getLine(row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    const found = line?.getCell(column);
    if (found === undefined || found.getWidth() === 0) continue;
    const text = found.getChars() || " ";
    const style = styleOf(found, palette);
    const last = runs.at(-1);
    const follows = last !== undefined && last.style === style && last.column + last.columns === column;
    if (text === " " && !(follows && !/ {2}$/.test(last.text))) continue;
    if (follows)
      runs[runs.length - 1] = { ...last, columns: last.columns + found.getWidth(), text: last.text + text };
    else runs.push({ column, columns: found.getWidth(), text, style });
  }
  return runs;
}

function styleOf(found: IBufferCell, palette: Palette): string {
  return [
    found.isFgPalette() ? ` fill="${colourOf(found.getFgColor(), palette)}"` : "",
    found.isBold() === 0 ? "" : ' font-weight="bold"',
    found.isItalic() === 0 ? "" : ' font-style="italic"',
    found.isDim() === 0 ? "" : ' opacity="0.65"',
  ].join("");
}

/** A colour of the 256: https://en.wikipedia.org/wiki/ANSI_escape_code#8-bit */
function colourOf(index: number, { basic, text }: Palette): string {
  if (index < 16) return basic[index % 8] ?? text;
  const part = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  const [red, green, blue] =
    index < 232
      ? [part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6)]
      : [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The text of a screen that was drawn, row by row, with its blanks. */
export function textOfDrawing(svg: string, rows: number): readonly string[] {
  const lines = Array.from({ length: rows }, () => "");
  for (const [, x = "", y = "", text = ""] of svg.matchAll(/<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)</g)) {
    const row = Math.round((Number(y) - frame - 13) / cell.height);
    const column = Math.round((Number(x) - frame) / cell.width);
    const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    lines[row] = `${(lines[row] ?? "").padEnd(column)}${plain}`.trimEnd();
  }
  return lines;
}
