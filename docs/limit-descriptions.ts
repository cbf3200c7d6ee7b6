import type { limits } from '../packages/core/src/base/errors/limits.ts'

type LimitDescription = {
  unit: string
  /** What is bounded. */
  bounds: string
  /** What happens beyond it. */
  beyond: string
}

/** The limits in words, for `docs/limits.md`: not in `src`, where they would be in every bundle. */
export const limitDescriptions: Record<keyof typeof limits, LimitDescription> = {
  schemaSteps: {
    unit: 'steps',
    bounds: "checking a call's arguments against its tool's JSON Schema",
    beyond: 'the call has a problem: it could not be checked',
  },
  patternSteps: {
    unit: 'steps',
    bounds: 'the size of a pattern of a schema or a config, after its repetitions are written out',
    beyond: 'of a schema: the pattern is not checked; of a config: a text above the next limit is refused',
  },
  patternText: {
    unit: 'characters',
    bounds: 'texts that are searched with a pattern that looks back or ahead, which cannot be done in linear time',
    beyond: 'the row has an error',
  },
  constraintStates: {
    unit: 'states',
    bounds: 'a pattern, a list of values or a number of characters that a constrained reply has to keep to',
    beyond: 'the schema is rejected before the request is sent, with the keyword that is too large',
  },
  constraintParts: {
    unit: 'schemas',
    bounds: 'the parts of a JSON Schema for constrained replies, after `anyOf` and `allOf` are combined',
    beyond: 'as above',
  },
  constraintDepth: {
    unit: 'levels',
    bounds: 'lists and objects inside one another in such a schema, and schemas that refer to one another in a row',
    beyond: 'as above',
  },
  constraintSteps: {
    unit: 'steps',
    bounds:
      'compiling a JSON Schema or a pattern: the parts that are combined, the states and edges of its automata. `rolecall serve` also stops it after its time limit',
    beyond: 'as above',
  },
  replyBytes: {
    unit: 'bytes',
    bounds: "a server's reply, plus the allowance per token below",
    beyond: 'the reply is discarded and the request retried, as after any failure',
  },
  replyBytesPerToken: {
    unit: 'bytes',
    bounds: 'the same, per requested token (max_out_len) or per character of a scored prompt',
    beyond: 'as above',
  },
  replyMillisecondsPerToken: {
    unit: 'milliseconds',
    bounds: "a whole reply, per requested token, in addition to the model's `timeout`",
    beyond: 'as above',
  },
  templateSteps: {
    unit: 'steps',
    bounds: 'a render of a chat template: loop turns, calls, two values or 1,024 characters that are looked at, long numbers by their bits',
    beyond: 'the render is an error, template-limit',
  },
  templateOutput: {
    unit: 'characters',
    bounds: 'what a chat template writes',
    beyond: 'as above',
  },
  templateDepth: {
    unit: 'levels',
    bounds: 'macros and recursive loops inside one another',
    beyond: 'as above',
  },
  functionRowSteps: {
    unit: 'steps',
    bounds: 'a call of a Python function of an lm-evaluation-harness task for one row (`process_results`, `doc_to_*`, metrics)',
    beyond: 'the row has an error, function-limit, with the place in the function; after three such rows it is not called again',
  },
  functionSteps: {
    unit: 'steps',
    bounds: 'a call of such a function for all rows at once (`process_docs`, filters, aggregations)',
    beyond: 'the run is an error, function-limit',
  },
  functionBaseSteps: {
    unit: 'steps',
    bounds: 'such a call without rows',
    beyond: 'the run is an error, function-limit',
  },
  functionModuleSteps: {
    unit: 'steps',
    bounds: 'a module of a task when it is read',
    beyond: 'the task is refused, function-limit',
  },
  functionItemSteps: {
    unit: 'steps',
    bounds: 'what each row adds to the steps of such a call',
    beyond: 'the run is an error, function-limit',
  },
  functionDatasetSteps: {
    unit: 'steps',
    bounds: 'a call that makes a whole dataset (`custom_dataset`)',
    beyond: 'the run is an error, function-limit',
  },
  functionDatasetMemory: {
    unit: 'characters and items',
    bounds: 'what such a call makes, all in all',
    beyond: 'the run is an error, function-limit',
  },
  lineBytes: {
    unit: 'bytes',
    bounds: 'a line of a file of rows, unpacked; a whole .json file',
    beyond: 'an error that names the line',
  },
  unpackedRatio: {
    unit: 'times',
    bounds: 'what an archive, a compressed file or a compressed page of a Parquet file unpacks to, by its own size',
    beyond: 'the file is refused with the name of the member (`unpacks-too-large`)',
  },
  unpackedFloor: {
    unit: 'bytes',
    bounds: 'what a small one may unpack to, whatever the ratio',
    beyond: 'as above',
  },
  unpackedMember: {
    unit: 'bytes',
    bounds: 'a member of an archive that is held in memory as a whole',
    beyond: 'as above',
  },
  tokenizerSteps: {
    unit: 'steps',
    bounds: 'matching the patterns of a `tokenizer.json`, per character of the text',
    beyond: 'the text is not encoded: an error names the file (`slow-tokenizer`)',
  },
  tokenizerBaseSteps: {
    unit: 'steps',
    bounds: 'the same, in addition for every text',
    beyond: 'as above',
  },
  hubAnswer: {
    unit: 'bytes',
    bounds: 'an answer of a hub that is not a file, unpacked',
    beyond: 'the hub counts as unreachable',
  },
  hubPages: {
    unit: 'pages',
    bounds: 'the list of the files of a repository; a page that was seen before ends it, too',
    beyond: 'as above',
  },
  templateSeconds: {
    unit: 'seconds',
    bounds: 'one render of a chat template that a command is given, by the clock',
    beyond: 'its thread is ended, and the render is an error, template-limit; in `run` the command is ended',
  },
  commandTemplateSeconds: {
    unit: 'seconds',
    bounds:
      'all renders of chat templates of one `formats`, `lint` or `render` together, in processor time; renders of less than 20 ms do not count',
    beyond: 'the command ends with an error, templates-too-slow, that names the template and the line',
  },
  templateMemory: {
    unit: 'MiB',
    bounds: 'the memory of the thread in which such templates are rendered',
    beyond: 'as above; `run` renders in its own process and has no such bound',
  },
}
