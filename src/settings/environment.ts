/** Variables by name: those of the process, or of the settings file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables whose value is an absolute path, but where a shell stands and stood. */
export function folderVariablesOf(environment: Environment): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) =>
      value?.startsWith("/") && name !== "PWD" && name !== "OLDPWD" ? [[name, value]] : [],
    ),
  );
}
