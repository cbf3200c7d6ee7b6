import { runSuite } from './run-suite.ts'

const [folder, ...flags] = process.argv.slice(2)
if (folder === undefined) {
  console.error(`npm run proof -- schema-suite FOLDER [--refused]

Runs the schemas of draft 2020-12 in a checkout of JSON-Schema-Test-Suite through constrained decoding: how many are enforced, refused by
name, or wrong, which means that an invalid value can be written. --refused lists the reasons. The exit code is 1 if any is wrong, or if a
quarter or more are refused.`)
  process.exit(2)
}
const outcomes = runSuite(folder)
const refused = outcomes.filter((one) => one.refused !== undefined)
const wrong = outcomes.filter((one) => one.wrong.length > 0)
const sum = (key: 'written' | 'cut' | 'valid' | 'unwritable') => outcomes.reduce((total, one) => total + one[key], 0)
for (const { file, description, wrong: how } of wrong) console.log(`wrong: ${file}, ${description}: ${how.join('; ')}`)
if (flags.includes('--refused'))
  for (const { file, description, refused: why } of refused) console.log(`refused: ${file}, ${description}: ${why}`)
const share = refused.length / outcomes.length
console.log(
  `${outcomes.length} schemas: ${outcomes.length - refused.length - wrong.length} enforced, ${refused.length} refused (${(100 * share).toFixed(1)} %), ${wrong.length} wrong; ` +
    `${sum('written')} values written, ${sum('cut')} cut; ${sum('valid') - sum('unwritable')} of ${sum('valid')} valid values of the suite can be written`,
)
process.exit(wrong.length > 0 || share >= 0.25 ? 1 : 0)
