import { render } from 'preact'
import { App } from './app.tsx'
import './style/base.css'
import './style/prompt.css'
import './style/pages.css'
import './style/runs.css'
import './style/print.css'

render(<App />, document.getElementById('app')!)
