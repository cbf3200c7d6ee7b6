/**
 * What is wrong with the data a loader reads. Whoever called the loader knows its name and folder, and tells the user
 * with a `PromptError`.
 */
export class BadData extends Error {
  constructor(
    message: string,
    /** The file, with the line or row where it is known. */
    readonly place?: string,
  ) {
    super(message)
  }
}

/** Nothing lies where the loader looks. */
export class MissingData extends BadData {}
