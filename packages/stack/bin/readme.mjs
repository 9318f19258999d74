// Rewrites the parts of README.md that are made from the code: node packages/stack/bin/readme.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir, setUp } from './set-up.mjs'

await setUp()
const { withGeneratedParts } = await import('../dist/readme.js')
const file = join(repositoryDir, 'README.md')
writeFileSync(file, withGeneratedParts(readFileSync(file, 'utf8')))
