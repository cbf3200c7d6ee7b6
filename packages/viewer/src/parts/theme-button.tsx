import { useState } from 'preact/hooks'
import { headerTexts } from '../texts/header.ts'

type Theme = 'light' | 'dark'

/** Applies the stored theme or the system's. Called before the first paint, so that a dark page does not flash. */
export function showTheme(theme = keptTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')): Theme {
  document.documentElement.dataset.theme = theme
  return theme
}

/** Switches between light and dark; the system's theme is the default. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => showTheme())
  const turn = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    setTheme(showTheme(next))
    try {
      localStorage.setItem('rolecall.theme', next)
    } catch {
      // Without storage, the choice is not remembered.
    }
  }
  return (
    <button type="button" class="theme" aria-label={theme === 'dark' ? headerTexts().light : headerTexts().dark} onClick={turn}>
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
