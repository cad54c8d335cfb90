import { spawnSync } from "node:child_process";

/** The version of a Node binary such as `26.12.1`; empty where it does not run. @param {string} binary @returns {string} */
export function versionOf(binary) {
  const { stdout } = spawnSync(binary, ["--version"], { encoding: "utf8" });
  return /^v(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1] ?? "";
}

/**
 * Whether a version lies in a range as package.json writes it, of `^A.B.C` and `>=A.B.C` joined by `||`. What does not parse lies in none.
 * @param {string} range @param {string} version @returns {boolean}
 */
export function isInRange(range, version) {
  return range.split("||").some((part) => {
    const [, sign, least = ""] = /^(\^|>=)(\d+\.\d+\.\d+)$/.exec(part.trim()) ?? [];
    if (sign === undefined || !/^\d+\.\d+\.\d+$/.test(version)) return false;
    const isSameMajor = version.split(".")[0] === least.split(".")[0];
    return compareVersions(version, least) >= 0 && (sign === ">=" || isSameMajor);
  });
}

/** Below, at or above zero as the first version is older, the same or newer. @param {string} one @param {string} other @returns {number} */
export function compareVersions(one, other) {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  const at = [0, 1, 2].find((place) => left?.[place] !== right?.[place]);
  return at === undefined ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
