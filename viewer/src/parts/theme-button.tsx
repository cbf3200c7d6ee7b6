import { useState } from 'preact/hooks'
import { headerWords } from '../words/header.ts'

type Theme = 'light' | 'dark'

/** Shows the page as it was last chosen, or as the system has it. Called before the first paint, so that a dark page does not flash. */
export function showTheme(theme = keptTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')): Theme {
  document.documentElement.dataset.theme = theme
  return theme
}

/** Light or dark, as the system has it until the reader says otherwise. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => showTheme())
  const turn = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    setTheme(showTheme(next))
    try {
      localStorage.setItem('rolecall.theme', next)
    } catch {
      // Without storage it is only not kept.
    }
  }
  return (
    <button type="button" class="theme" aria-label={theme === 'dark' ? headerWords().light : headerWords().dark} onClick={turn}>
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  )
}

function keptTheme(): Theme | undefined {
  try {
    const kept = localStorage.getItem('rolecall.theme')
    return kept === 'light' || kept === 'dark' ? kept : undefined
  } catch {
    return undefined
  }
}
