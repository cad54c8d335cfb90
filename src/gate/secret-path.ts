import { foldedSegments } from "../signal/executed-later/fold-path.ts";

/** True for a path whose name or place says that it holds a secret: keys, tokens, histories, browser profiles, the memory of other programs. */
export function isSecretPath(path: string, home: string): boolean {
  return secretPathRule(path, home) !== null;
}

/** The name of the rule that makes a path secret, or null. Compares whole segments anywhere in the path, ignoring case: a copy of `.ssh` in a workspace counts. Takes any text, normalised or not. */
export function secretPathRule(path: string, home: string): string | null {
  const segments = foldedSegments(path);
  const base = segments.at(-1) ?? "";
  for (const [index, segment] of segments.entries()) {
    const folder = secretFolders.get(segment) ?? secretPairs.get(`${segment}/${segments[index + 1]}`);
    if (folder !== undefined) return folder;
  }
  return secretFiles.get(base) ?? byPattern(base, filePatterns) ?? byPlace(segments, home);
}

function byPlace(segments: readonly string[], home: string): string | null {
  const outer = foldedSegments(home);
  const atHome = outer.length > 0 && outer.every((segment, index) => segment === segments[index]);
  const below = atHome ? byPattern(segments.slice(outer.length).join("/"), homePatterns) : null;
  return below ?? byPattern(`/${segments.join("/")}`, systemPatterns);
}

type Patterns = readonly (readonly [rule: string, pattern: RegExp])[];

function byPattern(text: string, patterns: Patterns): string | null {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function named(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([rule, names]) => names.split(" ").map((name) => [name, rule] as const)),
  );
}

const secretFolders = named({
  "ssh keys": ".ssh",
  "gnupg keys": ".gnupg",
  "cloud credentials": ".aws .azure .gcloud .kube .oci .aliyun .bluemix .terraform.d",
  "password store": ".password-store password-store .pass .vault .vaults",
  "browser profile": ".mozilla .thunderbird .waterfox .librewolf .zen .pki",
  "crypto wallet": ".bitcoin .ethereum .electrum .monero .litecoin .dogecoin .zcash .solana",
  "secrets folder": ".secrets .secret .credentials .private-keys",
});

const secretPairs = named({
  "cloud credentials":
    ".config/gcloud .config/doctl .config/rclone .config/sops .config/hcloud .config/fly .fly/config.yml",
  "registry credentials":
    ".docker/config.json .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json .config/containers .bundle/config",
  "git credentials": ".config/gh .config/glab-cli .config/hub .config/git-credentials git/credentials",
  "password store":
    ".config/op .config/bitwarden .config/keepassxc share/password-store library/keychains passepartout/vault.json",
  "browser profile":
    ".config/google-chrome .config/chromium .config/bravesoftware .config/microsoft-edge .config/vivaldi .config/opera snap/firefox snap/chromium app/org.mozilla.firefox app/com.google.chrome library/safari library/cookies",
  "other agents' credentials":
    ".claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .config/github-copilot",
  "machine secrets":
    "etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/sudoers etc/sudoers.d etc/krb5.keytab etc/wireguard etc/opasswd",
});

const secretFiles = named({
  "login file":
    ".netrc _netrc .authinfo .pgpass pgpass.conf .my.cnf .mylogin.cnf .s3cfg .boto .fetchmailrc .msmtprc .mbsyncrc .htpasswd .smbcredentials .vault-token .vault-pass .vault_pass .terraformrc",
  "registry credentials": ".npmrc .pypirc .dockercfg",
  "git credentials": ".git-credentials",
  "credentials file":
    "credentials.json credentials.csv credentials.db application_default_credentials.json client_secret.json token.json secrets.yml secrets.yaml secrets.json secrets.toml secrets.env secret.yml secret.yaml secret.json secrets.tfvars master.key",
  "crypto wallet": "wallet.dat",
  "browser profile": "cookies.sqlite key3.db key4.db logins.json cert9.db",
  "display cookie": ".xauthority .iceauthority",
  "shell history":
    ".bash_history .zsh_history .zhistory .history .sh_history .ksh_history .ash_history fish_history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history .node_repl_history .irb_history .lesshst .viminfo consolehost_history.txt",
});

const filePatterns: Patterns = [
  ["environment file", /^\.env(?!\.(?:example|sample|template)$)(?:[.~_-].*)?$/],
  ["environment file", /^.+\.env(?:\.local)?$/],
  [
    "private key",
    /\.(?:pem|key|p12|pfx|p8|jks|keystore|ppk|kdbx?|gpg|pgp|keytab|ovpn|agekey)(?:[.~](?:bak|old|orig|save)?)?$/,
  ],
  ["private key", /(?:private|secret|priv|sec)[^/]*\.asc$/],
  [
    "private key",
    /^(?:id|identity)_(?:rsa|dsa|ecdsa|ed25519|xmss)(?!.*\.(?:pub|md|org|txt|html|adoc|rst)$).*$/,
  ],
  ["private key", /^ssh_host_[a-z0-9_]+_key(?!\.pub$).*$/],
  ["terraform state", /\.tfstate(?:\..*)?$/],
  ["credentials file", /^(?:service[-_]account|client_secret|gcp[-_]key|firebase-adminsdk)[^/]*\.json$/],
  ["credentials file", /-firebase-adminsdk-[^/]*\.json$/],
];

const homePatterns: Patterns = [
  ["keyring", /^\.local\/share\/(?:keyrings|kwalletd)(?:\/|$)/],
  ["password store", /^(?:passwords?|\.passwords?)(?:\.[a-z0-9]+)?$/],
  ["crypto wallet", /^\.?wallets?(?:\/|$)/],
  [
    "browser profile",
    /^library\/application support\/(?:google|firefox|chromium|bravesoftware|microsoft edge|bitwarden)(?:\/|$)/,
  ],
  ["chat session", /^\.config\/(?:signal|slack|discord)(?:\/|$)/],
];

const systemPatterns: Patterns = [
  ["machine secrets", /^\/etc\/ssh\/[^/]*key(?:\..*)?$/],
  [
    "machine secrets",
    /^\/etc\/(?:networkmanager\/system-connections|ssl\/private|security\/opasswd)(?:\/|$)/,
  ],
  ["run secrets", /^(?:\/var)?\/run\/(?:secrets|credentials|user|keys)(?:\/|$)/],
  [
    "memory of another program",
    /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|smaps|cmdline|fd|fdinfo|root|cwd|auxv|pagemap|map_files|stack|syscall)(?:\/|$)/,
  ],
  ["kernel memory", /^\/proc\/(?:kcore|kmem|keys|vmcore)$/],
  [
    "raw device",
    /^\/dev\/(?:(?:sd|hd|vd|xvd)[a-z]|nvme|mmcblk|dm-|md\d|loop|nbd|mapper|disk|mem$|kmem$|port$|input|hidraw|usb|tpm|kvm)/,
  ],
];
