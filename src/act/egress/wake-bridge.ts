/** What listens for a bridge. */
export const perl = "/usr/bin/perl";

/**
 * Listens on a loopback port, runs a program with variables, and ends as it ends: `PORT COUNT BRIDGE…
 * NAME=VALUE… -- PROGRAM ARGUMENT…`. So many words start the bridge, but only once somebody connects: its
 * last word names the descriptor that listens. Where this cannot listen, the bridge does so and runs the
 * program. Most commands never connect, and a bridge takes more time to start than they take in all. The
 * numbers are those of Linux for the Internet and a stream: their module takes as long to load as all else.
 */
const script = `$^F = 255;
sub stop { print STDERR "$_[0]: $!\\n"; exit 127 }
my ($port, $count) = splice @ARGV, 0, 2;
my @bridge = splice @ARGV, 0, $count;
my $address = pack "S n C4 x8", 2, $port, 127, 0, 0, 1;
my $server;
socket($server, 2, 1, 0) && bind($server, $address) && listen($server, 511)
  or exec @bridge, $port, @ARGV or stop $bridge[0];
my $waiting = fork // stop $bridge[0];
if (!$waiting) {
  vec(my $seen, fileno $server, 1) = 1;
  select $seen, undef, undef, undef;
  exec @bridge, "fd:" . fileno $server or stop $bridge[0];
}
my $program = fork;
if (!$program) {
  close $server;
  while (($_ = shift) ne "--") { $ENV{$1} = $2 if /^(.*?)=(.*)/s }
  defined $program and exec { $ARGV[0] } @ARGV;
  kill 9, $waiting if !defined $program;
  stop $ARGV[0];
}
close $server;
waitpid $program, 0;
my $ended = $?;
kill 9, $waiting;
waitpid $waiting, 0;
exit($ended & 127 ? 128 + ($ended & 127) : $ended >> 8);`;

/** The words before variables and a program that start a bridge once somebody connects to a port. */
export function wakingBridge(bridge: readonly string[], port: number): readonly string[] {
  return [perl, "-e", script, String(port), String(bridge.length), ...bridge];
}
