import { useMemo } from 'preact/hooks'
import { sentText } from '../../../src/ask/request-text.ts'
import type { DatasetConfig, ModelConfig } from '../../../src/config/config-schema.ts'
import type { Row } from '../../../src/dataset/row.ts'
import { sha256 } from '../../../src/import/sha256.ts'
import { isList, type PyValue, pyStr } from '../../../src/python/index.ts'
import type { RowRecord } from '../../../src/record/run-record.ts'
import { judgeMaker, judgePrompts, judgePromptText } from '../../../src/run/judge-prompts.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { attempt } from '../prompt/use-prompts.ts'
import type { Settings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { Answer } from './answer.tsx'

type JudgeViewProps = { dataset: DatasetConfig; row: Row; record: RowRecord; settings: Settings }

/** What a judge was asked about a row, and what it said: two questions where it compared two answers in both orders. */
export function JudgeView({ dataset, row, record, settings }: JudgeViewProps) {
  const asked = useMemo(() => attempt(() => questionsOf(dataset, row, record)), [dataset, row, record])
  if ('error' in asked) return <ErrorBox error={asked.error} />
  if (asked.value.length === 0) return null
  const title = titleOf(record)
  return (
    <section class="judging" aria-label="what the judge was asked">
      {asked.value.map(({ text, isSame, said, grade }, index) => (
        <div key={index} class="judged">
          <Answer title={title(index)} value={said} verdict={<span class="verdict">{visibleText(pyStr(grade), false)}</span>} />
          <details>
            <summary class="quiet">the judge's prompt</summary>
            <p class={`proof ${isSame === false ? 'differs' : ''}`}>
              {isSame === true && '✓ what the judge was asked, by its hash'}
              {isSame === false && '✗ not what the judge was asked: the config, the rows or rolecall changed since'}
              {isSame === undefined && 'rendered again from the config and the row'}
            </p>
            <pre class="text prompt">{visibleText(text, settings.whitespace)}</pre>
          </details>
        </div>
      ))}
    </section>
  )
}

/** One question to the judge; `isSame` is undefined where the run did not write down its hash. */
type Question = { text: string; isSame: boolean | undefined; said: PyValue; grade: PyValue }

function questionsOf(
  { abbr = 'dataset', n = 1, eval_cfg: evaluation }: DatasetConfig,
  row: Row,
  { details = {}, gold }: RowRecord,
): Question[] {
  const evaluator = evaluation?.evaluator as { judge_cfg?: unknown; prompt_template?: unknown } | undefined
  const { judge_said: said, pred = null, opponent, judge_prompt_hashes: hashes } = details
  if (said === undefined || typeof evaluator !== 'object' || !evaluator.judge_cfg || !evaluator.prompt_template) return []
  const maker = judgeMaker(evaluator.judge_cfg as ModelConfig, evaluator.prompt_template, `${abbr} › eval_cfg.evaluator`)
  // The replies of a chat are judged as one answer.
  const prediction = n === 1 && isList(pred) ? pyStr(pred) : pred
  const reference = gold === undefined ? undefined : (referenceOf(details) ?? gold)
  const grades = gradesOf(details)
  return judgePrompts(maker, { row, prediction, reference, opponent }).map((prompt, index) => ({
    text: sentText(prompt),
    isSame: isList(hashes) ? hashOf(judgePromptText(prompt)) === hashes[index] : undefined,
    said: isList(said) ? (said[index] ?? '') : said,
    grade: grades[index] ?? '',
  }))
}

/** The right answer as it was compared, where several answers of a row were, too. */
function referenceOf({ answer, samples }: Record<string, PyValue>): PyValue | undefined {
  return answer ?? (firstOf(samples) as Record<string, PyValue> | undefined)?.answer
}

/** How the judge's words were read: a letter or a mark for each question. */
function gradesOf({ grade, mark, samples }: Record<string, PyValue>): PyValue[] {
  if (isList(samples)) return samples.flatMap((sample) => gradesOf(sample as Record<string, PyValue>))
  const read = grade ?? mark
  return read === undefined ? [] : isList(read) ? [...read] : [read]
}

function firstOf(value: PyValue | undefined): PyValue | undefined {
  return isList(value) ? value[0] : undefined
}

function titleOf({ details = {}, prediction }: RowRecord): (index: number) => string {
  if (details.opponent !== undefined) return (index) => `the judge, with this answer shown ${index === 0 ? 'first' : 'second'}`
  return isList(prediction) ? (index) => `the judge, of answer ${index + 1}` : () => 'the judge'
}

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text)).slice(0, 32)
}
