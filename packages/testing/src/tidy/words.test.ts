import { plainWords } from './words'

test.each([
  ['const sa', 'id = await once(child.stdout)'],
  ['const { kind, sa', 'id } = message'],
  ['const te', 'll = (answer) => answer'],
  ['// A callback tells o', 'f a payment.'],
  ['// Runs in a process o', 'f its own.'],
  ['const sa', 'y = (line) => process.stderr.write(line)'],
  ['sa', 'y(`started`)'],
  ['for (const one of han', 'ds.slice(1)) one.close()'],
])('finds a roundabout name or phrase: %s%s', (start, end) => {
  expect(plainWords([{ path: 'a.ts', text: start + end }])).toHaveLength(1)
})

test.each(['services/ledger/src/a.ts', 'packages/bench/src/a.ts'])(
  'finds a request in %s that is named for what was done to it',
  (path) => {
    expect(plainWords([{ path, text: ['const as', 'ked = read(args)'].join('') }])).toHaveLength(1)
  },
)

test('allows what a sentence says of people, and any word outside of code', () => {
  const told = { path: 'a.ts', text: '// The merchant is told within a second.' }
  const prose = { path: 'a.md', text: ['What a provider sa', 'id.'].join('') }
  expect(plainWords([told, prose])).toEqual([])
})
