import { useEffect, useMemo, useState } from 'preact/hooks'
import { labTexts } from '../../texts/lab.ts'
import type { ColumnQuestion, Drawn, LintFinding, Problem } from '../engine/contract.ts'
import { ask } from '../engine/engine.ts'
import type { LabColumn } from '../lab-state.ts'
import { colouredLine, linesOf } from './template-lines.tsx'

type TemplateProps = {
  column: LabColumn
  question: ColumnQuestion | undefined
  drawn: Drawn | undefined
  letter: string
  onChange: (column: LabColumn) => void
}

/** The Jinja source of a column beside its prompt: each shows what the other wrote, and it can be edited. */
export function TemplatePane({ column, question, drawn, letter, onChange }: TemplateProps) {
  const words = labTexts()
  const [isEditing, setEditing] = useState(false)
  const { chat_template: template, config } = question?.settings ?? {}
  const source = typeof template === 'string' ? template.replaceAll('\r\n', '\n') : undefined
  const findings = useFindings(source)
  const written = typeof config === 'string' ? config : undefined
  const problem = drawn && 'problem' in drawn ? drawn.problem : undefined
  const reset = () => {
    const { template: _, ...rest } = column
    onChange(rest)
  }
  return (
    <section class="template" aria-label={words.templatePane}>
      <header class="tabs">
        <h2>
          {question?.name ?? ''} <span class="dim">{letter}</span>
        </h2>
        <span class="spread" />
        {findings.length > 0 && <span class="tag warn">! {words.findings(findings.length)}</span>}
        {column.template !== undefined && (
          <button type="button" class="flat" onClick={reset}>
            {words.restore}
          </button>
        )}
        {(source ?? written) !== undefined && (
          <button type="button" class="flat" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
            {isEditing ? words.done : words.edit}
          </button>
        )}
      </header>
      {isEditing && (source ?? written) !== undefined ? (
        <>
          <textarea
            class="source code"
            aria-label={words.source}
            spellcheck={false}
            value={source ?? written}
            onInput={(event) => onChange({ ...column, template: event.currentTarget.value })}
          />
          {problem && <ProblemLine problem={problem} />}
        </>
      ) : source !== undefined ? (
        <Source source={source} findings={findings} problem={problem} />
      ) : (
        <div class="form">
          <p class="dim">{words.noTemplate}</p>
          <pre class="code">{written ?? JSON.stringify(question?.settings ?? {}, null, 2)}</pre>
        </div>
      )}
    </section>
  )
}

/** What lint finds, a moment after the last change. */
function useFindings(source: string | undefined): readonly LintFinding[] {
  const [findings, setFindings] = useState<readonly LintFinding[]>([])
  useEffect(() => {
    setFindings([])
    if (source === undefined) return undefined
    let isStale = false
    const timer = setTimeout(() => {
      ask({ kind: 'lint', source }, 10).then(
        (found) => !isStale && setFindings(found),
        // A template that cannot be read is reported beside its prompt.
        () => undefined,
      )
    }, 600)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [source])
  return findings
}

function ProblemLine({ problem: { where, problem, fix } }: { problem: Problem }) {
  return (
    <p class="finding error" role="alert" lang="en">
      <b>✗ {where}</b> {problem} {fix !== '' && <span class="fix">→ {fix}</span>}
    </p>
  )
}

type SourceProps = { source: string; findings: readonly LintFinding[]; problem: Problem | undefined }

function Source({ source, findings, problem }: SourceProps) {
  const words = labTexts()
  const lines = useMemo(() => linesOf(source), [source])
  const wrong = problem && Number(/line (\d+)/.exec(`${problem.where} ${problem.problem}`)?.[1] ?? 0)
  const loose = findings.filter(({ line }) => line === undefined || line > lines.length)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long template is scrolled by keys
    <ol class="source" tabIndex={0} aria-label={words.source}>
      {loose.map((finding, index) => (
        <Finding key={`loose ${index}`} finding={finding} />
      ))}
      {lines.map(({ text, start }, index) => (
        <>
          <li
            key={start}
            class={`code ${wrong === index + 1 ? 'wrong' : ''}`}
            data-start={start}
            data-end={start + text.length + 1}
            value={index + 1}
          >
            <code>{colouredLine(text)}</code>
          </li>
          {wrong === index + 1 && problem && (
            <li key={`problem ${start}`} class="note">
              <ProblemLine problem={problem} />
            </li>
          )}
          {findings.map((finding, at) => (finding.line === index + 1 ? <Finding key={`${start} ${at}`} finding={finding} /> : null))}
        </>
      ))}
    </ol>
  )
}

function Finding({ finding: { rule, severity, problem, fix, shown } }: { finding: LintFinding }) {
  const words = labTexts()
  return (
    <li class="note" lang="en">
      <div class={`finding ${severity}`}>
        <b>
          {severity === 'error' ? '✗' : '!'} {rule}
        </b>{' '}
        {problem} <span class="fix">→ {fix}</span>
        {shown !== undefined && (
          <details>
            <summary>{words.evidence}</summary>
            <pre class="code">{shown}</pre>
          </details>
        )}
      </div>
    </li>
  )
}
