import { baseName } from "./unwrap-words.ts";

/** Programs that talk with a person wherever they are started without a file or a script to work on. */
const talking: ReadonlyMap<string, RegExp> = new Map([
  ...each(
    "python python3 node deno bun irb ghci lua luajit R julia ocaml scala jshell iex erl sbcl clisp guile racket swipl octave gnuplot",
    /^(?!--?(?:i|interactive|quiet|q)$)./,
  ),
  ...each("bash sh zsh fish dash", /^(?!-i$|-l$|--login$|--norc$|--noprofile$)./),
  ...each("sqlite3", /^-(?:-?version|-?help|-?cmd|-?batch)|[ ;]/),
  ...each("gdb", /^-(?:-?batch|x|-?version|-?help)/),
  ...each("ssh-keygen", /^-(?:N|l|y|e|i|F|R|H|k|Q|r|A)/),
  ...each("bc dc", /^(?!-[lqsw]+$)./),
]);

/** Of programs with commands of their own: the command, and the words that make it talk, or without which it does. */
const commands: readonly {
  readonly program: RegExp;
  readonly command: RegExp;
  readonly having?: RegExp;
  readonly lacking?: RegExp;
}[] = [
  { program: /^git$/, command: /^rebase$/, having: /^(?:-i|--interactive|-\w*i)$/ },
  {
    program: /^git$/,
    command: /^(?:add|checkout|restore|reset|stash|commit)$/,
    having: /^(?:-p|--patch|--interactive)$|^-i$/,
  },
  { program: /^(?:npm|yarn|pnpm)$/, command: /^init$/, lacking: /^(?:-y|--yes|-\w*y\w*)$/ },
  {
    program: /^(?:poetry|cargo-generate|composer)$/,
    command: /^init$/,
    lacking: /^(?:-n|--no-interaction)$/,
  },
];

/** Whether a program talks with the person at its terminal, by its words: then it does nothing useful without one. */
export function isInteractive(argv: readonly string[]): boolean {
  const program = baseName(argv[0]);
  const words = argv.slice(1);
  const working = talking.get(program);
  if (working !== undefined) return !words.some((word) => working.test(word));
  return commands.some(({ program: name, command, having, lacking }) => {
    const at = words.findIndex((word) => command.test(word));
    const rest = words.slice(at + 1);
    return (
      at !== -1 &&
      name.test(program) &&
      (having === undefined || rest.some((word) => having.test(word))) &&
      (lacking === undefined || !rest.some((word) => lacking.test(word)))
    );
  });
}

function each(names: string, working: RegExp): readonly (readonly [string, RegExp])[] {
  return names.split(" ").map((name) => [name, working] as const);
}
