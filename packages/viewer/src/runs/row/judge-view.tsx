import type { Row } from '@rolecall/core/internal/conversation'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import { useMemo, useState } from 'preact/hooks'
import type { DatasetConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { judgedOrigins, judgePromptText } from 'rolecall/internal/evaluation/run/judge-prompts'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { sha256 } from 'rolecall/internal/python/library/sha256'
import { ErrorBox } from '../../parts/error-box.tsx'
import { useIsPrinted } from '../../parts/use-is-printed.ts'
import { PromptView } from '../../prompt/prompt-view.tsx'
import { usePrompts } from '../../prompt/use-prompts.ts'
import type { Settings } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'
import { Answer } from './answer.tsx'
import { gradeText } from './grade-text.ts'
import { type JudgeQuestion, judgeQuestions } from './judge-questions.ts'

type JudgeViewProps = { dataset: DatasetConfig | undefined; row: Row | undefined; record: RowRecord; settings: Settings }

/** The judge's prompts and replies for a row: two if it compared two answers in both orders. */
export function JudgeView({ dataset, row, record, settings }: JudgeViewProps) {
  const asked = useMemo(() => (dataset && row ? judgeQuestions(dataset, row, record) : []), [dataset, row, record])
  const verdicts = useMemo(() => verdictsOf(record), [record])
  const ui = rowTexts()
  const title = titleOf(record)
  return (
    <section class="judging" aria-label={ui.judgeAsked}>
      {verdicts.map(({ said, grade, reasoning }, index) => (
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
          {asked[index] && <JudgePrompt key={`${record.id} ${index}`} {...asked[index]} settings={settings} isOpen={index < 2} />}
        </div>
      ))}
    </section>
  )
}

type JudgePromptProps = JudgeQuestion & { settings: Settings; isOpen: boolean }

/** A prompt of the judge with the origin of each character, like any other; drawn when it is opened. */
function JudgePrompt({ settings, isOpen, ...question }: JudgePromptProps) {
  const [isShown, setShown] = useState(isOpen)
  const isPrinted = useIsPrinted()
  return (
    <details open={isShown || isPrinted} onToggle={({ currentTarget }) => isPrinted || setShown(currentTarget.open)}>
      <summary class="quiet">{rowTexts().judgePrompt}</summary>
      {(isShown || isPrinted) && <RenderedJudgePrompt {...question} settings={settings} />}
    </details>
  )
}

function RenderedJudgePrompt({ judge, dataset, row: judged, fields, hash, settings }: JudgeQuestion & { settings: Settings }) {
  const row = useMemo(() => ({ row: fields, text: '', examples: [], notes: [] }), [fields])
  const made = usePrompts({ model: judge, dataset, tokenizer: undefined, row })
  const ui = rowTexts()
  if (!made) return <p class="quiet">{partTexts().loading}</p>
  if ('error' in made) return <ErrorBox error={made.error} />
  const prompts = made.prompts.map((made) => ({
    ...made,
    rendered: { ...made.rendered, prompt: judgedOrigins(made.rendered.prompt, judged) },
  }))
  const isSame = hash === undefined ? undefined : hashOf(judgePromptText(made.prompts[0]!.rendered.prompt)) === hash
  return (
    <>
      <p class={`proof ${isSame === undefined ? 'p-again' : isSame ? 'p-proven' : 'p-differs'}`}>
        {isSame === undefined ? ui.judgeAgain : isSame ? ui.isJudged : ui.notJudged}
      </p>
      <PromptView
        prompts={prompts}
        chosen={0}
        onChoose={() => undefined}
        model={judge}
        dataset={dataset}
        format={made.maker.format}
        tokenizer={undefined}
        row={fields}
        examples={[]}
        settings={settings}
      />
    </>
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

/** The parsed judge verdict: a letter or a mark per prompt. */
function gradesOf({ grade, mark, samples }: Record<string, PyValue>): PyValue[] {
  if (isList(samples)) return samples.flatMap((sample) => gradesOf(sample as Record<string, PyValue>))
  const read = grade ?? mark
  return read === undefined ? [] : isList(read) ? [...read] : [read]
}

function titleOf({ details = {}, prediction }: RowRecord): (index: number) => string {
  const ui = rowTexts()
  if (details.opponent !== undefined) return (index) => (index === 0 ? ui.judgeFirst : ui.judgeSecond)
  return isList(prediction) ? (index) => ui.judgeOf(index + 1) : () => ui.judge
}

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text)).slice(0, 32)
}
