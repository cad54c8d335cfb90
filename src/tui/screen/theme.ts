/** A function that colours a text. */
export type Style = (text: string) => string;

/** How the parts of the screen look. No colour carries a meaning alone: each state has its sign or word too. */
export type Theme = {
  readonly name: "dark" | "light" | "plain";
  readonly accent: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly dim: Style;
  readonly bold: Style;
  readonly italic: Style;
  readonly added: Style;
  readonly removed: Style;
  readonly code: Style;
  readonly inverse: Style;
};

const sgr =
  (on: string, off: string): Style =>
  (text) =>
    text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
const colour = (code: string): Style => sgr(code, "39");

const attributes = {
  bold: sgr("1", "22"),
  italic: sgr("3", "23"),
  inverse: sgr("7", "27"),
  dim: sgr("2", "22"),
};

const same: Style = (text) => text;

/** No escape sequence at all. */
export const unstyled: Theme = {
  name: "plain",
  accent: same,
  warning: same,
  error: same,
  dim: same,
  bold: same,
  italic: same,
  added: same,
  removed: same,
  code: same,
  inverse: same,
};

/** What a terminal can show. */
export type ColourDepth = "none" | "16" | "256";

/** The theme for a background. `none` colours nothing; weight and slant stay. */
export function themeFor(background: "dark" | "light", depth: ColourDepth): Theme {
  if (depth === "none") return { ...unstyled, ...attributes };
  const of = (basic: string, fine: string): Style => colour(depth === "256" ? `38;5;${fine}` : basic);
  return background === "dark"
    ? {
        name: "dark",
        ...attributes,
        accent: of("36", "80"),
        warning: of("33", "221"),
        error: of("31", "203"),
        added: of("32", "114"),
        removed: of("31", "210"),
        code: of("36", "152"),
      }
    : {
        name: "light",
        ...attributes,
        accent: of("34", "25"),
        warning: of("35", "130"),
        error: of("31", "160"),
        added: of("32", "28"),
        removed: of("31", "124"),
        code: of("34", "24"),
      };
}

/** What the environment says about colours: `NO_COLOR` with any value switches them off. */
export function colourDepthOf(environment: Readonly<Record<string, string | undefined>>): ColourDepth {
  if ((environment["NO_COLOR"] ?? "") !== "") return "none";
  const fine = /256|truecolor|24bit|direct/.test(
    `${environment["TERM"] ?? ""} ${environment["COLORTERM"] ?? ""}`,
  );
  return fine ? "256" : "16";
}

/** What is set, and what there is. */
export function describeTheme(name: Theme["name"]): string {
  if (name === "plain") return "No colours are shown here, since NO_COLOR is set or the terminal has none.";
  const other = name === "dark" ? "light" : "dark";
  return `The colours are those for a ${name} background. There are dark and light: /theme ${other} changes them for this conversation.`;
}
