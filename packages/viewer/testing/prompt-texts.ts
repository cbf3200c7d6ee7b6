import type { Page } from 'playwright-core'
import { bodyOf } from '../../core/src/prompt/format/flatten.ts'
import { type ViewSelection, viewAll } from '../../rolecall/src/cli/render/collect-views.ts'
import { loadConfig } from '../../rolecall/src/node/config/load-config.ts'

/** The prompt shown on a page. */
export function promptText(page: Page): Promise<string | null> {
  return page
    .getByTestId('prompt')
    .locator('pre.text')
    .first()
    .evaluate((element) => element.textContent)
}

/** The prompt that `rolecall render` prints. */
export async function rendered(configFile: string, selection: Partial<ViewSelection>): Promise<string> {
  const { views } = await viewAll(await loadConfig(configFile), { rows: '0', ...selection })
  if (views.length !== 1) throw new Error(`there are ${views.length} prompts of ${JSON.stringify(selection)}`)
  return bodyOf(views[0]!.rendered.prompt)
}
