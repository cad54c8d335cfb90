/** Variables that shells, loaders, interpreters and build tools obey, by their families. */
const families = new RegExp(
  `^(?:${
    // Shells and terminals.
    "PATH|CDPATH|HOME|IFS|ENV|PS\\d|SHELL\\w*|BASH\\w*|ZDOTDIR|FPATH|PROMPT_COMMAND|USER|LOGNAME|PWD|OLDPWD|TERM\\w*|LANG\\w*|LC_\\w+|TZ\\w*|TMP|TEMP|TMPDIR|XDG_\\w+|" +
    // What names another program, a place or a proxy.
    "EDITOR|VISUAL|BROWSER|\\w*PAGER|LESS\\w*|MANPATH|DISPLAY|\\w*_PROXY|SSL_\\w+|CURL_\\w+|" +
    // Loaders.
    "LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_\\w+|MALLOC_\\w+|" +
    // Interpreters and package managers.
    "NODE_\\w+|NPM_\\w+|YARN_\\w+|DENO_\\w+|BUN_\\w+|PYTHON\\w*|PIP_\\w+|UV_\\w+|PERL\\w*|RUBY\\w*|GEM_\\w+|BUNDLE_\\w+|JAVA_\\w+|JDK_\\w+|_JAVA_OPTIONS|CLASSPATH|" +
    "GO(?:PATH|ROOT|FLAGS|PROXY|BIN|ENV|TOOLCHAIN)|CARGO_\\w+|RUST\\w*|R_\\w+|PHP\\w*|LUA_\\w+|" +
    // Version control and compilers.
    "GIT_\\w+|HG\\w*|SSH_\\w+|MAKE\\w*|CC|CXX|CPP|AR|\\w*FLAGS"
  })$`,
);
/** Names that end in these hold what proves somebody, also in such a family: `NODE_AUTH_TOKEN`. */
const credential = /_(?:TOKEN|KEY|SECRET|PASSWORD|PASS|AUTH|CREDENTIALS?)$/;

/**
 * Whether what stands in a variable changes what programs start, load or read. A credential does not belong
 * there.
 */
export function isObeyedVariable(name: string): boolean {
  return families.test(name) && !credential.test(name);
}
