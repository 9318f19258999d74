import { type Measured, sumOf } from '../chain/measure'
import { align } from '../table'

/** The measurements of payments on a stack of one cell, and on a stack of two. */
export interface CellsRound {
  readonly one: Measured
  readonly two: Measured
}

/** Lists the processor time of a payment by service, summed over its processes in all cells: medians of the rounds. */
export function tableOfCells(rounds: readonly CellsRound[]): string {
  const services = [...new Set(rounds.flatMap(({ two }) => Object.keys(two.processorMs)))]
    .map(serviceOf)
    .filter((name, at, all) => all.indexOf(name) === at)
  const row = (name: string, msOf: (measured: Measured) => number) => {
    const [one, two] = [
      median(rounds.map((round) => msOf(round.one))),
      median(rounds.map((round) => msOf(round.two))),
    ]
    return [name, one.toFixed(2), two.toFixed(2), (two / one).toFixed(2)]
  }
  return align([
    ['processor ms a payment', 'one cell', 'two cells', 'two / one'],
    ...services.map((service) => row(service, (measured) => msOfService(measured, service))),
    row('all', ({ processorMs }) => sumOf(processorMs)),
    row('payments a second', ({ pace }) => pace),
  ])
}

/** Returns `ledger` for `ledger-ke` and for `ledger-ke-cell-1`. */
function serviceOf(process: string): string {
  return process.split('-')[0] ?? process
}

function msOfService({ processorMs }: Measured, service: string): number {
  const own = Object.entries(processorMs).filter(([process]) => serviceOf(process) === service)
  return sumOf(Object.fromEntries(own))
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor((figures.length - 1) / 2)] ?? 0
}
