import { useState } from 'preact/hooks'
import { copyText } from '../../parts/copy.tsx'
import { labTexts } from '../../texts/lab.ts'
import type { ColumnQuestion, DrawnPrompt } from '../engine/contract.ts'
import type { LabState } from '../lab-state.ts'
import { copyAs, copyKinds } from './copy-as.ts'

type CopyMenuProps = { state: LabState; question: ColumnQuestion | undefined; prompt: DrawnPrompt | undefined }

/** Copies the shown column's prompt for other programs. */
export function CopyMenu({ state, question, prompt }: CopyMenuProps) {
  const words = labTexts()
  const [done, setDone] = useState(false)
  const given = question && prompt ? copyKinds.flatMap((kind) => (copyAs(kind, state, question, prompt) === undefined ? [] : [kind])) : []
  return (
    <select
      class="copy"
      aria-label={words.copyAs}
      value=""
      disabled={given.length === 0}
      onChange={(event) => {
        const kind = copyKinds.find((one) => one === event.currentTarget.value)
        event.currentTarget.value = ''
        const text = kind && question && prompt ? copyAs(kind, state, question, prompt) : undefined
        if (text === undefined) return
        void copyText(text).then(() => {
          setDone(true)
          setTimeout(() => setDone(false), 1500)
        })
      }}
    >
      <option value="">{done ? `✓ ${words.copied}` : `${words.copyAs}…`}</option>
      {given.map((kind) => (
        <option key={kind} value={kind}>
          {words.copies[kind]}
        </option>
      ))}
    </select>
  )
}
