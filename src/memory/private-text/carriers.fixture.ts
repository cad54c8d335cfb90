/** A way in which a passage may be carried: what a tool, a person or a model may make of it without changing its words. */
export type Carrier = { readonly name: string; readonly carry: (text: string) => string };

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

function wrap(text: string, columns: number): string {
  let line = "";
  const lines: string[] = [];
  for (const word of words(text)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

const eachLine = (text: string, prefix: (index: number) => string): string =>
  text
    .split("\n")
    .map((line, index) => `${prefix(index)}${line}`)
    .join("\n");

/** What is done to the characters. */
const spellings: readonly Carrier[] = [
  { name: "as it is", carry: (text) => text },
  { name: "upper case", carry: (text) => text.toUpperCase() },
  { name: "decomposed accents", carry: (text) => text.normalize("NFD") },
  { name: "without Org mark-up", carry: (text) => text.replaceAll(/[*/=~+_]/g, "") },
  {
    name: "with Org mark-up",
    carry: (text) =>
      words(text)
        .map((word, at) => (at % 3 === 0 ? `*${word}*` : word))
        .join(" "),
  },
  { name: "zero-width characters", carry: (text) => text.replaceAll(/(\w)(\w)/g, "$1\u200b$2") },
  { name: "fixed spaces", carry: (text) => text.replaceAll(" ", "\u00a0") },
  {
    name: "curly quotes and dashes",
    carry: (text) => text.replaceAll("'", "’").replaceAll("-", "–").replaceAll('"', "”"),
  },
];

/** How the lines are broken. */
const breaks: readonly Carrier[] = [
  { name: "in a line", carry: (text) => words(text).join(" ") },
  { name: "40 columns", carry: (text) => wrap(text, 40) },
  { name: "72 columns", carry: (text) => wrap(text, 72) },
  { name: "a word a line", carry: (text) => words(text).join("\n") },
  { name: "CRLF", carry: (text) => wrap(text, 60).replaceAll("\n", "\r\n") },
];

/** What stands around the lines. */
const frames: readonly Carrier[] = [
  { name: "bare", carry: (text) => text },
  { name: "indented", carry: (text) => eachLine(text, () => "      ") },
  { name: "quoted", carry: (text) => eachLine(text, () => "> ") },
  { name: "quoted twice", carry: (text) => eachLine(text, () => ">> ") },
  { name: "a diff", carry: (text) => `@@ -1,4 +1,9 @@ fn\n${eachLine(text, () => "+")}` },
  { name: "comments", carry: (text) => eachLine(text, () => "// ") },
  { name: "grep -n", carry: (text) => eachLine(text, (index) => `${index + 7}:`) },
  { name: "grep -rn", carry: (text) => eachLine(text, (index) => `notes/old/p.org:${index + 7}:`) },
  { name: "grep -r", carry: (text) => eachLine(text, () => "notes/old/p.org:") },
  { name: "cat -n", carry: (text) => eachLine(text, (index) => `     ${index + 1}\t`) },
  {
    name: "git blame",
    carry: (text) =>
      eachLine(
        text,
        (index) => `^3f2a9c1d (Ada Lovelace 2026-02-${10 + (index % 9)} 10:11:12 +0100 ${index + 1}) `,
      ),
  },
  { name: "JSON", carry: (text) => JSON.stringify({ text }) },
  { name: "JSON in JSON", carry: (text) => JSON.stringify(JSON.stringify([text])) },
  { name: "a URL", carry: (text) => `https://example.org/?q=${encodeURIComponent(text)}` },
  {
    name: "HTML",
    carry: (text) =>
      `<p>${text.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("\n", "<br>\n")}</p>`,
  },
];

/** Every way of spelling, breaking and framing together: 600. */
export const carriers: readonly Carrier[] = spellings.flatMap((spelling) =>
  breaks.flatMap((broken) =>
    frames.map((frame) => ({
      name: `${spelling.name}, ${broken.name}, ${frame.name}`,
      carry: (text: string) => frame.carry(broken.carry(spelling.carry(text))),
    })),
  ),
);
