import { expect, test } from 'vitest'
import { splitAddress } from './split-address.ts'

test('an address without http:// stays as it is, for the error of its request', () => {
  for (const address of ['localhost:8000/v1', 'nonsense', 'http://']) expect(splitAddress(address)).toEqual({ baseUrl: address, query: '' })
})
