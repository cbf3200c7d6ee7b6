/**
 * A difference between Rolecall and a reference system. `docs/` print it, `cases/` show it, and the runner checks it: the condition of a rule
 * looks at the input alone, and what Rolecall gives instead is computed a second time or described by a property.
 */
export type Rule = {
  /** What the reference does. */
  reference: string
  /** What the documents say. */
  document?: string
  /** What Rolecall does. */
  rolecall: string
  /** Rolecall's outcome where it differs: a result (`value`), a refusal with one of these error codes, or either. */
  gives: 'value' | readonly string[]
}
