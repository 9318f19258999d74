import type { Rail } from '@malipo/kernel/countries'
import { conflict } from '@malipo/kernel/machine'
import { providerOf } from './chart'
import {
  absenceOf,
  askingKindOf,
  callbackKindOf,
  callbackReceiptOf,
  denialOf,
  effectOf,
  marks,
  messageKinds,
  paidAnswerOf,
  strengthOf,
} from './evidence'
import { intentBirths, intentMachine } from './intent'
import { anyMerchant, creditOf, debitOf } from './postings'
import { dispositionOf, dispositions } from './settle'

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

function strengthCells(): Cell[] {
  return messageKinds.flatMap((kind) =>
    marks.flatMap((source) =>
      marks.flatMap((request) =>
        marks.map((amount): Cell => [
          `strength: ${kind} ${source} ${request} ${amount}`,
          strengthOf(kind, { source, request, amount }),
        ]),
      ),
    ),
  )
}

const rails = Object.keys(providerOf) as readonly Rail[]

/**
 * Every decision table of this folder, cell by cell. The SQL functions of the hot path look them up in `rules()`, a
 * constant of the database; the service compares it with these and does not start when a cell differs, so a rule
 * changes here and in `prisma/sql/functions/rules.sql` together or not at all.
 */
export const rules: Readonly<Record<string, string>> = Object.fromEntries([
  ...cells('intent', { none: intentBirths }),
  ...cells('intent', intentMachine),
  ...strengthCells(),
  ...cells('effect', effectOf),
  ...cells('denial', denialOf),
  ...cells('absence', absenceOf),
  ...cells('callback_receipt', callbackReceiptOf),
  ...cells('paid_answer', paidAnswerOf),
  ...cells('disposition', dispositionOf),
  ...rails.map((rail): Cell => [`callback: ${rail}`, callbackKindOf[rail]]),
  ...rails.map((rail): Cell => [`asking: ${rail}`, askingKindOf[rail]]),
  ...rails.map((rail): Cell => [`provider: ${rail}`, providerOf[rail]]),
  ...rails.map((rail): Cell => [`debit: ${rail}`, debitOf(rail)]),
  ...dispositions.map((to): Cell => [`credit: ${to}`, creditOf(to, anyMerchant)]),
])
