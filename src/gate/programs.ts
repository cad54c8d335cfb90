import type { RunProgram } from "../signal/effect.ts";
import { type Folders, notesFolders } from "../signal/facts.ts";
import { isInside } from "../text/is-inside.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";
import { hidden } from "./path.ts";

/** The owner gate of programs. A command that is proved harmless passes; any other asks, and one that uses a credential asks each time: no rule and no plan allows it. A proof is about the installed program, so it does not count for a binary in a folder that the agent may write. */
export const programs: Gate = {
  name: "programs",
  priority: 500,
  revision: 6,
  answer(effect, { folders }) {
    if (effect.kind !== "run-program") return { result: "not-concerned" };
    const command = oneLine(effect.argv.join(" "));
    if ((effect.argv[0] ?? "").trim() === "") {
      return { result: "block", code: "empty-program", reason: "the command names no program" };
    }
    if (effect.argv.some((word) => word.includes("\0"))) {
      return {
        result: "block",
        code: "malformed-program",
        reason: `the command ${command} has a NUL character`,
      };
    }
    if (effect.argv.some((word, at) => hidden.test(word) && isJudgedByEye(word, at, effect.argv))) {
      return {
        result: "block",
        code: "hidden-character",
        reason: `the command ${command} has control characters, or characters that turn the direction of text, in a program, option or path`,
      };
    }
    if (isPlanted(effect, folders)) {
      return ask(
        "planted-program",
        `\`${command}\` would run a program from a folder that the agent may write`,
      );
    }
    if (effect.identity === "shadowed" && effect.proof !== null) {
      return ask(
        "shadowed-program",
        `\`${command}\` would run ${oneLine(effect.binary ?? "a program")}, which is not the system's own program of this name`,
      );
    }
    const proof = (effect.proof ?? "").trim();
    if (proof !== "") return { result: "passed", reason: `proved harmless: ${oneLine(proof)}` };
    const doubt = effect.doubt === "" ? "nothing proves it harmless" : oneLine(effect.doubt);
    if (effect.confined && (effect.credentials ?? []).length > 0)
      return ask(
        "uses-credential",
        `\`${command}\` cannot be proved harmless (${doubt}); it would run sandboxed, ${networkWords(effect)}; there it can use ${credentialWords(effect)}, of which it sees a placeholder`,
      );
    if (effect.confined) {
      const unproved = ask(
        "unproved-program",
        `\`${command}\` cannot be proved harmless (${doubt}); it would run sandboxed, ${networkWords(effect)}`,
      );
      return isTriable(effect) ? { ...unproved, trial: true } : unproved;
    }
    return ask(
      "unconfined-program",
      `\`${command}\` cannot be proved harmless (${doubt}) and would run without a sandbox, with all your permissions`,
    );
  },
};

/** Whether a person judges a command by this word: the program, an option, a path, or a whole script. */
function isJudgedByEye(word: string, at: number, argv: readonly string[]): boolean {
  return at === 0 || /^-|\//.test(word) || /^-\w*c$/.test(argv[at - 1] ?? "");
}

/** A trial tells what a command does, where it runs over an overlay, without network, and its words do not say that it needs more. */
export function isTriable({ triable, untried, network = [] }: RunProgram): boolean {
  return triable === true && untried === undefined && network.length === 0;
}

/** What leaves through an approved host is not known beforehand. */
function networkWords({ network = [], missed }: RunProgram): string {
  if (network.length === 0) return "without network";
  const origin =
    missed === true ? ", which it tried to reach by itself when it failed without network," : ",";
  return `with network to ${network.map((host) => oneLine(host)).join(", ")} only${origin} and can send there whatever it can read`;
}

function credentialWords({ credentials = [] }: RunProgram): string {
  return `your credential ${credentials.map((each) => oneLine(each)).join(", ")}`;
}

function isPlanted({ binary }: RunProgram, folders: Folders): boolean {
  if (binary === null || folders.own.some((folder) => isInside(folder, binary))) return false;
  return [folders.workspace, ...notesFolders(folders)].some(
    (folder) => folder !== null && isInside(folder, binary),
  );
}

function ask(code: string, reason: string): { result: "ask"; code: string; reason: string } {
  return { result: "ask", code, reason };
}
