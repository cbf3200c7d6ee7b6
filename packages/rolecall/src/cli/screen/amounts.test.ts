import { expect, test } from 'vitest'
import { durationText, moneyTexts } from './amounts.ts'
import { ownCommand } from './own-command.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })

test('amounts of money have the decimals of the smallest', () => {
  expect(moneyTexts([usd(0.02142), usd(0.0021)])).toEqual(['0.0214 USD', '0.0021 USD'])
  expect(moneyTexts([usd(12), usd(0)])).toEqual(['12.00 USD', '0.00 USD'])
})

test('times grow their units', () => {
  expect([2.41, 9.97, 32.4, 59.6, 185, 3729].map(durationText)).toEqual(['2.4 s', '10 s', '32 s', '1:00', '3:05', '1:02:09'])
})

test('commands to paste begin as this program was started', () => {
  expect([ownCommand({ npm_command: 'exec' }), ownCommand({})]).toEqual(['npx rolecall', 'rolecall'])
})
