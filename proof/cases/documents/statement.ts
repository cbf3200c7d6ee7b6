/** A snippet of a document, as data: it is written in Python, YAML and JSON, and must mean the same in each. */
export type Statement = {
  name: string
  /** The document, by its number in shared/seeds. */
  document: string
  /** Top-level names and their values. A list named PromptList is one. */
  parts?: Readonly<Record<string, unknown>>
  /** A file that is no config, by its name, instead of `parts`. */
  file?: readonly [name: string, text: string]
  /** The prompt that `render --text` shows. */
  prompt?: string
  /** The code of the error that says what is missing, on every surface. */
  refused?: string
  /** All prompts of it, where it has several. */
  shows?: readonly string[]
  /** Surfaces that do not get as far as the error. */
  works?: readonly string[]
  /** Surfaces on which it has no meaning, with the code of the error there. */
  except?: Readonly<Record<string, string>>
}
