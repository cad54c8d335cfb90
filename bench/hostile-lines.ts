/** The most characters of a file that the search for named files reads. */
const fileSize = 64_000;
/** The most characters of a line that is parsed. */
const lineSize = 9_900;

const again = (piece: string, size = lineSize): string => piece.repeat(Math.floor(size / piece.length));
const numbered = (piece: (index: number) => string, size = fileSize): string => {
  let text = "";
  for (let index = 0; text.length < size; index += 1) text += piece(index);
  return text.slice(0, size);
};

/** Scripts that cost the most to look through, by the name of their file. */
export const hostileScripts: Readonly<Record<string, string>> = {
  words: numbered((index) => `w${index} `),
  lines: numbered((index) => `w${index}\n`),
  globs: numbered((index) => `*${index}* `),
  trees: numbered((index) => `tree/*/*${index} `),
  names: numbered((index) => `many/f${index}.txt `),
  modules: numbered((index) => `import a${index}.b.c\n`),
  settings: numbered((index) => `a${index}=b${index}:c,d `),
  folders: numbered((index) => `cd tree/d${index % 60};f${index} `),
  heredocs: numbered((index) => `cat <<E${index}\nx\nE${index}\n`),
  quotes: numbered((index) => `"a b ${index}" `),
  variables: again("$a/$b ", fileSize),
  substitutions: again("$(", fileSize),
  stars: again("* ", fileSize),
  above: again("../", fileSize),
  programs: again("make npm xargs find node pytest ", fileSize),
};

/** Command lines that cost the most to judge, over a folder with the scripts above. */
export const hostileLines: readonly string[] = [
  ...Object.keys(hostileScripts).map((name) => `sh ${name}.sh`),
  "sh *.sh",
  "sh scripts/*.sh",
  "sh large/*.sh",
  "find . -exec sh {} +",
  "xargs sh < words.sh",
  "pytest",
  "sh many/*; sh tree/*/*",
  again("many/* "),
  again("a|"),
  again("a /x|"),
  again("a && "),
  again("x\n"),
  again("`"),
  again("$("),
  again("[[ a && "),
  again("<<a "),
  again("a() { "),
  again("{a,"),
  numbered((index) => `*${index}* `, lineSize),
  `python3 many;${"x;".repeat(3_000)}x`,
  `sh -c '${again("a;", 19_000)}'`,
];
