import { noteRow } from 'rolecall/internal/node/notes/all-notes'
import { visibleText } from '../prompt/visible-text.tsx'
import { noteName } from '../texts/note-names.ts'

/** A note: its code, what it is about in the reader's language, and its text, which is English. */
export function NoteLine({ code, text }: { code: string; text: string }) {
  const name = noteName(code)
  const { severity, en } = noteRow(code) ?? {}
  return (
    <>
      <b class={severity} title={en}>
        {code}
      </b>{' '}
      {name !== undefined && <>{name}：</>}
      <span lang="en">{visibleText(text, false)}</span>
    </>
  )
}
