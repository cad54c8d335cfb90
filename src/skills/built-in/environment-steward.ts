import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const environmentSteward: BuiltInSkill = {
  ...everyTurn,
  name: "environment-steward",
  does: "knows which package has a program that a command lacked, and installs it with the owner's yes, each time",
  trigger: {
    words: (
      "install installs installed installing uninstalled package packages apt apt-get brew homebrew dnf pacman missing " +
      "installiere installieren installiert paket pakete fehlt"
    ).split(" "),
  },
  tools: ["install-program"],
  effects: ["run-program"],
  cost: "the declaration of its tool, where something is missing",
  test: "src/act/tools/install-program.test.ts › what is missing is installed with the owner's yes to the very words that run, and the command that lacked it runs then",
};
