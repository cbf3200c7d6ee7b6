import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { succeeds } from '../../../../../../proof/testing/run-program.ts'
import { promptText } from '../../../../../core/src/prompt/format/prompt-text.ts'
import { fileMessage } from '../../../model/agent/attached-file.ts'
import type { CodeResult, Interpreter } from '../../../model/agent/interpreter.ts'
import { askAgent } from '../../../model/agent/run-agent.ts'
import { showOutputs } from '../../../model/agent/show-outputs.ts'
import type { LanguageModel } from '../../../model/language-model/language-model.ts'
import { findPeer } from '../../find-peer.ts'
import { jupyterInterpreter } from './jupyter-interpreter.ts'

/** Debian's Python: another one earlier in the path would lack its packages. */
const python = '/usr/bin/python3'
const needed = 'import jupyter_server, ipykernel, pandas, matplotlib, plotly'
const hasClient = findPeer('@jupyterlab/services') !== undefined
const isThere = hasClient && existsSync(python) && succeeds(python, '-c', needed)
if (!isThere)
  console.warn(
    'Jupyter was not tried: scripts/install-peers.sh .cache/peers; apt-get install -y --no-install-recommends python3-ipykernel jupyter-server python3-pandas python3-matplotlib python3-plotly',
  )

/** The code of document 004, verbatim. */
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

  test('is marked as no sandbox; returns text, values and errors, and keeps variables', async () => {
    expect(jupyter.isSandbox).toBe(false)
    expect(await run('x = 40\nprint("hello")\nx + 2')).toMatchObject({ ok: true, shown: 'hello\n42' })
    expect((await run('x')).shown).toBe('40')
    const { ok, shown } = await run('1/0')
    expect(ok).toBe(false)
    expect(shown).toContain('ZeroDivisionError: division by zero')
    expect(shown).not.toContain('\u001b')
  })

  test('adds and reads files, which pandas can load', async () => {
    await jupyter.addFile('data.csv', new TextEncoder().encode(weather()))
    const { shown } = await run("import pandas as pd\ndf = pd.read_csv('data.csv')\nprint(len(df))\ndf.head(1)")
    expect(shown).toMatch(/^16\n\s+Date .*\n0 .* N /)
    expect(await jupyter.listFiles()).toEqual(expect.arrayContaining([{ path: 'data.csv', size: weather().length }]))
    expect(new TextDecoder().decode(await jupyter.readFile('data.csv'))).toBe(weather())
  })

  test('document 004’s code runs unchanged; a plotly plot becomes a page', async () => {
    const { ok, outputs, shown } = await run(documentCode)
    expect(ok).toBe(true)
    expect(shown).toMatch(/^\[html\]\(.*page-1\.html\)$/)
    const page = outputs.find((output) => output.kind === 'html')!
    const html = readFileSync(page.path, 'utf8')
    expect(html).toContain('Rainfall vs Wind Direction')
    expect(html).toContain('<html>')
  })

  test('document 004’s conversation runs to its end with scripted replies and real code', async () => {
    await jupyter.addFile('data.csv', new TextEncoder().encode(weather()))
    const words = '我已经帮您处理了数据并进行了可视化。\n\n'
    const action = `<|action_start|><|interpreter|>\n\`\`\`python\n${documentCode}\n\`\`\`<|action_end|>\n`
    const said = [words + action, '图表应该有一个清晰的标题。']
    const prompts: string[] = []
    const model: LanguageModel = {
      name: 'document 004',
      async generate(prompt) {
        prompts.push(promptText(prompt))
        return { text: said[prompts.length - 1]!, finish: 'stop', tokens: { prompt: 0, reused: 0, reply: 0 }, notes: [] }
      },
    }
    const messages = [
      { role: 'system', content: '你是书生浦语2，一个无害的人工智能助手' },
      { role: 'user', content: '请帮我对该数据集进行数据处理并可视化。' },
      fileMessage([{ path: 'data.csv', size: weather().length }]),
    ]
    const result = await askAgent({ model, format: 'internlm2', messages, interpreter: jupyter })
    expect(result).toMatchObject({ reason: 'answer', text: '图表应该有一个清晰的标题。' })
    expect(prompts[0]).toContain('<|im_start|>user name=file\n[{"path": "data.csv", "size": "1K"}]<|im_end|>\n<|im_start|>assistant\n')
    expect(prompts[1]!.startsWith(prompts[0]! + said[0]!)).toBe(true)
    expect(prompts[1]!.slice(prompts[0]!.length + said[0]!.length)).toMatch(
      /^<\|im_end\|>\n<\|im_start\|>environment name=<\|interpreter\|>\n\[html\]\(.*\.html\)<\|im_end\|>\n<\|im_start\|>assistant\n$/,
    )
  })

  test('matplotlib produces a PNG, reported to the model as in document 004', async () => {
    const { outputs, shown } = await run('%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()')
    expect(shown).toMatch(/!\[image\]\(.*image-\d+\.png\)$/)
    const image = outputs.find((output) => output.kind === 'image')!
    expect(readFileSync(image.path).subarray(1, 4).toString()).toBe('PNG')
    expect(image.path.startsWith(saved) || existsSync(join(process.cwd(), image.path))).toBe(true)
  })

  test('can be interrupted and keeps its state; a restart clears it', async () => {
    const abort = new AbortController()
    const code = 'kept = 7\nprint("it runs", flush=True)\nwhile True: pass'
    const stopped = await jupyter.run(code, { signal: abort.signal, onOutput: () => abort.abort() })
    expect(showOutputs(stopped.outputs)).toMatch(/KeyboardInterrupt[\s\S]*\[stopped by the user; variables are kept\]$/)
    expect((await run('kept')).shown).toBe('7')
    await jupyter.restart()
    expect((await run('kept')).shown).toContain('NameError')
  })

  test('an unreachable server or a wrong token is reported', async () => {
    const nobody = jupyterInterpreter({ url: `http://127.0.0.1:${await freePort()}` })
    await expect(nobody.run('1')).rejects.toMatchObject({
      code: 'no-jupyter',
      problem: expect.stringContaining('no Jupyter server answers'),
    })
    const stranger = jupyterInterpreter({ url: url.replace('secret', 'guess') })
    await expect(stranger.run('1')).rejects.toMatchObject({ problem: expect.stringContaining('refuses (403') })
    expect(() => jupyterInterpreter({ url: 'somewhere' })).toThrow('is not an address')
  })
})

/** Made-up weather with the columns of document 004's code. */
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
