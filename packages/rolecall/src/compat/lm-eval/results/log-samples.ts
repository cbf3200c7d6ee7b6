import type { Prompt } from '@rolecall/core/internal/format'
import { isListValue, makeDict, type PyValue, plainText, str, stringifyJson, Tuple, type Value } from '@rolecall/core/internal/python'
import { textOf } from '@rolecall/core/internal/text'
import type { LikelyChoice } from '../../../evaluation/score/evaluate/evaluator.ts'
import { numpyInJson } from '../../../python/interpreter/modules/numpy-scalar.ts'
import { resultsAt, resultsOfReply } from '../dataset/python-scoring.ts'
import { outcomesOf, repliesOf } from '../dataset/task-evaluator.ts'
import { taskRequests } from '../dataset/task-prompts.ts'
import { docOfRow, type TaskSpec, taskOf } from '../dataset/task-spec.ts'
import type { TaskSample } from '../evaluate-task.ts'
import { pipelinesOf } from '../filter/apply-filters.ts'
import { measure } from '../metric/measure.ts'
import { metricsOfTask } from '../metric/task-metrics.ts'
import { withOutcomes } from '../python/code-eval.ts'
import { withResults } from '../python/sandboxed-function.ts'
import type { Doc } from '../task/field.ts'
import type { OutputType } from '../task/task-config.ts'

/** A document with the prompts it was sent as and the model's answer. */
export type AnsweredDoc = {
  id: number
  row: Doc
  prompts: () => readonly Prompt[]
  prediction: PyValue
  choices: readonly LikelyChoice[] | undefined
  /** How the program of each reply ended, where replies are programs. */
  outcomes?: PyValue
}

/** A line of `samples_*.jsonl`, the hashes that make up the hash of its task, and what the metrics are computed from. */
type LoggedSample = { line: () => LoggedLine; sample: TaskSample }
type LoggedLine = { text: string; hashes: string }

/** The samples of a task as lm-evaluation-harness logs them: all documents by the first filter, then all by the next. */
export function* logSamples(
  spec: TaskSpec,
  answered: () => Iterable<AnsweredDoc>,
  sha256: (text: string) => string,
): Generator<LoggedSample> {
  const task = taskOf(spec)
  const { config, find } = task
  const metrics = metricsOfTask(config, find)
  const process = config.processResults && find(config.processResults)
  for (const [index, pipeline] of pipelinesOf(config.filters, config.where, find).entries()) {
    for (const given of answered()) {
      const doc = docOfRow(given.row)
      const replies = repliesOf(task, doc, given.prediction, given.choices)
      const results = resultsOfReply(spec, task, metrics, doc, replies, given.outcomes ?? null)
      const sample = withResults(resultsAt(results, index), (): TaskSample => {
        const filtered = pipeline.apply(replies.map((one) => ({ replies: one, doc })))
        const measured = () => measure(task, metrics, doc, filtered, process)
        const measures = config.runsCode ? withOutcomes(outcomesOf(given.outcomes ?? null), measured) : measured()
        return { doc: given.id, filter: pipeline.name, target: task.asked.target(doc), filtered, measures }
      })
      yield { sample, line: () => lineOf(spec, given, doc, replies, sample, sha256, spec.selected?.numbers[given.id] ?? given.id) }
    }
  }
}

function lineOf(
  spec: TaskSpec,
  given: AnsweredDoc,
  doc: Doc,
  replies: readonly (readonly Value[])[],
  { filter, target, filtered, measures }: TaskSample,
  sha256: (text: string) => string,
  number: number,
): LoggedLine {
  const requests = argumentsOf(spec, given)
  const targetText = shown(target)
  const hashes = {
    doc_hash: sha256(stringifyJson(doc as Value, { indent: 2, ensureAscii: false })),
    prompt_hash: sha256(hashedText(requests[0]?.[0] ?? '')),
    target_hash: sha256(targetText),
  }
  const text = stringifyJson(
    makeDict([
      ['doc_id', number],
      ['doc', doc as Value],
      ['target', targetText],
      [
        'arguments',
        makeDict(requests.map((one, index) => [`gen_args_${index}`, makeDict(one.map((item, place) => [`arg_${place}`, item]))])),
      ],
      ['resps', replies.map((one) => one.map(asTexts))],
      ['filtered_resps', filtered.map(asTexts)],
      ['filter', filter],
      ['metrics', [...measures.keys()]],
      ...Object.entries(hashes),
      ...[...measures].map(([name, value]) => [name, numpyInJson(value)] as const),
    ]),
    { ensureAscii: false },
  )
  return { text, hashes: hashes.doc_hash + hashes.prompt_hash + hashes.target_hash }
}

/** The arguments of the requests of a document, in the order of the harness: a class may request texts to generate after texts to score. */
function argumentsOf(spec: TaskSpec, { row, prompts }: AnsweredDoc): Value[][] {
  const { config, construct } = taskOf(spec)
  const sent = prompts()
  if (!construct) return sent.map((prompt) => argumentsAt(prompt, config.outputType, config.generation))
  const requests = [...taskRequests(spec, row).entries()]
  const inOrder = [...requests.filter(([, { kind }]) => kind === 'generate'), ...requests.filter(([, { kind }]) => kind !== 'generate')]
  const made = inOrder.map(([index, request], place): [number, Value[]] => {
    const options = request.kind === 'generate' ? request.options : undefined
    const type = ({ generate: 'generate_until', loglikelihood: 'loglikelihood', rolling: 'loglikelihood_rolling' } as const)[request.kind]
    return [index, argumentsAt(sent[place]!, type, options ?? config.generation)]
  })
  return made.sort(([one], [other]) => one - other).map(([, given]) => given)
}

/** The arguments of a request: the context and the scored text or the generation settings; messages are JSON in a list. */
function argumentsAt(prompt: Prompt, outputType: OutputType, generation: ReadonlyMap<string, Value>): Value[] {
  if (prompt.kind === 'chat') {
    const messages = prompt.messages.map(({ role, content }) =>
      makeDict([
        ['role', role],
        ['content', textOf(content)],
      ]),
    )
    return [[stringifyJson(messages, { ensureAscii: false })], makeDict(generation)]
  }
  if (outputType === 'generate_until') return [textOf(prompt.pieces), makeDict(generation)]
  const { pieces, answer } = prompt
  const isAnswer = (index: number) =>
    answer && answer.end > answer.start ? index >= answer.start && index < answer.end : pieces[index]!.answer === true
  const first = pieces.findIndex((_, index) => isAnswer(index))
  const scored = textOf(pieces.filter((_, index) => isAnswer(index)))
  return outputType === 'loglikelihood_rolling' ? [scored] : [textOf(pieces.slice(0, first < 0 ? pieces.length : first)), scored]
}

function hashedText(context: Value): string {
  return String(isListValue(context) ? context[0] : context)
}

/** Texts in place of all values inside lists, since a column of a dataset has one type. */
function asTexts(value: Value): Value {
  if (isListValue(value)) return value.map(asTexts)
  return value instanceof Tuple ? value.items.map(asTexts) : shown(value)
}

function shown(value: Value): string {
  return plainText(str(value))
}
