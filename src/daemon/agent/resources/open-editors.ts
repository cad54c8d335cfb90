import { randomUUID } from "node:crypto";
import { bufferTextOf, bytesOfBuffer, replacementsBetween } from "../../../act/files/buffer-text.ts";
import { type ActProblem, done, errorCode, type Fallible, problem } from "../../../act/files/fallible.ts";
import { hostName, localHolderOf, lockPathOf, readLock } from "../../../act/files/locks/lock-file.ts";
import type { EditorBuffers } from "../../../act/files/present-file.ts";
import { sha256 } from "../../../machine/digest.ts";
import {
  type BufferAnswer,
  type BufferRequest,
  type BufferText,
  editUnknown,
  refusalWords,
} from "../../../signal/editor-buffer.ts";
import type { Clock, Wait } from "../../../text/clock.ts";

/** A connected editor that proved itself. */
export type EditorClient = {
  /** Of its connection. */
  readonly id: string;
  /** Its process and the name of its machine, by which its locks are known. */
  readonly pid: number;
  readonly host: string;
  readonly ask: (request: BufferRequest) => void;
};

/** The editors that are connected, and what they are asked about their unsaved buffers. */
export type OpenEditors = {
  readonly buffers: EditorBuffers;
  /** An editor came. The result is called once it has left. */
  readonly join: (editor: EditorClient) => () => void;
  /** Takes the answer of an editor. One that nobody waits for changes nothing. */
  readonly answer: (editor: string, request: string, answer: BufferAnswer) => void;
  /** Whether nothing keeps a file from being edited: no editor holds it, or one that makes edits of it. */
  readonly isEditable: (path: string) => Promise<boolean>;
  /**
   * Has edits of a file wait until its editor gives it up or another edit reaches its buffer: this one is not
   * made there.
   */
  readonly holdOff: (path: string) => Promise<void>;
  /** Why the editor that holds a file was not used for it, as a clause; empty where it was not asked. */
  readonly refusalOf: (path: string) => string;
  /** Calls when an editor came, or answers again. */
  readonly onChange: (listener: () => void) => void;
};

/** Milliseconds: for a text, for an edit, and for an editor that was cut off to come back. */
type Patience = { readonly text: number; readonly edit: number; readonly return: number };

/** An edit is refused by its editor so many milliseconds before its answer is given up. */
const graceOfEdit = 1000;

/** Milliseconds between two looks whether an editor is back. */
const lookPause = 100;

/** What came of a question to an editor. `silent`: no answer in time; `gone`: its connection ended before. */
type Reply = BufferAnswer | { readonly kind: "silent" | "gone" };

type Editor = EditorClient & { isSilent: boolean };
type Pending = { readonly editor: string; readonly settle: (reply: Reply) => void };
type Refusal = { readonly pid: number; readonly words: string };

/** Opens what editors are asked through. */
export function openEditors(
  clock: Clock,
  wait: Wait,
  patience: Patience = { text: 3000, edit: 5000, return: 8000 },
): OpenEditors {
  const editors = new Editors(clock, wait, patience);
  return {
    buffers: { read: (path) => editors.read(path), replace: (change) => editors.replace(change) },
    join: (editor) => editors.join(editor),
    answer: (...parts) => editors.answer(...parts),
    isEditable: (path) => editors.isEditable(path),
    holdOff: (path) => editors.holdOff(path),
    refusalOf: (path) => editors.refusalOf(path),
    onChange: (listener) => editors.onChange(listener),
  };
}

class Editors {
  readonly #clock: Clock;
  readonly #wait: Wait;
  readonly #patience: Patience;
  /** The newest last. */
  readonly #editors = new Map<string, Editor>();
  readonly #pending = new Map<string, Pending>();
  /** By path. */
  readonly #refusals = new Map<string, Refusal>();
  /** How the buffer of a path is saved. */
  readonly #forms = new Map<string, Pick<BufferText, "eol" | "bom">>();
  #changed: () => void = () => {};

  constructor(clock: Clock, wait: Wait, patience: Patience) {
    this.#clock = clock;
    this.#wait = wait;
    this.#patience = patience;
  }

  join(client: EditorClient): () => void {
    // The numbers of processes of other machines say nothing here.
    if (client.host !== hostName()) return () => {};
    this.#editors.set(client.id, { ...client, isSilent: false });
    this.#changed();
    return () => {
      this.#editors.delete(client.id);
      for (const { editor, settle } of [...this.#pending.values()])
        if (editor === client.id) settle({ kind: "gone" });
    };
  }

  answer(id: string, request: string, answer: BufferAnswer): void {
    const pending = this.#pending.get(request);
    if (pending?.editor === id) pending.settle(answer);
    const editor = this.#editors.get(id);
    if (editor?.isSilent !== true) return;
    editor.isSilent = false;
    for (const [path, refusal] of this.#refusals) if (refusal.pid === editor.pid) this.#refusals.delete(path);
    this.#changed();
  }

  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  refusalOf(path: string): string {
    return this.#refusals.get(path)?.words ?? "";
  }

  async isEditable(path: string): Promise<boolean> {
    const holder = await holderOf(path);
    if (holder === "nobody") return true;
    const editor = this.#editorOf(holder);
    return editor !== null && !editor.isSilent && this.#refusals.get(path)?.pid !== editor.pid;
  }

  async holdOff(path: string): Promise<void> {
    const editor = this.#editorOf(await holderOf(path));
    if (editor !== null && this.refusalOf(path) === "")
      this.#refuse(editor, path, "this edit is not made in a buffer");
  }

  async read(path: string): Promise<Uint8Array | null> {
    const editor = this.#editorOf(await holderOf(path));
    if (editor === null || editor.isSilent) return null;
    const reply = await this.#ask(editor, { kind: "text", id: randomUUID(), path }, this.#patience.text);
    if (reply.kind !== "text") {
      this.#refuse(editor, path, wordsOf(reply));
      return null;
    }
    const { text, eol, bom } = reply;
    this.#refusals.delete(path);
    this.#forms.set(path, { eol, bom });
    return bytesOfBuffer({ text, eol, bom });
  }

  async replace({ path, before, after }: Parameters<EditorBuffers["replace"]>[0]): Promise<Fallible<null>> {
    const form = this.#forms.get(path) ?? { eol: "lf", bom: false };
    const [old, made] = [bufferTextOf(before, form), bufferTextOf(after, form)];
    const holder = await holderOf(path);
    const editor = this.#editorOf(holder);
    if (editor === null) return problem("locked", `Emacs, which has ${path} open, is not connected any more`);
    if (old === null || made === null)
      return this.#refuse(editor, path, "its buffer cannot be saved as these bytes");
    const request: BufferRequest = {
      kind: "edit",
      id: randomUUID(),
      path,
      digest: sha256(old),
      replacements: replacementsBetween(old, made),
      expiresAt: this.#clock() + this.#patience.edit - graceOfEdit,
    };
    const reply = await this.#ask(editor, request, this.#patience.edit);
    switch (reply.kind) {
      case "done":
        return done(null);
      case "gone":
        return this.#lookAgain(path, { after, holder, editor });
      case "silent":
        return { ...this.#refuse(editor, path, wordsOf(reply)), code: editUnknown };
      case "refused":
        return reply.code === "changed" ? changedSince(path) : this.#refuse(editor, path, wordsOf(reply));
      case "text":
        return this.#refuse(editor, path, wordsOf(reply));
    }
  }

  /** An editor that was cut off may have made the edit: only its text says so, once it is back. */
  async #lookAgain(
    path: string,
    {
      after,
      holder,
      editor,
    }: { readonly after: Uint8Array; readonly holder: Holder; readonly editor: Editor },
  ): Promise<Fallible<null>> {
    await this.#comesBack(path, holder);
    const now = await this.read(path);
    if (now !== null && Buffer.compare(now, after) === 0) return done(null);
    return { ...this.#refuse(editor, path, wordsOf({ kind: "gone" })), code: editUnknown };
  }

  /**
   * Resolves once the editor that holds a file is connected again, or holds it no longer, or after a while.
   */
  async #comesBack(path: string, holder: Holder): Promise<void> {
    const end = performance.now() + this.#patience.return;
    while (this.#editorOf(holder) === null && performance.now() < end) {
      if ((await holderOf(path)) !== holder) return;
      await this.#wait(lookPause, new AbortController().signal);
    }
  }

  #editorOf(holder: Holder): Editor | null {
    return [...this.#editors.values()].findLast(({ pid }) => pid === holder) ?? null;
  }

  async #ask(editor: Editor, request: BufferRequest, milliseconds: number): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#pending.set(request.id, { editor: editor.id, settle: resolve });
    const timer = setTimeout(() => {
      editor.isSilent = true;
      resolve({ kind: "silent" });
    }, milliseconds);
    editor.ask(request);
    const reply = await promise;
    clearTimeout(timer);
    this.#pending.delete(request.id);
    return reply;
  }

  /**
   * Notes that an editor did not do what it was asked to: until it does, or gives the file up, edits of it
   * wait.
   */
  #refuse({ pid }: Editor, path: string, words: string): ActProblem {
    this.#refusals.set(path, { pid, words });
    return problem("locked", `Emacs was asked to edit ${path}, and ${words}`);
  }
}

/**
 * Who holds a file: the number of a process of this machine, somebody whom no connection can be known to be,
 * or nobody.
 */
type Holder = number | "somebody" | "nobody";

async function holderOf(path: string): Promise<Holder> {
  try {
    const lock = await readLock(lockPathOf(path));
    return lock === null ? "nobody" : (localHolderOf(lock) ?? "somebody");
  } catch (error) {
    // Writing the file then says why.
    if (errorCode(error) === "") throw error;
    return "nobody";
  }
}

function wordsOf(reply: Reply): string {
  switch (reply.kind) {
    case "silent":
      return "it does not answer";
    case "gone":
      return "it was cut off";
    case "refused":
      return refusalWords.get(reply.code) ?? "it does not answer as it should";
    case "text":
    case "done":
      return "it does not answer as it should";
  }
}

function changedSince(path: string): ActProblem {
  return problem(
    "conflict",
    `${path}: its buffer in Emacs changed after this was judged, so nothing was changed there. Propose the change again.`,
  );
}
