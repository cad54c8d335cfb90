import { isText } from "./text-files.ts";

/** Names of files in which programs keep settings, and with them keys. */
const settings =
  /(?:rc|\.conf|\.cfg|\.cnf|\.ini|\.toml|\.ya?ml|\.properties|^config|^netrc|^credentials|(?:^|[._-])(?:config|settings|auth)\.json)(?:[.~](?:bak|old|orig|save)?)?$/i;
/** Files in which programs and people keep anything else. */
const data = /\.(?:json|xml|csv|env|(?:ba|z|fi)?sh|profile|history)$/i;
/** Folders of what somebody else published, into which no program writes a login. */
const ofPackages = /\/(?:node_modules|(?:site|dist)-packages|pkgs|lib(?:32|64|x32)?|include)\//;

/** The settings of package managers, which name their registries with a login. */
const ofRegistries =
  /^(?:\.?npmrc|pip\.(?:conf|ini)|\.?condarc|\.?yarnrc(?:\.yml)?|config(?:\.toml)?|uv\.toml|credentials|netrc|bunfig\.toml|nuget\.config)(?:[.~](?:bak|old|orig|save)?)?$/i;
const keyOfRegistry =
  /(?:_auth|auth_?token|auth_?ident|password|passwd|token|secret)["']?[ \t]{0,9}[=: \t][ \t]{0,9}["']?[^\s"'$]|:\/\/[^\s/@]+@|\/t\/[^\s/]+\//i;

const names = "(?:auth|access|api|secret|private)[_-]?(?:token|key|ident)|password|passwd|token|secret";
/** What stands in the place of a value, names its kind, or is the version of a package of such a name. */
const noValue =
  "(?:null|none|nil|true|false|yes|no|str|string|text|int|integer|number|bool|boolean|object|required|optional|[~^]?\\d+\\.\\d+\\.\\d+(?:-(?:alpha|beta|rc)[.\\d]{0,9})?)(?=[\"'\\s,;<)|\\]}=]|$)";
/** A value is a word in quotes or to the end of its line, or stands in an element. */
const inQuotes = `["'](?!${noValue})[^\\s"'$<{%]{4,}["']`;
const toTheEnd = `(?!${noValue})(?:[^\\s"'$<{%(]{200}|[^\\s"'$<{%(]{4,199}[ \\t]{0,9},?[ \\t\\r]{0,9}$)`;
const assigned = new RegExp(
  `(?:${names})["']?[ \\t]{0,9}(?:=>|[=:])[ \\t]{0,9}(?:${inQuotes}|${toTheEnd})|["']auth["'][ \\t]{0,9}:[ \\t]{0,9}["'][\\w+/=-]{8,}["']|<(?:${names})>(?!${noValue})[^\\s<$]{4,}<`,
  "i",
);
const inAddress = /:\/\/[^\s/@:"'<>]{0,200}:[^\s/@"'$<>{]{1,200}@[\w.-]/;
const comment = /^[ \t]*(?:#|;|\/\/|\*)/;

/** Whether a file holds settings, by its name. */
export function isSettings(path: string): boolean {
  return settings.test(nameOf(path));
}

/**
 * Whether a file may name a login, by its name and place: settings, and outside of packages any data or text.
 */
export function mayNameLogin(path: string): boolean {
  const name = nameOf(path);
  return settings.test(name) || (!ofPackages.test(path) && (data.test(name) || isText(name)));
}

/**
 * Whether a file of these names a login, whatever its value looks like. Comments do not count, unless in the
 * settings of a package manager.
 */
export function namesLogin(path: string, text: string): boolean {
  if (ofRegistries.test(nameOf(path)) && keyOfRegistry.test(text)) return true;
  if (inAddress.test(text)) return true;
  return text.split("\n").some((line) => assigned.test(line) && !comment.test(line));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
