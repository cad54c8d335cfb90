/** Characters of words above which a request is hard. */
const manyCharacters = 1500;
/** Files, named or attached, from which on a request is hard. */
const manyFiles = 3;

/** Words that ask for work of several steps, or for care. */
const hardWords =
  /(?<![\p{L}\p{N}-])(?:plan|prove|proof|refactor|redesign|design|debug|migrate|rewrite|optimi[sz]e|architecture|analy[sz]e|algorithm|implement)(?![\p{L}\p{N}-])/iu;

/** A fence, or lines that end as those of programs do. */
const codeFence = /^\s*(?:```|~~~|#\+begin_src)/im;
const codeLine = /[;{}]\s*$/;
const manyCodeLines = 3;

/** A path, or a name with an extension. */
const fileName = /(?<![\w./~-])(?:[\w.~-]*\/)*[\w-]+\.[a-z][a-z0-9]{0,4}(?![\w/])/gi;

/** What makes a request hard, in words: its length, code, several files, or a word such as `refactor`. Empty for an easy one. */
export function findDifficulty({
  words,
  files,
}: {
  readonly words: string;
  /** How many files are attached. */
  readonly files: number;
}): readonly string[] {
  const named = new Set(words.match(fileName) ?? []).size;
  const [word] = hardWords.exec(words) ?? [];
  const codeLines = words.split("\n").filter((line) => codeLine.test(line)).length;
  return [
    ...(words.length > manyCharacters ? [`${words.length} characters`] : []),
    ...(codeFence.test(words) || codeLines >= manyCodeLines ? ["code"] : []),
    ...(named + files >= manyFiles ? [`${named + files} files`] : []),
    ...(word === undefined ? [] : [`the word ${word.toLowerCase()}`]),
  ];
}
