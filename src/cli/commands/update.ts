import { join } from "node:path";
import type { Io } from "../../kernel/io.ts";
import { putOlderStateBack, versionOfState } from "../../memory/state/put-older-state-back.ts";
import { rehearseState } from "../../memory/state/rehearse-state.ts";
import { lockState } from "../../memory/storage/lock-state.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { countOf } from "../../text/count-of.ts";
import { readManifest } from "../../update/build-manifest.ts";
import { type BuildRecord, buildName, readRecord, writeRecord } from "../../update/builds-folder.ts";
import { findOwnBuild, type OwnBuild } from "../../update/own-build.ts";
import { updateSpec } from "../table/own-specs.ts";

/** What a verb says, in words and as data. */
type Said = { readonly ok: boolean; readonly text: string; readonly data?: object };

/** Says what is installed and used, tries an update on a copy of the state, or goes back. */
export async function updateCommand(io: Io): Promise<number> {
  const { values, verb } = parseVerb(io, updateSpec);
  const { state } = loadPolicy(io.environment).config.places;
  const said = verb === "check" ? check(state) : use(verb, findOwnBuild(), state);
  if (values.json) io.out(`${JSON.stringify({ ok: said.ok, text: said.text, ...said.data })}\n`);
  else (said.ok ? io.out : io.err)(`${said.text}\n`);
  return said.ok ? exitCodes.done : exitCodes.failed;
}

function check(state: string): Said {
  const found = rehearseState(state);
  return { ok: true, text: found, data: {} };
}

function use(verb: string, own: OwnBuild | null, state: string): Said {
  if (own === null)
    return {
      ok: false,
      text: "This program runs on its installation itself, so no build before it is kept.",
    };
  const record = readRecord(own.builds, own.root);
  if (verb === "back") return goBack(own, record, state);
  if (verb === "forward") return goForward(own, record);
  const used = record.instead ?? record.installed ?? own.id;
  const lines = [`Installed: ${record.installed ?? own.id} (${own.root})`, `Used: ${used}`, nextOf(record)];
  return { ok: true, text: lines.join("\n"), data: { ...record, used } };
}

/** What can be used instead of the build that is used. */
function nextOf({ before, instead }: BuildRecord): string {
  if (instead !== null) return "To use the installed version again: passepartout update forward";
  return before === null
    ? "There is no build to go back to."
    : `Before: ${before}. To use it again: passepartout update back`;
}

function goBack(own: OwnBuild, record: BuildRecord, state: string): Said {
  if (record.instead !== null) return { ok: false, text: `${record.instead} is used already.` };
  const before =
    record.before === null ? null : readManifest(join(own.builds, buildName(own.root, record.before)));
  if (before === null)
    return {
      ok: false,
      text: "No build before the installed one is kept. Install the version that you want as you installed this one.",
    };
  const version = versionOfState(state);
  const older = version === null || version <= before.database ? null : putBack(state, before.database);
  writeRecord(own.builds, own.root, { ...record, instead: before.id });
  const kept =
    older === null
      ? ""
      : ` The state is that of ${older.from}, from before the update; ${countOf(older.turns, "turn")} since then are in ${older.aside} alone.`;
  return {
    ok: true,
    text: `Version ${before.version} (${before.id}) is used from the next start on, and by an agent that runs when nothing runs in it.${kept} To use the installed version again: passepartout update forward`,
    data: { used: before.id, ...older },
  };
}

function putBack(state: string, version: number) {
  using _lock = lockState(state, "changed");
  return putOlderStateBack(state, version);
}

function goForward(own: OwnBuild, record: BuildRecord): Said {
  if (record.instead === null) return { ok: false, text: "The installed version is used already." };
  writeRecord(own.builds, own.root, { ...record, instead: null });
  return { ok: true, text: `${record.installed ?? "The installed version"} is used from the next start on.` };
}
