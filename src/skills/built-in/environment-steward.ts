import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const environmentSteward: BuiltInSkill = {
  ...everyTurn,
  name: "environment-steward",
  does: "finds the package of a program that a command needs, and installs it after the owner's yes",
  trigger: {
    words: (
      "install installs installed installing uninstalled package packages apt apt-get brew homebrew dnf pacman missing " +
      "installiere installieren installiert paket pakete fehlt"
    ).split(" "),
  },
  tools: ["install-program"],
  effects: ["run-program", "read-path", "write-path", "delete-path", "reach-host"],
  cost: "the declaration of its tool, where something is missing",
  test: "src/act/tools/shell/install-program.test.ts › what is missing is installed with the owner's yes to the very words that run, and the command that lacked it runs then",
};
