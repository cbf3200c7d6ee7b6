import { useState } from 'preact/hooks'
import { partTexts } from '../texts/parts.ts'

/** Copies the exact text, independent of how it is displayed. */
export function CopyButton({ text, children = partTexts().copy }: { text: () => string; children?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await copyText(text())
    setDone(true)
    setTimeout(() => setDone(false), 1200)
  }
  return (
    <button type="button" class="quiet-button" onClick={() => void copy()}>
      {isDone ? partTexts().copied : children}
    </button>
  )
}

/** Browsers have a clipboard only on HTTPS and loopback; an exported site may be on neither. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  // At the end of the page, selecting it would scroll there.
  field.style.cssText = 'position: fixed; top: 0'
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}

export function DownloadButton({ name, text }: { name: string; text: () => string }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text()], { type: 'text/plain;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <button type="button" class="quiet-button" onClick={save}>
      {partTexts().download}
    </button>
  )
}
