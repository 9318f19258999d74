import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The styles that all our pages share: a page inlines them before its own. */
export const tokens = readFileSync(join(__dirname, 'tokens.css'), 'utf8')

/** The styles of the console's page frame and components. The hub's build imports the same CSS files. */
export const parts = ['frame.css', 'parts.css']
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('')
export const tableCards = readFileSync(join(__dirname, 'table-cards.css'), 'utf8')

/** The tokens of the dark theme. A page whose colours are all tokens includes them after `tokens`. */
export const darkTokens = readFileSync(join(__dirname, 'dark.css'), 'utf8')
