import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ScorerName } from './scorer-names.ts'

const argsSchema = z.record(z.string(), z.unknown()).default({})
const solverNames = ['prompt_template', 'system_message', 'user_message', 'chain_of_thought', 'multiple_choice', 'generate'] as const

const ignoreCase = { ignore_case: z.boolean().optional() }
const scorer = <Name extends ScorerName, Args extends z.ZodRawShape>(name: Name, args: Args) =>
  z.strictObject({ name: z.literal(name), args: z.strictObject(args).prefault({} as never) })
const scorerSchemas = [
  scorer('includes', ignoreCase),
  scorer('match', { ...ignoreCase, location: z.enum(['begin', 'end', 'any', 'exact']).optional(), numeric: z.boolean().optional() }),
  scorer('pattern', { ...ignoreCase, pattern: z.string(), match_all: z.boolean().optional() }),
  scorer('answer', { pattern: z.enum(['letter', 'word', 'line']) }),
  scorer('exact', {}),
  scorer('f1', { stop_words: z.array(z.string()).optional() }),
  scorer('choice', {}),
  scorer('math', {}),
] as const

/** Steps and scorers of Inspect that cannot be run here, and why. */
const refused: Readonly<Record<string, string>> = {
  use_tools: 'its tools are Python functions of Inspect',
  self_critique: 'it lets a model criticise and repeat its answer',
  model_graded_qa: 'a model grades the answers, with prompts of Inspect',
  model_graded_fact: 'a model grades the answers, with prompts of Inspect',
}

const taskSchema = z.strictObject({
  id: z.string().optional(),
  config: z.string().default('default'),
  split: z.string().default('test'),
  field_spec: z.strictObject({
    input: z.string().default('input'),
    target: z.string().default('target'),
    choices: z.union([z.string(), z.array(z.string())]).nullish(),
    input_image: z.string().nullish(),
    metadata: z.array(z.string()).nullish(),
    id: z.string().nullish(),
    sandbox: z.string().nullish(),
    files: z.string().nullish(),
    setup: z.string().nullish(),
  }),
  shuffle_choices: z.boolean().nullish(),
  epochs: z.int().positive().default(1),
  epoch_reducer: z.string().nullish(),
  solvers: z.array(z.strictObject({ name: z.enum(solverNames), args: argsSchema })).min(1),
  scorers: z.array(z.discriminatedUnion('name', scorerSchemas)).min(1),
})

/** A task of `eval.yaml`. */
export type InspectTask = z.infer<typeof taskSchema>

const outlineSchema = z.looseObject({
  evaluation_framework: z.string().optional(),
  tasks: z.array(z.record(z.string(), z.unknown())).min(1),
})

/** The tasks of an `eval.yaml`; with an id, only that one. `where` is its address, for errors. */
export function readEvalYaml(text: string, where: string, id?: string): InspectTask[] {
  const { evaluation_framework: framework = 'inspect-ai', tasks } = checked(outlineSchema, yamlOf(text, where), where)
  if (framework !== 'inspect-ai')
    throw new PromptError('bad-task', {
      where: `${where} › evaluation_framework`,
      problem: `its tasks are for ${framework}`,
      fix: 'use a dataset whose eval.yaml has tasks for inspect-ai',
    })
  const ids = tasks.flatMap((task) => (typeof task.id === 'string' ? [task.id] : []))
  if (tasks.length > 1 && ids.length < tasks.length)
    throw new PromptError('bad-task', { where, problem: 'one of its tasks has no id', fix: 'give each of several tasks an id' })
  const wanted = tasks.filter((task) => id === undefined || task.id === id)
  if (wanted.length === 0) throw new PromptError('unknown-name', { where, problem: `there is no task "${id}"`, fix: suggestName(id!, ids) })
  return wanted.map((task) => {
    const place = tasks.length > 1 ? `${where} › ${String(task.id)}` : where
    refuse(task, place)
    return checked(taskSchema, task, place)
  })
}

function yamlOf(text: string, where: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new PromptError('bad-task', {
      where,
      problem: `this is not YAML (${(error as Error).message.split('\n')[0]})`,
      fix: 'correct the file',
    })
  }
}

/** The reason says more than the list of names that are known. */
function refuse(task: Readonly<Record<string, unknown>>, where: string): void {
  for (const key of ['solvers', 'scorers']) {
    const listed = Array.isArray(task[key]) ? (task[key] as unknown[]) : []
    for (const one of listed) {
      const name = (one as { name?: unknown } | null)?.name
      const reason = typeof name === 'string' && Object.hasOwn(refused, name) ? refused[name] : undefined
      if (reason === undefined) continue
      throw new PromptError('unsupported-task', {
        where: `${where} › ${key}`,
        problem: `"${String(name)}" cannot be run here: ${reason}`,
        fix: 'leave this task out, or run it with Inspect and read its log (`rolecall view FILE.eval`)',
      })
    }
  }
}

function checked<Value>(schema: z.ZodType<Value>, given: unknown, where: string): Value {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new PromptError('bad-task', {
    where: [where, ...issue!.path.map(String)].join(' › '),
    problem: issue!.message,
    fix: 'correct eval.yaml: https://inspect.aisi.org.uk/tasks.html#hugging-face',
  })
}
