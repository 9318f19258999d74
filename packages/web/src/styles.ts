import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The styles that all our pages share: a page inlines them before its own. */
export const tokens = readFileSync(join(__dirname, 'tokens.css'), 'utf8')

/** The parts of pages that people work with all day: the console's. The hub's build takes the same files. */
export const parts = readFileSync(join(__dirname, 'parts.css'), 'utf8')
export const tableCards = readFileSync(join(__dirname, 'table-cards.css'), 'utf8')

/** The dark theme's tokens: a page that only uses tokens includes it after them. */
export const darkTokens = readFileSync(join(__dirname, 'dark.css'), 'utf8')
