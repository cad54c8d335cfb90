import type { AllowedTool } from "../signal/skill.ts";
import { foldName } from "../text/fold-name.ts";
import { familiarTools } from "./familiar-names.ts";

/** The tools that the words of `allowed-tools` mean here: `Bash(git add:*)` is the shell with `git add`. A limit that cannot be kept allows nothing. */
export function readAllowedTools(words: readonly string[]): readonly AllowedTool[] {
  return words.flatMap((word): readonly AllowedTool[] => {
    const [, name = "", limit] = /^([^()]+)(?:\(([^()]*)\))?$/.exec(word) ?? [];
    const tool = familiarTools.get(foldName(name)) ?? name.toLowerCase().replace(/^mcp__/, "");
    if (tool === "") return [];
    if (limit === undefined || limit === "*") return [{ tool }];
    if (tool !== "shell") return [];
    const argv = limit
      .replace(/(?::| )?\*$/, "")
      .split(/\s+/)
      .filter((part) => part !== "");
    if (argv.length === 0 || argv.some((part) => /[*?[\]{}]/.test(part))) return [];
    return [{ tool, argv, ...(limit.endsWith("*") ? {} : { whole: true }) }];
  });
}
