import { judgePair, readTruth, reversed } from './judge-truth.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error(
    'usage: npm run proof -- why-truth DIR\nDIR has truth.json and the result folders it names. Each pair is explained in both orders.',
  )
  process.exit(2)
}
const pairs = readTruth(folder)
let right = 0
for (const pair of pairs) {
  const judged = [await judgePair(folder, pair), await judgePair(folder, reversed(pair))]
  const wrong = judged.flatMap(({ found, wrong }, index) =>
    wrong.length === 0 ? [] : [`${index === 0 ? '' : 'reversed: '}found ${found}: ${wrong.join('; ')}`],
  )
  if (wrong.length === 0) right++
  const metric = typeof pair.metric === 'string' ? pair.metric : `${pair.metric.a} → ${pair.metric.b}`
  console.log([wrong.length === 0 ? 'yes' : 'NO ', ` ${pair.a} → ${pair.b} (${metric}): ${pair.cause}`, ...wrong].join(' '))
}
console.log(`${right} of ${pairs.length} pairs, in both orders: cause, change and rows`)
process.exitCode = right / pairs.length >= 0.95 ? 0 : 1
