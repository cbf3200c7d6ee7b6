import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type AnnotationChange, type ReviewVerdict, reviewVerdicts } from 'rolecall/internal/evaluation/run/record/annotation'
import { ErrorBox } from '../../parts/error-box.tsx'
import { isTyping } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { annotationTexts } from '../../texts/annotations.ts'
import { showDate } from '../../texts/numbers.ts'
import { reviewSigns } from './review-mark.tsx'
import type { Annotations } from './use-annotations.ts'

/** What a reviewer notes on a row: a verdict, a star, tags and a text. Read-only without a server. */
export function AnnotationBar({ row, annotations }: { row: number; annotations: Annotations }) {
  const { all, change, error } = annotations
  const ui = annotationTexts()
  const now = annotations.of(row)
  if (!all) return error ? <ErrorBox error={error} /> : null
  if (!change && !now)
    return all.problem === undefined ? null : <p class="quiet annotation-note">{visibleText(ui.notWritable(all.problem), false)}</p>
  return (
    <section class="annotation" aria-label={ui.label}>
      {change ? <Editor key={row} row={row} annotations={annotations} change={(changes) => change(row, changes)} /> : <Shown {...now!} />}
      {now?.isOutdated && now.verdict && <p class="bad">{ui.outdated}</p>}
      {error && <ErrorBox error={error} />}
    </section>
  )
}

type EditorProps = { row: number; annotations: Annotations; change: (changes: AnnotationChange) => void }

function Editor({ row, annotations, change }: EditorProps) {
  const ui = annotationTexts()
  const now = annotations.of(row)
  const judge = (verdict: ReviewVerdict) => change({ verdict: now?.verdict === verdict && !now.isOutdated ? null : verdict })
  const note = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const verdict = reviewVerdicts[['1', '2', '3'].indexOf(event.key)]
      if (verdict) judge(verdict)
      if (event.key === 's') change({ star: !now?.star })
      if (event.key !== 'n' || !note.current) return
      event.preventDefault()
      note.current.focus()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [now])
  return (
    <>
      <div class="annotation-line">
        <button
          type="button"
          class="star"
          aria-pressed={now?.star === true}
          title={ui.keys.star}
          onClick={() => change({ star: !now?.star })}
        >
          {now?.star ? '★' : '☆'} {ui.star}
        </button>
        <fieldset class="judgement">
          <legend>{ui.verdict}</legend>
          {reviewVerdicts.map((verdict, index) => (
            <button
              key={verdict}
              type="button"
              class={`chip review-${verdict}`}
              aria-pressed={now?.verdict === verdict}
              title={ui.keys.verdict(index + 1)}
              onClick={() => judge(verdict)}
            >
              {reviewSigns[verdict]} {ui.verdicts[verdict]}
            </button>
          ))}
        </fieldset>
        <Tags tags={now?.tags ?? []} known={tagsOf(annotations)} onChange={(tags) => change({ tags })} />
        {now && <span class="quiet annotation-time">{ui.saved(showDate(now.at))}</span>}
      </div>
      <Note field={note} text={now?.note ?? ''} onChange={(text) => change({ note: text })} />
    </>
  )
}

/** All tags of the pair, for completion. */
function tagsOf({ all }: Annotations): string[] {
  return [...new Set(all?.rows.flatMap(({ tags = [] }) => tags))].sort()
}

function Tags({
  tags,
  known,
  onChange,
}: {
  tags: readonly string[]
  known: readonly string[]
  onChange: (tags: readonly string[]) => void
}) {
  const ui = annotationTexts()
  const add = (field: HTMLInputElement) => {
    const tag = field.value.trim()
    field.value = ''
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag])
  }
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add(event.currentTarget)
  }
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {visibleText(tag, false)}
          <button type="button" aria-label={ui.removeTag(tag)} onClick={() => onChange(tags.filter((one) => one !== tag))}>
            ×
          </button>
        </span>
      ))}
      <input
        type="text"
        list="known-tags"
        maxLength={80}
        aria-label={ui.addTag}
        placeholder={ui.addTag}
        onKeyDown={pressed}
        onBlur={({ currentTarget }) => add(currentTarget)}
      />
      <datalist id="known-tags">
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </span>
  )
}

/** A note is saved when the field is left, when another row is chosen, and a second after the last key. */
const saveAfter = 1000

type NoteProps = { field: { current: HTMLTextAreaElement | null }; text: string; onChange: (text: string) => void }

function Note({ field, text, onChange }: NoteProps) {
  const ui = annotationTexts()
  const [typed, setTyped] = useState(text)
  const latest = useRef({ typed, text, onChange })
  latest.current = { typed, text, onChange }
  const save = () => {
    const { typed: now, text: before, onChange: saveIt } = latest.current
    if (now !== before) saveIt(now)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(save, saveAfter)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => save, [])
  return (
    <textarea
      ref={field}
      class="annotation-text"
      rows={typed === '' ? 1 : Math.min(8, typed.split('\n').length + 1)}
      maxLength={20_000}
      aria-label={ui.note}
      placeholder={ui.noteHint}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  )
}

/** An annotation that cannot be changed here. */
function Shown({ verdict, star, tags = [], note, at }: NonNullable<ReturnType<Annotations['of']>>) {
  const ui = annotationTexts()
  return (
    <>
      <p class="annotation-line">
        {star && <span>★ {ui.star}</span>}
        {verdict && (
          <span>
            {ui.verdict}: {reviewSigns[verdict]} {ui.verdicts[verdict]}
          </span>
        )}
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {visibleText(tag, false)}
          </span>
        ))}
        <span class="quiet">{showDate(at)}</span>
      </p>
      {note !== undefined && <p class="annotation-shown">{visibleText(note, false)}</p>}
    </>
  )
}
