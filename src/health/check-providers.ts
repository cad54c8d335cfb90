import { existsSync } from "node:fs";
import type { Provider } from "../reason/model/model-port.ts";
import { describeRecord } from "../reason/providers/describe-record.ts";
import { locateProvider } from "../reason/providers/locate-provider.ts";
import { buildProviders } from "../reason/providers/registry.ts";
import type { ProviderSetting } from "../reason/providers/settings.ts";
import type { Config } from "../settings/config.ts";
import { type AssumedServer, checkLlamaServer } from "./check-llama-server.ts";
import { checkOllamaServer } from "./check-ollama-server.ts";
import { describeLocality } from "./describe-locality.ts";
import { describeSmallWindow } from "./describe-small-window.ts";
import type { HealthCheck } from "./health-check.ts";
import { takesConnection } from "./takes-connection.ts";

const ok = (text: string): HealthCheck => ({ name: "providers", result: "ok", text });
const finding = (text: string): HealthCheck => ({ name: "providers", result: "finding", text });

/** Checks each provider of the cascade: whether it is set up, and, on this machine, whether its server listens and, for llama.cpp, does what is assumed. Ollama tells of its model. Sends nothing else, and reaches no other machine but one with an Ollama. */
export async function checkProviders(config: Config): Promise<readonly HealthCheck[]> {
  const { cascade, script } = config;
  if (cascade.length === 0) {
    const available = config.providers.filter(
      ({ apiKey, vaultKey, baseUrl }) => apiKey !== null || vaultKey !== undefined || baseUrl !== null,
    );
    const hint =
      available.length === 0
        ? ""
        : ` These are set up and can be named there: ${available.map(({ name }) => name).join(", ")}.`;
    return [
      ok(
        `no model is set up; notes, agenda, search and commands work without one. passepartout setup sets one up.${hint}`,
      ),
    ];
  }
  const wanted = config.providers.filter(({ name }) => cascade.includes(name) && name !== "scripted");
  const { providers, problems } = buildProviders(wanted, Date.now);
  const checks = wanted.map((setting) => checkOne(setting, providers.get(setting.name)));
  const missing = wanted.flatMap((setting) => findMissingValue(setting, config.vault));
  const scripted = cascade.includes("scripted") ? [checkScript(script)] : [];
  return [
    ...problems.map(finding),
    ...missing.map(finding),
    ...(await Promise.all(checks)).flat(),
    ...scripted,
  ];
}

/** A key that the vault, locked or not, does not hold. */
function findMissingValue({ name, vaultKey }: ProviderSetting, vault: Config["vault"]): readonly string[] {
  if (vaultKey === undefined || vault.status().names.includes(vaultKey.name)) return [];
  const read = vaultKey.read();
  return read.ok ? [] : [`${name} is skipped. ${read.reason}`];
}

async function checkOne(
  setting: ProviderSetting,
  provider: Provider | undefined,
): Promise<readonly HealthCheck[]> {
  const located = locateProvider(setting);
  if (provider === undefined || typeof located === "string") return [];
  const { name } = setting;
  const { url, loopback, missingKey } = located;
  if (missingKey !== null) {
    return [finding(`${name} has no key. Set ${missingKey}, or remove ${name} from PROVIDER_CASCADE.`)];
  }
  if (loopback && !(await listens(url))) {
    return [
      finding(
        `${name}: no server listens at ${url.host} on this machine. Start ${name} or correct its address.`,
      ),
    ];
  }
  const record = await provider.recordOf(provider.model);
  const { callsTools } = provider;
  const assumed = { name, url, model: provider.model, callsTools, contextWindow: record.contextWindow };
  const findings = loopback ? await checkServer(setting, assumed) : [];
  const small = describeSmallWindow(setting, record);
  const place = describeLocality(name, located);
  return [
    ok(`${name}: ${provider.model}, ${place}. ${describeRecord(name, record)}`),
    ...findings.map(finding),
    ...(small === null ? [] : [finding(small)]),
  ];
}

/** What a server on this machine does otherwise than the settings assume. */
function checkServer(
  { kind }: ProviderSetting,
  assumed: AssumedServer & { readonly model: string },
): Promise<readonly string[]> {
  if (kind === "llama") return checkLlamaServer(assumed);
  return kind === "ollama" ? checkOllamaServer(assumed) : Promise.resolve([]);
}

function checkScript(script: string | null): HealthCheck {
  if (script !== null && existsSync(script)) return ok(`scripted: plays ${script}`);
  const what = script === null ? "has no script" : `has no script at ${script}`;
  return finding(`scripted ${what}. Set SCRIPTED_PROVIDER_FILE to a JSON file of answers.`);
}

/** Whether a server accepts connections at this loopback address. `localhost` is not looked up: it stands for both loopback addresses. */
async function listens({ hostname, port, protocol }: URL): Promise<boolean> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const hosts = bare === "localhost" ? ["127.0.0.1", "::1"] : [bare];
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  const taken = await Promise.all(hosts.map((host) => takesConnection(host, number)));
  return taken.includes(true);
}
