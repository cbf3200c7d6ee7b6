import { render } from 'preact'
import { App } from './app.tsx'
import { showTheme } from './parts/theme-button.tsx'
import './style/base.css'
import './style/prompt.css'
import './style/pages.css'
import './style/runs.css'
import './style/grid.css'
import './style/why.css'
import './style/control.css'
import './style/print.css'

showTheme()
render(<App />, document.getElementById('app')!)
