import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { magicEffects, magicNumbers, magicPhone, magicPrefixes } from './magic'
import { effectsAt } from './rule'

test('every magic number is a phone in every network, with an effect that its moment allows', () => {
  for (const { digits, on, effect } of magicNumbers) {
    for (const prefix of magicPrefixes) expect(magicPhone(prefix + digits)?.name).toContain(digits)
    if (on !== undefined && effect !== undefined) expect(effectsAt[on]).toContain(effect.kind)
  }
})

test('no two magic numbers end in the same three digits', () => {
  expect(new Set(magicNumbers.map(({ digits }) => digits)).size).toBe(magicNumbers.length)
})

test('a number without a magic prefix gets no phone and no effect', () => {
  expect(magicPhone('254712345001')).toBeUndefined()
  expect(magicEffects('callback', '254712345011')).toEqual([])
})

test('the effect of a magic number applies at its moment only', () => {
  expect(magicEffects('callback', '254700555011')).toMatchObject([{ effect: { kind: 'drop' } }])
  expect(magicEffects('push', '254700555011')).toEqual([])
})
test('the documentation lists every magic number, and no other', () => {
  const page = readFileSync(
    join(__dirname, '../../../../../packages/docs/pages/testing.md'),
    'utf8',
  )
  const rows = Array.from(page.matchAll(/^\| `(\d{3})` \| (.+?) \|/gm), ([, digits, about]) => {
    return { digits, about }
  })
  expect(rows).toEqual(magicNumbers.map(({ digits, about }) => ({ digits, about })))
  for (const prefix of magicPrefixes) expect(page).toContain(`\`${prefix}\``)
})
