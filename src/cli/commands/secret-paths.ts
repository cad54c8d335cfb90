import { resolve } from "node:path";
import { escapeForTerminal } from "../../gate/visible.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { SecretExceptions } from "../../settings/secret-exceptions.ts";
import { resolveLinks } from "../../settings/user-folders.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { tellUnrecorded } from "./tell-unrecorded.ts";

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
  const { secretExceptions } = loadPolicy(io.environment);
  if (verb === "list") {
    const paths = secretExceptions.all();
    if (paths.length === 0 && !values.json)
      io.out("Every secret path is kept. Take one off the list by: passepartout secret-paths allow PATH\n");
    for (const each of paths)
      io.out(values.json ? `${JSON.stringify({ path: each })}\n` : escapeForTerminal(`${each}\n`));
    return exitCodes.done;
  }
  const path = resolveLinks(resolve(io.cwd, given ?? "."));
  const { done, words } = verb === "allow" ? allow(secretExceptions, path) : forget(secretExceptions, path);
  if (done) await tellUnrecorded(io);
  if (values.json)
    io.out(`${JSON.stringify({ path, [verb === "allow" ? "allowed" : "forgotten"]: done })}\n`);
  else (done ? io.out : io.err)(escapeForTerminal(`${words}\n`));
  return done ? exitCodes.done : exitCodes.failed;
}

type Said = { readonly done: boolean; readonly words: string };

function allow(exceptions: SecretExceptions, path: string): Said {
  const allowed = exceptions.allow(path);
  if ("refused" in allowed) return { done: false, words: allowed.refused };
  return {
    done: true,
    words: `${path} (${allowed.rule}) is judged like any other path from now on. To take that back: passepartout secret-paths forget ${path}`,
  };
}

function forget(exceptions: SecretExceptions, path: string): Said {
  const done = exceptions.forget(path);
  return {
    done,
    words: done
      ? `${path} is a secret path again.`
      : `${path} was not taken off the list. passepartout secret-paths list shows what was.`,
  };
}
