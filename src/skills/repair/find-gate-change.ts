/** Code that reaches state which the whole module shares: prototypes, members of global objects, renamed exports, and escaped letters. */
const reaching =
  /\b(?:globalThis|prototype|__proto__|constructor|Object|Reflect|Proxy|eval|Function|Symbol|arguments|import|export\s+default)\b|\bexport\s*[{*]|\b[A-Z]\w*\s*(?:\.\s*\w+|\[[^\]]*\])\s*=(?!=)|\\[ux]/;
/** Declarations. A new one may shadow a name that a gate uses. */
const binding = /\b(?:const|let|var|function\*?|class|enum|namespace)\s+([\s\S]*?)(?=[=(:;{\n]|\bextends\b)/g;

/**
 * Says in a sentence how a fix could change the gates of a skill; null if it cannot. The blocks that name gates, and all that share names with them over any number of blocks, have to
 * stay, in their order. The other blocks may not declare a name that these use, use a name that these declare, name the gates, or reach state that the whole module shares.
 */
export function findGateChange(before: readonly string[], after: readonly string[]): string | null {
  const guarded = guardedBlocks(before);
  if (guarded.size === 0) return after.some(namesGates) ? refusal("adds gates") : null;
  const words = wordsOf([...guarded].join("\n"));
  const inOrder = (blocks: readonly string[]): string =>
    JSON.stringify(blocks.filter((block) => guarded.has(block)));
  if (inOrder(before) !== inOrder(after))
    return refusal("changes a block that exports a gate, or that a gate uses, or moves one");
  const owned = new Set([...guarded].flatMap(bound));
  const kept = [...before];
  for (const block of after) {
    const at = kept.indexOf(block);
    if (at >= 0) kept.splice(at, 1);
    else if (namesGates(block)) return refusal("names the gates in another block");
    else if (reaching.test(block)) return refusal("reaches what the gates share with all code");
    else if (bound(block).some((name) => words.has(name))) return refusal("binds a name that a gate uses");
    else if (owned.intersection(wordsOf(block)).size > 0) return refusal("reaches what a gate uses");
  }
  return null;
}

function refusal(what: string): string {
  return `The fix ${what}. Gates are changed by their owner alone. Where they stand in a block of their own, the other blocks can be mended this way.`;
}

function namesGates(block: string): boolean {
  return /\bgates\b/.test(block);
}

/** The blocks that name gates, and all that declare names which these use, or use names which these declare: such a block may set the state of a gate. */
function guardedBlocks(blocks: readonly string[]): ReadonlySet<string> {
  const guarded = new Set(blocks.filter(namesGates));
  for (let size = -1; size !== guarded.size; ) {
    size = guarded.size;
    const words = wordsOf([...guarded].join("\n"));
    const owned = new Set([...guarded].flatMap(bound));
    for (const block of blocks) {
      const isDeclaring = bound(block).some((name) => words.has(name));
      if (size > 0 && (isDeclaring || owned.intersection(wordsOf(block)).size > 0)) guarded.add(block);
    }
  }
  return guarded;
}

function wordsOf(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []);
}

/** All names that a block may declare, destructured ones too. */
function bound(block: string): readonly string[] {
  const lists = [...block.matchAll(binding)].flatMap(([, list = ""]) => [...wordsOf(list)]);
  const patterns = [...block.matchAll(/\b(?:const|let|var)\s*([{[][^=]*)=/g)].flatMap(([, list = ""]) => [
    ...wordsOf(list),
  ]);
  return [...lists, ...patterns];
}
