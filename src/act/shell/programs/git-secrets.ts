const files =
  ".env .env.* *.env *.pem *.key *.p12 *.pfx *.jks *.keystore *.ppk *.kdbx *.gpg *.keytab *.ovpn id_rsa* id_dsa* id_ecdsa* " +
  "id_ed25519* .netrc .npmrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf .s3cfg .dockercfg .bash_history .zsh_history " +
  "credentials.json token.json secrets.yml secrets.yaml secrets.json secrets.toml secrets.env secret.yml secret.yaml *.tfstate";
const folders = ".ssh .gnupg .aws .azure .kube .secrets .secret .credentials .password-store .vault";

/**
 * Pathspecs (gitglossary, "pathspec") that leave out files whose names are secret. What a repository keeps of them
 * cannot be masked as a file can: it lies among all its other objects.
 */
export const secretExclusions: readonly string[] = [
  ...files.split(" "),
  ...folders.split(" ").map((folder) => `${folder}/**`),
].map((name) => `:(top,exclude,icase,glob)**/${name}`);

/**
 * A revision that cannot stand for a file's bare contents: an object's id is bound to be a commit. Null where it asks
 * for another kind of object, or names a path and a range at once.
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
