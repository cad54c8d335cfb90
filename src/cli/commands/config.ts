import { listSettings, type SettingNow } from "../../settings/list-settings.ts";
import { prepareSetting } from "../offline/change-setting.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout config list [--show-origin] [--json]
passepartout config get NAME [--show-origin] [--json]
passepartout config set NAME VALUE [--dry-run] [--json]
passepartout config unset NAME [--dry-run] [--json]
Shows the settings as they count now, and changes them in .env of the configuration folder: the change is shown, every other line stays.
A value that cannot be parsed is refused, and so is a key: keys go into the vault.
  --show-origin  tells where each value comes from: environment, file or default
  --dry-run      shows the change and makes none
  --json         prints a JSON object
An agent that runs keeps its settings until it is started again.
Exit codes: 0 done, 1 there is no such setting, or nothing was written, 2 wrong usage.`;

const verbs = ["list", "get", "set", "unset"] as const;
const arities = { list: 0, get: 1, set: 2, unset: 1 } as const;

/** Shows and changes settings. */
export async function configCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    "show-origin": { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const [word, name = "", value = ""] = positionals;
  const verb = verbs.find((known) => known === word);
  if (verb === undefined) throw usageError(`config needs one of ${verbs.join(", ")}.`, usage);
  if (positionals.length - 1 !== arities[verb])
    throw usageError(
      `config ${verb} takes ${["nothing more", "a NAME", "a NAME and a VALUE"][arities[verb]]}.`,
      usage,
    );
  const show = { origin: values["show-origin"], json: values.json };
  if (verb === "list") return list(io, listSettings(io.environment), show);
  if (verb === "get") return get(io, name, show);
  return change(io, {
    name,
    value: verb === "set" ? value : null,
    isDry: values["dry-run"],
    json: values.json,
  });
}

type Show = { readonly origin: boolean; readonly json: boolean };

function list(io: Io, settings: readonly SettingNow[], show: Show): number {
  if (show.json) io.out(`${JSON.stringify({ settings })}\n`);
  else for (const setting of settings) io.out(`${format(setting, show)}\n`);
  return exitCodes.done;
}

function format({ name, value, origin, file }: SettingNow, show: Show): string {
  return `${name}=${value}${show.origin ? `   (${file ?? origin})` : ""}`;
}

function get(io: Io, name: string, show: Show): number {
  const setting = listSettings(io.environment).find((one) => one.name === name);
  if (setting === undefined) {
    io.err(`${name} is not set, or no setting has this name. passepartout config list shows them.\n`);
    return exitCodes.failed;
  }
  const { value, origin, file } = setting;
  const text = show.origin ? `${value}   (${file ?? origin})` : value;
  io.out(show.json ? `${JSON.stringify(setting)}\n` : `${text}\n`);
  return exitCodes.done;
}

async function change(
  io: Io,
  asked: {
    readonly name: string;
    readonly value: string | null;
    readonly isDry: boolean;
    readonly json: boolean;
  },
): Promise<number> {
  const { name, value, isDry, json } = asked;
  const prepared = prepareSetting(io.environment, name, value);
  if (!prepared.ok) {
    if (json) io.out(`${JSON.stringify({ ok: false, reason: prepared.reason })}\n`);
    else io.err(`${prepared.reason}\n`);
    return exitCodes.failed;
  }
  const { path, lines, warning } = prepared;
  if (!json)
    io.out(
      lines.length === 0
        ? "This is set already.\n"
        : `${path}\n${lines.map((line) => `  ${line}\n`).join("")}`,
    );
  if (!isDry && lines.length > 0) await prepared.make();
  if (json)
    io.out(
      `${JSON.stringify({ ok: true, file: path, lines, warning, written: !isDry && lines.length > 0 })}\n`,
    );
  else if (warning !== null) io.err(`${warning}\n`);
  return exitCodes.done;
}
