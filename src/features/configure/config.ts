import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { prepareSetting } from "../../settings/change-setting.ts";
import { listSettings, type SettingNow } from "../../settings/list-settings.ts";
import { configSpec } from "./command-specs.ts";

/** Shows and changes settings. */
export async function configCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, configSpec);
  const [name = "", value = ""] = words;
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
  if (!isDry && lines.length > 0) await prepared.make();
  if (!json)
    io.out(
      lines.length === 0
        ? "This is set already.\n"
        : `${path}\n${lines.map((line) => `  ${line}\n`).join("")}`,
    );
  if (json)
    io.out(
      `${JSON.stringify({ ok: true, file: path, lines, warning, written: !isDry && lines.length > 0 })}\n`,
    );
  else if (warning !== null) io.err(`${warning}\n`);
  return exitCodes.done;
}
