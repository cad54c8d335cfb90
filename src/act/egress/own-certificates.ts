import { randomBytes } from "node:crypto";
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bind } from "../sandbox/binds.ts";

/**
 * Certificates of the owner's network as a command gets them: what its view shows, and the variables that
 * name it.
 */
export type OwnCertificates = {
  readonly binds: readonly Bind[];
  readonly variables: readonly (readonly [string, string])[];
};

/**
 * Variables that name a file of certificates which programs trust: Node's, OpenSSL's, curl's, those of
 * Python, Git, pip and npm.
 */
export const certificateVariables: readonly string[] = [
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "CURL_CA_BUNDLE",
  "REQUESTS_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "npm_config_cafile",
];

const certificate =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
/** Bytes of a file that are read: bundles of all public authorities have less than 1 MB. */
const most = 8_388_608;

/**
 * Copies the certificates that the owner's variables name, and nothing else that the files hold (a key beside
 * them stays unseen), into files that `add` keeps until the command has ended. `inside` is where a command
 * sees them. A file that is not there or holds none counts for nothing, as for the programs themselves.
 */
export async function showOwnCertificates(
  environment: Readonly<Record<string, string | undefined>>,
  { folder, inside, add }: { readonly folder: string; readonly inside: string; readonly add: Adds },
): Promise<OwnCertificates> {
  const shown = new Map<string, Bind>();
  const variables: [string, string][] = [];
  for (const name of certificateVariables) {
    const file = environment[name] ?? "";
    if (!file.startsWith("/")) continue;
    const bind = shown.get(file) ?? (await copyCertificates(file, { folder, inside, add }));
    if (bind === null) continue;
    shown.set(file, bind);
    variables.push([name, bind.to]);
  }
  return { binds: [...shown.values()], variables };
}

/** Takes what removes a copy. */
type Adds = (remove: () => Promise<void>) => void;

async function copyCertificates(
  file: string,
  { folder, inside, add }: { readonly folder: string; readonly inside: string; readonly add: Adds },
): Promise<Bind | null> {
  const found = (await readBeginning(file)).match(certificate) ?? [];
  if (found.length === 0) return null;
  // Named as the sockets, so that what a killed process leaves is removed with them.
  const name = `egress-${process.pid}-${randomBytes(4).toString("hex")}`;
  const copy = join(folder, name);
  add(() => rm(copy, { force: true }));
  await writeFile(copy, `${found.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  return { from: copy, to: `${inside}/certificates-${name.slice(-8)}.pem` };
}

async function readBeginning(file: string): Promise<string> {
  try {
    await using handle = await open(file, "r");
    if (!(await handle.stat()).isFile()) return "";
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(most),
      length: most,
      position: 0,
    });
    return buffer.toString("latin1", 0, bytesRead);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(code)) return "";
    throw error;
  }
}
