import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from './rules'

const functions = join(__dirname, '../../prisma/sql/functions')

test('every decision that the SQL asks for has a rule', () => {
  const sql = readdirSync(functions).map((name) => readFileSync(join(functions, name), 'utf8'))
  const asked = [...sql.join('\n').matchAll(/decide\(\s*'(\w+)'/g)].map((match) => match[1])
  const known = new Set(Object.keys(rules).map((cell) => cell.split(':')[0]))
  expect(new Set(asked)).toEqual(known)
})

test('every cell has an outcome', () => {
  expect(Object.values(rules).filter((outcome) => outcome === '')).toEqual([])
})
