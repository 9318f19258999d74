import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { intentInitialStates, intentMachine } from './intents/rules/intent'

/** The table as a picture: an arrow for each cell that leads somewhere else. */
function picture(): string {
  const initialStates = Object.entries(intentInitialStates).map(
    ([event, to]) => `    [*] --> ${to}: ${event}`,
  )
  const moves = Object.entries(intentMachine).flatMap(([from, row]) =>
    Object.entries(row).flatMap(([event, to]) =>
      to === null || to === from ? [] : [`    ${from} --> ${to}: ${event}`],
    ),
  )
  return ['```mermaid', 'stateDiagram-v2', ...initialStates, ...moves, '```'].join('\n')
}

test('the diagram in the README of the ledger has each move of the transition table of intents', () => {
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8')
  expect(/^```mermaid$[^]*?^```$/m.exec(readme)?.[0]).toBe(picture())
})
