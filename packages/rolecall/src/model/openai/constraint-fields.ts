import { type Constraint, checkArguments, compileConstraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { GenerateOptions, ModelReply } from '../language-model/language-model.ts'
import type { BodyFields } from './request-body.ts'

/** The request field that carries a constraint: OpenAI's, vLLM's newer and older ones, llama.cpp's, SGLang's. */
export const constrainBy = ['response_format', 'structured_outputs', 'guided', 'json_schema', 'sglang'] as const

export type ConstrainBy = (typeof constrainBy)[number]

/** The fields of a request that constrain its reply; throws if the server's API has no field for it. */
export function constraintFields(constraint: Constraint | undefined, by: ConstrainBy, where: string): BodyFields {
  if (!constraint) return {}
  const anyObject = { type: 'object' }
  switch (constraint.kind) {
    case 'json-schema': {
      const { schema, name = 'output' } = constraint
      if (by === 'response_format' || by === 'sglang')
        return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } }
      return jsonFields(schema, by)
    }
    case 'json-object':
      return by === 'response_format' || by === 'sglang' ? { response_format: { type: 'json_object' } } : jsonFields(anyObject, by)
    case 'pattern':
      return otherFields({ guided_regex: constraint.pattern }, { regex: constraint.pattern }, constraint.pattern, 'a pattern')
    case 'choice':
      return otherFields(
        { guided_choice: constraint.choices },
        { choice: constraint.choices },
        oneOf(constraint.choices),
        'a choice of texts',
      )
    case 'sequence':
    case 'any-of':
    case 'repeat':
    case 'text-without':
      throw cannot('a sequence')
    default:
      return constraint satisfies never
  }

  function otherFields(guided: BodyFields, structured: BodyFields, regex: string, what: string): BodyFields {
    if (by === 'guided') return guided
    if (by === 'structured_outputs') return { structured_outputs: structured }
    if (by === 'sglang') return { regex }
    throw cannot(what)
  }

  function cannot(what: string): PromptError {
    return new PromptError('cannot-constrain', {
      where: `${where} › constrain_by`,
      problem: `a reply has to be ${what}, which ${by} cannot express`,
      fix: "ask for JSON of a schema; or set constrain_by: 'structured_outputs' (vLLM), 'guided' (vLLM before 0.12) or 'sglang', if the server is one",
    })
  }
}

function jsonFields(schema: unknown, by: Exclude<ConstrainBy, 'response_format' | 'sglang'>): BodyFields {
  if (by === 'structured_outputs') return { structured_outputs: { json: schema } }
  return by === 'guided' ? { guided_json: schema } : { json_schema: schema }
}

/** A choice of texts as a regular expression. */
function oneOf(texts: readonly string[]): string {
  return `(${texts.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|')})`
}

/** Servers ignore unknown fields, so the reply is validated here. */
export async function constraintNotes(
  { constraint, guides, signal }: Partial<Pick<GenerateOptions, 'constraint' | 'guides' | 'signal'>>,
  { text, finish, calls = [] }: ModelReply,
): Promise<Note[]> {
  if (!constraint || finish !== 'stop' || calls.length > 0) return []
  const accepts = (one: Constraint) => (guides ? guides.accepts(one, text, signal) : compileConstraint(one).accepts(text))
  let problem: string | undefined
  try {
    problem = await problemOf(constraint, text, accepts)
  } catch (error) {
    // The server may enforce what we cannot.
    if (!(error instanceof PromptError)) throw error
    return [{ code: 'not-checked', text: `whether the server kept the reply to what it had to be was not checked: ${error.problem}` }]
  }
  if (problem === undefined) return []
  return [{ code: 'not-constrained', text: `the server did not keep the reply to what it had to be: ${problem}; see constrain_by` }]
}

async function problemOf(
  constraint: Constraint,
  text: string,
  accepts: (constraint: Constraint) => boolean | Promise<boolean>,
): Promise<string | undefined> {
  if (constraint.kind === 'sequence') return undefined
  if (constraint.kind !== 'json-schema' && constraint.kind !== 'json-object') {
    return (await accepts(constraint)) ? undefined : 'it is another text'
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  const [problem] = checkArguments(value as PyValue, constraint.kind === 'json-object' ? { type: 'object' } : constraint.schema)
  return problem && (problem.path === '' ? problem.problem : `${problem.path} ${problem.problem}`)
}
