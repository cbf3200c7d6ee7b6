/** What a reply has to be, to the letter. */
export type Constraint =
  /** JSON that satisfies a schema. */
  | { kind: 'json-schema'; schema: unknown /** What the user calls the schema, for errors. */; where?: string; name?: string }
  /** Any JSON object. */
  | { kind: 'json-object'; where?: string }
  /** A text that matches a regular expression from its beginning to its end. */
  | { kind: 'pattern'; pattern: string; where?: string }
  /** One of some texts. */
  | { kind: 'choice'; choices: readonly string[]; where?: string }
  /** One after the other: the arguments of a call, and what ends the call. */
  | { kind: 'sequence'; parts: readonly Constraint[] }

/** The identity of a constraint. */
export function constraintKey(constraint: Constraint): string {
  return JSON.stringify(constraint)
}
