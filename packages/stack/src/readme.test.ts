import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from './migrate'
import { withGeneratedParts } from './readme'

const readme = readFileSync(join(repositoryDir, 'README.md'), 'utf8')

describe('README.md', () => {
  // To bring them up to date: node packages/stack/bin/readme.mjs
  it('is up to date in the parts that are made from the code', () => {
    expect(withGeneratedParts(readme)).toBe(readme)
  })

  it('draws no call of the ledger to the outside, and no database of the worker', () => {
    expect(readme).toContain('worker -->|gRPC| ledger')
    expect(readme).not.toMatch(/worker --> postgres|ledger -->.*(?:simulator|redis)/)
  })

  it('has at most 120 lines, which are two screens', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(120)
  })
})
