import { alphanumeric, wordConstituent } from "../text/emacs-characters.ts";

/** A regular expression of Emacs's kind, run in time linear in the text, whatever the expression. Case does not matter. */
export type Pattern = { readonly source: string; readonly test: (text: string) => boolean };

/** Why a pattern cannot be compiled: the offset, from 0, and what was expected. */
export type PatternProblem = { readonly at: number; readonly expected: string };

const longestPattern = 1000;

/** Compiles a pattern: `.`, `[…]`, `*`, `+`, `?`, `^`, `$`, `\|`, `\(…\)`, `\w`, `\W`, `\b`, `\B`, `\<`, `\>`. Repetition is never lazy and nothing refers back. */
export function compilePattern(source: string): Pattern | PatternProblem {
  if (source.length > longestPattern) {
    return { at: longestPattern, expected: `a pattern of at most ${longestPattern} characters` };
  }
  const reading: Reading = { characters: [...source], at: 0, problem: null };
  const node = readAlternatives(reading);
  if (reading.problem === null && reading.at < reading.characters.length) {
    reading.problem = "the end, or \\( before this \\)";
  }
  if (reading.problem !== null) {
    const before = reading.characters.slice(0, reading.at).join("");
    return { at: before.length, expected: reading.problem };
  }
  const states = compile(node);
  return { source, test: (text) => run(states, [...text]) };
}

type Node =
  | { readonly kind: "one"; readonly test: (character: string) => boolean }
  | { readonly kind: "place"; readonly test: (before: string, after: string) => boolean }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly least: 0 | 1; readonly many: boolean };

type Reading = { readonly characters: readonly string[]; at: number; problem: string | null };

function peek(reading: Reading, by = 0): string {
  return reading.characters[reading.at + by] ?? "";
}

function readAlternatives(reading: Reading): Node {
  const parts = [readSequence(reading)];
  while (peek(reading) === "\\" && peek(reading, 1) === "|") {
    reading.at += 2;
    parts.push(readSequence(reading));
  }
  return { kind: "choice", parts };
}

function readSequence(reading: Reading): Node {
  const parts: Node[] = [];
  while (reading.at < reading.characters.length && reading.problem === null) {
    if (peek(reading) === "\\" && (peek(reading, 1) === "|" || peek(reading, 1) === ")")) break;
    const atStart = parts.length === 0;
    parts.push(readRepeated(reading, readOne(reading, atStart)));
  }
  return { kind: "sequence", parts };
}

function readRepeated(reading: Reading, one: Node): Node {
  let node = one;
  for (let sign = peek(reading); "*+?".includes(sign) && sign !== ""; sign = peek(reading)) {
    reading.at += 1;
    node = { kind: "repeat", part: node, least: sign === "+" ? 1 : 0, many: sign !== "?" };
  }
  return node;
}

function readOne(reading: Reading, atStart: boolean): Node {
  const character = peek(reading);
  reading.at += 1;
  if (character === "\\") return readEscape(reading);
  if (character === "[") return readSet(reading);
  if (character === ".") return { kind: "one", test: (other) => other !== "\n" };
  if (character === "^" && atStart)
    return { kind: "place", test: (before) => before === "" || before === "\n" };
  const next = peek(reading);
  if (character === "$" && (next === "" || (next === "\\" && "|)".includes(peek(reading, 1))))) {
    return { kind: "place", test: (_, after) => after === "" || after === "\n" };
  }
  return literal(character);
}

function literal(character: string): Node {
  const folded = character.toLowerCase();
  return { kind: "one", test: (other) => other.toLowerCase() === folded };
}

const word = new RegExp(`^[${wordConstituent}]$`, "u");

function isWord(character: string): boolean {
  return word.test(character);
}

function readEscape(reading: Reading): Node {
  const character = peek(reading);
  reading.at += 1;
  switch (character) {
    case "(":
      return readGroup(reading);
    case "w":
      return { kind: "one", test: isWord };
    case "W":
      return { kind: "one", test: (other) => !isWord(other) };
    case "b":
      return { kind: "place", test: (before, after) => isWord(before) !== isWord(after) };
    case "B":
      return { kind: "place", test: (before, after) => isWord(before) === isWord(after) };
    case "<":
      return { kind: "place", test: (before, after) => !isWord(before) && isWord(after) };
    case ">":
      return { kind: "place", test: (before, after) => isWord(before) && !isWord(after) };
    case "`":
      return { kind: "place", test: (before) => before === "" };
    case "'":
      return { kind: "place", test: (_, after) => after === "" };
    default:
      if (/^[^\p{L}\p{N}{}=_]$/u.test(character)) return literal(character);
      reading.at -= 1;
      reading.problem = character === "" ? "a character after \\" : `none of \\${character} in a pattern`;
      return { kind: "sequence", parts: [] };
  }
}

function readGroup(reading: Reading): Node {
  if (peek(reading) === "?" && peek(reading, 1) === ":") reading.at += 2;
  const node = readAlternatives(reading);
  if (peek(reading) === "\\" && peek(reading, 1) === ")") reading.at += 2;
  else reading.problem ??= "\\) for the \\( before";
  return node;
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", new RegExp(`[${alphanumeric}]`, "u")],
  ["alpha", /[\p{L}\p{M}\p{Nl}]/u],
  ["digit", /[0-9]/],
  ["xdigit", /[0-9A-Fa-f]/],
  ["space", /\s/],
  ["blank", /[ \t]/],
  ["upper", /\p{L}/u],
  ["lower", /\p{L}/u],
  ["punct", /[\p{P}\p{S}]/u],
  ["word", word],
]);

/** What stands between brackets; a `]` that comes first is itself. */
function readSet(reading: Reading): Node {
  const negated = peek(reading) === "^";
  if (negated) reading.at += 1;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; first || peek(reading) !== "]"; first = false) {
    if (peek(reading) === "") {
      reading.problem = "] for the [ before";
      break;
    }
    tests.push(readSetPart(reading));
  }
  reading.at += 1;
  return { kind: "one", test: (other) => tests.some((test) => test(other)) !== negated };
}

function readSetPart(reading: Reading): (character: string) => boolean {
  const rest = reading.characters.slice(reading.at, reading.at + 12).join("");
  const name = /^\[:([a-z]+):\]/.exec(rest)?.[1];
  const known = name === undefined ? undefined : classes.get(name);
  if (name !== undefined && known !== undefined) {
    reading.at += name.length + 4;
    return (character) => known.test(character);
  }
  const from = peek(reading);
  const to = peek(reading, 1) === "-" && !["]", ""].includes(peek(reading, 2)) ? peek(reading, 2) : null;
  reading.at += to === null ? 1 : 3;
  if (to === null) return (character) => character.toLowerCase() === from.toLowerCase();
  return (character) =>
    [character, character.toLowerCase(), character.toUpperCase()].some((one) => one >= from && one <= to);
}

/** A state of the automaton: it consumes a character, or continues without one. */
type State =
  | { readonly kind: "take"; readonly test: (character: string) => boolean; readonly next: number }
  | {
      readonly kind: "place";
      readonly test: (before: string, after: string) => boolean;
      readonly next: number;
    }
  | { kind: "split"; next: readonly number[] }
  | { readonly kind: "end" };

function compile(node: Node): readonly State[] {
  const states: State[] = [{ kind: "end" }];
  const start = add(states, node, 0);
  states.push({ kind: "split", next: [start] });
  return states;
}

/** Adds the states of a node, which continue at `next`. Returns the first state. */
function add(states: State[], node: Node, next: number): number {
  switch (node.kind) {
    case "one":
      return states.push({ kind: "take", test: node.test, next }) - 1;
    case "place":
      return states.push({ kind: "place", test: node.test, next }) - 1;
    case "sequence":
      return node.parts.reduceRight((after, part) => add(states, part, after), next);
    case "choice": {
      const starts = node.parts.map((part) => add(states, part, next));
      return states.push({ kind: "split", next: starts }) - 1;
    }
    case "repeat": {
      const split: State = { kind: "split", next: [next] };
      const at = states.push(split) - 1;
      const start = add(states, node.part, node.many ? at : next);
      split.next = [start, next];
      return node.least === 1 ? start : at;
    }
  }
}

/** Simulates the automaton: follows all paths at once, each of which may start at any character. */
function run(states: readonly State[], text: readonly string[]): boolean {
  let current: ReadonlySet<number> = new Set();
  for (let at = 0; at <= text.length; at += 1) {
    const place = { before: text[at - 1] ?? "", after: text[at] ?? "" };
    const reached = follow(states, [...current, states.length - 1], place);
    if (reached.has(0)) return true;
    const next = new Set<number>();
    for (const index of reached) {
      const state = states[index];
      if (state?.kind === "take" && at < text.length && state.test(place.after)) next.add(state.next);
    }
    current = next;
  }
  return false;
}

function follow(
  states: readonly State[],
  from: readonly number[],
  { before, after }: { readonly before: string; readonly after: string },
): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index];
    if (state === undefined || reached.has(index)) continue;
    reached.add(index);
    if (state.kind === "split") for (const each of state.next) open.push(each);
    else if (state.kind === "place" && state.test(before, after)) open.push(state.next);
  }
  return reached;
}
