import { oneLine } from "../../text/visible.ts";
import { anyWord, type Rule, type RuleEffect } from "./rule.ts";

/** A rule in words: what it allows, each thing once, and where. */
export function describeRule({ workspace, command, effects }: Rule): readonly string[] {
  const open = [command ?? "", ...effects.map(({ target }) => target)].some((text) => text.includes(anyWord));
  return [
    `in ${oneLine(workspace)}, without asking:`,
    ...new Set(effects.map((effect) => `  ${describe(effect, command)}`)),
    ...(open ? [`  ${anyWord} stands for one word or file name: no option, no path, no hidden file`] : []),
  ];
}

function describe(effect: RuleEffect, command: string | null): string {
  const target = oneLine(effect.target);
  switch (effect.kind) {
    case "run-program": {
      const network =
        effect.network.length === 0
          ? "without network"
          : `with network to ${effect.network.map(oneLine).join(", ")}`;
      const files =
        effect.scripts === null
          ? "whatever the files there make of it"
          : "while its scripts and all other code here are as they are now, and where all that it can read is public";
      return `run \`${oneLine(command ?? effect.argv.join(" "))}\` in the sandbox, ${network}, ${files}`;
    }
    case "read-path":
      return `read the ${effect.access} of ${target}${effect.tree ? " and below" : ""}`;
    case "write-path":
      return `write ${target}, if it can be undone`;
    case "reach-host":
      return `reach ${effect.scheme}://${target}:${effect.port} with public text`;
  }
}
