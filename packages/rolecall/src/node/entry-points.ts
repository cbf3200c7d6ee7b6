/** The package's public entry points and their files in `src`, without extension; `package.json` lists the same. */
export const entryPoints = {
  rolecall: 'index',
  'rolecall/node': 'node',
  'rolecall/jinja': 'jinja',
  'rolecall/formats': 'formats',
  'rolecall/replies': 'replies',
  'rolecall/tokenizers': 'tokenizers',
  'rolecall/scores': 'scores',
  'rolecall/runs': 'runs',
  'rolecall/templates': 'templates',
  'rolecall/opencompass': 'opencompass',
  'rolecall/lm-eval': 'lm-eval',
  'rolecall/hub': 'hub',
  'rolecall/serve': 'serve',
} as const

/** Entry points that work in Node only; bundlers, too, get them bundled. */
export const needsNode: ReadonlySet<string> = new Set(['node', 'hub', 'serve'])
