import type { Country } from '@malipo/kernel/countries'
import { countries } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operator } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import type { Clock } from '@malipo/runtime/clock'

/** An operator as one or both ledgers know them. */
export interface EnrolledOperator {
  readonly operatorId: string
  readonly name: string
  readonly subject: string
  readonly countries: readonly Country[]
}

/** The operators who may use the console. The lists of the ledgers are cached for some seconds. */
export interface EnrolledOperators {
  /**
   * Undefined for a key that may act in no country. Fault: ledger_unavailable, when a ledger that is down may know it.
   */
  find(operatorId: string): Promise<EnrolledOperator | undefined>
  /** Empties the cache, after an act that may have changed the operators. */
  forget(): void
}

const believedMs = 5_000
const mayAct = new Set(['enrolled', 'retiring'])

export function openEnrolledOperators(ledgers: Ledgers, clock: Clock): EnrolledOperators {
  const known = new Map<Country, { at: number; operators: readonly Operator[] }>()
  const listOf = async (country: Country) => {
    const last = known.get(country)
    if (last !== undefined && clock.now() - last.at < believedMs) return last.operators
    const { operators } = await ledgers[country].listOperators()
    known.set(country, { at: clock.now(), operators })
    return operators
  }
  return {
    async find(operatorId) {
      const names = Object.values(countries).map(({ country }) => country)
      const answers = await Promise.allSettled(names.map(listOf))
      const found = answers.flatMap((answer, place) => {
        const country = names[place]
        if (answer.status === 'rejected' || country === undefined) return []
        const one = answer.value.find((operator) => operator.operatorId === operatorId)
        return one !== undefined && mayAct.has(one.status) ? [{ country, ...one }] : []
      })
      const [first] = found
      if (first === undefined) {
        // A ledger that does not answer may have enrolled the key.
        if (answers.some(({ status }) => status === 'rejected'))
          throw new Fault('ledger_unavailable')
        return undefined
      }
      const { name, subject } = first
      return { operatorId, name, subject, countries: found.map(({ country }) => country) }
    },
    forget() {
      known.clear()
    },
  }
}
