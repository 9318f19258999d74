import type { Minor } from '@malipo/kernel/money'
import type { Strength } from '../evidence'

/** Receipts of one provider that are alike in all that the comparison depends on, and by how much their amounts differ. */
export interface ReceiptGroup {
  readonly provider: string
  /** Where they were found: in the statement, in the journal and no statement, or reported as paid and in neither. */
  readonly source: 'statement' | 'journal' | 'report'
  /** The provider has answered that they were paid. Asked of what is in no statement, where the provider has none. */
  readonly isAnswered: boolean
  readonly isFrozen: boolean
  /** What was frozen went back. */
  readonly isGivenBack: boolean
  /** Later than the provider's word is known. */
  readonly isUnread: boolean
  readonly receipts: number
  /** All that the statement, or the report, has of them: null where it has none. */
  readonly statedMinor: Minor | null
  /** All that the journal has of them: null where it has none. */
  readonly postedMinor: Minor | null
  /** The first of them, in order. */
  readonly names: readonly string[]
}

/** The provider's word against the journal. */
export interface Comparison {
  readonly providerReceipts: number
  readonly providerMinor: Minor
  readonly journalReceipts: number
  readonly journalMinor: Minor
  readonly differenceMinor: Minor
  /** Some of the receipts that one side alone has, or that the two have in different amounts. */
  readonly differing: readonly string[]
  /** What the journal has, and the provider was not asked for. */
  readonly unknownReceipts: number
  readonly unknownMinor: Minor
}

export const namedMax = 20

/** An answer of this strength is the provider's word on a payment. */
export const answerStrength: Strength = 'E4'

/**
 * Compares receipt by receipt, whatever the hour: each side has its own moment for a payment, and seconds around midnight made
 * two days differ by money that both sides have. The day of a receipt is the statement's, and where it is in none, the journal's.
 */
export function compareReceipts(groups: readonly ReceiptGroup[]): Comparison {
  const compared = groups.map((group) => ({ ...group, ...sidesOf(group) }))
  const reported = compared.filter((one) => one.reported !== null)
  const posted = compared.filter((one) => one.posted !== null)
  const unknown = posted.filter((one) => one.isUnread && one.reported === null)
  const differing = compared.filter((one) => one.reported !== one.posted && !unknown.includes(one))
  return {
    ...{
      providerReceipts: count(reported),
      providerMinor: sum(reported.map((one) => one.reported)),
    },
    ...{ journalReceipts: count(posted), journalMinor: sum(posted.map((one) => one.posted)) },
    differenceMinor: sum(differing.map((one) => distance(one.reported ?? 0n, one.posted ?? 0n))),
    differing: differing
      .flatMap(({ names }) => names)
      .sort()
      .slice(0, namedMax),
    ...{ unknownReceipts: count(unknown), unknownMinor: sum(unknown.map((one) => one.posted)) },
  }
}

/** What each side says. Of money that was frozen and went back, two people have found that there never was such a payment. */
function sidesOf(group: ReceiptGroup): {
  readonly reported: Minor | null
  readonly posted: Minor | null
} {
  const { source, isAnswered, statedMinor, postedMinor } = group
  const posted = group.isFrozen && group.isGivenBack ? null : postedMinor
  const answered = isAnswered ? posted : null
  return { reported: source === 'journal' ? answered : statedMinor, posted }
}

function count(groups: readonly Pick<ReceiptGroup, 'receipts'>[]): number {
  return groups.reduce((all, { receipts }) => all + receipts, 0)
}

function sum(amounts: readonly (Minor | null)[]): Minor {
  return amounts.reduce<Minor>((all, minor) => all + (minor ?? 0n), 0n)
}

function distance(one: Minor, other: Minor): Minor {
  return one < other ? other - one : one - other
}
