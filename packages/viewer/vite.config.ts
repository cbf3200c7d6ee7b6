import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig, type UserConfig } from 'vite'
import { noticesPlugin } from '../../scripts/notices.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What both builds have in common. */
const common: UserConfig = {
  root: here('.'),
  // Relative, so that an exported site may lie in any folder of a file server.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [noticesPlugin()],
  resolve: { conditions: ['rolecall-source', ...defaultClientConditions] },
}

/** Code that is loaded on demand is not preloaded by elements of the document: workers, which share it, have none. */
const modulePreload = {
  polyfill: false,
  resolveDependencies: (_: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }) => (hostType === 'js' ? [] : needed),
}

const options = { target: 'es2022', modulePreload, reportCompressedSize: false, chunkSizeWarningLimit: 2500 }

const site: UserConfig = {
  ...common,
  // Inlined files would be `data:` URLs.
  build: {
    ...options,
    outDir: here('../rolecall/dist/viewer'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The worker of the lab is an entry, so that it shares code with the pages; its name is in their code.
      input: { index: here('index.html'), lab: here('lab.html'), 'lab-worker': here('src/lab/engine/worker.ts') },
      output: { entryFileNames: ({ name }) => (name === 'lab-worker' ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  },
}

/** In a report in one file, `src/report` takes the place of what needs a server, a worker or WebAssembly. */
const replaced = ['data/fetch-file.ts', 'guard/try-first.ts'].map((path) => ({
  find: new RegExp(`^.*/${path.split('/').at(-1)!.replace('.', '\\.')}$`),
  replacement: here(`src/report/${path.split('/').at(-1)!}`),
}))

/** `--mode report`: the viewer as one script and one style sheet, which `rolecall view --export report.html` writes into a page. */
const report: UserConfig = {
  ...common,
  publicDir: false,
  resolve: { ...common.resolve, alias: replaced },
  build: {
    ...options,
    outDir: here('../rolecall/dist/viewer/report'),
    emptyOutDir: true,
    rolldownOptions: {
      input: here('src/main.tsx'),
      output: { codeSplitting: false, entryFileNames: 'report.js', assetFileNames: 'report[extname]' },
    },
  },
}

/** `--mode lab-file`: the lab as one script and one style sheet, which the site offers as one page that opens from disk. */
const labFile: UserConfig = {
  ...common,
  publicDir: false,
  resolve: { ...common.resolve, alias: [{ find: /^.*\/engine\/engine\.ts$/, replacement: here('src/lab/one-file/engine.ts') }] },
  build: {
    ...options,
    rolldownOptions: {
      input: here('src/lab/main.tsx'),
      output: { codeSplitting: false, entryFileNames: 'lab.js', assetFileNames: 'lab[extname]' },
    },
  },
}

const modes: Readonly<Record<string, UserConfig>> = { report, 'lab-file': labFile }

export default defineConfig(({ mode }) => modes[mode] ?? site)
