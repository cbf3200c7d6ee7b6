import { useEffect, useState } from 'preact/hooks'
import { labTexts } from '../../texts/lab.ts'

type JsonFieldProps<Value> = {
  label: string
  value: Value
  is: (value: unknown) => value is Value
  onChange: (value: Value) => void
  rows?: number
}

/** A value as JSON. While the text is not valid, the last valid value counts, and the reason is shown. */
export function JsonField<Value>({ label, value, is, onChange, rows = 4 }: JsonFieldProps<Value>) {
  const words = labTexts()
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    // A value from elsewhere replaces the text; what the user types stays as typed.
    if (parsed(text).text !== JSON.stringify(value)) {
      setText(JSON.stringify(value, null, 2))
      setProblem(undefined)
    }
  }, [value])
  const type = (next: string) => {
    setText(next)
    const { value: read, problem: wrong } = parsed(next)
    if (wrong === undefined && is(read)) {
      setProblem(undefined)
      onChange(read)
    } else setProblem(wrong ?? '…')
  }
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="code"
        rows={rows}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== undefined}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <span class="problem" role="status">
          ✗ {label} {words.notJson(problem)}
        </span>
      )}
    </label>
  )
}

function parsed(text: string): { value?: unknown; text?: string; problem?: string } {
  try {
    const value: unknown = JSON.parse(text === '' ? 'null' : text)
    return { value, text: JSON.stringify(value) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
