import { useState } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { labTexts } from '../../texts/lab.ts'
import { Dialog } from '../dialog.tsx'
import type { ReadPaste } from '../engine/contract.ts'
import { ask } from '../engine/engine.ts'
import { emptyRow, type LabState } from '../lab-state.ts'
import { newOwnId } from '../models/add-model.ts'

type PasteProps = { state: LabState; onRead: (changes: Partial<LabState>, notice: string) => void; onClose: () => void }

/** Reads a pasted request, transcript or config. */
export function PasteDialog({ state, onRead, onClose }: PasteProps) {
  const words = labTexts()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const read = async (given: string) => {
    try {
      const paste = await ask({ kind: 'read', text: given }, 20)
      onRead(changesOf(state, paste), [words.readAs(words.recognised[paste.as]), ...paste.problems].join(' · '))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Dialog title={words.paste} onClose={onClose}>
      <p class="dim" id="paste-note">
        {words.pasteNote}
      </p>
      <textarea
        class="code"
        rows={16}
        aria-label={words.paste}
        aria-describedby="paste-note"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="problem" role="alert" lang="en">
          ✗ {visibleText(problem, false)}
        </p>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="main" disabled={text.trim() === ''} onClick={() => void read(text)}>
          {words.read}
        </button>
      </footer>
    </Dialog>
  )
}

/** What a recognised text changes: a config shows its row, anything else its messages. */
export function changesOf(state: LabState, { messages, tools, variables, dataset, row, model }: ReadPaste): Partial<LabState> {
  const id = newOwnId(state)
  const own =
    model === undefined ? {} : { own: [...state.own, { id, name: 'config', settings: { config: model } }], columns: [{ model: id }] }
  if (messages !== undefined) return { source: 'messages', messages, tools: tools ?? [], variables: variables ?? {}, reply: '', ...own }
  if (dataset === undefined) return own
  return { source: 'row', row: { ...emptyRow, dataset, ...(row === undefined ? {} : { row }) }, reply: '', ...own }
}
