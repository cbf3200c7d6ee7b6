import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { plainText, str } from '@rolecall/core/internal/python'
import type { MediaPiece } from '@rolecall/core/internal/text'
import { type ConstructRequests, ownMethod } from '../task/class-config.ts'
import { type Doc, isConstant } from '../task/field.ts'
import type { Task } from '../task/task.ts'
import { buildPrompts, endsInSpace, type PromptOptions, prefixOf } from './build-prompts.ts'
import type { Fragment } from './message.ts'
import { TaskPrompt } from './task-prompt.ts'

/** A request for a document. */
export type TaskRequest =
  | {
      kind: 'generate'
      prompt: TaskPrompt
      hasPrefix: boolean
      media: readonly MediaPiece[]
      /** The generation settings that a class gives to its request. */
      options?: ReadonlyMap<string, Value>
    }
  | {
      kind: 'loglikelihood'
      /** Undefined if the continuation is scored alone, for comparison with its score after the question. */
      prompt: TaskPrompt | undefined
      hasPrefix: boolean
      continuation: readonly Fragment[]
      /** The index of the scored choice, from 0. */
      choice?: number
    }
  | { kind: 'rolling'; text: readonly Fragment[] }

export type TaskRequestOptions = PromptOptions & {
  /** Whether a chat template or format writes the messages; then there is no delimiter before the continuation. */
  isChat: boolean
}

/** The requests of a document, in the order of lm-evaluation-harness. */
export function requestsOf(task: Task, doc: Doc, { isChat, ...options }: TaskRequestOptions): TaskRequest[] {
  const { config, asked } = task
  if (task.construct) return ownRequests(task, doc, task.construct, isChat, options)
  const targetFragment = (): Fragment => {
    const target = asked.target(doc)
    return { text: shown(target), path: asked.targetField.path, field: typeof target === 'string' ? asked.targetField : undefined, doc }
  }
  if (config.outputType === 'loglikelihood_rolling') return [{ kind: 'rolling', text: [mustBeText(targetFragment(), asked.target(doc))] }]
  const choices = asked.choices(doc)
  const prompts = buildPrompts(task, doc, choices, options)
  const hasPrefix = prefixOf(asked, doc) !== undefined
  if (config.outputType === 'generate_until') {
    const media = task.media(doc)
    return prompts.map((prompt) => ({ kind: 'generate', prompt, hasPrefix, media }))
  }
  if (config.outputType === 'loglikelihood')
    return prompts.map((prompt) => ({
      kind: 'loglikelihood',
      prompt,
      hasPrefix,
      continuation: [mustBeText(targetFragment(), asked.target(doc))],
    }))
  const choiceFragments = choiceContinuations(task, choices ?? noChoices(task), isChat)
  const continuations = task.hasInputs
    ? choiceFragments.map(() => [...continuationDelimiter(task, isChat), targetFragment()])
    : choiceFragments
  const requests = continuations.map(
    (continuation, choice): TaskRequest => ({
      kind: 'loglikelihood',
      prompt: task.hasInputs ? prompts[choice]! : prompts[0]!,
      hasPrefix,
      continuation,
      choice,
    }),
  )
  if (!config.metrics?.some(({ metric }) => metric === 'acc_mutual_info')) return requests
  return [
    ...requests,
    ...choiceFragments.map(
      (continuation, choice): TaskRequest => ({ kind: 'loglikelihood', prompt: undefined, hasPrefix: false, continuation, choice }),
    ),
  ]
}

/** The requests that a class makes after the prompt of the document. */
function ownRequests(task: Task, doc: Doc, construct: ConstructRequests, isChat: boolean, options: PromptOptions): TaskRequest[] {
  const [prompt] = buildPrompts(task, doc, undefined, options)
  const { text } = prompt!
  const path = ownMethod(task.config, 'construct_requests').path
  const promptOf = (context: string): TaskPrompt => {
    if (context === text) return prompt!
    if (!isChat) return new TaskPrompt([], [{ role: 'user', content: [{ text: context, path }] }])
    throw new PromptError('bad-requests', {
      where: task.config.where,
      problem: `${path} changes the prompt, which a chat template has written`,
      fix: 'leave --apply-chat-template out',
    })
  }
  return construct(doc, text, isChat).map((request): TaskRequest => {
    if (request.kind === 'rolling') return { kind: 'rolling', text: [{ text: request.text, path }] }
    const own = { prompt: promptOf(request.context), hasPrefix: false }
    if (request.kind === 'generate') return { kind: 'generate', ...own, media: [], options: request.options }
    return { kind: 'loglikelihood', ...own, continuation: [{ text: request.continuation, path }] }
  })
}

/** Fragments of choices that are the same for every document, for prompts as text and as a chat. */
const sharedChoices = new WeakMap<Task, Map<boolean, readonly (readonly Fragment[])[]>>()

function choiceContinuations(task: Task, choices: readonly Value[], isChat: boolean): readonly (readonly Fragment[])[] {
  const { asked } = task
  const known = sharedChoices.get(task)?.get(isChat)
  if (known !== undefined) return known
  const delimiter = continuationDelimiter(task, isChat)
  const { path } = asked.choiceField!
  const fragments = choices.map((choice): Fragment[] => [...delimiter, { text: shown(choice), path }])
  if (isConstant(asked.choiceField!)) sharedChoices.set(task, new Map([...(sharedChoices.get(task) ?? []), [isChat, fragments]]))
  return fragments
}

/** With a chat template there is no delimiter before a choice, unless it follows the start of an answer. */
function continuationDelimiter({ config }: Task, isChat: boolean): Fragment[] {
  const { targetDelimiter: text, genPrefix } = config
  const stays = !isChat || (typeof genPrefix === 'string' && genPrefix !== '' && !endsInSpace(genPrefix))
  return stays && text !== '' ? [{ text, path: `${config.where} › target_delimiter` }] : []
}

function shown(value: Value): string {
  return typeof value === 'string' ? value : plainText(str(value))
}

function mustBeText(fragment: Fragment, value: Value): Fragment {
  if (typeof value === 'string') return fragment
  throw new PromptError('bad-text', { where: fragment.path, problem: 'it is not text', fix: 'convert it to text, e.g. {{column|string}}' })
}

function noChoices({ config }: Task): never {
  throw new PromptError('no-choices', {
    where: `${config.where} › doc_to_choice`,
    problem: 'a task of output_type multiple_choice has no choices',
    fix: 'set doc_to_choice, or another output_type',
  })
}
