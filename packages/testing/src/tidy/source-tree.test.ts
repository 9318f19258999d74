import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSourceTree } from './source-tree'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'malipo-tree-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

test('leaves out what .gitignore names by folder, by name and by pattern, and nothing that looks like it', () => {
  const ignored = ['.stack/postgres/PG_VERSION', '.stack-two/a', 'deep/dist/a.js', '.env', 'a.whl']
  const kept = ['stack/a', 'deep/a.ts', 'distant/a', 'x.env', 'a.whl.ts']
  for (const path of [...ignored, ...kept, '.git/config']) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  writeFileSync(join(root, '.gitignore'), 'dist/\n.stack*/\n.env\n*.whl\n')
  const found = readSourceTree(root).map(({ path }) => path)
  expect(found.toSorted()).toEqual(['.gitignore', ...kept].toSorted())
})
