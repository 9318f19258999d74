import { openSpillFile } from './spill-file'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (read: Uint8Array) => new TextDecoder().decode(read)

test('reads back what was written at each place', () => {
  const spill = openSpillFile()
  const places = ['first', 'second', 'third'].map((word) => spill.append(bytes(word)))
  expect(places).toEqual([0, 5, 11])
  expect(text(spill.read(5, 6))).toBe('second')
  expect(text(spill.read(11, 5))).toBe('third')
  spill.close()
})

test('drops what is written after the file is closed', () => {
  const spill = openSpillFile()
  spill.close()
  spill.append(bytes('x'))
  expect(text(spill.read(0, 1))).toBe('\0')
})
