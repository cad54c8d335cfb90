import { resolve } from "node:path";
import { isInsideFolded } from "../../gate/path.ts";
import { secretPathRule } from "../../gate/secret-path.ts";
import { escapeForTerminal } from "../../gate/visible.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { resolveLinks } from "../../settings/user-folders.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout secret-paths list | allow PATH | forget PATH   [--json]
The paths that you took off the list of secret paths (keys, credentials, .env files). No action reads or writes a secret path, whatever you approve.
  list     prints the paths that were taken off the list
  allow    takes PATH, with everything below it, off the list: it is then judged like any other path
  forget   puts PATH back on the list
  --json   prints a JSON object for each path
Exit codes: 0 done, 1 the path is not secret or was not allowed, 2 wrong usage.`;

/** Lists, adds and removes the owner's exceptions to the secret paths. A running agent knows them at once, and each verdict records them. */
export async function secretPathsCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [verb = "list", given, ...more] = positionals;
  if (more.length > 0) throw usageError("Too many arguments.", usage);
  if (verb !== "list" && verb !== "allow" && verb !== "forget")
    throw usageError("secret-paths needs one of list, allow, forget.", usage);
  if ((verb === "list") !== (given === undefined))
    throw usageError(verb === "list" ? "list takes no path." : `${verb} needs a PATH.`, usage);
  const { folders, secretExceptions } = loadPolicy(io.environment);
  const path = resolveLinks(resolve(io.cwd, given ?? "."));
  const say = (words: string, done: boolean): number => {
    const line = values.json
      ? `${JSON.stringify({ path, [verb === "allow" ? "allowed" : "forgotten"]: done })}\n`
      : `${words}\n`;
    (done ? io.out : io.err)(escapeForTerminal(line));
    return done ? exitCodes.done : exitCodes.failed;
  };
  if (verb === "list") {
    const paths = secretExceptions.all();
    if (paths.length === 0 && !values.json)
      io.out("Every secret path is kept. Take one off the list by: passepartout secret-paths allow PATH\n");
    for (const each of paths)
      io.out(escapeForTerminal(values.json ? `${JSON.stringify({ path: each })}\n` : `${each}\n`));
    return exitCodes.done;
  }
  if (verb === "forget") {
    const removed = secretExceptions.remove(path);
    return say(
      removed
        ? `${path} is a secret path again.`
        : `${path} was not taken off the list. passepartout secret-paths list shows what was.`,
      removed,
    );
  }
  const rule = secretPathRule(path, folders.home);
  if (folders.own.some((folder) => isInsideFolded(folder, path) || isInsideFolded(path, folder)))
    return say(`${path} is or holds a folder of the agent itself, which no action may read or write.`, false);
  if (rule === null) return say(`${path} is no secret path, so there is nothing to allow.`, false);
  secretExceptions.add(path);
  return say(
    `${path} (${rule}) is judged like any other path from now on. To take that back: passepartout secret-paths forget ${path}`,
    true,
  );
}
