import { conflict } from '@malipo/kernel/machine'
import { intentInitialStates, intentEvents, intentMachine, intentStatuses } from '../intent'

/** The intent table in the words of Promela, as it stands in checkout.pml: one macro an event. */
function modelTable(): string {
  const names = [...intentStatuses, 'conflict'].join(', ')
  const initialStates = Object.entries(intentInitialStates).map(
    ([event, status]) => `#define born_${event} ${status}`,
  )
  const events = intentEvents.map((event) => {
    const cells = intentStatuses.map((from) => {
      const to = intentMachine[from][event]
      return `    (from == ${from} -> ${to === conflict ? 'conflict' : to} : \\`
    })
    const end = `    conflict${')'.repeat(cells.length)}`
    return [`#define after_${event}(from) \\`, ...cells, end].join('\n')
  })
  return [`mtype = { ${names} };`, ...initialStates, ...events].join('\n')
}

const tableStart = '/* table: made of ../intent.ts */\n'
const tableEnd = '\n/* end of table */'

/** A model with the table of today in it. */
export function withTable(model: string): string {
  const start = model.indexOf(tableStart) + tableStart.length
  return model.slice(0, start) + modelTable() + model.slice(model.indexOf(tableEnd))
}
