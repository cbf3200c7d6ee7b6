import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { labTexts } from '../../texts/lab.ts'
import type { ColumnQuestion, ReadReply } from '../engine/contract.ts'
import { ask } from '../engine/engine.ts'
import type { LabState } from '../lab-state.ts'

type ReplyProps = { state: LabState; question: ColumnQuestion | undefined; onChange: (reply: string) => void }

/** A reply, read by what the column's template writes: text, reasoning, calls, and what would be sent next. */
export function ReplyPane({ state, question, onChange }: ReplyProps) {
  const words = labTexts()
  const { reply, messages, tools, want, date, source } = state
  const [read, setRead] = useState<ReadReply>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (reply === '' || question === undefined || source === 'row') {
      setRead(undefined)
      setProblem(undefined)
      return undefined
    }
    let isStale = false
    const said = { messages, tools, want, ...(date === undefined ? {} : { date }) }
    ask({ kind: 'reply', column: question, said, reply }).then(
      (found) => {
        if (isStale) return
        setRead(found)
        setProblem(undefined)
      },
      (error: Error) => !isStale && setProblem(error.message),
    )
    return () => {
      isStale = true
    }
  }, [reply, question, messages, tools, want, date, source])
  return (
    <section class="reply" aria-label={words.reply}>
      <h2>
        {words.reply} <small>{words.replyNote}</small>
      </h2>
      <textarea
        class="code"
        rows={5}
        aria-label={words.reply}
        spellcheck={false}
        value={reply}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="problem" role="status">
          ✗ {visibleText(problem, false)}
        </p>
      )}
      {read && <ReadView read={read} />}
    </section>
  )
}

function ReadView({ read: { syntax, reasoning, calls, text, next, problems } }: { read: ReadReply }) {
  const words = labTexts()
  return (
    <dl class="facts-list" data-testid="reply">
      <dt>{words.syntax}</dt>
      <dd>
        <code>{syntax}</code>
      </dd>
      <dt>{words.reasoning}</dt>
      <dd>{reasoning === '' ? <span class="dim">{words.none}</span> : visibleText(reasoning, false)}</dd>
      <dt>{words.calls}</dt>
      <dd>
        {calls.length === 0 && <span class="dim">{words.none}</span>}
        {calls.map(({ name, arguments: given, problem }, index) => (
          <code key={index} class="call">
            {problem === undefined ? `${name}(${given})` : `✗ ${words.malformed}: ${problem}`}
          </code>
        ))}
      </dd>
      <dt>{words.text}</dt>
      <dd>{text === '' ? <span class="dim">{words.empty}</span> : visibleText(text, false)}</dd>
      <dt>{words.sentNext}</dt>
      <dd>
        <pre class="code">{visibleText(next, false)}</pre>
      </dd>
      {problems.length > 0 && (
        <>
          <dt>{words.problems}</dt>
          <dd lang="en">{problems.join(', ')}</dd>
        </>
      )}
    </dl>
  )
}
