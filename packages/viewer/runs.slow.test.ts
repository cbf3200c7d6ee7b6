import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { axeFindings } from './testing/axe.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { englishTexts } from './testing/english-texts.ts'
import { makeRuns } from './testing/made-runs.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer
  const at = (...query: string[]) => `${server.url}#/runs?${query.join('&')}`
  const small = ['run=1', 'model=small', 'dataset=numbers']

  /** The folder of a run, named after its start time. */
  const folderOf = (name: string) => readdirSync(join(viewer.folder, 'made', 'outputs', name))[0]!

  /** Pages, with a selector that appears when they are rendered. */
  const pagesOfRuns = () => {
    const first = `first/${folderOf('first')}`
    const pair = `runs?run=${first}&model=small&dataset=numbers`
    return [
      ['runs?', '.home .mini-bar'],
      [`runs?run=${first}&turned=datasets+lengths+comparisons+answers+by+remarks`, '.interval-plot', '.histogram', '.remarks dd'],
      [pair, '.virtual-line .verdict', '.chip.v-wrong'],
      [`${pair}&row=7`, '.answer .laid-out'],
      [`${pair}&row=7&tab=prompt`, '.prompt .piece'],
      [`${pair}&row=7&tab=record`, '.pair-record .extra'],
      [`runs?run=${first}&model=small&dataset=poems&row=1&tab=judge`, '.verdict'],
      [`compare?first=${first}&second=second/${folderOf('second')}&dataset=numbers&model=small&row=4`, '.compared-table', '.answer'],
      [
        `compare?first=${first}&second=second/${folderOf('second')}&others=${encodeURIComponent(JSON.stringify([`${first}: large`]))}`,
        '.baseline-table .figure',
      ],
      [
        `compare/why?first=${first}&second=second/${folderOf('second')}&a=small+on+numbers&rows=matched&row=4`,
        '.waterfall',
        '.why-facts dd',
      ],
    ] as const
  }

  beforeAll(async () => {
    await viewer.start()
    await makeRuns(join(viewer.folder, 'made'))
    server = await serveViewer(
      { version: 'test', ...(await openViewed([join(viewer.folder, 'made', 'outputs')])) },
      { folder: viewer.built },
    )
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('the wrong rows of a category can be found, and each row has one verdict', async () => {
    const page = await viewer.open(at(...small))
    const count = page.getByTestId('row-count')
    await eventually(() => count.textContent()).toBe('10 of 10 rows')
    const chips = page.locator('.chip')
    await eventually(() => chips.allTextContents()).toEqual([
      'all 10',
      'right 3',
      'wrong 4',
      'no score 1',
      'answered 7',
      'cut 1',
      'refused 1',
      'failed 1',
      'at the token limit 1',
    ])
    await page.getByRole('button', { name: 'wrong 4' }).click()
    await page.getByLabel('column of the row').selectOption({ label: 'category: products (2)' })
    await eventually(() => count.textContent()).toBe('2 of 10 rows')
    await eventually(() => chips.allTextContents()).toContain('wrong 2')
    const lines = page.locator('.virtual-line')
    expect(await lines.locator('.c-asked').allTextContents()).toEqual(['What is 6 * 7?', 'What is 9 * 9?'])
    expect(await lines.locator('.verdict').allTextContents()).toEqual(['✗ wrong', '✗ wrong'])
    // The link shows the same.
    const again = await viewer.open(page.url())
    await eventually(() => again.getByTestId('row-count').textContent()).toBe('2 of 10 rows')
    await again.close()
    await page.close()
  })

  test('a link with an unknown filter, order or value reports it, and shows all rows', async () => {
    const page = await viewer.open(`${at(...small)}&show=odd&sort=size&column=category&value=poems`)
    await eventually(() => page.locator('.not-here li').allTextContents()).toEqual([
      'The link refers to the filter odd, which does not exist here: something else is shown.',
      'The link refers to the order size, which does not exist here: something else is shown.',
      'The link refers to the column of the row category: poems, which does not exist here: something else is shown.',
    ])
    expect(await page.getByTestId('row-count').textContent()).toBe('10 of 10 rows')
    await page.close()
  })

  test('rows are sorted by column headings, and searched by text and regular expression', async () => {
    const page = await viewer.open(at(...small))
    const numbers = () => page.locator('.virtual-line .c-number').allTextContents()
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    await eventually(async () => (await numbers())[0]).toBe('2')
    expect(await page.getByRole('columnheader', { name: 'tokens' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    await eventually(async () => (await numbers()).at(-1)).toBe('2')
    await page.getByRole('button', { name: 'row', exact: true }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('SPIDER')
    await eventually(numbers).toEqual(['7'])
    // What is typed between the start of a search and its effect on the page stays.
    await page.evaluate(() => {
      const typeMore = () => {
        const field = document.querySelector<HTMLInputElement>('#content input[type="search"]')!
        field.value = 'triangles'
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      addEventListener('hashchange', typeMore, { once: true })
    })
    await page.getByLabel('search rows').fill('triangle')
    await eventually(numbers).toEqual([])
    expect(await page.getByLabel('search rows').inputValue()).toBe('triangles')
    await page.getByLabel('search rows').fill('is 9\\d? [+*]')
    await page.getByRole('button', { name: 'regex' }).click()
    await eventually(numbers).toEqual(['3', '5'])
    await page.getByLabel('search rows').fill('(')
    await page.getByText('Unterminated group').first().waitFor()
    await eventually(() => page.getByText('Unterminated group').count()).toBe(1)
    await page.getByLabel('search rows').fill('nothing like this')
    await page.getByText('No row matches').waitFor()
    await page.getByRole('button', { name: 'show all rows' }).click()
    await eventually(() => page.getByTestId('row-count').textContent()).toBe('10 of 10 rows')
    await page.close()
  })

  test('rows can be reviewed by keyboard only, and the selected one stays visible', async () => {
    const page = await viewer.open(at(...small), { viewport: { width: 1280, height: 500 } })
    await eventually(() => page.getByTestId('row-count').textContent()).toBe('10 of 10 rows')
    for (let step = 0; step < 10; step++) await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Row 9' }).waitFor()
    // A verdict and a note are stored beside the run, marked and counted.
    await page.keyboard.press('1')
    await page.keyboard.press('n')
    await page.keyboard.type('a fair refusal')
    await page.keyboard.press('Escape')
    await page.locator('.review-mark[aria-label="reviewer: right · a fair refusal"]').waitFor()
    await eventually(() => page.locator('.chip').allTextContents()).toContain('score wrong, reviewer right 1')
    expect(readFileSync(join(viewer.folder, 'made', 'outputs', 'first', folderOf('first'), 'annotations.jsonl'), 'utf8')).toContain(
      'a fair refusal',
    )
    await page.getByLabel('add a tag').fill('refusal')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'remove the tag refusal' }).waitFor()
    await page.locator('#content').focus()
    const selected = page.locator('[aria-selected="true"].virtual-line')
    await expect
      .poll(
        async () => {
          const [line, list] = [(await selected.boundingBox())!, (await page.getByRole('grid').boundingBox())!]
          return line.y >= list.y && line.y + line.height <= list.y + list.height + 1
        },
        { timeout: 30_000 },
      )
      .toBe(true)
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Row 8' }).waitFor()
    await page.getByRole('tab', { name: 'Answer' }).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => page.getByRole('tab', { name: 'Prompt' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('heading', { name: 'Row 8' }).count()).toBe(0)
    await page.close()
  })

  test('an answer is rendered by its type, with the parsed part marked, raw text on click, and separate reasoning', async () => {
    const page = await viewer.open(at(...small, 'row=7'))
    const answer = page.getByRole('region', { name: 'answer', exact: true })
    await eventually(() => answer.locator('.laid-out').textContent()).toBe('{\n  "legs": 9,\n  "why": "I counted"\n}')
    expect(await answer.locator('mark').allTextContents()).toEqual(['9'])
    await answer.getByRole('button', { name: 'raw' }).click()
    expect(await answer.locator('pre.text').textContent()).toBe('{"legs": 9, "why": "I counted"}')
    expect(await page.locator('.reasoning').textContent()).toContain('I look at one and count.')
    await page.goto(at(...small, 'row=4'))
    await page.locator('.markdown math mfrac').waitFor()
    await page.goto(at('run=1', 'model=small', 'dataset=poems', 'row=0'))
    expect(await page.locator('.markdown .heading').textContent()).toBe('rain')
    expect(await page.locator('.markdown em').textContent()).toBe('rain')
    await page.close()
  })

  test("every request of a row is shown, including the judge's prompt and reply", async () => {
    const page = await viewer.open(at('run=1', 'model=small', 'dataset=chats', 'row=0', 'tab=prompt'))
    await page.getByText('2 prompts were sent for this row').waitFor()
    await page.getByRole('tab', { name: 'round 2' }).click()
    await eventually(() => page.getByTestId('prompt').textContent()).toContain('Say two.')
    await page.goto(at('run=1', 'model=small', 'dataset=poems', 'row=1', 'tab=judge'))
    await page.getByText('✓ the prompt to the judge, verified by its hash').waitFor()
    expect(await page.getByRole('region', { name: 'the judge', exact: true }).textContent()).toContain('I cannot tell.')
    expect(await page.locator('.record-head .verdict').textContent()).toBe('? not decided')
    await page.close()
  })

  test('recorded prompts take precedence over rendered ones, and only proven ones are green', async () => {
    const rows = join(viewer.folder, 'made', 'numbers.jsonl')
    const before = readFileSync(rows, 'utf8')
    const second = ['run=0', 'model=small', 'dataset=numbers', 'row=0', 'tab=prompt']
    const page = await viewer.open(at(...second))
    await eventually(() => page.locator('.proof').getAttribute('class')).toContain('p-kept')
    writeFileSync(rows, before.replace('3 + 4', '3 + 5'))
    try {
      const changed = await viewer.open(at(...second))
      await changed.getByText('the prompt that was sent, as recorded by the run').waitFor()
      expect(await changed.getByTestId('prompt').textContent()).toContain('What is 3 + 4?')
      await changed.goto(at(...small, 'row=0', 'tab=prompt'))
      await eventually(() => changed.locator('.proof').getAttribute('class')).toContain('p-differs')
      await changed.goto(at(...small, 'row=2', 'tab=prompt'))
      await eventually(() => changed.locator('.proof').getAttribute('class')).toContain('p-never-sent')
      await changed.close()
    } finally {
      writeFileSync(rows, before)
    }
    await page.close()
  })

  test('quantities are numbers with their unit, without a tick; metrics that are not numbers do not break the page', async () => {
    const page = await viewer.open(at('run=1', 'model=small', 'dataset=texts'))
    await eventually(() => page.locator('.virtual-line .verdict').first().textContent()).toMatch(/^1\.\d{4} nats per token ↓$/)
    expect(await page.locator('.chip').allTextContents()).toEqual(['all 2', 'scored 2'])
    expect(await page.getByRole('columnheader', { name: 'lower is better' }).count()).toBe(1)
    await page.goto(at('run=1'))
    await page.getByRole('heading', { name: 'first' }).waitFor()
    await page.close()
  })

  test('a link to a missing target reports it', async () => {
    const page = await viewer.open(at('run=none'))
    await page.getByText('There is no run "none" here.').waitFor()
    await page.goto(at('run=1', 'model=nobody', 'dataset=numbers'))
    await page.getByText('This run has no rows of "nobody" on "numbers".').waitFor()
    await page.goto(at(...small, 'row=77'))
    await page.getByText('There is no row 77 here.').waitFor()
    await page.close()
  })

  test('two runs are selected in the list and compared: in words, with intervals, row by row', async () => {
    const page = await viewer.open(`${server.url}#/runs`)
    await page.getByLabel('search runs').fill('large')
    await eventually(() => page.locator('.home tbody tr').count()).toBe(2)
    expect(await page.locator('.home tbody th a').allTextContents()).toEqual(['second', 'first'])
    await eventually(() => page.locator('.state').allTextContents()).toEqual(['done', 'done'])
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true)
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await page.getByRole('button', { name: 'Compare' }).click()
    const line = page.locator('.compared-table tbody tr').nth(0)
    await line.getByText('5 rows better, 0 worse, 4 with the same score').waitFor()
    expect(await line.textContent()).toContain('Prompts differ in 9 of 10 rows.')
    await eventually(() => line.locator('b').textContent()).toMatch(/^\+55\.6$/)
    await line.getByRole('img').first().waitFor()
    // A higher perplexity is worse.
    expect(await page.locator('.compared-table tbody tr').nth(2).textContent()).toContain('0 rows better, 2 worse')
    // The renderer, most of the library, is loaded when a row is opened.
    const loaded = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').reduce((sum, one) => sum + (one as PerformanceResourceTiming).decodedBodySize, 0),
      )
    const before = await loaded()
    await line.getByRole('button', { name: 'numbers' }).click()
    await page.getByRole('button', { name: 'better 5' }).click()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Row 4' }).waitFor()
    expect(await loaded()).toBeGreaterThan(before + 500_000)
    const answers = page.getByRole('region', { name: /^answer of/ })
    await eventually(() => answers.nth(0).locator('mark').allTextContents()).toEqual(['43', '43'])
    await eventually(() => answers.nth(1).locator('mark').allTextContents()).toEqual(['42', '42'])
    await eventually(() =>
      page
        .getByRole('region', { name: /^prompt of second/ })
        .locator('mark')
        .textContent(),
    ).toBe(' Answer with a number.')
    await page.close()
  })

  test('one click explains a comparison: parts that add up, and every number shows its rows', async () => {
    const page = await viewer.open(`${server.url}#/compare?first=first/${folderOf('first')}&second=second/${folderOf('second')}`)
    await page.getByRole('link', { name: 'Why do they differ?' }).click()
    const falls = page.locator('.waterfall > li')
    await falls.first().waitFor()
    expect(await falls.nth(1).textContent()).toContain('instruction')
    const effects = await page.locator('.waterfall a.fall-effect').allTextContents()
    const sum = effects.reduce((total, text) => total + Number(text.replace('−', '-')), 0)
    expect(sum).toBeCloseTo(55.6, 0)
    await falls.nth(1).getByRole('link', { name: '5 better' }).click()
    await eventually(() => page.locator('.virtual-line').count()).toBe(5)
    await page.locator('.virtual-line').first().click()
    await eventually(() => page.locator('.why-facts').first().textContent()).toContain('score0')
    await page.getByRole('link', { name: /rows joined/ }).click()
    await eventually(() => page.locator('.virtual-line').count()).toBe(10)
    await page.close()
  })

  test('a run started while the list is open appears in it, and a deleted one is marked', async () => {
    const page = await viewer.open(`${server.url}#/runs`)
    await eventually(() => page.locator('.home tbody tr').count()).toBe(2)
    await makeRuns(join(viewer.folder, 'made'), ['third'])
    await eventually(() => page.locator('.home tbody tr').count()).toBe(3)
    expect(await page.locator('.home tbody th a').first().textContent()).toBe('third')
    // A run that is deleted meanwhile is reported as such, here and after a reload; nothing else breaks.
    rmSync(join(viewer.folder, 'made', 'outputs', 'third'), { recursive: true })
    await eventually(() => page.locator('.state').allTextContents()).toEqual(['deleted', 'done', 'done'])
    await page.reload()
    await eventually(() => page.locator('.state').allTextContents()).toEqual(['deleted', 'done', 'done'])
    await page.getByRole('link', { name: 'third' }).click()
    await page.getByText('the run was deleted or moved').waitFor()
    await page.close()
  })

  test('the metrics of a run: groups first, datasets on click, and remarks, metrics and bars that link to their rows', async () => {
    const page = await viewer.open(at(`run=first/${folderOf('first')}`))
    const groups = page.getByRole('region', { name: 'Groups' })
    await eventually(() => groups.locator('tbody th').textContent()).toContain('all answers')
    expect(await groups.getByRole('img').count()).toBe(2)
    // The page fits a laptop's screen, and says each score once.
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800)
    await page.getByText('Datasets (4)').click()
    const cells = page.getByRole('region', { name: 'Datasets (4)' }).getByRole('row', { name: 'numbers' }).getByRole('link')
    await eventually(async () => (await cells.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      '33.3 [12.1, 64.6]',
      '77.8 [45.3, 93.7]',
    ])
    // The link has it open, and Lengths at their dataset.
    await page.getByText('Lengths and times').click()
    await page.getByLabel('dataset', { exact: true }).selectOption('poems')
    const bars = page.getByRole('region', { name: 'Lengths and times' })
    await eventually(() => bars.getByRole('img').count()).toBe(6)
    const again = await viewer.open(page.url())
    await eventually(() => again.getByRole('region', { name: 'Lengths and times' }).getByRole('img').count()).toBe(6)
    expect(await again.getByLabel('dataset', { exact: true }).inputValue()).toBe('poems')
    await again.getByText('10 remarks').click()
    await again.locator('.remarks div').filter({ hasText: 'token limit' }).getByRole('link', { name: 'small · numbers' }).click()
    await eventually(() => again.getByTestId('row-count').textContent()).toBe('1 of 10 rows')
    expect(await again.getByRole('button', { name: 'at the token limit 1' }).getAttribute('aria-pressed')).toBe('true')
    await again.close()
    await page.getByText('Scores by category').click()
    await page.getByRole('region', { name: 'numbers by category' }).getByRole('link').first().click()
    await eventually(() => page.getByTestId('row-count').textContent()).toBe('4 of 10 rows')
    await page.close()
  })

  test('one model in several formats: the spread of its metrics', async () => {
    await makeRuns(join(viewer.folder, 'made'), ['formats'])
    const page = await viewer.open(`${server.url}#/runs`)
    await page.getByRole('link', { name: 'formats' }).click()
    await page.getByText('One model in several formats').click()
    const line = page.getByRole('region', { name: 'One model in several formats' }).getByRole('row', { name: 'numbers' })
    await eventually(() => line.getByRole('img').getAttribute('aria-label')).toBe('chatml 88.9, internlm2 88.9, plain 33.3')
    expect(await line.textContent()).toContain('55.6')
    await line.getByRole('link', { name: 'plain 33.3' }).click()
    await page.getByRole('heading', { name: 'small as plain' }).waitFor()
    await page.close()
  })

  test('every text of these pages is translated', async () => {
    const page = await viewer.open(`${server.url}#/runs?lang=zh`)
    for (const [hash, ...there] of pagesOfRuns()) {
      await page.goto(`${server.url}#/${hash}&lang=zh`)
      for (const selector of there) await page.locator(selector).first().waitFor({ state: 'attached' })
      expect(await page.evaluate(englishTexts), hash).toEqual([])
    }
    await page.close()
  })

  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    test(`axe finds nothing wrong with the pages of runs, ${scheme}, ${width} pixels wide`, { timeout: 240_000 }, async () => {
      const page = await viewer.open(`${server.url}#/runs`, { colorScheme: scheme, viewport: { width, height: 800 } })
      expect(await axeFindings(page, pagesOfRuns())).toEqual([])
      await page.close()
    })
  }

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
