/** Names by the rule that makes them secret. */
export type SecretNames = Readonly<Record<string, string>>;

/** Names of secret files that end or begin in many ways. */
export type SecretFilePattern = {
  readonly rule: string;
  readonly pattern: RegExp;
  /** The same as patterns for file names, for programs that know no others. They may match more. */
  readonly globs: readonly string[];
};

/** Folders that are secret with everything in them, by rule. Names are in lower case here, and compared so. */
export const secretFolderNames: SecretNames = {
  "ssh keys": ".ssh",
  "gnupg keys": ".gnupg",
  "cloud credentials": ".aws .azure .gcloud .kube .oci .aliyun .bluemix .terraform.d",
  "password store": ".password-store password-store .pass .vault .vaults",
  "browser profile": ".mozilla .thunderbird .waterfox .librewolf .zen .pki",
  "crypto wallet": ".bitcoin .ethereum .electrum .monero .litecoin .dogecoin .zcash .solana",
  "secrets folder": ".secrets .secret .credentials .private-keys",
};

/** A folder and a name in it. */
export const secretPlaceNames: SecretNames = {
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
  "chat session": "share/signal-cli share/signal-api lib/signal-cli",
  "machine secrets":
    "etc/shadow etc/shadow- etc/gshadow etc/gshadow- etc/sudoers etc/sudoers.d etc/krb5.keytab etc/wireguard etc/opasswd",
};

/** Files. */
export const secretFileNames: SecretNames = {
  "login file":
    ".netrc _netrc .authinfo .pgpass pgpass.conf .my.cnf .mylogin.cnf .s3cfg .boto .fetchmailrc .msmtprc .mbsyncrc .htpasswd .smbcredentials .vault-token .vault-pass .vault_pass .vault_pass.txt .terraformrc .sentryclirc .databrickscfg rclone.conf",
  "registry credentials": ".npmrc .pypirc .dockercfg .dockerconfigjson",
  "git credentials": ".git-credentials",
  "credentials file":
    "credentials.json credentials.csv credentials.db application_default_credentials.json client_secret.json token.json secrets.yml secrets.yaml secrets.json secrets.toml secrets.env secret.yml secret.yaml secret.json secrets.tfvars master.key .dev.vars kubeconfig kaggle.json",
  "crypto wallet": "wallet.dat",
  "browser profile": "cookies.sqlite key3.db key4.db logins.json cert9.db",
  "display cookie": ".xauthority .iceauthority",
  "shell history":
    ".bash_history .zsh_history .zhistory .history .sh_history .ksh_history .ash_history fish_history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history .node_repl_history .irb_history .lesshst .viminfo consolehost_history.txt",
};

const keyEndings = "pem key p12 pfx p8 jks keystore ppk kdb kdbx gpg pgp keytab ovpn agekey".split(" ");
const copyEndings = ["", "[.~]", "[.~]bak", "[.~]old", "[.~]orig", "[.~]save"];

export const secretFilePatterns: readonly SecretFilePattern[] = [
  {
    rule: "environment file",
    pattern: /^\.env(?!\.(?:example|sample|template)$)(?:[.~_-].*)?$/,
    globs: [".env", ".env[.~_-]*"],
  },
  { rule: "environment file", pattern: /^.+\.env(?:\.local)?$/, globs: ["*.env", "*.env.local"] },
  {
    rule: "private key",
    pattern:
      /\.(?:pem|key|p12|pfx|p8|jks|keystore|ppk|kdbx?|gpg|pgp|keytab|ovpn|agekey)(?:[.~](?:bak|old|orig|save)?)?$/,
    globs: keyEndings.flatMap((ending) => copyEndings.map((copy) => `*.${ending}${copy}`)),
  },
  {
    rule: "private key",
    pattern: /(?:private|secret|priv|sec)[^/]*\.asc$/,
    globs: ["*priv*.asc", "*sec*.asc"],
  },
  {
    rule: "private key",
    pattern:
      /^(?:id|identity)_(?:rsa|dsa|ecdsa|ed25519|xmss)(?!(?:.*\.(?:pub|md|org|html|adoc|rst)|.+\.txt)$).*$/,
    globs: ["id", "identity"].flatMap((name) =>
      ["rsa", "dsa", "ecdsa", "ed25519", "xmss"].map((kind) => `${name}_${kind}*`),
    ),
  },
  {
    rule: "private key",
    pattern: /^ssh_host_[a-z0-9_]+_key(?!\.pub$).*$/,
    globs: ["ssh_host_*_key*"],
  },
  { rule: "terraform state", pattern: /\.tfstate(?:\..*)?$/, globs: ["*.tfstate", "*.tfstate.*"] },
  {
    rule: "credentials file",
    pattern: /^(?:service[-_]account|client_secret|gcp[-_]key|firebase-adminsdk)[^/]*\.json$/,
    globs: ["service[-_]account*.json", "client_secret*.json", "gcp[-_]key*.json", "firebase-adminsdk*.json"],
  },
  {
    rule: "credentials file",
    pattern: /-firebase-adminsdk-[^/]*\.json$/,
    globs: ["*-firebase-adminsdk-*.json"],
  },
];
