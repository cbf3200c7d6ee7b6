/** What programs may import, and the file of it in `src`, without its ending. `package.json` names the same. */
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
  'rolecall/serve': 'serve',
} as const
