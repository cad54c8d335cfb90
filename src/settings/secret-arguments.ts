import { isSecretName } from "./env-file.ts";

/**
 * A value in the arguments of a command that is named like a key: it stands in the argument `index`, behind
 * `before`.
 */
export type SecretArgument = {
  readonly name: string;
  readonly index: number;
  readonly before: string;
  readonly value: string;
};

/**
 * Finds what arguments give as keys: `--name value`, `--name=value`, `-k value`, `NAME=value`, a header, and
 * a part of an address. References to variables and to the vault are none.
 */
export function secretArgumentsOf(args: readonly string[]): readonly SecretArgument[] {
  return args
    .flatMap((arg, index) => [...addressPartsOf(arg, index), ...optionOf(arg, index, args[index - 1] ?? "")])
    .filter(({ value }) => value !== "" && !value.includes("${"));
}

/** The last name of an option that gives a key, in the words of command lines. */
function isSecretOption(name: string): boolean {
  return isSecretName(name) || /(?:^|[-_.])(?:k|pass|passwd|passphrase|pwd|pat|bearer)$/i.test(name);
}

const option = /^--?([A-Za-z][\w.-]*)$/;

/** What an argument gives as a key by itself, or as the value of the option before it. */
function optionOf(arg: string, index: number, last: string): readonly SecretArgument[] {
  const [, before = "", name = "", value = ""] = /^(-{0,2}([A-Za-z_][\w.-]*)=)(.*)$/s.exec(arg) ?? [];
  if (isKey(name, value)) return [{ name, index, before, value }];
  const [, named = ""] = option.exec(last) ?? [];
  if (/^(?:H|headers?)$/.test(named) || /^headers?$/.test(name)) return headerOf(arg, index, before);
  return isKey(named, arg) && !option.test(arg) ? [{ name: named, index, before: "", value: arg }] : [];
}

function headerOf(arg: string, index: number, option: string): readonly SecretArgument[] {
  const [, start = "", name = "", value = ""] =
    /^(([\w-]+):\s*(?:(?:bearer|basic|token)\s+)?)(.*)$/is.exec(arg.slice(option.length)) ?? [];
  const isSecret = isSecretOption(name) || /^(?:proxy-)?authorization$|^cookie$/i.test(name);
  return isSecret ? [{ name, index, before: option + start, value }] : [];
}

function addressPartsOf(arg: string, index: number): readonly SecretArgument[] {
  if (!/^(?:--?[\w.-]+=)?[a-z][a-z\d+.-]*:\/\//i.test(arg)) return [];
  return [...arg.matchAll(/[?&]([\w.-]+)=([^&#]*)/g)]
    .filter(([, name = ""]) => isSecretOption(name))
    .map((found) => {
      const [whole, name = "", value = ""] = found;
      const before = arg.slice(0, found.index + whole.length - value.length);
      return { name, index, before, value };
    });
}

/**
 * A key is often a file's path (`--key ~/x.pem`), and `-k` of some programs has no value, so that an address
 * follows.
 */
function isKey(name: string, value: string): boolean {
  const isPlace = /^(?:~|\.{1,2})?\/[^+=]*[/.][^+=]*$|^[a-z][a-z\d+.-]*:\/\//i.test(value);
  return isSecretOption(name) && !isPlace;
}
