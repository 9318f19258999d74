import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The styles that all our pages share, read once: a page inlines them before its own. */
export const tokens = readFileSync(join(__dirname, 'tokens.css'), 'utf8')

/** What turns the tokens dark where the reader's device is: a page that uses nothing but tokens puts it after them. */
export const darkTokens = readFileSync(join(__dirname, 'dark.css'), 'utf8')
