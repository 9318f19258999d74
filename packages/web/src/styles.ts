import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The styles that all our pages share, read once: a page inlines them before its own. */
export const tokens = readFileSync(join(__dirname, 'tokens.css'), 'utf8')
