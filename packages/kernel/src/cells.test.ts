import fc from 'fast-check'
import { cellDigits, cellOf, cellPrefix, cellsMax } from './cells'

test('every cell is read back from ids of every kind, and from the token of a callback', () => {
  const cells = fc.integer({ min: 0, max: cellsMax - 1 })
  fc.assert(
    fc.property(
      cells,
      fc.constantFrom('cs_ke_', 'cs_ug_', 'pi_', 'rf_', 'pm_', ''),
      (cell, kind) => {
        expect(cellOf(`${kind}${cellDigits(cell)}${'a'.repeat(22)}`)).toBe(cell)
      },
    ),
  )
})

test.each(['', 'pi_', 'pi_x', 'pi_Ab0000', 'card', 'acc-1', 'pi_0'])('"%s" names no cell', (id) => {
  expect(cellOf(id)).toBeUndefined()
})

test('the first cell has the Redis prefix of its country, and each further cell adds its number', () => {
  expect([0, 1, 12].map((cell) => cellPrefix('malipo-ke', cell))).toEqual([
    'malipo-ke',
    'malipo-ke-cell-1',
    'malipo-ke-cell-12',
  ])
})
