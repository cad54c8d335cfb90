import { execFile } from "node:child_process";
import { join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** Milliseconds for a program to say its version. */
const patience = 20_000;

/** What Java signal-cli's start script would find, in words. A build of signal-cli without Java needs none. */
export async function describeJava(variables: Variables): Promise<string> {
  const version = await javaVersion(variables);
  return version === null ? "no Java was found by JAVA_HOME or PATH" : `Java ${version}`;
}

/** The version of the Java that JAVA_HOME or else PATH gives; null where there is none. */
export async function javaVersion(variables: Variables): Promise<string | null> {
  const home = variables["JAVA_HOME"] ?? "";
  const said = await ask(home === "" ? "java" : join(home, "bin", "java"), ["-version"], variables);
  return said === null ? null : (/version "([^"]+)"/.exec(said)?.[1] ?? null);
}

/** Whether PATH has a signal-cli. */
export async function hasSignalCli(variables: Variables): Promise<boolean> {
  return (await ask("signal-cli", ["--version"], variables)) !== null;
}

/** What a program said; null where it could not be started. */
function ask(program: string, args: readonly string[], variables: Variables): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const options = { env: { ...variables }, timeout: patience, maxBuffer: 100_000 };
  execFile(program, [...args], options, (error, out, err) => {
    resolve(error !== null && error.code === "ENOENT" ? null : `${out}${err}`);
  });
  return promise;
}
