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

/** Writes the decision tables of production in Promela, as they are in checkout.pml. */
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

/** Writes the macro of an event, which maps a status to the status that follows. */
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

/** Writes a macro for each cell of a table. */
function cellsOf(path: string, cells: Cells, word: (value: string) => string): readonly string[] {
  return Object.entries(cells).flatMap(([key, value]) => {
    const name = `${path}_${key}`
    if (typeof value !== 'string') return cellsOf(name, value, word)
    return [`#define ${name} ${word(value)}`]
  })
}

/** Effects get a prefix, because some facts and statuses have the same names. */
const doing = (effect: string) => `do_${effect}`

const tableStart = '/* tables: made of the rules of intents, evidence and journal */\n'
const tableEnd = '\n/* end of tables */'

/** Returns the model with the current tables of production. */
export function withTables(model: string): string {
  const start = model.indexOf(tableStart) + tableStart.length
  return model.slice(0, start) + modelTables() + model.slice(model.indexOf(tableEnd))
}
