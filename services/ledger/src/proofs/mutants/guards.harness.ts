import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockGuards } from './lock-guards.harness'
import type { Mutant } from './mutant.harness'
import { saveGuards } from './save-guards.harness'

const sourceDir = join(__dirname, '../..')

/** The guards and the locks as mutants. */
export function guardMutants(): readonly Mutant[] {
  return [...saveGuards, ...lockGuards].map(({ breaks: name, file, from, to, checks }) => {
    const path = join(sourceDir, file)
    const start = placeOf(from, path)
    return {
      ...{ name, file: path, start, end: start + from.length, to },
      checks: checks.map((check) => join(sourceDir, check)),
    }
  })
}

function placeOf(text: string, file: string): number {
  const source = readFileSync(file, 'utf8')
  const start = source.indexOf(text)
  if (start < 0 || source.includes(text, start + 1)) {
    throw new Error(`${file} does not have this text once:\n${text}`)
  }
  return start
}
