import type { Form } from "../../signal/form.ts";

/** What is wrong with a message that reads as a form, and at which form. Never leaves the decoder. */
export class DecodingProblem extends Error {
  readonly code: string;
  readonly form: Form;
  constructor(code: string, message: string, form: Form) {
    super(message);
    this.code = code;
    this.form = form;
  }
}
