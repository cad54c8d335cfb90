import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSecretPath, secretPathRule } from "./secret-path.ts";

const home = "/home/ada";
const secret = [
  "/home/ada/.ssh/known_hosts",
  "/home/ada/.gnupg",
  "/home/ada/.aws/credentials",
  "/home/ada/.azure/x",
  "/home/ada/.config/gcloud/a.db",
  "/home/ada/.kube/config",
  "/home/ada/.docker/config.json",
  "/home/ada/.netrc",
  "/srv/app/.dev.vars",
  "/srv/app/.vault_pass.txt",
  "/srv/app/kubeconfig",
  "/srv/app/rclone.conf",
  "/srv/app/.sentryclirc",
  "/home/ada/.pgpass",
  "/home/ada/.npmrc",
  "/home/ada/.pypirc",
  "/home/ada/.git-credentials",
  "/srv/app/.env",
  "/srv/app/.env.production",
  "/srv/app/.env.local",
  "/srv/app/prod.env",
  "/srv/tls/site.pem",
  "/srv/tls/site.key",
  "/srv/tls/a.p12",
  "/srv/tls/a.pfx",
  "/srv/a.kdbx",
  "/srv/a.org.gpg",
  "/srv/my-private-key.asc",
  "/srv/id_rsa",
  "/srv/id_ed25519",
  "/srv/id_ed25519_work",
  "/srv/id_rsa.bak",
  "/srv/id_rsa.txt",
  "/srv/env.bak",
  "/srv/site.key;1",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d/ada",
  "/etc/ssh/ssh_host_rsa_key",
  "/home/ada/.password-store/mail.gpg",
  "/home/ada/.mozilla/firefox/x/prefs.js",
  "/home/ada/.config/google-chrome/Default/Cookies",
  "/home/ada/.local/share/keyrings/login.keyring",
  "/home/ada/.bitcoin/wallet.dat",
  "/home/ada/.bash_history",
  "/home/ada/.zsh_history",
  "/proc/1/environ",
  "/proc/self/mem",
  "/proc/1/task/1/environ",
  "/dev/sda",
  "/dev/nvme0n1p1",
  "/run/secrets/db",
  "/run/user/1000/bus",
  "/home/ada/.local/share/signal-cli/data/123456.d/account.db",
  "/home/ada/.local/share/signal-cli/attachments/a.jpg",
  "/var/lib/signal-cli/data/accounts.json",
  "/srv/terraform.tfstate",
  "/srv/terraform.tfstate.backup",
  "/srv/credentials.json",
  "/srv/service-account-prod.json",
  "/srv/secrets.yml",
  "/srv/secrets.yaml",
];
const free = [
  "/srv/app/.env.example",
  "/srv/app/.env.sample",
  "/srv/app/.env.template",
  "/srv/app/environment.ts",
  "/srv/id_ed25519.pub",
  "/srv/id_ed25519-howto.txt",
  "/srv/key.ts",
  "/srv/keys/README.md",
  "/srv/ssh/notes.org",
  "/home/ada/memex/passwords-policy.org",
  "/home/ada/project/src/secrets.ts",
  "/home/ada/project/package.json",
  "/proc/cpuinfo",
  "/dev/null",
  "/etc/hosts",
  "/etc/ssh/ssh_config",
  "/",
];

test("every known place of secrets is a secret path, with the name of its rule", () => {
  for (const path of secret) assert.ok((secretPathRule(path, home) ?? "") !== "", path);
});

test("ordinary files and templates are not secret paths", () => {
  for (const path of free) assert.equal(secretPathRule(path, home), null, path);
});

test("case, copies, trailing dots, doubled slashes and lookalike characters do not hide a secret path", () => {
  const spelled = [
    "/home/ada/project/.SSH/config",
    "/home/ada/project/backup/.ssh/id",
    "/home/ada/.ssh./config",
    "/home/ada/.ssh /config",
    "/home/ada//.ssh/",
    "/home/ada/project/.EnV",
    "/home/ada/project/.e\u200cnv",
    "/home/ada/project/．env",
    "/home/ada/project/.ſsh/config",
    "/HOME/ADA/.Local/Share/Keyrings/x",
    ".ssh/id_rsa",
  ];
  for (const path of spelled) assert.equal(isSecretPath(path, home), true, path);
});

test("a copy of a secret file is secret under the name that an editor, a synchronisation or a person gives it", () => {
  for (const name of [
    ".#env#",
    "#.env#",
    ".#.env",
    "..env.swp",
    ".netrc~",
    "#.netrc#",
    ".authinfo~",
    ".authinfo.gpg.~3~",
    ".pgpass.bak",
    ".my.cnf.orig",
    "credentials (copy).json",
    "Copy of credentials.json",
    "credentials.sync-conflict-20261128-203000-ABCDEFG.json",
    "wallet (Ada's conflicted copy 2026-11-28).dat",
    "master.key~",
    "prod.env.old",
    ".ssh.bak/config",
    ".ssh (copy)/config",
    ".docker/config.json~",
    ".docker/#config.json#",
    ".docker.bak/config.json",
    ".cargo (copy)/credentials.toml",
    "server.pem.swp",
    ".kdbx.tmp",
  ])
    assert.notEqual(secretPathRule(`/home/ada/project/${name}`, home), null, name);
  for (const name of [
    "readme~",
    "#notes.org#",
    "notes.org~",
    ".notes.org.swp",
    "package (copy).json",
    "Copy of letter.odt",
    "key.ts~",
    "tokenizer.json",
    "design-tokens.json",
  ])
    assert.equal(secretPathRule(`/home/ada/project/${name}`, home), null, name);
});

test("everything below a secret folder is secret, and any text is accepted", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom(".ssh", ".gnupg", ".aws"), (name, folder) => {
      assert.equal(isSecretPath(`/home/ada/${folder}/${name}`, home), true);
      assert.equal(typeof isSecretPath(name, name), "boolean");
    }),
  );
});
