import { sourceKeysOf } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import { isTurn } from '@rolecall/core/internal/conversation'
import { attempt } from '@rolecall/core/internal/errors'
import { chatRole } from '@rolecall/core/internal/format'
import { compactJson, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { isText, textOf } from '@rolecall/core/internal/text'
import type { Pair } from '../plan-run.ts'
import { hasFunction } from './has-function.ts'

/** The replies that are the gold answer and nothing else: several if several are accepted, none if it is an object. */
export function bareReplies(gold: PyValue): string[] {
  if (isDict(gold)) return []
  // No model ends its reply with spaces.
  if (!isList(gold)) return [pyStr(gold).trimEnd()]
  return gold.some((one) => isDict(one) || isList(one)) ? [] : gold.map((one) => pyStr(one).trimEnd())
}

/** How models announce an answer: evaluators and postprocessors that do not read it bare read one of these. */
export function announcedReplies(gold: PyValue): string[] {
  const bare = bareReplies(gold)
  // Several answers may be several accepted ones, or parts of one.
  const whole = bare.length > 1 ? [bare.join(', '), bare.join(''), bare.join('、')] : []
  const announced = [...bare, ...whole.slice(0, 2)].flatMap((text) => [
    `The answer is ${text}`,
    `The answer is (${text}).`,
    `So the answer is ${text}.`,
    `The answer is ${text}.`,
    `The final answer is ${text}`,
    `The best answer is ${text}.`,
    `ANSWER: ${text}`,
    `Answer: ${text}`,
    `答案: ${text}`,
    `答案：${text}`,
    `[[${text}]]`,
    `(${text})`,
    `**${text}**`,
    `\\boxed{${text}}`,
    `$${text}$`,
    `#### ${text}`,
    `答案是${text}`,
    `【答案】${text}`,
    `<answer>${text}</answer>`,
    `\`\`\`\n${text}\n\`\`\``,
  ])
  return [...whole, ...announced]
}

/** Whether the prompt shows examples, from which a model learns the form of answers. */
export function showsExamples({ dataset: { infer_cfg: infer } }: Pair): boolean {
  return infer.ice_template !== undefined && !/(?:^|\.)ZeroRetriever$/.test(infer.retriever?.type ?? 'ZeroRetriever')
}

/** Whether the templates can show the column of the gold answer: where its name is nowhere in them, rows need not be rendered. */
export function mayShowAnswer({ dataset }: Pick<Pair, 'dataset'>): boolean {
  const { reader_cfg: reader, infer_cfg: infer } = dataset
  const templates = [infer.prompt_template, infer.ice_template]
  if (!reader?.output_column || sourceKeysOf(dataset).length > 0 || hasFunction(templates)) return true
  return compactJson(templates as PyValue).includes(JSON.stringify(reader.output_column).slice(1, -1))
}

/** The right answer as the template writes it in the model's turn, of an example if there are any; undefined if it has no such turn. */
export function answerForm(pair: Pair, row: Row): string | undefined {
  const column = pair.dataset.reader_cfg?.output_column
  if (!column || pair.inferencer.readsChats) return undefined
  const isShown = showsExamples(pair)
  const conversation = attempt(() => pair.maker.conversation({ row, examples: isShown ? [row] : [], mode: 'ppl' }))
  if (conversation?.kind !== 'dialogue') return undefined
  const sections = conversation.sections.filter(({ kind }) => (kind === 'example') === isShown)
  const turn = sections
    .flatMap(({ items }) => items.filter(isTurn))
    .filter(({ role }) => chatRole(role) === 'assistant')
    .at(-1)
  const content = (turn?.content ?? []).filter(isText)
  return content.some(({ source }) => source.by === 'field' && source.path === column) ? textOf(content).trimEnd() : undefined
}
