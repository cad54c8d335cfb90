import { existsSync, readFileSync } from "node:fs";
import { describeProxy, proxyFor, type Variables } from "../connect/proxy.ts";
import { describeError } from "../text/describe-error.ts";
import type { HealthCheck } from "./health-check.ts";

const name = "network";

/**
 * Says which proxies requests go through, and whether the own certificates are there. Nothing is said where
 * neither is set. Sends nothing.
 */
export function checkProxy(variables: Variables): readonly HealthCheck[] {
  return [...checkProxies(variables), ...checkCertificates(variables)];
}

function checkProxies(variables: Variables): readonly HealthCheck[] {
  try {
    const used = ["https", "http"].flatMap((scheme) => {
      const proxy = proxyFor(new URL(`${scheme}://host.invalid/`), { ...variables, no_proxy: "" });
      return proxy === null ? [] : [`${scheme}:// goes through ${describeProxy(proxy)}`];
    });
    if (used.length === 0) return [];
    const exempt = (variables["no_proxy"] ?? variables["NO_PROXY"] ?? "").trim();
    const except = exempt === "" ? "this machine" : `this machine and ${exempt}`;
    return [{ name, result: "ok", text: `${used.join(", ")}; except ${except}` }];
  } catch (error) {
    return [{ name, result: "finding", text: `${describeError(error)}. Until then nothing is sent.` }];
  }
}

/**
 * Says that an agent which runs was started with other variables, and so goes another way than what is
 * started now. Only Linux tells them, and only of the own processes.
 */
export function checkProxyOfAgent(variables: Variables, agent: number | null): readonly HealthCheck[] {
  const own = agent === null || agent === process.pid ? null : variablesOf(agent);
  if (own === null || wayOf(own) === wayOf(variables)) return [];
  const way = wayOf(own) === "" ? "no proxy" : "another proxy than this";
  const text = `the agent that runs (process ${agent}) was started with ${way}, and goes by that. End it (systemctl --user restart passepartout for a service), and start it again where the variables are set.`;
  return [{ name, result: "finding", text }];
}

/** The proxies by which requests go, or why they cannot; empty for none. */
function wayOf(variables: Variables): string {
  try {
    const proxies = ["https", "http"].map((scheme) =>
      proxyFor(new URL(`${scheme}://host.invalid/`), { ...variables, no_proxy: "" }),
    );
    return proxies
      .map((proxy) => (proxy === null ? "" : describeProxy(proxy).replace(/ \(.*\)$/, "")))
      .join(" ")
      .trim();
  } catch (error) {
    return describeError(error);
  }
}

/** The variables that a process was started with; null where nobody tells them. */
function variablesOf(pid: number): Variables | null {
  const file = `/proc/${pid}/environ`;
  try {
    const entries = readFileSync(file, "utf8")
      .split("\0")
      .map((entry) => /^([^=]+)=(.*)$/s.exec(entry) ?? []);
    return Object.fromEntries(
      entries.flatMap(([, key, value]) => (key === undefined ? [] : [[key, value ?? ""]])),
    );
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Node says once, at its start, that it could not read the file, and goes on without it. */
function checkCertificates({ NODE_EXTRA_CA_CERTS: file = "" }: Variables): readonly HealthCheck[] {
  if (file === "") return [];
  if (existsSync(file)) return [{ name, result: "ok", text: `certificates of ${file} count, too` }];
  const text = `NODE_EXTRA_CA_CERTS names ${file}, which is not there, so its certificates do not count. Correct the variable, and start passepartout again.`;
  return [{ name, result: "finding", text }];
}
