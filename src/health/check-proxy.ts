import { existsSync } from "node:fs";
import { describeProxy, proxyFor, type Variables } from "../connect/proxy.ts";
import { describeError } from "../signal/text/describe-error.ts";
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

/** Node says once, at its start, that it could not read the file, and goes on without it. */
function checkCertificates({ NODE_EXTRA_CA_CERTS: file = "" }: Variables): readonly HealthCheck[] {
  if (file === "") return [];
  if (existsSync(file)) return [{ name, result: "ok", text: `certificates of ${file} count, too` }];
  const text = `NODE_EXTRA_CA_CERTS names ${file}, which is not there, so its certificates do not count. Correct the variable, and start passepartout again.`;
  return [{ name, result: "finding", text }];
}
