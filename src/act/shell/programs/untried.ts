import { readGitWords } from "./git-words.ts";
import { networkUse } from "./network-programs.ts";
import { baseName, scriptOf, unwrapWords } from "./unwrap-words.ts";

/** Why a trial of a command in the sandbox would show nothing, in words; null where it may be tried. Looks at the words alone; a script after `-c` is read part by part. It spares useless trials and protects nothing: the sandbox does that. */
export function untriedBecause(argv: readonly string[]): string | null {
  const program = baseName(argv[0]);
  const reason = reasons.get(program);
  if (reason !== undefined) return `${program} ${reason}`;
  const inner = unwrapWords(argv);
  if (inner !== null && inner.start < argv.length) return untriedBecause(argv.slice(inner.start));
  const script = scriptOf(argv);
  if (script !== null) return untriedScript(script);
  if (isOnline(program, argv.slice(1))) return `${program} ${needs.network}`;
  const { hosts, remotes } = networkUse(argv);
  return hosts.length > 0 || remotes.length > 0 ? `${program} ${needs.network}` : null;
}

export const needsTerminal = "needs a person at a terminal";

const needs = {
  network: "needs the network",
  services: "talks to services or other programs of this machine",
  rights: "needs the rights of another user",
  terminal: needsTerminal,
  machine: "changes this machine outside the workspace",
} as const;

const programs = {
  network:
    "ssh scp sftp ftp tftp telnet nc ncat netcat socat ping ping6 traceroute tracepath mtr dig host nslookup whois curl wget http https aria2c lynx w3m " +
    "gh glab hub aws gcloud az kubectl helm rclone s3cmd mail mailx sendmail mutt neomutt msmtp yt-dlp youtube-dl heroku flyctl vercel netlify nmap iperf iperf3 " +
    "ssh-copy-id rdesktop vncviewer transmission-remote vdirsyncer mbsync offlineimap syncthing",
  services:
    "systemctl service journalctl loginctl hostnamectl timedatectl kill pkill killall docker podman docker-compose lxc virsh vagrant tmux screen at atq atrm batch " +
    "xdg-open open notify-send dbus-send gdbus busctl emacsclient mpc playerctl pactl amixer wpctl nmcli bluetoothctl psql mysql mongo redis-cli lpr lpstat lp code " +
    "gsettings dconf xrandr xclip xsel wl-copy wl-paste pbcopy pbpaste launchctl osascript defaults",
  rights: "sudo su doas pkexec chroot nsenter unshare run0",
  terminal:
    "vi vim nvim nano emacs pico ed less more most man info top htop btop fzf mc ranger dialog whiptail watch",
  machine:
    "mount umount shutdown reboot poweroff halt crontab useradd usermod userdel groupadd passwd chsh modprobe insmod sysctl iptables nft ufw mkfs fdisk parted " +
    "apt apt-get aptitude dpkg yum dnf rpm pacman zypper apk brew snap flatpak port update-alternatives visudo swapon swapoff losetup cryptsetup",
} as const;

const reasons: ReadonlyMap<string, string> = new Map(
  (Object.keys(programs) as readonly (keyof typeof programs)[]).flatMap((kind) =>
    programs[kind].split(" ").map((name) => [name, needs[kind]] as const),
  ),
);

/** Package managers and others that need the network for some of their commands. */
const onlineCommands: ReadonlyMap<string, RegExp> = new Map([
  ...each(
    "npm pnpm yarn bun",
    /^(?:i|install|ci|add|update|upgrade|up|publish|login|view|info|search|outdated|audit|create|init|dlx|link)$/,
  ),
  ...each("npx bunx pnpx", /./),
  ...each(
    "pip pip3 pipx uv poetry pdm",
    /^(?:install|download|add|sync|update|upgrade|lock|search|publish)$/,
  ),
  ...each("cargo", /^(?:install|add|update|publish|search|fetch|login)$/),
  ...each("go", /^(?:get|install|mod)$/),
  ...each("gem bundle composer", /^(?:install|update|add|require|push)$/),
  ...each("git", /^(?:clone|fetch|pull|push|ls-remote|submodule)$/),
  ...each("rsync", /^[^/]*:/),
]);

function each(names: string, commands: RegExp): readonly (readonly [string, RegExp])[] {
  return names.split(" ").map((name) => [name, commands] as const);
}

function isOnline(program: string, args: readonly string[]): boolean {
  const commands = onlineCommands.get(program);
  if (commands === undefined) return false;
  const words = program === "git" ? readGitWords(args).words : args;
  const own = words.filter((word) => !word.startsWith("-"));
  return program === "rsync" ? own.some((word) => commands.test(word)) : commands.test(own[0] ?? "");
}

function untriedScript(script: string): string | null {
  const parts = script.split(/[;&|\n()`{}]+|\b(?:do|then|else|if|while|until)\b/);
  for (const part of parts) {
    const words = part.split(/\s+/).map((word) => word.replaceAll(/["'$\\]/g, ""));
    const reason = untriedBecause(words.filter((word) => word !== "" && !/^\w+=/.test(word)));
    if (reason !== null) return reason;
  }
  return null;
}
