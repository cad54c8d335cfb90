import { placesInJson, readForms } from "./decoded-places.ts";

/** Lists of what a package manager installs, each with the versions and places that were chosen. */
const lockFile =
  /(?:^|[.-])lock(?:file)?(?:\.(?:json|ya?ml|toml|hcl))?$|^(?:npm-shrinkwrap\.json|(?:[^/]*[._-])?(?:requirements|constraints)[^/]*\.(?:txt|in|ya?ml)|pipfile|go\.(?:mod|work)|package\.resolved|cartfile(?:\.\w+)?|bower\.json|elm\.json|vcpkg(?:-configuration)?\.json|galaxy\.yml|chart\.yaml|pubspec(?:_overrides)?\.yaml|environment(?:[.-][\w-]+)?\.ya?ml|(?:uv|poetry|gleam|manifest|project)\.toml|rebar\.lock|cabal\.project\.freeze)$/;

/** The tables of a manifest in which nothing is executed, except what names another place. */
const plainTables: ReadonlyMap<string, RegExp> = new Map([
  [
    "pyproject.toml",
    /^(?:build-system|project(?:\.(?:urls|optional-dependencies|license|readme))?|dependency-groups|tool\.(?:ruff|black|isort|pyright)(?:\..*)?|tool\.poetry(?:\.(?:urls|dependencies|dev-dependencies|group\.[\w-]+\.dependencies))?)$/,
  ],
  [
    "cargo.toml",
    /^(?:package(?:\.(?!build$|metadata$)[\w-]+)?|lib|bin|example|test|bench|features|(?:dev-)?dependencies(?:\.[\w-]+)?|profile\..*|lints(?:\..*)?|workspace(?:\.(?:package|dependencies))?)$/,
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
    String.raw`(?:^[ \t-]*|[{,][ \t]*)["']?path["']?:[ \t]*(?:[|>]\S*[ \t]*)?(?:\n[ \t]+)?\S.*`,
    // Nobody reads here what a tag makes of a value.
    String.raw`^.*(?:!!binary|!<|^%TAG\b).*`,
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
  if (escapedKey.test(after)) return "it has a key with escapes, which hide what the key is";
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

/**
 * The name by which a file is read as a manifest or a list of packages, of the parts of its path in lower
 * case: any list in a folder of requirements is one.
 */
export function manifestName(segments: readonly string[]): string {
  const name = segments.at(-1) ?? "";
  const isList = segments.at(-2) === "requirements" && /\.(?:txt|in)$/.test(name);
  return isList ? `requirements-${name}` : name;
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

/** Keys of TOML in quotes, which mean the same without. */
const quotedKey = /(["'])([\w-]+)\1(?=[ \t]*(?:=(?!=)|\.))/g;
const escapedKey = /"[^"\n]*\\[^"\n]*"[ \t]*(?:=(?!=)|\.)/;
/** The key of a line of TOML, which may be dotted. */
const keyOfLine = /^\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=/;

/** In JSON only addresses count, and the fields that name a place: any other key is no option. */
function placesIn(name: string, written: string): readonly string[] {
  const json = /^\s*[[{]/.test(written) ? placesInJson(written) : null;
  const forms = json === null ? readForms(written) : [...readForms(written), json.texts];
  const found = forms.flatMap((form) => placesInForm(name, form));
  const isJson = json !== null || /\.json$|^(?:composer|pipfile|flake|deno)\.lock$/.test(name);
  const places = isJson
    ? found.filter((place) => /^[a-z][a-z0-9+.-]*:\S/i.test(place) || place.startsWith("git@"))
    : found;
  const linked = npmLock.test(name) ? linkedInNpm(written) : [];
  return [...new Set([...places, ...(json?.fields ?? []), ...linked])];
}

function placesInForm(name: string, form: string): readonly string[] {
  const text = form.replaceAll(quotedKey, "$2");
  return [...text.matchAll(places), ...placesOfOne(name, text)].map(([place]) => place.trim());
}

/**
 * What is a place in the lines of one program alone: for `pip` a path, a file of a package and any option but
 * those that only narrow what is installed; for `go` the folders that a workspace uses; for Carthage each
 * repository.
 */
function placesOfOne(name: string, text: string): Iterable<RegExpMatchArray> {
  if (/(?:requirements|constraints)[^/]*\.(?:txt|in)$/.test(name))
    return text.replaceAll(/(^|\s)#.*$/gm, "$1").matchAll(pipPlace);
  if (name === "go.work")
    return text.matchAll(/^[ \t]*(?:use[ \t(]+)?["`]?(?:\.{1,2}(?:\/|["`]?\s*$)|\/).*/gm);
  return name.startsWith("cartfile") ? text.matchAll(/^[ \t]*(?:github|git|binary)[ \t]+\S.*/gm) : [];
}

const pipPlace = new RegExp(
  [
    String.raw`^[ \t]*(?!#|--hash)[^\s#;]*\/[^\s#;]*`,
    String.raw`^[ \t]*\.[^\s#;]*`,
    String.raw`^[ \t]*[^\s#;=<>~]+\.(?:whl|zip|tgz|tar|tbz|txz|tlz|tar\.\w+)(?=[\s#;]|$)`,
    String.raw`@[ \t]*[./$]\S*`,
    String.raw`(?:^|[ \t])-(?!-(?:hash|require-hashes|pre|prefer-binary|only-binary|no-binary)\b)-?[a-z]\S*(?:[ \t]+\S+)?`,
  ].join("|"),
  "gim",
);

const npmLock = /^(?:package-lock|npm-shrinkwrap)\.json$/;

/**
 * Folders that a lock file of npm puts in the place of a package, and packages that it puts there under the
 * name of another one.
 */
function linkedInNpm(text: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value !== "object" || value === null || !("resolved" in value)) return value;
      const { resolved } = value;
      const name = key.replace(/^.*node_modules\//, "");
      const packed = packageOf(`${resolved}`);
      if ("link" in value && value.link === true) found.push(`file:${resolved} for ${name}`);
      else if (packed !== null && packed !== name.toLowerCase()) found.push(`npm:${packed} for ${name}`);
      return value;
    });
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  return found;
}

/** The package in an address of npm's layout. */
function packageOf(resolved: string): string | null {
  const [, name = null] =
    /\/((?:@[\w.-]+\/)?[\w.-]+)\/-\/[^/]+$/.exec(resolved.toLowerCase().replace("%2f", "/")) ?? [];
  return name;
}

/** The lines of each table of a TOML text. Every line that could begin a table is taken for one. */
function readTables(text: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  let header = "";
  for (const written of text.split("\n")) {
    const begins = /^\s*\[\[?([^\]]*)\]?/.exec(written);
    if (begins !== null) header = (begins[1] ?? "").replaceAll(/["'\s]/g, "");
    if (begins !== null || written.trim() === "") continue;
    const line = written.replaceAll(quotedKey, "$2");
    const keys =
      keyOfLine
        .exec(line)?.[1]
        ?.split(/\s*\.\s*/)
        .slice(0, -1) ?? [];
    const table = [header, ...keys].filter((part) => part !== "").join(".");
    tables.set(table, `${tables.get(table) ?? ""}${line}\n`);
  }
  return tables;
}
