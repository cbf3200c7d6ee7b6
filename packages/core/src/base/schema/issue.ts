/** What `check` needs of a schema, ours or zod's: the interface of https://standardschema.dev, with issues of zod's kinds. */
export type Checker<Output> = {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly output: Output } | undefined
  }
}

export type Checked<Schema> = Schema extends Checker<infer Output> ? Output : never

type Validated<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly object[] }

/** What is wrong with a value. After an issue that says `continue`, the value has the right type nevertheless. */
export type Issue = { path: PropertyKey[]; continue?: boolean } & (
  | { code: 'invalid_type'; expected: string }
  | { code: 'invalid_value'; values: readonly unknown[] }
  | { code: 'invalid_union'; errors: Issue[][] }
  | { code: 'unrecognized_keys'; keys: string[] }
  | { code: 'too_small'; origin: string; minimum: number | bigint; inclusive?: boolean }
  | { code: 'too_big' | 'invalid_format' | 'custom'; message: string }
)
