import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from './migrate'
import { withGeneratedParts } from './readme'

const readme = readFileSync(join(repositoryDir, 'README.md'), 'utf8')

describe('README.md', () => {
  // When it is not: node packages/stack/bin/readme.mjs
  it('is up to date in the parts that are made from the code', () => {
    expect(withGeneratedParts(readme)).toBe(readme)
  })

  it('draws its diagrams from the code', () => {
    expect(readme).toContain('worker -->|gRPC| ledger')
    expect(readme).not.toMatch(/worker --> postgres|ledger -->.*(?:simulator|redis)/)
  })

  it('is two screens long', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(120)
  })
})
