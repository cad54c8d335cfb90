const files =
  ".env .env.* *.env *.pem *.key *.p12 *.pfx *.jks *.keystore *.ppk *.kdbx *.gpg *.keytab *.ovpn id_rsa* id_dsa* id_ecdsa* " +
  "id_ed25519* .netrc .npmrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf .s3cfg .dockercfg .bash_history .zsh_history " +
  "credentials.json token.json secrets.yml secrets.yaml secrets.json secrets.toml secrets.env secret.yml secret.yaml *.tfstate";
const folders = ".ssh .gnupg .aws .azure .kube .secrets .secret .credentials .password-store .vault";

/**
 * Pathspecs (gitglossary, "pathspec") that exclude files with secret names. The repository's copies of such files
 * cannot be masked as files can: they lie among all its other objects.
 */
export const secretExclusions: readonly string[] = [
  ...files.split(" "),
  ...folders.split(" ").map((folder) => `${folder}/**`),
].map((name) => `:(top,exclude,icase,glob)**/${name}`);

/**
 * Rewrites a revision so that it cannot name a file's bare contents: an object id must be that of a commit. Null where
 * the revision asks for another kind of object, or names both a path and a range.
 */
export function bindToCommit(operand: string): string | null {
  if (/\^\{(?!commit\}|\/)/.test(operand)) return null;
  if (operand.includes(":")) return operand.includes("..", operand.indexOf(":")) ? null : operand;
  return operand
    .split(/(\.{2,3})/)
    .map((side) => (objectId.test(side) ? `${side}^{commit}` : side))
    .join("");
}

const objectId = /^\^?(?:.*-g)?[0-9a-f]{4,64}$/i;
