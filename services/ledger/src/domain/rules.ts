import type { Rail } from '@malipo/kernel/countries'
import { conflict } from '@malipo/kernel/machine'
import { providerOf } from './chart'
import { askingKindOf } from './evidence'
import { intentBirths, intentMachine } from './intent'

/** Nested tables, whose innermost cells are outcomes. */
interface Table {
  readonly [given: string]: string | typeof conflict | Table
}

/** `intent: pending confirmed` -> `completed`. */
type Cell = readonly [given: string, outcome: string]

function cells(rule: string, table: Table, path: readonly string[] = []): Cell[] {
  return Object.entries(table).flatMap(([given, cell]) => {
    const words = [...path, given]
    if (cell !== conflict && typeof cell !== 'string') return cells(rule, cell, words)
    return [[`${rule}: ${words.join(' ')}`, cell ?? 'conflict']]
  })
}

const rails = Object.keys(providerOf) as readonly Rail[]

/**
 * The cells that functions and triggers of the database look up, in `rules()` there. The service compares the two and does
 * not start when a cell differs, so such a rule changes here and in `prisma/sql/functions/rules.sql` together.
 */
export const rules: Readonly<Record<string, string>> = Object.fromEntries([
  ...cells('intent', { none: intentBirths }),
  ...cells('intent', intentMachine),
  ...rails.map((rail): Cell => [`asking: ${rail}`, askingKindOf[rail]]),
  ...rails.map((rail): Cell => [`provider: ${rail}`, providerOf[rail]]),
])
