/** What stands in the place of an answer. */
const hidden = "[hidden]";

/** What may stand between two characters of an answer: blanks, line ends, invisible characters. */
const between = "[\\s\\p{Cf}]{0,4}";

/** Characters that a program is shown to have printed since it was last read. */
const mostShown = 30_000;

/** What the owner answered to one program in secret: as it is, backwards, in base64 or in hexadecimal digits, also over several rows, no text leaves with it. */
export class SecretAnswers {
  readonly #answers: string[] = [];

  add(answer: string): void {
    if (answer !== "") this.#answers.push(answer);
  }

  get isEmpty(): boolean {
    return this.#answers.length === 0;
  }

  /** Whether a text repeats one. */
  isIn(text: string): boolean {
    return this.hide(text) !== text;
  }

  /** A text without them. */
  hide(text: string): string {
    return this.#answers.reduce(
      (left, answer) => left.replace(new RegExp(formsOf(answer), "giu"), hidden),
      text,
    );
  }

  /** The end of a text without them. */
  shown(text: string): string {
    const shown = this.hide(text);
    if (shown.length <= mostShown) return shown;
    return `(the lines before are left out)\n${shown.slice(-mostShown).toWellFormed()}`;
  }
}

function formsOf(answer: string): string {
  const bytes = Buffer.from(answer);
  const forms = [
    answer,
    [...answer].reverse().join(""),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  const written = forms.map((form) => Array.from(form, (key) => RegExp.escape(key)).join(between));
  return [...new Set(written)].join("|");
}
