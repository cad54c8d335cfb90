import { vaultName } from "./vault-file.ts";

/** The fewest characters of a value: a shorter one could not be masked without masking other text. */
const shortestValue = 8;
const longestValue = 65_536;
const longestBound = 1_000;

/** Why a vault keeps no such value under this name, in words; null where it does. */
export function problemOfValue(name: string, value: string): string | null {
  if (!vaultName.test(name)) {
    return "A name has letters, digits, dots, hyphens and underscores, and at most 64 of them. Nothing was kept.";
  }
  if (value.trim().length < shortestValue) {
    return `A value has ${shortestValue} characters or more: a shorter one could not be masked. Nothing was kept.`;
  }
  return value.length <= longestValue && value.isWellFormed() && !value.includes("\0")
    ? null
    : `A value is text of at most ${longestValue} characters. Nothing was kept.`;
}

/** Why a value cannot be put into a header, in words; null where it can. */
export function problemOfBinding(name: string, value: string): string | null {
  return value.length <= longestBound && /^[!-~](?:[ -~]*[!-~])?$/.test(value)
    ? null
    : `${name} is for a header, and is longer than ${longestBound} characters or has some that cannot stand in one. Nothing was changed.`;
}
