import { join } from "node:path";
import { installationRoot } from "../../update/own-build.ts";
import { emacsSpec } from "../table/setting-up.ts";
import { exitCodes, type Io } from "./io.ts";
import { parseCommand } from "./options.ts";

/** Prints the lines by which Emacs finds its client of the agent. */
export async function emacsCommand(io: Io): Promise<number> {
  parseCommand(io, emacsSpec);
  const folder = JSON.stringify(join(installationRoot(), "dist", "emacs"));
  io.output.write(`(add-to-list 'load-path ${folder})\n`);
  io.output.write(`(autoload 'passepartout "passepartout" "Talk to Passepartout." t)\n`);
  io.output.write(
    `(autoload 'passepartout-ask-about-subtree "passepartout" "Ask Passepartout about a subtree." t)\n`,
  );
  io.output.write(
    `(autoload 'passepartout-questions-open "passepartout-questions" "Show Passepartout's questions." t)\n`,
  );
  io.output.write(
    `(add-to-list 'auto-mode-alist '("/questions\\\\.org\\\\'" . passepartout-questions-open))\n`,
  );
  return exitCodes.done;
}
