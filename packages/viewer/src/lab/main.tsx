import { render } from 'preact'
import { Guarded } from '../parts/guarded.tsx'
import { showTheme } from '../parts/theme-button.tsx'
import { LabPage } from './lab-page.tsx'
import '../style/lab.css'

showTheme()
document.documentElement.classList.toggle('embedded', new URLSearchParams(location.search).has('embed'))
const app = document.getElementById('app')
if (app) {
  app.textContent = ''
  render(
    <Guarded place="lab" retryOn={location.hash}>
      <LabPage />
    </Guarded>,
    app,
  )
}
