import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { control, plain } from '@rolecall/core/internal/text'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { GenerateOptions, LanguageModel } from '../../model/language-model/language-model.ts'
import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import { type AskedCause, askCause, causesToAsk } from '../../workbench/why/ask-causes.ts'
import type { WhyRow, WhySide } from '../../workbench/why/why-row.ts'
import { modelConfigOf, openModel } from '../models/model-flags.ts'
import type { ExplainedRuns } from './explain-runs.ts'

export type AskOptions = {
  /** As `--model` of other commands: `openai:NAME@URL`. */
  model: string
  /** At most this many rows per cause. */
  rows: number
  /** Called before the first request, with the number of requests. */
  onStart?: (requests: number) => void
}

/** Asks a model the rows that settle causes: prompt and settings of the second run each switched alone. Notes say what could not be asked. */
export async function askWhy({ report, sides }: ExplainedRuns, options: AskOptions): Promise<{ asked: AskedCause[]; notes: string[] }> {
  const config = askedModel(options.model)
  if (!sides.some(({ rule }) => rule))
    throw new PromptError('no-rule', {
      where: '--ask',
      problem: 'the scoring of neither run can be executed here, so that new replies would have no score',
      fix: 'score the runs again with `rolecall score --evaluator … --postprocessor …`, and explain those',
    })
  const causes = causesToAsk(report, sides, options.rows)
  if (causes.length === 0) return { asked: [], notes: ['--ask: no cause has rows with other replies and recorded prompts'] }
  const { model } = await openModel(config)
  options.onStart?.(causes.reduce((sum, { rows, variants }) => sum + rows.length * variants.length, 0))
  const problems = new Set<string>()
  const asked: AskedCause[] = []
  try {
    for (const cause of causes) asked.push(await askCause(cause, sides, (prompt, side) => ask(model, prompt, side, problems)))
  } finally {
    await model.close?.()
  }
  if (asked.every(({ rows }) => rows.length === 0))
    throw new PromptError('not-asked', {
      where: '--ask',
      problem: `no row got all its replies: ${[...problems][0] ?? 'their scoring cannot be executed'}`,
      fix: 'check the model and its address: openai:NAME@URL',
    })
  return { asked, notes: [...problems].map((problem) => `--ask: ${problem}`) }
}

function askedModel(model: string): ModelConfig {
  try {
    return modelConfigOf({ model })
  } catch (error) {
    throw error instanceof PromptError ? new PromptError(error.code, { where: '--ask', problem: error.problem, fix: error.fix }) : error
  }
}

async function ask(
  model: LanguageModel,
  prompt: NonNullable<WhyRow['prompt']>,
  { setup }: WhySide,
  problems: Set<string>,
): Promise<string | undefined> {
  try {
    return (await model.generate(promptOf(prompt), settingsOf(setup.sampling, prompt))).text
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    problems.add(error.problem)
    return undefined
  }
}

/** The recorded prompt as it was sent: its markup is that of a chat template. */
function promptOf(prompt: NonNullable<WhyRow['prompt']>): Prompt {
  if (typeof prompt !== 'string') {
    if (prompt.some(({ images = [] }) => images.length > 0))
      throw new PromptError('images', { where: '--ask', problem: 'prompts with images cannot be sent again', fix: 'run the set-ups' })
    const messages = prompt.map(({ role, content }, index) => ({
      role,
      content: [plain(content, { by: 'message', path: `messages[${index}]` })],
    }))
    return { kind: 'chat', messages, stop: [], notes: [] }
  }
  const bos = /^(?:<s>|<bos>|<\|begin_of_text\|>|<｜begin▁of▁sentence｜>)/u.test(prompt) ? 'in-prompt' : 'tokenizer'
  return { kind: 'completion', pieces: [control(prompt, { by: 'format', path: 'prompt' })], bos, stop: [], notes: [] }
}

const turnEnds = ['<|im_end|>', '<|eot_id|>', '<end_of_turn>', '<|end|>', '<｜end▁of▁sentence｜>']

/** Where a harness recorded no limit. */
const defaultMaxTokens = 512

function settingsOf(sampling: WhySide['setup']['sampling'], prompt: NonNullable<WhyRow['prompt']>): GenerateOptions {
  const number = (name: string) => (typeof sampling[name] === 'number' ? sampling[name] : undefined)
  const settings = samplingRows.flatMap(({ name, field }) => {
    const value = name === 'temperature' && sampling.do_sample === false ? 0 : number(name)
    return value === undefined ? [] : [[field, value] as const]
  })
  const stops = [sampling.stop].flat().filter((stop): stop is string => typeof stop === 'string' && stop !== '')
  const ends = typeof prompt === 'string' ? turnEnds.filter((end) => prompt.includes(end)) : []
  return {
    maxTokens: number('max_tokens') ?? defaultMaxTokens,
    stopTexts: [...stops, ...ends],
    sampling: Object.fromEntries(settings),
  }
}
