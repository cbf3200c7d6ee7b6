import { useEffect, useRef } from 'preact/hooks'
import { isTyping } from '../prompt/use-settings.ts'
import { keyTexts } from '../texts/keys.ts'

/** Keyboard shortcuts, opened by `?` and the button in the header. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null)
  const words = keyTexts()
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === '?') dialog.current?.showModal()
      if (event.key !== '/') return
      const search = document.querySelector<HTMLElement>('#content input[type="search"]')
      if (!search) return
      event.preventDefault()
      search.focus()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  return (
    <>
      <button
        type="button"
        class="quiet-button keys-button"
        aria-label={words.title}
        title={words.title}
        onClick={() => dialog.current?.showModal()}
      >
        ?
      </button>
      <dialog ref={dialog} class="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">{words.title}</h2>
        <dl>
          {words.keys.map(([keys, does]) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => dialog.current?.close()}>
          {words.close}
        </button>
      </dialog>
    </>
  )
}
