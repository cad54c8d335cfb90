import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What Java signal-cli's start script would find, in words. A build of signal-cli without Java needs none.
 * Nothing is started.
 */
export function describeJava(variables: Variables): string {
  const version = javaVersion(variables);
  return version === null ? "no Java was found by JAVA_HOME or PATH" : `Java ${version}`;
}

/**
 * The version of the Java that JAVA_HOME or else PATH gives, as its own files say; null where there is none.
 */
export function javaVersion(variables: Variables): string | null {
  const home = variables["JAVA_HOME"] ?? "";
  const java = home === "" ? onPath("java", variables) : join(home, "bin", "java");
  if (java === null || !existsSync(java)) return null;
  const release = join(dirname(dirname(realpathSync(java))), "release");
  const said = existsSync(release) ? readFileSync(release, "utf8") : "";
  return /^JAVA_VERSION="([^"\n]{1,40})"$/m.exec(said)?.[1] ?? "of unknown version";
}

/** Whether PATH has a signal-cli. */
export function hasSignalCli(variables: Variables): boolean {
  return onPath("signal-cli", variables) !== null;
}

function onPath(program: string, { PATH = "" }: Variables): string | null {
  const folders = PATH.split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}
