import { conflict } from '@malipo/kernel/machine'
import {
  absenceEffects,
  absenceOf,
  denialEffects,
  denialOf,
  effectOf,
  effects,
} from '../../evidence/rules/evidence'
import {
  intentEvents,
  intentInitialStates,
  intentMachine,
  intentStatuses,
} from '../../intents/rules/intent'
import { dispositionOf, dispositions } from '../../journal/rules/postings'

/** The tables by which production decides, in the words of Promela, as they stand in checkout.pml. */
function modelTables(): string {
  const done = new Set([...effects, ...denialEffects, ...absenceEffects])
  const names = [...intentStatuses, 'conflict', ...dispositions, ...Array.from(done, doing)]
  const initialStates = Object.entries(intentInitialStates).map(
    ([event, status]) => `#define born_${event} ${status}`,
  )
  return [
    `mtype = {\n    ${names.join(',\n    ')}\n};`,
    ...initialStates,
    ...intentEvents.map(macroOf),
    ...cellsOf('effect', effectOf, doing),
    ...cellsOf('denial', denialOf, doing),
    ...cellsOf('absence', absenceOf, doing),
    ...cellsOf('disposition', dispositionOf, (disposition) => disposition),
  ].join('\n')
}

/** One macro an event: the status that follows the one it is given. */
function macroOf(event: (typeof intentEvents)[number]): string {
  const cells = intentStatuses.map((from) => {
    const to = intentMachine[from][event]
    return `    (from == ${from} -> ${to === conflict ? 'conflict' : to} : \\`
  })
  const end = `    conflict${')'.repeat(cells.length)}`
  return [`#define after_${event}(from) \\`, ...cells, end].join('\n')
}

interface Cells {
  readonly [key: string]: string | Cells
}

/** One macro a cell. */
function cellsOf(path: string, cells: Cells, word: (value: string) => string): readonly string[] {
  return Object.entries(cells).flatMap(([key, value]) => {
    const name = `${path}_${key}`
    if (typeof value !== 'string') return cellsOf(name, value, word)
    return [`#define ${name} ${word(value)}`]
  })
}

/** Facts and statuses have some of these names too. */
const doing = (effect: string) => `do_${effect}`

const tableStart = '/* tables: made of the rules of intents, evidence and journal */\n'
const tableEnd = '\n/* end of tables */'

/** A model with the tables of today in it. */
export function withTables(model: string): string {
  const start = model.indexOf(tableStart) + tableStart.length
  return model.slice(0, start) + modelTables() + model.slice(model.indexOf(tableEnd))
}
