import { visibleText } from '../prompt/visible-text.tsx'
import { noteName } from '../texts/note-names.ts'

/** A note: its code, what it is about in the reader's language, and its text, which is English. */
export function NoteLine({ code, text }: { code: string; text: string }) {
  const name = noteName(code)
  return (
    <>
      <b>{code}</b> {name !== undefined && <>{name}：</>}
      <span lang="en">{visibleText(text, false)}</span>
    </>
  )
}
