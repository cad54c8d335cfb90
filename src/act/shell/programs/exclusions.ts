/** How a program that searches folders leaves files out: the notation of its options, and where in its words they go. They go last, because the last option wins. */
export type Exclusion = { readonly form: ExclusionForm; readonly at: number };
export type ExclusionForm = "grep" | "rg" | "diff" | "git";

/** A file or folder that a search must not open: its real path. */
export type LeftOut = { readonly path: string; readonly kind: "file" | "folder" };

/** The words of a search with options that leave paths out, by name where the program knows no paths. */
export function leaveOut(
  argv: readonly string[],
  { form, at }: Exclusion,
  paths: readonly LeftOut[],
): readonly string[] {
  const words = new Set(paths.flatMap((path) => optionsOf(form, path)));
  return [...argv.slice(0, at), ...words, ...argv.slice(at)];
}

function optionsOf(form: ExclusionForm, { path, kind }: LeftOut): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const literal = name.replace(/[*?[\]\\{}!]/g, "\\$&");
  switch (form) {
    case "grep":
      return [kind === "folder" ? `--exclude-dir=${literal}` : `--exclude=${literal}`];
    case "rg":
      // rg reads these after every --glob, and the last one wins.
      return [`--iglob=!**/${literal}`];
    case "diff":
      return [`--exclude=${literal}`];
    case "git":
      return [`:(exclude,literal)${path}`];
  }
}
