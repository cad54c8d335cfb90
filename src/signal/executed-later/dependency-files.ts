/** Lists of what a package manager installs, each with the versions and places that were chosen. */
const lockFile =
  /(?:^|[.-])lock(?:file)?(?:\.(?:json|ya?ml|toml|hcl))?$|^(?:npm-shrinkwrap\.json|(?:requirements|constraints)[^/]*\.(?:txt|in|ya?ml)|pipfile|go\.(?:mod|work)|package\.resolved|cartfile(?:\.\w+)?|bower\.json|elm\.json|vcpkg(?:-configuration)?\.json|galaxy\.yml|chart\.yaml|pubspec(?:_overrides)?\.yaml|environment(?:[.-][\w-]+)?\.ya?ml|(?:uv|poetry|gleam|manifest|project)\.toml|rebar\.lock|cabal\.project\.freeze)$/;

/** The tables of a manifest in which nothing is executed, except what names another place. */
const plainTables: ReadonlyMap<string, RegExp> = new Map([
  [
    "pyproject.toml",
    /^(?:build-system|project(?:\.(?:urls|optional-dependencies|license|readme))?|dependency-groups|tool\.(?:ruff|black|isort|pyright)(?:\..*)?|tool\.poetry(?:\.(?:urls|dependencies|dev-dependencies|group\.[\w-]+\.dependencies))?)$/,
  ],
  [
    "cargo.toml",
    /^(?:package|lib|bin|example|test|bench|features|(?:dev-)?dependencies(?:\.[\w-]+)?|profile\..*|lints(?:\..*)?|workspace(?:\.(?:package|dependencies))?)$/,
  ],
]);

/** What names a place or a program, in the words of any package manager: addresses, options of `pip`, replacements of `go.mod`, keys of tables. */
const places = new RegExp(
  [
    String.raw`\b(?!(?:sha\d+|md5):)[a-z][a-z0-9+.-]{0,30}:[^\s"'` +
      "`" +
      String.raw`]*[^\s"'` +
      "`" +
      String.raw`,;)\]}<>]`,
    String.raw`\bgit@\S+`,
    String.raw`^[ \t]*(?:-[efrci]|--(?:editable|find-links|requirement|constraint|(?:extra-)?index-url|trusted-host))\b.*`,
    "=>.*",
    String.raw`\b(?:path|build|links|backend-path)[ \t]*=.*`,
    // In YAML: another folder, and the channels that packages come from.
    String.raw`^[ \t-]*path:[ \t]+\S.*`,
    String.raw`^channels:(?:[ \t]*\S.*|(?:\n[ \t]*-.*)+)`,
    String.raw`\bbuild-backend[ \t]*=(?![ \t]*["'](?:hatchling\.build|setuptools\.build_meta|flit_core\.buildapi|poetry\.core\.masonry\.api|pdm\.backend|uv_build|maturin)["']).*`,
  ].join("|"),
  "gim",
);

/**
 * Layouts by which a registry names a package, after its own address: npm's `NAME/-/NAME-VERSION.tgz`, and files by their hash, as PyPI has
 * them. Only what stands before is the place, so that a host that serves many owners is none.
 */
const registryLayouts = [
  /^(https:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)*?)\/(?:@[\w.-]+(?:\/|%2f))?([a-z0-9_][\w.-]*)\/-\/\2-\d[\w.+-]*\.tgz(?:#[\w+/=.-]*)?$/i,
  /^(https:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)*?)\/[\da-f]{2}\/[\da-f]{2}\/[\da-f]{60}\/[\w.+-]+(?:#[\w+/=.-]*)?$/,
];

/**
 * Says what of a package manager's own file a change makes executed later: a package from a place that the file did not name before, or, in a
 * manifest, a table that builds or tests obey. Null if nothing, and for every other file. `name` is in lower case.
 */
export function changedDependencies(name: string, before: string, after: string): string | null {
  if (lockFile.test(name)) return newPlace(name, before, after);
  const plain = plainTables.get(name);
  if (plain === undefined) return null;
  if (/"""|'''/.test(before + after)) return "it has strings of several lines, in which tables could hide";
  const [old, made] = [readTables(before), readTables(after)];
  for (const table of new Set([...old.keys(), ...made.keys()])) {
    const [was, is] = [old.get(table) ?? "", made.get(table) ?? ""];
    if (was === is) continue;
    if (!plain.test(table)) return `a build or a test obeys its table [${table}]`;
    const place = /urls$/.test(table) ? null : newPlace(name, was, is);
    if (place !== null) return place;
  }
  return null;
}

/** Whether a file, by its name in lower case, is one that `changedDependencies` looks into. */
export function isDependencyFile(name: string): boolean {
  return lockFile.test(name) || plainTables.has(name);
}

function newPlace(name: string, before: string, after: string): string | null {
  const known = new Set(placesIn(name, before).map(withoutPackage));
  const found = placesIn(name, after).find((place) => !known.has(withoutPackage(place)));
  return found === undefined
    ? null
    : `it takes a package from a place that the file did not name before (${found.slice(0, 100)})`;
}

/** The registry of an address that has a registry's layout, and any other place as it is. */
function withoutPackage(place: string): string {
  const layout = registryLayouts.find((one) => one.test(place));
  return layout?.exec(place)?.[1] ?? place;
}

/** In JSON only addresses count: a key is no option. */
function placesIn(name: string, text: string): readonly string[] {
  const found = [...text.matchAll(places)].map(([place]) => place.trim());
  const isJson = name.endsWith(".json") || name === "composer.lock" || name === "pipfile.lock";
  return isJson
    ? found.filter((place) => /^[a-z][a-z0-9+.-]*:\S/i.test(place) || place.startsWith("git@"))
    : found;
}

/** The lines of each table of a TOML text. Every line that could begin a table is taken for one. */
function readTables(text: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  let table = "";
  for (const line of text.split("\n")) {
    const header = /^\s*\[\[?([^\]]*)\]?/.exec(line);
    if (header !== null) table = (header[1] ?? "").replaceAll(/["'\s]/g, "");
    else if (line.trim() !== "") tables.set(table, `${tables.get(table) ?? ""}${line}\n`);
  }
  return tables;
}
