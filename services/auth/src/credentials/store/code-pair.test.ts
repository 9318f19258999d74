import { isPair } from './code-pair'

const [amina, brian, wrong] = ['amina', 'brian', 'wrong'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
]

test.each([
  ['both, in order', [amina, brian], [amina, brian], true],
  ['both, the other way round', [amina, brian], [brian, amina], true],
  ['the first twice', [amina, brian], [amina, amina], false],
  ['the second twice', [amina, brian], [brian, brian], false],
  ['one and a wrong one', [amina, brian], [amina, wrong], false],
  ['a wrong one and one', [amina, brian], [wrong, brian], false],
  ['two wrong ones', [amina, brian], [wrong, wrong], false],
  ['one twice, which alone was given', [amina], [amina, amina], false],
  ['any two, where none was given', [], [amina, brian], false],
] as const)('compares %s', (_, given, entered, fits) => {
  expect(isPair(given, entered)).toBe(fits)
})
