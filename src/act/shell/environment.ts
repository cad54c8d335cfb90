import { sandboxHome } from "../sandbox/bubblewrap.ts";

/**
 * The environment of a confined or harmless program: no keys and no sockets. A program that was proved to
 * only read gets no settings that could name other programs. `searchPath`: what `PATH` is, where the system's
 * own is not all.
 */
export function shortEnvironment(
  proved: boolean,
  searchPath: string | null = null,
): readonly (readonly [string, string])[] {
  const withoutSettings = [
    ["GIT_CONFIG_NOSYSTEM", "1"],
    ["GIT_CONFIG_GLOBAL", "/dev/null"],
    ["GIT_TERMINAL_PROMPT", "0"],
    ["GIT_NO_LAZY_FETCH", "1"],
  ] as const;
  return [
    ["PATH", searchPath ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ["HOME", sandboxHome],
    ["LANG", "C.UTF-8"],
    ["TERM", "dumb"],
    ["PYTHONDONTWRITEBYTECODE", "1"],
    ...(proved ? withoutSettings : []),
  ];
}

/** The environment of a program that a person approved to run unconfined: the owner's home and programs, but no keys. */
export function ownEnvironment({
  searchPath,
  home,
}: {
  readonly searchPath: string;
  readonly home: string;
}): readonly (readonly [string, string])[] {
  return [
    ["PATH", searchPath],
    ["HOME", home],
    ["LANG", "C.UTF-8"],
    ["TERM", "dumb"],
  ];
}
