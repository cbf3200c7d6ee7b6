/** The exact form that a reply must have. */
export type Constraint =
  /** JSON that satisfies a schema. */
  | {
      kind: 'json-schema'
      schema: unknown
      /** The user's name for the schema, for errors. */
      where?: string
      name?: string
      /** White space may precede the value: where it follows a mark, not at the beginning of a reply. */
      isPadded?: true
    }
  /** Any JSON object. */
  | { kind: 'json-object'; where?: string }
  /** A text that matches a regular expression as a whole. */
  | { kind: 'pattern'; pattern: string; where?: string }
  /** One of several texts. */
  | { kind: 'choice'; choices: readonly string[]; where?: string }
  /** A sequence: the arguments of a call, and the text that ends the call. */
  | { kind: 'sequence'; parts: readonly Constraint[] }
  /** One of several. */
  | { kind: 'any-of'; parts: readonly Constraint[] }
  /** One, and then any number of others. */
  | { kind: 'repeat'; first: Constraint; next: Constraint }
  /** Any text, also none, in which none of these texts occurs. */
  | { kind: 'text-without'; texts: readonly string[]; where?: string }

/** The identity of a constraint. */
export function constraintKey(constraint: Constraint): string {
  return JSON.stringify(constraint)
}
