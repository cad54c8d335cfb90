import { makeNeedles, type Needles } from "../gate/secrets/needles.ts";
import { maskKeys, maskSecrets, scanSecrets } from "../gate/secrets/secrets.ts";
import { filterWhole, makeByteMask, makeStreamFilter } from "../gate/secrets/stream-filter.ts";
import type { TextFilter } from "../reason/reply-stream.ts";
import type { Vault } from "./vault.ts";

/** What finds and masks secrets, by those that are known at each call. */
export type SecretPorts = {
  readonly scan: (text: string) => ReturnType<typeof scanSecrets>;
  /** Another value once there are other secrets to scan for. */
  readonly knownSecrets: () => unknown;
  readonly mask: (text: string) => string;
  /** Masks the configured keys alone, for everything that is stored. */
  readonly maskKeys: (text: string) => string;
  readonly makeFilter: () => TextFilter;
  /**
   * Makes a filter that covers the configured keys in bytes, each as the character of its number, and keeps
   * their length.
   */
  readonly makeByteMask: () => TextFilter;
  /** Filters a whole text as a stream to the owner is filtered. */
  readonly filter: (text: string) => string;
};

/**
 * What searches for the configured keys, for every value of the vault that was ever unlocked here, and for
 * what was typed in secret.
 */
type SecretFunctions = Pick<SecretPorts, "scan" | "mask"> & { readonly needles: Needles };

/** Opens them for the configured keys and the values of some sources. */
export function openSecretPorts(
  keys: readonly string[],
  ...sources: readonly Pick<Vault, "values">[]
): SecretPorts {
  const secrets = makeSecretFunctions(keys, ...sources);
  return {
    scan: (text) => secrets().scan(text),
    knownSecrets: () => secrets().needles,
    mask: (text) => secrets().mask(text),
    maskKeys: (text) => maskKeys(text, secrets().needles),
    makeFilter: () => makeStreamFilter(secrets().needles),
    makeByteMask: () => makeByteMask(secrets().needles),
    filter: (text) => filterWhole(text, secrets().needles),
  };
}

/** Makes the secret functions anew when there is another value. */
function makeSecretFunctions(
  keys: readonly string[],
  ...sources: readonly Pick<Vault, "values">[]
): () => SecretFunctions {
  const make = (values: readonly (readonly string[])[]): SecretFunctions => {
    const needles = makeNeedles([...keys, ...values.flat()]);
    return {
      needles,
      scan: memoise((text) => scanSecrets(text, needles)),
      mask: memoise((text) => maskSecrets(text, needles)),
    };
  };
  let known = sources.map((source) => source.values());
  let made = make(known);
  return () => {
    const values = sources.map((source) => source.values());
    if (values.some((list, at) => list !== known[at])) {
      known = values;
      made = make(values);
    }
    return made;
  };
}

/**
 * How many texts a function remembers, and their greatest length in characters. Each model call scans the
 * session's past again.
 */
const rememberedTexts = 512;
const longestRemembered = 4096;

/** Memoises a pure function of a text for the texts of its latest calls. */
function memoise<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > longestRemembered) return compute(text);
    const given = known.get(text) ?? compute(text);
    known.delete(text);
    known.set(text, given);
    if (known.size > rememberedTexts) for (const oldest of known.keys().take(1)) known.delete(oldest);
    return given;
  };
}
