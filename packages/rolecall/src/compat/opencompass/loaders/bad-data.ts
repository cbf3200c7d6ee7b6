/**
 * A problem with the data that a loader reads. The caller knows the loader's name and folder, and reports them to the user
 * with a `PromptError`.
 */
export class BadData extends Error {
  constructor(
    message: string,
    /** The file, with the line or row if known. */
    readonly place?: string,
  ) {
    super(message)
  }
}

/** Nothing exists at the loader's path. */
export class MissingData extends BadData {}
