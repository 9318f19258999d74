import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readArchive } from './archive'

const segment = gzipSync(Buffer.alloc(16 * 1_048_576))
const first = '000000010000000000000002'

let archive: string
beforeEach(() => {
  archive = mkdtempSync(join(tmpdir(), 'malipo-archive-'))
})
afterEach(() => {
  rmSync(archive, { recursive: true })
})

function put(...names: readonly string[]): void {
  for (const name of names) writeFileSync(join(archive, `${name}.gz`), segment)
}

function putHistory(timeline: string, ...lines: readonly string[]): void {
  writeFileSync(join(archive, `${timeline}.history.gz`), gzipSync(lines.join('\n\n')))
}

/** A server that was lost in its segment 4, and its standby, which went on from there. */
function putPromotion(): void {
  put(first, '000000010000000000000003', '000000010000000000000004')
  putHistory('00000002', '1\t0/4A3F2B8\tno recovery target specified\n')
  put('000000020000000000000004', '000000020000000000000005')
}

const promoted = [
  first,
  '000000010000000000000003',
  '000000020000000000000004',
  '000000020000000000000005',
]

test('follows the log over a promotion', async () => {
  putPromotion()
  expect(await readArchive(archive, first)).toEqual({ segments: promoted, unreachable: [] })
})

test('follows the log over two promotions, from the first of them on', async () => {
  putPromotion()
  putHistory('00000003', '1\t0/4A3F2B8\tno reason', '2\t0/6000000\tno reason\n')
  put('000000030000000000000006')
  const all = [...promoted, '000000030000000000000006']
  expect(await readArchive(archive, first)).toEqual({ segments: all, unreachable: [] })
  const [, , second = ''] = all
  const later = await readArchive(archive, second)
  expect(later).toEqual({ segments: all.slice(2), unreachable: [] })
})

test('goes on with the next file of the log after segment FF', async () => {
  const names = ['0000000100000000000000FF', '000000010000000100000000']
  put(...names)
  const [start = ''] = names
  expect(await readArchive(archive, start)).toEqual({ segments: names, unreachable: [] })
})

test.each([
  ['the lost server went on with beside the promoted one', '000000010000000000000005'],
  ['is of a promotion without its history', '000000030000000000000006'],
  ['is behind a gap', '000000020000000000000007'],
])('lists as unreachable the segment that %s', async (_, name) => {
  putPromotion()
  put(name)
  expect(await readArchive(archive, first)).toEqual({ segments: promoted, unreachable: [name] })
})
