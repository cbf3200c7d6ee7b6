import { expect, test } from 'vitest'
import { bySamplingField, samplingRows } from './sampling-settings.ts'
import { settingsNotHere } from './unsupported-setting.ts'

test('models that run here sample with every setting that has an effect there', () => {
  const missing = samplingRows.filter(({ here }) => here === undefined).map(({ name }) => name)
  expect(settingsNotHere(bySamplingField(({ example }) => example))).toEqual(missing)
  expect(settingsNotHere({})).toEqual([])
})

test('every setting has a valid example and neutral value, and some server takes it', () => {
  for (const { name, schema, neutral, example, wire } of samplingRows) {
    const isValid = (value: number) => !('issues' in (schema['~standard'].validate(value) as object))
    // A neutral temperature is 0, and so is every setting that is off.
    expect({ name, isValid: [neutral, example].map(isValid) }).toEqual({ name, isValid: [true, true] })
    expect(Object.keys(wire)).not.toEqual([])
    expect(example).not.toBe(neutral)
  }
})
