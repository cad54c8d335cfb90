import { joinLabels } from "../../signal/label.ts";
import type { Outcome, Preparation } from "../../signal/tool.ts";
import { readWholeFile } from "./contents.ts";
import type { KeepPreImage } from "./replace.ts";
import { undoFile } from "./undo-file.ts";

type Ready = Extract<Preparation, { readonly ok: true }>;

/** Combines two file changes into one. If the second fails, the first is undone. The outcome is that of the second. */
export function prepareBoth(first: Ready, second: Ready, keepPreImage: KeepPreImage): Ready {
  return {
    ok: true,
    effects: [...first.effects, ...second.effects],
    plan: [first.plan, second.plan],
    changes: [...first.changes, ...second.changes],
    ...previewOfBoth(first, second),
    resultLabel: joinLabels(first.resultLabel, second.resultLabel),
    run: (cancel) => runBoth({ first, second, keepPreImage }, cancel),
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

type Both = { readonly first: Ready; readonly second: Ready; readonly keepPreImage: KeepPreImage };

async function runBoth({ first, second, keepPreImage }: Both, cancel: AbortSignal): Promise<Outcome> {
  const [change] = first.changes;
  const before = change === undefined ? null : await readWholeFile(change.path);
  const made = await first.run(cancel);
  if (made.status === "error") return made;
  const now = change === undefined ? null : await readWholeFile(change.path);
  const outcome = await second.run(cancel);
  if (outcome.status === "success" || change === undefined || before?.ok !== true || now?.ok !== true)
    return outcome;
  const back = await undoFile({
    path: change.path,
    from: now.value?.bytes ?? null,
    preImage: before.value,
    keepPreImage,
  });
  return back.status === "failed" || back.status === "conflict"
    ? { ...outcome, message: `${outcome.message} ${back.message}` }
    : outcome;
}
