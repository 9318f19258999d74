import { randomUUID } from 'node:crypto'
import { openSimulatorControl, type SimulatorControl } from '@malipo/testing/simulator-control'
import type { Answer, EventKind } from '@malipo/testing/simulator-shapes'

/** The simulator's control API, with helpers for tests of whole payments. */
export interface Simulator extends Omit<SimulatorControl, 'addPhone'> {
  /** A new phone with a fresh number, and its owner's reaction to a prompt. Returns the number. */
  addPhone(answer: Answer | 'ask', prefix?: string): Promise<string>
  /** Resolves once something of this kind has happened to the phone, `count` times since the simulator started. */
  happened(kind: EventKind, msisdn: string, count?: number): Promise<void>
  promptsOf(msisdn: string): Promise<number>
}

const happensWithinMs = 30_000

/** Opens a new session, which has no rules, phones, clock or payments of another test. */
export function openSession(url: string): Simulator {
  return withWords(openSimulatorControl(url, `e2e-${randomUUID()}`))
}

/** Opens the home session: cards, the numbers of MTN's sandbox, and everything that `npm run audit` reads. */
export function openHome(url: string): Simulator {
  return withWords(openSimulatorControl(url))
}

function withWords(control: SimulatorControl): Simulator {
  let phones = 0
  return {
    ...control,
    async addPhone(answer, prefix = '25471') {
      phones++
      const msisdn = prefix + String(phones).padStart(12 - prefix.length, '0')
      await control.addPhone({ msisdn, policy: { answer } })
      return msisdn
    },
    async happened(kind, msisdn, count = 1) {
      const within = { within_ms: happensWithinMs }
      const expected = await control.expect({ kind, facts: { msisdn }, count, ...within })
      if (!expected.met)
        throw new Error(`No ${kind} for ${msisdn}: ${JSON.stringify(expected.near)}`)
    },
    async promptsOf(msisdn) {
      const events = await control.events()
      return events.filter(
        ({ kind, facts }) => kind === 'push_accepted' && facts['msisdn'] === msisdn,
      ).length
    },
  }
}
