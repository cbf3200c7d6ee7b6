import { useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import './site.css'

/** The viewer's playground inside the site: a page with `layout: playground-frame`. */
const PlaygroundFrame = {
  setup() {
    const { lang } = useData()
    return () => {
      const language = lang.value.startsWith('zh') ? 'zh' : 'en'
      return h('iframe', {
        class: 'playground-frame',
        title: language === 'zh' ? '演练场' : 'Playground',
        src: withBase(`/playground/index.html#/playground?lang=${language}`),
      })
    }
  },
}

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('playground-frame', PlaygroundFrame)
  },
}
