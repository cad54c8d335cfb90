import { parseScript } from "./script-parser.ts";

// Parses texts as TypeScript in its own process, which is ended from outside, and reports what the parser
// says of each.

process.on("message", (given) => {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [];
  const [markup, ...texts] = parts;
  const parsed = texts.map((text) => parseScript(String(text), { markup: markup === true }));
  process.send?.(parsed);
});
process.send?.("ready");
