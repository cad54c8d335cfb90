import type { SourceBlock } from "./source-blocks.ts";

/** A body with its references filled in. `problems`: why a reference could not be, in words; `fatal` where the text is no longer what Emacs would write. */
export type Expanded = {
  readonly body: string;
  readonly problems: { readonly message: string; readonly fatal: boolean }[];
};

/** What filling in all references of a file may come to: characters, and a hundred for each reference. References nest at most `mostDeep` deep. */
const mostFilled = 8_000_000;
const mostDeep = 100;

/** Fills in the references `<<name>>` of blocks of one file. */
export function nowebExpander(blocks: readonly SourceBlock[]): (block: SourceBlock) => Expanded {
  const byName = new Map<string, SourceBlock>();
  const byReference = new Map<string, SourceBlock[]>();
  for (const block of blocks) {
    if (block.name !== null && !byName.has(block.name)) byName.set(block.name, block);
    const reference = block.arguments.get(":noweb-ref") ?? null;
    if (reference === null || block.commented) continue;
    const same = byReference.get(reference);
    if (same === undefined) byReference.set(reference, [block]);
    else same.push(block);
  }
  const room = { left: mostFilled };
  return (block) => {
    const state: State = {
      byName,
      byReference,
      open: new Set(),
      made: new Map(),
      problems: new Map(),
      room,
    };
    if (!isExpanded(block, "tangle")) return { body: block.body, problems: [] };
    const body = expand(block, state);
    return { body, problems: [...state.problems].map(([message, fatal]) => ({ message, fatal })) };
  };
}

type State = {
  readonly byName: ReadonlyMap<string, SourceBlock>;
  readonly byReference: ReadonlyMap<string, readonly SourceBlock[]>;
  /** The blocks that are being expanded. */
  readonly open: Set<SourceBlock>;
  /** What blocks came to. Without it, blocks that name each other twice would take exponential time. */
  readonly made: Map<SourceBlock, string>;
  /** Each problem, and whether it is fatal. */
  readonly problems: Map<string, boolean>;
  readonly room: { left: number };
};

const expandingValues = {
  tangle: new Set(["yes", "tangle", "no-export", "strip-export"]),
  eval: new Set(["yes", "no-export", "strip-export", "eval"]),
};

function isExpanded(block: SourceBlock, context: keyof typeof expandingValues): boolean {
  const words = (block.arguments.get(":noweb") ?? "").split(/\s+/);
  return words.some((word) => expandingValues[context].has(word));
}

function expand(block: SourceBlock, state: State): string {
  const known = state.made.get(block);
  if (known !== undefined) return known;
  if (state.open.has(block)) {
    state.problems.set(`the references of ${shown(block)} lead back to it`, true);
    return "";
  }
  if (state.open.size >= mostDeep) {
    state.problems.set(`references nest deeper than ${mostDeep}`, true);
    return "";
  }
  state.open.add(block);
  const body = block.body.includes("<<")
    ? block.body
        .split("\n")
        .map((line) => expandLine(line, state))
        .join("\n")
    : block.body;
  state.open.delete(block);
  state.made.set(block, body);
  return body;
}

/** What stands before a reference on its line stands before each line that it is filled in with. */
function expandLine(line: string, state: State): string {
  let made = "";
  let from = 0;
  for (const { begin, end, id } of referencesIn(line)) {
    const prefix = line.slice(from, begin);
    state.room.left -= 100;
    if (state.room.left < 0) break;
    const filled = textOf(id, state).split(/[\n\r]/);
    state.room.left -= filled.reduce((sum, one) => sum + one.length + prefix.length, 0);
    if (state.room.left < 0) break;
    made += prefix + filled.join(`\n${prefix}`);
    from = end;
  }
  if (state.room.left >= 0) return made + line.slice(from);
  state.problems.set("the references of this file come to too much text", true);
  return "";
}

type Reference = { readonly begin: number; readonly end: number; readonly id: string };

/** The references of a line. A name neither begins nor ends with a blank. */
function referencesIn(line: string): readonly Reference[] {
  const found: Reference[] = [];
  for (let begin = line.indexOf("<<"); begin !== -1; ) {
    if (/[ \t]/.test(line.charAt(begin + 2))) {
      begin = line.indexOf("<<", begin + 1);
      continue;
    }
    let end = line.indexOf(">>", begin + 3);
    while (end !== -1 && /[ \t]/.test(line.charAt(end - 1))) end = line.indexOf(">>", end + 1);
    if (end === -1) break;
    found.push({ begin, end: end + 2, id: line.slice(begin + 2, end) });
    begin = line.indexOf("<<", end + 2);
  }
  return found;
}

function textOf(id: string, state: State): string {
  if (/\(.*\)/.test(id)) {
    state.problems.set(`<<${id}>> would run a block, and nothing is run here`, true);
    return "";
  }
  const named = state.byName.get(id);
  if (named !== undefined && !named.commented) return bodyOf(named, state);
  const blocks = state.byReference.get(id) ?? [];
  if (blocks.length === 0) {
    state.problems.set(`no block has the name or the :noweb-ref of <<${id}>>`, false);
    return "";
  }
  return blocks
    .map((block, index) => {
      const separator = block.arguments.get(":noweb-sep") ?? "\n";
      return `${bodyOf(block, state)}${index === blocks.length - 1 ? "" : separator}`;
    })
    .join("");
}

function bodyOf(block: SourceBlock, state: State): string {
  return isExpanded(block, "eval") ? expand(block, state) : block.body;
}

function shown({ name, arguments: all }: SourceBlock): string {
  return `<<${name ?? all.get(":noweb-ref") ?? "a block without a name"}>>`;
}
