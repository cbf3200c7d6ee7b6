import { dataSymbol, useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { computed, h, onMounted, provide, ref } from 'vue'
import './site.css'

const texts = {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    tried: (version) => `Last tried with Rolecall ${version}: the tests run every command and program whose output is shown.`,
    untried: 'The tests check the names and flags of the commands on this page, but do not run them.',
    api: (version) => `Written from the source of Rolecall ${version}.`,
  },
  zh: {
    copy: '复制',
    copied: '已复制',
    tried: (version) => `最近一次验证：Rolecall ${version}。凡是给出输出的命令和程序，都由测试运行。`,
    untried: '测试检查本页命令的名字和参数，但不运行它们。',
    api: (version) => `由 Rolecall ${version} 的源码生成。`,
  },
}

function useTexts() {
  const { lang } = useData()
  return computed(() => (lang.value.startsWith('zh') ? texts.zh : texts.en))
}

/** The command of the home page, to copy. */
const HeroCommand = {
  setup() {
    const { frontmatter } = useData()
    const text = useTexts()
    const isCopied = ref(false)
    const copy = async () => {
      await navigator.clipboard.writeText(frontmatter.value.command)
      isCopied.value = true
      setTimeout(() => (isCopied.value = false), 2000)
    }
    return () =>
      frontmatter.value.command === undefined
        ? null
        : h('div', { class: 'hero-command' }, [
            h('div', { class: 'hero-command-line' }, [
              h('code', frontmatter.value.command),
              h('button', { type: 'button', onClick: copy }, isCopied.value ? text.value.copied : text.value.copy),
            ]),
            h('p', frontmatter.value.commandNote),
          ])
  },
}

/** A prompt, coloured as in the lab, where it leads: the same chat is a starter there. */
const HeroPrompt = {
  setup() {
    const { frontmatter } = useData()
    return () => {
      const { prompt, promptLink, promptNote } = frontmatter.value
      if (prompt === undefined) return null
      const parts = prompt.map(([by, text]) => h('span', { class: `by-${by}` }, text))
      return h('a', { class: 'hero-prompt', href: promptLink, target: '_self' }, [...parts, h('small', `${promptNote} →`)])
    }
  },
}

/** VitePress has no main landmark on its home page. */
function markMain() {
  onMounted(() => document.getElementById('VPContent')?.setAttribute('role', 'main'))
}

/** With which version the commands of a page last ran. */
const LastTried = {
  setup() {
    const { frontmatter, page, theme } = useData()
    const text = useTexts()
    return () => {
      const { tried } = frontmatter.value
      const isApi = page.value.relativePath.startsWith('api/')
      if (tried === undefined && !isApi) return null
      const shown = isApi ? text.value.api(theme.value.version) : tried === 'none' ? text.value.untried : text.value.tried(tried)
      return h('p', { class: 'last-tried' }, shown)
    }
  },
}

/** The switch of languages leads to the same page where that exists in the other language, else to its home page. */
function leadToExistingTranslations() {
  const data = useData()
  const theme = computed(() => {
    const path = `/${data.page.value.relativePath.replace(/^zh\//, '').replace(/\.md$/, '')}`
    return { ...data.theme.value, i18nRouting: data.theme.value.translated.includes(path) }
  })
  provide(dataSymbol, { ...data, theme })
}

const Layout = {
  setup() {
    leadToExistingTranslations()
    markMain()
    return () =>
      h(DefaultTheme.Layout, null, {
        'home-hero-info-after': () => [h(HeroPrompt), h(HeroCommand)],
        'doc-footer-before': () => h(LastTried),
      })
  },
}

export default {
  extends: DefaultTheme,
  Layout,
}
