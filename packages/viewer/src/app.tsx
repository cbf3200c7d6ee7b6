import { useEffect, useState } from 'preact/hooks'
import { loadSite, onSiteChange } from './data/load.ts'
import { useLoad } from './data/use-load.ts'
import { pages } from './pages/pages.ts'
import { ErrorBox } from './parts/error-box.tsx'
import { Guarded } from './parts/guarded.tsx'
import { Keys } from './parts/keys.tsx'
import { NotHere } from './parts/not-here.tsx'
import { ThemeButton } from './parts/theme-button.tsx'
import { focusContent, useFocusOnContent } from './parts/use-focus.ts'
import { go, hrefOf, type Route, useRoute } from './route.ts'
import { headerTexts } from './texts/header.ts'
import { chooseLanguage, keepLanguage, keptLanguage, type Language, languages, languageTags, setLanguage } from './texts/language.ts'
import { showDate } from './texts/numbers.ts'
import { reportTexts } from './texts/report.ts'

export function App() {
  const route = useRoute()
  const language = chooseLanguage({ linked: route.query.lang, kept: keptLanguage(), preferred: navigator.languages })
  setLanguage(language)
  useFocusOnContent(route)
  const words = headerTexts()
  useEffect(() => {
    // The lab replaces the playground, whose links keep working.
    if (route.page === 'playground') location.replace(`lab.html${location.hash}`)
  }, [route.page])
  const [changes, setChanges] = useState(0)
  useEffect(() => onSiteChange(() => setChanges((count) => count + 1)), [])
  const site = useLoad(loadSite, [changes])
  const start = site.value?.shared?.start
  useEffect(() => {
    // A report of some rows opens with them.
    if (start && location.hash === '') go({ page: 'runs', query: start }, { replace: true })
  }, [start])
  const shown = site.value ? pages.filter(({ isThere }) => isThere(site.value!)) : []
  const [asked = ''] = route.page.split('/')
  const found = shown.find(({ path }) => path === asked)
  const page = found ?? shown[0]
  useEffect(() => {
    document.documentElement.lang = languageTags[language]
    if (page) document.title = `${words.page[page.path]} · Rolecall`
  }, [page, language])
  return (
    <>
      <SkipLink text={words.skip} />
      <header class="top">
        <a class="wordmark" href={hrefOf({ page: '', query: {} })} aria-label="rolecall">
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
        <nav aria-label={words.pages}>
          {shown.map(({ path }) => (
            <a
              key={path}
              ref={(link) => {
                if (page?.path === path) link?.scrollIntoView({ block: 'nearest', inline: 'center' })
              }}
              href={hrefOf({ page: path, query: {} })}
              aria-current={page?.path === path ? 'page' : undefined}
            >
              {words.page[path]}
            </a>
          ))}
          {site.value && !site.value.isOneFile && <a href="lab.html">{words.lab}</a>}
        </nav>
        <Keys />
        <LanguageButton language={language} route={route} />
        <ThemeButton />
      </header>
      <main id="content" tabIndex={-1}>
        {site.error && <ErrorBox error={site.error} />}
        {site.value && <NotHere missing={[[words.pageName, found || asked === '' ? undefined : asked]]} />}
        {site.value && page && (
          <Guarded key={page.path} place={words.page[page.path]} retryOn={JSON.stringify(route)}>
            <page.View site={site.value} route={route} />
          </Guarded>
        )}
      </main>
      {site.value?.exported !== undefined && (
        <footer class="exported quiet">
          {reportTexts().exported(showDate(site.value.exported))} {site.value.isOneFile && reportTexts().oneFile}
        </footer>
      )}
    </>
  )
}

/** Skips the menu. A plain link would navigate, because the address after `#` is the route. */
function SkipLink({ text }: { text: string }) {
  const skip = (event: Event) => {
    event.preventDefault()
    focusContent()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page
    <a class="skip" href="#content" onClick={skip}>
      {text}
    </a>
  )
}

/** Switches the language. The choice is stored for the next visit and is part of the link. */
function LanguageButton({ language, route }: { language: Language; route: Route }) {
  const other: Language = language === 'en' ? 'zh' : 'en'
  const turn = () => {
    keepLanguage(other)
    go({ page: route.page, query: { ...route.query, lang: other } }, { replace: true })
  }
  return (
    <button type="button" class="language" lang={languageTags[other]} onClick={turn}>
      {languages[other]}
    </button>
  )
}
