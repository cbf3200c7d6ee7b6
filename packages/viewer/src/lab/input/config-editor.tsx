import { useMemo } from 'preact/hooks'
import { labTexts } from '../../texts/lab.ts'
import type { Pane } from '../config/config-texts.ts'
import { Editor } from '../config/editor.tsx'
import { readPane } from '../config/read-pane.ts'
import type { Problem } from '../engine/contract.ts'

type ConfigEditorProps = {
  pane: Pane
  label: string
  text: string
  revision: number
  problem: Problem | undefined
  onChange: (text: string) => void
}

/** A text of a config with completion and errors in place. */
export function ConfigEditor({ pane, label, text, revision, problem, onChange }: ConfigEditorProps) {
  const problems = useMemo(() => {
    const wrong = readPane(text).problems
    if (wrong.length > 0 || problem?.where !== pane || problem.at === undefined) return wrong
    const [from, to] = problem.at
    return [{ from, to, message: problem.problem, ...(problem.fix === '' ? {} : { fix: problem.fix }) }]
  }, [text, problem, pane])
  return (
    <section class="field" aria-label={label}>
      <span>{label}</span>
      <Editor {...{ pane, label, text, revision, onChange, problems }} />
      {problems.map(({ from, message, fix }, index) => (
        <p key={index} class="problem" role="status" lang="en">
          ✗ {labTexts().line(text.slice(0, from).split('\n').length)}: {message} {fix !== undefined && `→ ${fix}`}
        </p>
      ))}
    </section>
  )
}
