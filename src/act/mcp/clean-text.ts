const [bell, esc, csi, end] = [7, 27, 155, 156].map((code) => String.fromCharCode(code));
/** The other introducers of control strings: DCS, SOS, OSC, PM, APC. */
const introducers = [144, 152, 157, 158, 159].map((code) => String.fromCharCode(code)).join("");

/** Sequences by which a terminal is told to do something: CSI, OSC and their like. */
const escapeSequence = new RegExp(
  [
    `(?:${esc}\\[|${csi})[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[${introducers}])[^${bell}${esc}${end}]*(?:${bell}|${esc}\\\\|${end})?`,
    `${esc}.`,
  ].join("|"),
  "g",
);

/** Characters that nobody sees, also those that count as letters or marks: words for a model could be written in them. */
export const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const invisibleRuns = new RegExp(`${invisible.source}+`, "gu");

/** A text of a server as one line that only shows: no escape sequences, no invisible characters, at most so many characters. */
export function cleanText(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 8)
    .replace(escapeSequence, "")
    .replace(invisibleRuns, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= longest ? line : `${line.slice(0, Math.max(0, longest - 1)).trimEnd()}…`;
}
