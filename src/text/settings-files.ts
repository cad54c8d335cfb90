/** Names of files in which programs keep settings, and with them keys. */
const settings =
  /(?:rc|\.conf|\.cfg|\.cnf|\.ini|\.toml|\.ya?ml|\.properties|^config|^netrc|^credentials|(?:^|[._-])(?:config|settings|auth)\.json)(?:[.~](?:bak|old|orig|save)?)?$/i;
/** Those of package managers, which name their registries with a login. */
const ofRegistries =
  /^(?:\.?npmrc|pip\.(?:conf|ini)|\.?condarc|\.?yarnrc(?:\.yml)?|config(?:\.toml)?|uv\.toml|credentials|netrc|bunfig\.toml|nuget\.config)(?:[.~](?:bak|old|orig|save)?)?$/i;
const keyOfRegistry =
  /(?:_auth|auth_?token|auth_?ident|password|passwd|token|secret)["']?[ \t]{0,9}[=: \t][ \t]{0,9}["']?[^\s"'$]|:\/\/[^\s/@]+@|\/t\/[^\s/]+\//i;

/** Whether a file holds settings, by its name. */
export function isSettings(path: string): boolean {
  return settings.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether settings of a package manager name a login, whatever its value looks like. */
export function mayHoldKey(name: string, text: string): boolean {
  return ofRegistries.test(name) && keyOfRegistry.test(text);
}
