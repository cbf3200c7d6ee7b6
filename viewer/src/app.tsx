import { useEffect, useState } from 'preact/hooks'
import { loadSite } from './data/load.ts'
import { useLoad } from './data/use-load.ts'
import { pages } from './pages/pages.ts'
import { ErrorBox } from './parts/error-box.tsx'
import { hrefOf, useRoute } from './route.ts'

export function App() {
  const route = useRoute()
  const site = useLoad(loadSite, [])
  const shown = site.value ? pages.filter(({ isThere }) => isThere(site.value!)) : []
  const page = shown.find(({ path }) => path === route.page.split('/')[0]) ?? shown[0]
  useEffect(() => {
    if (page) document.title = `${page.name} · Rolecall`
  }, [page])
  return (
    <>
      <a class="skip" href="#content">
        to the content
      </a>
      <header class="top">
        <a class="wordmark" href="#/">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <g stroke-width="3.2" stroke-linecap="round">
              <path d="M5 8h7" class="s-format" />
              <path d="M17 8h10" class="s-template" />
              <path d="M5 16h14" class="s-field" />
              <path d="M5 24h5" class="s-format" />
              <path d="M15 24h9" class="s-answer" />
            </g>
          </svg>
          <span class="wordmark-name">rolecall</span>
        </a>
        <nav aria-label="pages">
          {shown.map(({ path, name }) => (
            <a
              key={path}
              ref={(link) => {
                if (page?.path === path) link?.scrollIntoView({ block: 'nearest', inline: 'center' })
              }}
              href={hrefOf({ page: path, query: {} })}
              aria-current={page?.path === path ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <ThemeButton />
      </header>
      <main id="content" tabIndex={-1}>
        {site.error && <ErrorBox error={site.error} />}
        {site.value && page && <page.View key={page.path} site={site.value} route={route} />}
      </main>
    </>
  )
}

type Theme = 'light' | 'dark'

/** Light or dark, as the system has it until the reader says otherwise. */
function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => keptTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const turn = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    setTheme(next)
    try {
      localStorage.setItem('rolecall.theme', next)
    } catch {
      // Without storage it is only not kept.
    }
  }
  return (
    <button type="button" class="theme" aria-label={theme === 'dark' ? 'light colours' : 'dark colours'} onClick={turn}>
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
