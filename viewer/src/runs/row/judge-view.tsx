import { useMemo } from 'preact/hooks'
import { isList, type PyValue, pyStr } from '../../../../src/base/python/index.ts'
import { sha256 } from '../../../../src/compat/opencompass/import/sha256.ts'
import type { DatasetConfig, ModelConfig } from '../../../../src/evaluation/config/config-schema.ts'
import { sentText } from '../../../../src/evaluation/run/ask/request-text.ts'
import { judgeMaker, judgePrompts, judgePromptText, promptColumns } from '../../../../src/evaluation/run/judge-prompts.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import type { Row } from '../../../../src/prompt/conversation/row.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { attempt } from '../../prompt/use-prompts.ts'
import type { Settings } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowTexts } from '../../texts/row.ts'
import { Answer } from './answer.tsx'
import { gradeText } from './grade-text.ts'

type JudgeViewProps = { dataset: DatasetConfig | undefined; row: Row | undefined; record: RowRecord; settings: Settings }

/** The judge's prompts and replies for a row: two if it compared two answers in both orders. */
export function JudgeView({ dataset, row, record, settings }: JudgeViewProps) {
  const asked = useMemo(() => attempt(() => (dataset && row ? promptsOf(dataset, row, record) : [])), [dataset, row, record])
  const verdicts = useMemo(() => verdictsOf(record), [record])
  const ui = rowTexts()
  const title = titleOf(record)
  return (
    <section class="judging" aria-label={ui.judgeAsked}>
      {'error' in asked && <ErrorBox error={asked.error} />}
      {verdicts.map(({ said, grade, reasoning }, index) => {
        const prompt = 'value' in asked ? asked.value[index] : undefined
        return (
          <div key={index} class="judged">
            <Answer
              title={title(index)}
              value={said}
              verdict={<span class="verdict">{visibleText(gradeText(record, grade, index), false)}</span>}
            />
            {reasoning !== undefined && (
              <details>
                <summary class="quiet">{ui.judgeReasoning}</summary>
                <Answer title="" value={reasoning} />
              </details>
            )}
            {prompt && (
              <details open>
                <summary class="quiet">{ui.judgePrompt}</summary>
                <p class={`proof ${prompt.isSame === undefined ? 'p-again' : prompt.isSame ? 'p-proven' : 'p-differs'}`}>
                  {prompt.isSame === undefined ? ui.judgeAgain : prompt.isSame ? ui.isJudged : ui.notJudged}
                </p>
                <pre class="text prompt">{visibleText(prompt.text, settings.whitespace)}</pre>
              </details>
            )}
          </div>
        )
      })}
    </section>
  )
}

type Verdict = { said: PyValue; grade: PyValue; reasoning: PyValue | undefined }

/** The judge's reply to each prompt, and how it was parsed. */
function verdictsOf({ details = {} }: RowRecord): Verdict[] {
  const { judge_said: said, judge_reasoning: thought } = details
  const grades = gradesOf(details)
  return (isList(said) ? said : said === undefined || said === null ? [] : [said]).map((one, index) => ({
    said: one,
    grade: grades[index] ?? '',
    reasoning: (isList(thought) ? thought[index] : thought) || undefined,
  }))
}

/** The judge's prompt; `isSame` is undefined if the run recorded no hash. */
type JudgePrompt = { text: string; isSame: boolean | undefined }

function promptsOf(
  { abbr = 'dataset', n = 1, eval_cfg: evaluation }: DatasetConfig,
  row: Row,
  { details = {}, gold }: RowRecord,
): JudgePrompt[] {
  const evaluator = evaluation?.evaluator as { judge_cfg?: unknown; prompt_template?: unknown } | undefined
  const { pred = null, opponent, judge_prompt_hashes: hashes } = details
  if (typeof evaluator !== 'object' || !evaluator.judge_cfg || !evaluator.prompt_template) return []
  const maker = judgeMaker(evaluator.judge_cfg as ModelConfig, evaluator.prompt_template, `${abbr} › eval_cfg.evaluator`)
  // The replies of a chat are judged as one answer.
  const prediction = n === 1 && isList(pred) ? pyStr(pred) : pred
  const reference = gold === undefined ? undefined : (referenceOf(details) ?? gold)
  const columns = promptColumns(evaluator.prompt_template)
  return judgePrompts({ maker, columns }, { row, prediction, reference, opponent }).map((prompt, index) => ({
    text: sentText(prompt),
    isSame: isList(hashes) && typeof hashes[index] === 'string' ? hashOf(judgePromptText(prompt)) === hashes[index] : undefined,
  }))
}

/** The reference answer, also if a row has several answers. */
function referenceOf({ answer, samples }: Record<string, PyValue>): PyValue | undefined {
  return answer ?? (firstOf(samples) as Record<string, PyValue> | undefined)?.answer
}

/** The parsed judge verdict: a letter or a mark per prompt. */
function gradesOf({ grade, mark, samples }: Record<string, PyValue>): PyValue[] {
  if (isList(samples)) return samples.flatMap((sample) => gradesOf(sample as Record<string, PyValue>))
  const read = grade ?? mark
  return read === undefined ? [] : isList(read) ? [...read] : [read]
}

function firstOf(value: PyValue | undefined): PyValue | undefined {
  return isList(value) ? value[0] : undefined
}

function titleOf({ details = {}, prediction }: RowRecord): (index: number) => string {
  const ui = rowTexts()
  if (details.opponent !== undefined) return (index) => (index === 0 ? ui.judgeFirst : ui.judgeSecond)
  return isList(prediction) ? (index) => ui.judgeOf(index + 1) : () => ui.judge
}

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text)).slice(0, 32)
}
