/** A token of a template; `type` is `data`, a delimiter, `name`, `string`, `integer`, `float`, `eof`, or the operator itself. */
export type Token = { type: string; value: string; start: number; end: number }
