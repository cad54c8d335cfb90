/** Builtins and keywords: only a shell can run them, or they change only the shell that runs them. */
export const shellBuiltins: ReadonlySet<string> = new Set(
  (
    ". : alias bg bind break builtin caller case cd compgen complete compopt continue coproc declare dirs disown do done " +
    "elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs let local " +
    "logout mapfile popd pushd read readarray readonly return select set shift shopt source suspend then time times trap " +
    "typeset ulimit umask unalias unset until wait while { } ! [["
  ).split(" "),
);
