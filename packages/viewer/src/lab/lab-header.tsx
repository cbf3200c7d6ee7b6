import { useState } from 'preact/hooks'
import { copyText } from '../parts/copy.tsx'
import { ThemeButton } from '../parts/theme-button.tsx'
import { labTexts } from '../texts/lab.ts'
import { keepLanguage, type Language, languages, languageTags } from '../texts/language.ts'
import type { LabState } from './lab-state.ts'
import { packState } from './link.ts'
import { fragment, keep } from './use-lab.ts'

type HeaderProps = { state: LabState; language: Language; onLanguage: (language: Language) => void }

export function LabHeader({ state, language, onLanguage }: HeaderProps) {
  const words = labTexts()
  const [isShared, setShared] = useState(false)
  const other: Language = language === 'en' ? 'zh' : 'en'
  const share = async () => {
    const starter = fragment().get('starter')
    if (starter === null) keep({ s: await packState(state) })
    await copyText(location.href)
    setShared(true)
    setTimeout(() => setShared(false), 1500)
  }
  return (
    <header class="top">
      <a class="wordmark" href="./" aria-label="rolecall">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <g stroke-width="3.2" stroke-linecap="round">
            <path d="M5 8h7" class="s-format" />
            <path d="M17 8h10" class="s-template" />
            <path d="M5 16h14" class="s-field" />
            <path d="M5 24h5" class="s-format" />
            <path d="M15 24h9" class="s-answer" />
          </g>
        </svg>
        rolecall
      </a>
      <p class="crumb">
        <b>{words.title}</b> · {words.about}
      </p>
      <span class="spread" />
      <a class="open-lab" href={location.href.replace(/\?[^#]*/, '')} target="_blank" rel="noreferrer">
        {words.open} ↗
      </a>
      <button
        type="button"
        class="flat"
        lang={languageTags[other]}
        onClick={() => {
          keepLanguage(other)
          if (fragment().get('lang') !== null) keep({ lang: other })
          onLanguage(other)
        }}
      >
        {languages[other]}
      </button>
      <ThemeButton />
      <button type="button" class="main" onClick={() => void share()}>
        {isShared ? words.shared : words.share}
      </button>
    </header>
  )
}
