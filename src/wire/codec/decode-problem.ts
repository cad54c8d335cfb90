import type { Form } from "../../text/form.ts";

/** A form that can be read but is not a valid message. Never leaves the decoder. */
export class DecodingProblem extends Error {
  readonly code: string;
  readonly form: Form;
  constructor(code: string, message: string, form: Form) {
    super(message);
    this.code = code;
    this.form = form;
  }
}
