import type { Rail } from '@malipo/kernel/countries'
import { conflict } from '@malipo/kernel/machine'
import { providerOf } from './chart'
import { denialOf, effectOf, marks, messageKinds, strengthOf } from './evidence'
import { intentBirths, intentMachine } from './intent'
import { anyMerchant, creditOf, debitOf } from './postings'
import { dispositionOf, dispositions } from './settle'

/** One cell of a decision table: under `rule`, `given` (words separated by spaces) leads to `outcome`. */
export interface Rule {
  readonly rule: string
  readonly given: string
  readonly outcome: string
}

/** Nested tables, whose innermost cells are outcomes. */
interface Table {
  readonly [given: string]: string | typeof conflict | Table
}

function cells(rule: string, table: Table, path: readonly string[] = []): Rule[] {
  return Object.entries(table).flatMap(([given, cell]) => {
    const words = [...path, given]
    if (cell === conflict) return [{ rule, given: words.join(' '), outcome: 'conflict' }]
    if (typeof cell === 'string') return [{ rule, given: words.join(' '), outcome: cell }]
    return cells(rule, cell, words)
  })
}

function strengthCells(): Rule[] {
  return messageKinds.flatMap((kind) =>
    marks.flatMap((source) =>
      marks.flatMap((request) =>
        marks.map((amount) => ({
          rule: 'strength',
          given: [kind, source, request, amount].join(' '),
          outcome: strengthOf(kind, { source, request, amount }),
        })),
      ),
    ),
  )
}

const rails = Object.keys(providerOf) as readonly Rail[]

/**
 * Every decision table of this folder, cell by cell. The SQL functions of the hot path look them up in the table
 * `rules`; the service compares that table with these rows and does not start when a cell differs, so a rule changes
 * here and in a migration together or not at all.
 */
export const rules: readonly Rule[] = [
  ...cells('intent', { none: intentBirths }),
  ...cells('intent', intentMachine),
  ...strengthCells(),
  ...cells('effect', effectOf),
  ...cells('denial', denialOf),
  ...cells('disposition', dispositionOf),
  ...rails.map((rail) => ({ rule: 'provider', given: rail, outcome: providerOf[rail] })),
  ...rails.map((rail) => ({ rule: 'debit', given: rail, outcome: debitOf(rail) })),
  ...dispositions.map((disposition) => ({
    rule: 'credit',
    given: disposition,
    outcome: creditOf(disposition, anyMerchant),
  })),
]
