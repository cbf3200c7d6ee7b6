import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../../testing/folder-with.ts'
import type { CodeResult, Interpreter } from '../../agent/interpreter.ts'
import { showOutputs } from '../../agent/show-outputs.ts'
import { jupyterInterpreter } from './jupyter-interpreter.ts'

/** Debian's own Python: another one earlier in the path lacks its packages. */
const python = '/usr/bin/python3'
const needed = 'import jupyter_server, ipykernel, pandas, matplotlib, plotly'
const isThere = existsSync(python) && spawnSync(python, ['-c', needed]).status === 0
if (!isThere)
  console.warn(
    'Jupyter was not tried: apt-get install -y --no-install-recommends python3-ipykernel jupyter-server python3-pandas python3-matplotlib python3-plotly',
  )

/** The code of document 004, to the letter. */
const documentCode = `import plotly.express as px
import pandas as pd

# Load the data into a pandas dataframe
df = pd.read_csv('data.csv')

# Create a scatter plot of rainfall vs wind direction
fig = px.scatter(df, x='WindDir9am', y='Rainfall', color='WindDir3pm',
                 labels={'WindDir9am': 'Wind Direction 9am', 'Rainfall': 'Rainfall', 'WindDir3pm': 'Wind Direction 3pm'},
                 title='Rainfall vs Wind Direction',
                 template='plotly_dark',
                 width=600, height=500)

# Add a hover effect to show the date
fig.update_traces(hovertemplate='<b>Date: %{text}</b><br>Wind Direction 9am: %{x}<br>Rainfall: %{y}<br>Wind Direction 3pm: %{marker.color}')

# Show the plot
fig.show()`

describe.skipIf(!isThere)('a Jupyter server (skipped where Debian’s is not installed)', { timeout: 120_000 }, () => {
  let server: ChildProcess
  let jupyter: Interpreter
  let url: string
  const saved = folderWith({})

  beforeAll(async () => {
    const [port, root] = [await freePort(), folderWith({})]
    const flags = ['--ip=127.0.0.1', `--port=${port}`, '--allow-root', '--no-browser', `--ServerApp.root_dir=${root}`]
    server = spawn(python, ['-m', 'jupyter_server', ...flags, '--ServerApp.token=secret'], {
      stdio: 'ignore',
      cwd: root,
      env: { PATH: '/usr/bin:/bin', HOME: root, LANG: 'C.UTF-8', IPYTHONDIR: root, JUPYTER_PLATFORM_DIRS: '1' },
    })
    url = `http://127.0.0.1:${port}/?token=secret`
    for (let waited = 0; ; waited += 200) {
      const response = await fetch(`http://127.0.0.1:${port}/api?token=secret`).catch(() => undefined)
      if (response?.ok) break
      if (waited > 90_000) throw new Error('the Jupyter server did not start')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    jupyter = jupyterInterpreter({ url, folder: saved, softLimit: 15_000, grace: 10_000 })
    await jupyter.start!()
  }, 120_000)

  afterAll(async () => {
    await jupyter?.close()
    server?.kill('SIGKILL')
  })

  const run = async (code: string): Promise<CodeResult & { shown: string }> => {
    const result = await jupyter.run(code)
    return { ...result, shown: showOutputs(result.outputs) }
  }

  test('says that it is no sandbox; text, values and errors come back, and variables are kept', async () => {
    expect(jupyter.isSandbox).toBe(false)
    expect(await run('x = 40\nprint("hello")\nx + 2')).toMatchObject({ ok: true, shown: 'hello\n42' })
    expect((await run('x')).shown).toBe('40')
    const { ok, shown } = await run('1/0')
    expect(ok).toBe(false)
    expect(shown).toContain('ZeroDivisionError: division by zero')
    expect(shown).not.toContain('\u001b')
  })

  test('files go in and out, and pandas reads them', async () => {
    await jupyter.addFile('data.csv', new TextEncoder().encode(weather()))
    const { shown } = await run("import pandas as pd\ndf = pd.read_csv('data.csv')\nprint(len(df))\ndf.head(1)")
    expect(shown).toMatch(/^16\n\s+Date .*\n0 .* N /)
    expect(await jupyter.listFiles()).toEqual(expect.arrayContaining([{ path: 'data.csv', size: weather().length }]))
    expect(new TextDecoder().decode(await jupyter.readFile('data.csv'))).toBe(weather())
  })

  test('document 004’s code runs as it stands; plotly’s plot is a page of its own', async () => {
    const { ok, outputs, shown } = await run(documentCode)
    expect(ok).toBe(true)
    expect(shown).toMatch(/^\[html\]\(.*page-1\.html\)$/)
    const page = outputs.find((output) => output.kind === 'html')!
    const html = readFileSync(page.path, 'utf8')
    expect(html).toContain('Rainfall vs Wind Direction')
    expect(html).toContain('<html>')
  })

  test('matplotlib gives a PNG, which the model is told about as document 004 has it', async () => {
    const { outputs, shown } = await run('%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()')
    expect(shown).toMatch(/!\[image\]\(.*image-\d+\.png\)$/)
    const image = outputs.find((output) => output.kind === 'image')!
    expect(readFileSync(image.path).subarray(1, 4).toString()).toBe('PNG')
    expect(image.path.startsWith(saved) || existsSync(join(process.cwd(), image.path))).toBe(true)
  })

  test('can be stopped, and keeps its state; starting anew forgets it', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 300)
    const stopped = await jupyter.run('kept = 7\nwhile True: pass', { signal: abort.signal })
    expect(showOutputs(stopped.outputs)).toMatch(/KeyboardInterrupt[\s\S]*\[stopped by the user; variables are kept\]$/)
    expect((await run('kept')).shown).toBe('7')
    await jupyter.restart()
    expect((await run('kept')).shown).toContain('NameError')
  })

  test('a server that is not there, or another key, is an error that says so', async () => {
    const nobody = jupyterInterpreter({ url: `http://127.0.0.1:${await freePort()}` })
    await expect(nobody.run('1')).rejects.toMatchObject({
      code: 'no-jupyter',
      problem: expect.stringContaining('no Jupyter server answers'),
    })
    const stranger = jupyterInterpreter({ url: url.replace('secret', 'guess') })
    await expect(stranger.run('1')).rejects.toMatchObject({ problem: expect.stringContaining('refuses (403') })
    expect(() => jupyterInterpreter({ url: 'somewhere' })).toThrow('is no address')
  })
})

/** A made-up week or two of weather, with the columns of document 004's code. */
function weather(): string {
  const winds = ['N', 'E', 'S', 'W']
  const rows = Array.from({ length: 16 }, (_, day) => `2024-05-${day + 1},${winds[day % 4]},${winds[(day + 1) % 4]},${(day * 7) % 11}`)
  return `Date,WindDir9am,WindDir3pm,Rainfall\n${rows.join('\n')}\n`
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
