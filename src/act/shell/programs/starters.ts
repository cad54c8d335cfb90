/** Programs that run the command behind them in the same place. */
const starters = /^(?:env|nice|nohup|time|command|exec|stdbuf|timeout|xargs|ionice|setsid|busybox)$/;

/** The command behind the programs that start it, with the words that are theirs. */
export function withoutStarters(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (starters.test(argv[at] ?? "")) {
    at += 1;
    while (at < argv.length && /^-|=|^\d+(?:\.\d+)?[smhd]?$/.test(argv[at] ?? "")) at += 1;
  }
  return argv.slice(at);
}
