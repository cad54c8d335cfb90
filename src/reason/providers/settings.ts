import { sha256 } from "../../machine/digest.ts";
import type { InputKind } from "../../signal/attachment.ts";
import type { Effort } from "../model/effort.ts";
import type { PriceOverrides } from "../model/model-port.ts";
import { variableOf } from "../model/setting-name.ts";
import { type ProviderKind, providerPresets } from "./presets.ts";

/** A key in the owner's vault. It is read at each call, since the vault may be locked or unlocked meanwhile; the reason says why there is none now. */
export type VaultKey = {
  readonly name: string;
  readonly read: () =>
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly reason: string };
};

/** The key as it is now; null where there is none, or the vault keeps it back. */
export function currentKey({ apiKey, vaultKey }: ProviderSetting): string | null {
  const read = vaultKey?.read();
  return read?.ok === true ? read.value : apiKey;
}

/** Why the vault keeps the key back; null where it does not. */
export function whyKeyIsWithheld({ vaultKey }: ProviderSetting): string | null {
  const read = vaultKey?.read();
  return vaultKey === undefined || read === undefined || read.ok
    ? null
    : `its key is ${vaultKey.name} of the vault. ${read.reason}`;
}

/** The settings of one provider. */
export type ProviderSetting = {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Null for the default address of the kind. */
  readonly baseUrl: string | null;
  /** Null also where the vault keeps the key. */
  readonly apiKey: string | null;
  readonly vaultKey?: VaultKey;
  /** Null for the default model of the kind. */
  readonly model: string | null;
  /** The model that is asked where the budget does not hold `model`; null for none. */
  readonly cheaperModel?: string | null;
  /** The owner's prices of `model`. */
  readonly prices?: PriceOverrides;
  /** Whether requests stay on this machine, if the owner says so; by default it depends on the kind and the address. */
  readonly local?: boolean;
  /** Tokens. */
  readonly contextWindow?: number;
  /** Tokens of an answer, without its thinking. */
  readonly maxOutputTokens?: number;
  /** How much its models that think shall think; left out for the provider's own default. */
  readonly effort?: Effort;
  /** Whether thinking is looked for in the text of its models; by default it depends on the server and the model. */
  readonly writesThinking?: boolean;
  /** What its models take beside text; by default it depends on the server and the model. */
  readonly inputs?: readonly InputKind[];
  /** False for a model without native tool calls. */
  readonly callsTools?: boolean;
};

/**
 * Reads the settings of the named providers from `NAME_BASE_URL`, `NAME_API_KEY`, `NAME_MODEL`, `OLLAMA_HOST` and
 * `LLAMA_HOST`. A hyphen in a name is an underscore in its variables. A name that is not a known kind is OpenAI-compatible.
 */
export function settingsFrom(
  names: readonly string[],
  values: { readonly [variable: string]: string | undefined },
): readonly ProviderSetting[] {
  return names.map((name) => {
    const value = (suffix: string): string | null => values[variableOf(name, suffix)]?.trim() || null;
    const host = name === "ollama" || name === "llama" ? value("HOST") : null;
    return {
      name,
      kind: providerPresets.get(name)?.kind ?? "openai-compatible",
      baseUrl:
        value("BASE_URL") ?? (host === null ? null : addressOf(host, providerPresets.get(name)?.port ?? 80)),
      apiKey: value("API_KEY"),
      model: value("MODEL"),
      cheaperModel: value("CHEAPER_MODEL"),
    };
  });
}

/** A digest of what the owner set for a provider. It tells nothing of the key. */
export function settingsDigest(setting: ProviderSetting): string {
  return sha256(JSON.stringify(setting)).slice(0, 16);
}

/** The OpenAI-compatible address of a host, which may lack scheme and port. `0.0.0.0` means this machine. */
function addressOf(host: string, port: number): string {
  const withScheme = /^https?:\/\//i.test(host) ? host : `http://${host}`;
  if (!URL.canParse(withScheme)) return withScheme;
  const url = new URL(withScheme);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && withScheme !== host) url.port = String(port);
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/+$/, "");
}
