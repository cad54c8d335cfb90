import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const terminal: BuiltInSkill = {
  ...everyTurn,
  name: "terminal",
  does: "runs interactive programs on a terminal inside the sandbox, and types into them",
  trigger: {
    words: (
      "terminal interactive interactively repl prompt prompts console tty pty debugger gdb pdb rebase ssh-keygen wizard installer vim nano emacs less htop " +
      "ctrl-c ctrl-d keystroke keystrokes"
    ).split(" "),
  },
  tools: ["terminal"],
  effects: ["run-program", "read-path", "write-path", "delete-path", "reach-host"],
  cost: "the declaration of its tool, in the sessions that need it",
  test: "src/act/tools/shell/terminal.test.ts › a program that asks is answered by a further call, and what it changed is judged when it ends",
};
