import { asNamedOnDisk } from "../files/named-on-disk.ts";
import { opensFile, type SimpleCommand } from "./program.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";
import { wordedChanges } from "./programs/worded-changes.ts";

/**
 * A command with the files that its words and redirections name, as they are on the disk: a name that is not
 * there, but once in another Unicode form, means what is there, and makes no second file of the same look.
 */
export async function namedOnDisk(command: SimpleCommand, cwd: string): Promise<SimpleCommand> {
  const proof = proveHarmless(command.argv);
  const files = new Set((proof.harmless ? proof.reads : wordedChanges(command.argv)).map(({ path }) => path));
  const [argv, redirects] = await Promise.all([
    Promise.all(command.argv.map(async (word) => (files.has(word) ? onDisk(word, cwd) : word))),
    Promise.all(
      command.redirects.map(async (redirect) =>
        opensFile(redirect) ? { ...redirect, target: await onDisk(redirect.target, cwd) } : redirect,
      ),
    ),
  ]);
  return { ...command, argv, redirects };
}

async function onDisk(name: string, cwd: string): Promise<string> {
  const above = name.startsWith("/") ? "" : `${cwd}/`;
  const found = await asNamedOnDisk(`${above}${name}`);
  return found.ok ? found.value.slice(above.length) : name;
}
