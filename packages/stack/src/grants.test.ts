import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grantStatements, readGrants } from './grants'

const dir = mkdtempSync(join(tmpdir(), 'malipo-grants-'))
beforeAll(() => {
  mkdirSync(join(dir, 'prisma'))
})
afterAll(() => {
  rmSync(dir, { recursive: true })
})

it.each(['TRUNCATE', 'TRIGGER', 'REFERENCES', 'MAINTAIN', 'ALL', 'UPDATE ()', 'SELECT ON a TO b;'])(
  'refuses a grants.json that grants %s',
  (privilege) => {
    writeFileSync(join(dir, 'prisma/grants.json'), JSON.stringify({ journal: [privilege] }))
    expect(() => readGrants(dir)).toThrow('must be SELECT, INSERT, UPDATE')
  },
)

const relations = [
  { name: 'journal', isSequence: false, isOfEarlier: false },
  { name: 'numbers', isSequence: true, isOfEarlier: false },
  { name: 'secret', isSequence: false, isOfEarlier: false },
]

it('takes everything away before it grants what is listed', () => {
  const grants = { journal: ['SELECT', 'INSERT', 'UPDATE (a, b)'], numbers: ['USAGE'], secret: [] }
  expect(grantStatements(grants, relations, '"role"')).toEqual([
    'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "role", PUBLIC',
    'REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM "role", PUBLIC',
    'REVOKE ALL ON SCHEMA public FROM "role", PUBLIC',
    'GRANT USAGE ON SCHEMA public TO "role"',
    'GRANT SELECT, INSERT, UPDATE (a, b) ON TABLE "journal" TO "role"',
    'GRANT USAGE ON SEQUENCE "numbers" TO "role"',
  ])
})

it('keeps the right of the previous release to read a view whose file was removed', () => {
  const view = { name: 'old_views', isSequence: false, isOfEarlier: true }
  const grants = { journal: [], numbers: [], secret: [] }
  expect(grantStatements(grants, [...relations, view], '"role"').at(-1)).toBe(
    'GRANT SELECT ON TABLE "old_views" TO "role"',
  )
})

it('refuses a table that is not listed, and a listed table that does not exist', () => {
  expect(() => grantStatements({ journal: [], numbers: [], gone: [] }, relations, 'r')).toThrow(
    'secret has no line: say what the service may do with it; gone is not in the database: remove its line',
  )
})
