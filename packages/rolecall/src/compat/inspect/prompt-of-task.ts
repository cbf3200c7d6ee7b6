import { PromptError } from '@rolecall/core/internal/errors'
import { ownEntry } from '@rolecall/core/internal/schema'
import type { InspectTask } from './eval-yaml.ts'
import { formatFields } from './format-fields.ts'

/** Columns of the rows that a task's prompt and scorers read; metadata keeps its names. A text such as {target} in a template is no field. */
export const taskColumns = {
  input: 'inspect_input',
  image: 'inspect_image',
  choices: 'inspect_choices',
  letters: 'inspect_letters',
  target: 'inspect_target',
} as const

/** Inspect's own texts around a question. */
const texts = {
  chainOfThought:
    '\n{prompt}\n\nBefore answering, reason in a step-by-step manner as to get the right answer. Provide your answer at the end on its own line in the form "ANSWER: $ANSWER" (without quotes) where $ANSWER is the answer to the question.\n',
  single: choiceText('$LETTER', 'LETTER is one of', '', false),
  singleThinking: choiceText('$LETTER', 'LETTER is one of', '', true),
  several: choiceText('$LETTERS', 'LETTERS is one or more of', ' where multiple answers may be correct', false),
  severalThinking: choiceText('$LETTERS', 'LETTERS is one or more of', ' where multiple answers may be correct', true),
} as const

function choiceText(answer: string, letters: string, which: string, isThinking: boolean): string {
  const part = isThinking ? 'last line' : 'entire content'
  const think = isThinking ? ' Think step by step before answering.' : ''
  return `Answer the following multiple choice question${which}. The ${part} of your response should be of the following format: 'ANSWER: ${answer}' (without quotes) where ${letters} {letters}.${think}\n\n{question}\n\n{choices}`
}

type Content = string | readonly object[]
type Message = { role: 'system' | 'user'; content: Content }

/** The messages that a task sends, as a template over the columns of its rows, and the settings of the reply. */
export type InspectPrompt = {
  messages: Message[]
  columns: string[]
  maxTokens?: number
  isChoice: boolean
  severalCorrect: boolean
  /** Arguments of solvers that change nothing here, such as a temperature. */
  unused: string[]
}

/** The arguments of solvers that are read, and those that matter only with tools or a cache; templates take any others as fields. */
const solverArguments: Readonly<Record<string, readonly string[]>> = {
  chain_of_thought: ['template'],
  multiple_choice: ['template', 'cot', 'multiple_correct', 'shuffle', 'max_tokens'],
  generate: ['max_tokens', 'tool_calls', 'cache'],
}

/** Runs the solvers of a task on a template instead of a sample: each changes the prompt, and one of them generates. */
export function promptOfTask({ field_spec: fields, solvers }: InspectTask, where: string): InspectPrompt {
  const metadata = (fields.metadata ?? []).map((name) => [name, `{${name}}`] as const)
  const systems: string[] = []
  const users = [`{${taskColumns.input}}`]
  const unused: string[] = []
  const state = { generates: 0, isChoice: false, severalCorrect: false, maxTokens: undefined as number | undefined }
  for (const { name, args } of solvers) {
    const place = `${where} › ${name}`
    const known = ownEntry(solverArguments, name)
    unused.push(...Object.keys(args).flatMap((key) => (known === undefined || known.includes(key) ? [] : [`${key} of ${name}`])))
    const { template: own, ...params } = args
    const template = textOf(own, place)
    const values = new Map([...metadata, ...Object.entries(params).map(([key, value]) => [key, String(value)] as const)])
    if (state.generates > 0) throw refusedStep(place, 'a step after the reply cannot be run here')
    switch (name) {
      case 'system_message':
        systems.push(formatFields(required(template, place), values, place))
        break
      case 'user_message':
        users.push(formatFields(required(template, place), values, place))
        break
      case 'prompt_template':
        users[users.length - 1] = formatFields(required(template, place), new Map([...values, ['prompt', users.at(-1)!]]), place)
        break
      case 'chain_of_thought':
        users[users.length - 1] = formatFields(template ?? texts.chainOfThought, new Map([['prompt', users.at(-1)!]]), place)
        break
      case 'multiple_choice': {
        if (fields.choices == null) throw refusedStep(place, 'field_spec names no choices')
        const [severalCorrect, isThinking] = [params.multiple_correct === true, params.cot === true]
        if (params.shuffle) throw refusedStep(place, 'choices in another order at every run cannot be repeated; use shuffle_choices')
        const usual = severalCorrect
          ? isThinking
            ? texts.severalThinking
            : texts.several
          : isThinking
            ? texts.singleThinking
            : texts.single
        const parts = { question: users.at(-1)!, choices: `{${taskColumns.choices}}`, letters: `{${taskColumns.letters}}` }
        users[users.length - 1] = formatFields(template ?? usual, new Map(Object.entries(parts)), place)
        Object.assign(state, { isChoice: true, severalCorrect, generates: 1, maxTokens: countOf(params.max_tokens, place) })
        break
      }
      case 'generate':
        Object.assign(state, { generates: 1, maxTokens: countOf(params.max_tokens, place) })
        break
      default:
        name satisfies never
    }
  }
  if (state.generates === 0) throw refusedStep(where, 'no solver generates a reply')
  const contents: Content[] = fields.input_image == null ? users : [withImage(users[0]!), ...users.slice(1)]
  const messages: Message[] = [
    ...systems.map((content) => ({ role: 'system' as const, content })),
    ...contents.map((content) => ({ role: 'user' as const, content })),
  ]
  const used = JSON.stringify(messages)
  const columns = [...Object.values(taskColumns), ...metadata.map(([name]) => name)].filter((name) => used.includes(`{${name}}`))
  const { isChoice, severalCorrect, maxTokens } = state
  return { messages, columns, isChoice, severalCorrect, unused, ...(maxTokens === undefined ? {} : { maxTokens }) }
}

function withImage(text: string): readonly object[] {
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url: `{${taskColumns.image}}` } },
  ]
}

function textOf(value: unknown, where: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new PromptError('bad-task', { where: `${where} › template`, problem: 'this is not a text', fix: 'write a text' })
}

function required(template: string | undefined, where: string): string {
  if (template !== undefined) return template
  throw new PromptError('bad-task', { where, problem: 'it has no template', fix: 'write args: { template: … }' })
}

function countOf(value: unknown, where: string): number | undefined {
  if (value == null || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return value ?? undefined
  throw new PromptError('bad-task', {
    where: `${where} › max_tokens`,
    problem: 'this is not a positive whole number',
    fix: 'write a number, or leave it out',
  })
}

function refusedStep(where: string, problem: string): PromptError {
  return new PromptError('unsupported-task', { where, problem, fix: 'leave this task out, or run it with Inspect' })
}
