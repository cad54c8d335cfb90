import { wordConstituent } from "../text/emacs-characters.ts";
import { endOfLine, matchAt, nextLine, trimmedOrNull } from "../text/lines.ts";
import { type ElementContents, type ElementStart, makeElement, noProperties } from "./element.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { patterns } from "./patterns.ts";
import { restrictions } from "./restriction.ts";

/** Reads a block `#+begin_NAME`; null if nothing closes it. */
export function readBlock(place: ElementStart, name: string): OrgNode | null {
  const { reading, at, limit } = place;
  const close = reading.closers.line(`#+end_${name}`, at, limit);
  if (close === -1) return null;
  switch (name.toUpperCase()) {
    case "CENTER":
      return containing(place, "center-block", close);
    case "QUOTE":
      return containing(place, "quote-block", close);
    case "VERSE":
      return readVerse(place, close);
    case "SRC":
      return readSource(place, close);
    case "EXAMPLE":
      return readExample(place, close);
    case "EXPORT":
      return readExport(place, close);
    case "COMMENT":
      return makeElement(place, {
        type: "comment-block",
        own: nextLine(reading.text, close),
        properties: { value: reading.text.slice(nextLine(reading.text, at), close) },
      });
    default:
      return readSpecial(place, name, close);
  }
}

/** Reads a block `#+begin: NAME`; null if nothing closes it. */
export function readDynamicBlock(place: ElementStart): OrgNode | null {
  const { reading, at, limit } = place;
  const { text, closers } = reading;
  const closings = [closers.line("#+end:", at, limit), closers.line("#+end", at, limit)].filter(
    (line) => line !== -1,
  );
  if (closings.length === 0) return null;
  const close = closings.reduce((one, other) => Math.min(one, other), Infinity);
  const [, name = "", given = null] = matchAt(patterns.dynamicBlock, text, at) ?? [];
  return makeElement(place, {
    type: "dynamic-block",
    own: nextLine(text, close),
    contents: contentsBefore(place, close),
    properties: { name, arguments: given },
  });
}

/** Reads a LaTeX environment; null if nothing closes it. */
export function readEnvironment(place: ElementStart, name: string): OrgNode | null {
  const { reading, at, limit } = place;
  const close = reading.closers.environment(name, at, limit);
  if (close === -1) return null;
  const own = nextLine(reading.text, close);
  return makeElement(place, {
    type: "latex-environment",
    own,
    properties: { value: reading.text.slice(at, own) },
  });
}

/** The contents between a block's first line and the one that closes it; null where there is none. */
function contentsBefore({ reading, at }: ElementStart, close: number): ElementContents | null {
  const begin = nextLine(reading.text, at);
  return begin < close ? { begin, end: close, mode: null } : null;
}

function containing(place: ElementStart, type: "center-block" | "quote-block", close: number): OrgNode {
  return makeElement(place, {
    type,
    own: nextLine(place.reading.text, close),
    contents: contentsBefore(place, close),
    properties: noProperties,
  });
}

function readSpecial(place: ElementStart, name: string, close: number): OrgNode {
  const { text } = place.reading;
  const start = matchAt(patterns.block, text, place.at)?.[0].length ?? 0;
  return makeElement(place, {
    type: "special-block",
    own: nextLine(text, close),
    contents: contentsBefore(place, close),
    properties: {
      blockType: name,
      parameters: trimmedOrNull(text.slice(place.at + start, endOfLine(text, place.at))),
    },
  });
}

function readVerse(place: ElementStart, close: number): NodeOf<"verse-block"> {
  const { text } = place.reading;
  return makeElement(place, {
    type: "verse-block",
    own: nextLine(text, close),
    contents: { begin: nextLine(text, place.at), end: close, allowed: restrictions.standard },
    properties: noProperties,
  });
}

const sourceLine =
  /[ \t]*#\+BEGIN_SRC(?: +([^\t\n\f\r \u00a0\u2000-\u200b\u202f\u205f\u3000]+))?((?: +(?:-(?:l "[^\n]+"|[ikr])|[-+]n(?: *\d+)?))+)?([^\n]*)/iy;

function readSource(place: ElementStart, close: number): OrgNode {
  const { text } = place.reading;
  const [, language = null, switches = "", parameters = ""] = matchAt(sourceLine, text, place.at) ?? [];
  return makeElement(place, {
    type: "src-block",
    own: nextLine(text, close),
    properties: {
      language,
      switches: trimmedOrNull(switches),
      parameters: trimmedOrNull(parameters),
      numberLines: lineNumbers(switches),
      preserveIndent: preserves(switches),
      value: unescapedLines(text.slice(nextLine(text, place.at), close)),
    },
  });
}

const exampleLine = /[ \t]*#\+BEGIN_EXAMPLE(?: +([^\n]*))?/iy;

function readExample(place: ElementStart, close: number): OrgNode {
  const { text } = place.reading;
  const switches = matchAt(exampleLine, text, place.at)?.[1] ?? null;
  return makeElement(place, {
    type: "example-block",
    own: nextLine(text, close),
    properties: {
      language: null,
      switches,
      preserveIndent: preserves(switches ?? ""),
      value: unescapedLines(text.slice(nextLine(text, place.at), close)),
    },
  });
}

const exportLine =
  /[ \t]*#\+BEGIN_EXPORT(?:[ \t]+([^\t\n\f\r \u00a0\u2000-\u200b\u202f\u205f\u3000]+))?[ \t]*(?![^\n])/iy;

function readExport(place: ElementStart, close: number): OrgNode {
  const { text } = place.reading;
  const backend = matchAt(exportLine, text, place.at)?.[1]?.toUpperCase() ?? null;
  return makeElement(place, {
    type: "export-block",
    own: nextLine(text, close),
    properties: { backend, value: unescapedLines(text.slice(nextLine(text, place.at), close)) },
  });
}

const numbering = new RegExp(`([-+])n(?: *(\\d+))?(?![${wordConstituent}])`, "u");
const preserving = new RegExp(`-i(?![${wordConstituent}])`, "u");

function lineNumbers(switches: string): { kind: "new" | "continued"; before: number } | null {
  const [whole, mark, first] = numbering.exec(switches) ?? [];
  if (whole === undefined) return null;
  return { kind: mark === "-" ? "new" : "continued", before: first === undefined ? 0 : Number(first) - 1 };
}

function preserves(switches: string): boolean {
  return preserving.test(switches);
}

/** The contents of a block without the commas that keep its lines from being headlines and keywords. */
function unescapedLines(value: string): string {
  if (!value.includes(",")) return value;
  return value.replace(/(?<![^\n])([ \t]*,*),(?=\*|#\+)/g, "$1");
}
