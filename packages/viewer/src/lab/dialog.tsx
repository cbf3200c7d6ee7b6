import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { labTexts } from '../texts/lab.ts'

/** A dialog that Escape closes. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <span class="spread" />
        <button type="button" class="flat" aria-label={labTexts().cancel} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}
