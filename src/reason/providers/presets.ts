import type { ProviderProtocol, ThinkingReplay } from "./endpoint.ts";

/** The defaults of a kind of provider. */
export type ProviderPreset = {
  readonly kind: ProviderKind;
  readonly protocol: ProviderProtocol;
  /** Null if there is no default address. */
  readonly baseUrl: string | null;
  /** The default port of a server on this machine; null for other kinds. */
  readonly port: number | null;
  readonly model: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly needsKey: boolean;
  /** Whether it is local by default if its address is loopback. */
  readonly staysLocal: boolean;
  readonly thinkingReplay: ThinkingReplay;
  /** Whether its usage says what an answer cost, in dollars. */
  readonly statesCost: boolean;
};

/** The kinds of provider. */
export type ProviderKind =
  | "ollama"
  | "llama"
  | "openrouter"
  | "groq"
  | "openai"
  | "anthropic"
  | "google"
  | "openai-compatible";

const compatible = {
  protocol: "openai-compatible",
  port: null,
  contextWindow: 8_192,
  needsKey: false,
  staysLocal: false,
  thinkingReplay: "reasoning_content",
  statesCost: false,
} as const;
const hosted = {
  port: null,
  needsKey: true,
  staysLocal: false,
  thinkingReplay: "none",
  statesCost: false,
} as const;

const list: readonly ProviderPreset[] = [
  {
    ...compatible,
    kind: "ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    port: 11434,
    model: "llama3.2",
    staysLocal: true,
  },
  {
    ...compatible,
    kind: "llama",
    baseUrl: "http://127.0.0.1:8080/v1",
    port: 8080,
    model: "default",
    staysLocal: true,
  },
  {
    ...hosted,
    kind: "openrouter",
    protocol: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    model: "openrouter/auto",
    statesCost: true,
    contextWindow: 128_000,
  },
  {
    ...hosted,
    kind: "groq",
    protocol: "openai-compatible",
    baseUrl: "https://api.groq.com/openai/v1",
    model: "openai/gpt-oss-120b",
    thinkingReplay: "reasoning",
    contextWindow: 128_000,
  },
  {
    ...hosted,
    kind: "openai",
    protocol: "openai",
    baseUrl: "https://api.openai.com/v1",
    model: "gpt-5.6-terra",
    contextWindow: 128_000,
  },
  {
    ...hosted,
    kind: "anthropic",
    protocol: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    model: "claude-sonnet-5-5",
    contextWindow: 200_000,
  },
  {
    ...hosted,
    kind: "google",
    protocol: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-3.8-flash",
    contextWindow: 1_000_000,
  },
  { ...compatible, kind: "openai-compatible", baseUrl: null, model: "default" },
];

/** The presets by kind. A provider can be set up by its name alone; each value can be replaced. */
export const providerPresets: ReadonlyMap<string, ProviderPreset> = new Map(
  list.map((kind) => [kind.kind, kind]),
);
