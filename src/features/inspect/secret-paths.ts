import { resolve } from "node:path";
import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { SecretExceptions } from "../../settings/secret-exceptions.ts";
import { resolveLinks } from "../../settings/user-folders.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { secretPathsSpec } from "./command-specs.ts";

/** Lists, adds and removes the owner's exceptions to the secret paths. A running agent knows them at once, and each verdict records them. */
export async function secretPathsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, secretPathsSpec);
  const [given = "."] = words;
  const { secretExceptions } = loadPolicy(io.environment);
  if (verb === "list") {
    const paths = secretExceptions.all();
    if (paths.length === 0 && !values.json)
      io.out("Every secret path is kept. Take one off the list by: passepartout secret-paths allow PATH\n");
    for (const each of paths)
      io.out(values.json ? `${JSON.stringify({ path: each })}\n` : escapeForTerminal(`${each}\n`));
    return exitCodes.done;
  }
  const path = resolveLinks(resolve(io.cwd, given));
  const { done, words: said } =
    verb === "allow" ? allow(secretExceptions, path) : forget(secretExceptions, path);
  if (done) await tellUnrecorded(io);
  if (values.json)
    io.out(`${JSON.stringify({ path, [verb === "allow" ? "allowed" : "forgotten"]: done })}\n`);
  else (done ? io.out : io.err)(escapeForTerminal(`${said}\n`));
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
