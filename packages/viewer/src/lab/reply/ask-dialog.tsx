import { useState } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { labTexts } from '../../texts/lab.ts'
import { Dialog } from '../dialog.tsx'
import type { ColumnQuestion, DrawnPrompt } from '../engine/contract.ts'
import { ask } from '../engine/engine.ts'
import type { LabState } from '../lab-state.ts'
import { askServer } from './ask-server.ts'

type AskProps = {
  state: LabState
  question: ColumnQuestion
  prompt: DrawnPrompt
  onReply: (reply: string) => void
  onClose: () => void
}

/** Asks the embedded model, or the reader's own server, with exactly this prompt. */
export function AskDialog({ state, question, prompt, onReply, onClose }: AskProps) {
  const words = labTexts()
  const hasEmbedded = location.protocol !== 'file:' && prompt.kind === 'completion' && state.source === 'messages'
  const [whom, setWhom] = useState<'embedded' | 'server'>(hasEmbedded && question.settings.format === 'internlm2' ? 'embedded' : 'server')
  const [address, setAddress] = useState('http://127.0.0.1:8000/v1')
  const [key, setKey] = useState('')
  const [model, setModel] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    const { messages, tools, want, date } = state
    const said = { messages, tools, want, ...(date === undefined ? {} : { date }) }
    try {
      if (whom === 'embedded') onReply((await ask({ kind: 'ask', column: question, said }, 60)).text)
      else await askServer({ address, key, model }, { prompt, messages, tools }, onReply)
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <fieldset>
        <legend>{words.askWhom}</legend>
        {hasEmbedded && (
          <label class="check">
            <input type="radio" name="whom" checked={whom === 'embedded'} onChange={() => setWhom('embedded')} /> {words.askEmbedded}
            <small>{words.askEmbeddedNote}</small>
          </label>
        )}
        <label class="check">
          <input type="radio" name="whom" checked={whom === 'server'} onChange={() => setWhom('server')} /> {words.askServer}
        </label>
      </fieldset>
      {whom === 'server' && (
        <>
          <label class="field">
            <span>{words.address}</span>
            <input value={address} spellcheck={false} onInput={(event) => setAddress(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{words.modelName}</span>
            <input value={model} spellcheck={false} onInput={(event) => setModel(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{words.key}</span>
            <input type="password" autocomplete="off" value={key} onInput={(event) => setKey(event.currentTarget.value)} />
          </label>
          <p class="dim">{words.cors}</p>
        </>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          ✗ {visibleText(problem, false)}
        </p>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="main" disabled={isBusy} onClick={() => void send()}>
          {isBusy ? words.asking : words.ask}
        </button>
      </footer>
    </Dialog>
  )
}
