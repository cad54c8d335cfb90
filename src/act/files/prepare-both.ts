import { bottomLabel, joinLabels } from "../../signal/label.ts";
import type { Outcome, Preparation } from "../../signal/tool.ts";
import type { Fallible } from "./fallible.ts";
import type { FilePorts } from "./file-ports.ts";
import { type PresentFile, readPresentFile } from "./present-file.ts";
import { undoFile } from "./undo-file.ts";

type Ready = Extract<Preparation, { readonly ok: true }>;

/** Combines two changes of files into one. If the second fails, all of the first is undone. The outcome is that of the second; `partly-done` where the first could not be undone. */
export function prepareBoth(first: Ready, second: Ready, ports: UndoPorts): Ready {
  return {
    ok: true,
    effects: [...first.effects, ...second.effects],
    plan: [first.plan, second.plan],
    changes: [...first.changes, ...second.changes],
    rewrites: [...(first.rewrites ?? []), ...(second.rewrites ?? [])],
    ...previewOfBoth(first, second),
    resultLabel: joinLabels(first.resultLabel, second.resultLabel),
    toldByEffects: joinLabels(first.toldByEffects ?? bottomLabel, second.toldByEffects ?? bottomLabel),
    run: (cancel) => runBoth({ first, second, ports }, cancel),
  };
}

function previewOfBoth({ preview: one }: Ready, { preview: other }: Ready): Pick<Ready, "preview"> {
  if (one === undefined || other === undefined) {
    const preview = one ?? other;
    return preview === undefined ? {} : { preview };
  }
  const diffs = async () => [...(await other.diffs()), ...(await one.diffs())];
  return { preview: { label: joinLabels(one.label, other.label), diffs } };
}

type UndoPorts = Pick<FilePorts, "keepPreImage" | "buffers">;
type Both = { readonly first: Ready; readonly second: Ready; readonly ports: UndoPorts };

async function runBoth({ first, second, ports }: Both, cancel: AbortSignal): Promise<Outcome> {
  const read = (): Promise<readonly Fallible<PresentFile>[]> =>
    Promise.all(first.changes.map(({ path }) => readPresentFile(path, ports.buffers)));
  const before = await read();
  const made = await first.run(cancel);
  if (made.status === "error") return made;
  const now = await read();
  const outcome = await second.run(cancel);
  if (outcome.status === "success") return outcome;
  const left: string[] = [];
  for (const [index, { path }] of [...first.changes.entries()].toReversed()) {
    const [old, current] = [before[index], now[index]];
    if (old?.ok !== true || current?.ok !== true) continue;
    const from = current.value.contents?.bytes ?? null;
    const back = await undoFile({ path, from, preImage: old.value.contents, ...ports });
    if (back.status === "failed" || back.status === "conflict") left.push(back.message);
  }
  // What is half done is no lost race: made again, it would be done twice.
  const code = left.length === 0 ? outcome.code : "partly-done";
  return { ...outcome, code, message: [outcome.message, ...left].join(" ") };
}
