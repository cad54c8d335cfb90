/** A setting of a filter of git, which `.gitattributes` names for some files. */
export type FilterSetting = {
  readonly filter: string;
  readonly key: "clean" | "smudge" | "required";
  readonly value: string;
};

/** The filters of an owner's settings by their names, each with what it does there. */
export type FoundFilters = Map<string, Set<string>>;

/** Takes down what a setting says of a filter; false for any other setting. An empty one takes it back. */
export function findFilter(found: FoundFilters, key: string, value: string): boolean {
  const [, name, does] = /^filter\.(.+)\.(clean|smudge|process)$/s.exec(key) ?? [];
  if (name === undefined || does === undefined) return false;
  const all = found.get(name) ?? new Set();
  if (value === "") all.delete(does);
  else all.add(does);
  found.set(name, all);
  return true;
}

/**
 * What stands in the sandbox for the filters of the owner's own settings, whose programs do not run there.
 * Git calls an unknown filter none, and would keep the file itself where its owner's keeps a pointer to it;
 * with these it fails, says why, and touches nothing. The settings of a repository win.
 */
export function settingsOfFilters(found: FoundFilters): readonly FilterSetting[] {
  return [...found].flatMap(([filter, does]): readonly FilterSetting[] => {
    if (does.size === 0) return [];
    const fails = failing(filter);
    const isBoth = does.has("process");
    return [
      { filter, key: "clean", value: isBoth || does.has("clean") ? fails : "cat" },
      { filter, key: "smudge", value: isBoth || does.has("smudge") ? fails : "cat" },
      { filter, key: "required", value: "true" },
    ];
  });
}

/** Git puts the name of the file in the place of `%f`, quoted for the shell. */
function failing(filter: string): string {
  const name = /^[\w.-]+$/.test(filter) ? `filter.${filter}` : "a filter";
  const local = filter === "lfs" ? "git lfs install --local" : "git config --local";
  return `echo %f": ${name} of the owner's git settings does not run in commands of the agent, and without it git would keep other contents. Its owner does this step in a terminal, or puts the filter into the settings of this repository: ${local}" >&2; exit 1`;
}
