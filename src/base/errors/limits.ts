/** A bound on the work that untrusted input can cause: how much, of what, and what happens beyond it. */
export type Limit = {
  value: number
  unit: string
  /** What is bounded. */
  bounds: string
  /** What happens beyond it. */
  beyond: string
}

/**
 * Bounds on untrusted input: from servers, requests, tools' schemas, patterns of configs. `docs/limits.md` prints this table. Limits that
 * users set (`max_out_len`, `timeout`, `--max-body`) are documented with their settings.
 */
export const limits = {
  schemaSteps: {
    value: 100_000,
    unit: 'steps',
    bounds: "checking a call's arguments against its tool's JSON Schema",
    beyond: 'the call has a problem: it could not be checked',
  },
  patternSteps: {
    value: 20_000,
    unit: 'steps',
    bounds: 'the size of a pattern of a schema or a config, after its repetitions are written out',
    beyond: 'of a schema: the pattern is not checked; of a config: a text above the next limit is refused',
  },
  patternText: {
    value: 20_000,
    unit: 'characters',
    bounds: 'texts that are searched with a pattern that looks back or ahead, which cannot be done in linear time',
    beyond: 'the row has an error',
  },
  constraintStates: {
    value: 20_000,
    unit: 'states',
    bounds: 'a pattern, a list of values or a number of characters that a constrained reply has to keep to',
    beyond: 'the schema is rejected before the request is sent, with the keyword that is too large',
  },
  constraintParts: {
    value: 5_000,
    unit: 'schemas',
    bounds: 'the parts of a JSON Schema for constrained replies, after `anyOf` and `allOf` are combined',
    beyond: 'as above',
  },
  constraintDepth: {
    value: 500,
    unit: 'levels',
    bounds: 'lists and objects inside one another in such a schema, and schemas that refer to one another in a row',
    beyond: 'as above',
  },
  replyBytes: {
    value: 1 << 20,
    unit: 'bytes',
    bounds: "a server's reply, plus the allowance per token below",
    beyond: 'the reply is discarded and the request retried, as after any failure',
  },
  replyBytesPerToken: {
    value: 8192,
    unit: 'bytes',
    bounds: 'the same, per requested token (max_out_len) or per character of a scored prompt',
    beyond: 'as above',
  },
  replyMillisecondsPerToken: {
    value: 5000,
    unit: 'milliseconds',
    bounds: "a whole reply, per requested token, in addition to the model's `timeout`",
    beyond: 'as above',
  },
  templateSteps: {
    value: 1_000_000,
    unit: 'steps',
    bounds: 'a render of a chat template: loop turns, calls, two values or 1,024 characters that are looked at, long numbers by their bits',
    beyond: 'the render is an error, template-limit',
  },
  templateOutput: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    bounds: 'what a chat template writes',
    beyond: 'as above',
  },
  templateDepth: {
    value: 200,
    unit: 'levels',
    bounds: 'macros and recursive loops inside one another',
    beyond: 'as above',
  },
  functionRowSteps: {
    value: 2_000_000,
    unit: 'steps',
    bounds: 'a call of a Python function of an lm-evaluation-harness task for one row (`process_results`, `doc_to_*`, metrics)',
    beyond: 'the row has an error, function-limit, with the place in the function; after three such rows it is not called again',
  },
  functionSteps: {
    value: 200_000_000,
    unit: 'steps',
    bounds: 'a call of such a function for all rows at once (`process_docs`, filters, aggregations)',
    beyond: 'the run is an error, function-limit',
  },
  lineBytes: {
    value: 500_000_000,
    unit: 'bytes',
    bounds: 'a line of a file of rows, unpacked; a whole .json file',
    beyond: 'an error that names the line',
  },
  templateSeconds: {
    value: 10,
    unit: 'seconds',
    bounds: 'one render of a chat template that a command is given, by the clock',
    beyond: 'its thread is ended, and the render is an error, template-limit; in `run` the command is ended',
  },
  templateMemory: {
    value: 512,
    unit: 'MiB',
    bounds: 'the memory of the thread in which such templates are rendered',
    beyond: 'as above; `run` renders in its own process and has no such bound',
  },
} as const satisfies Record<string, Limit>
