import { cpus } from 'node:os'
import { align, type Row } from '../table'
import type { Answers } from './answers'
import type { Honest } from './payers'
import type { Usage } from './usage'

/** The figures of one period of load. */
export interface Time extends Honest {
  readonly connections: number
  readonly seconds: number
  readonly sent: number
  readonly read: Answers
  readonly goodPerSecond: number
  /** Seconds of a processor, and the requests that the gateway has shed. */
  readonly used: Usage
}

export interface Round {
  readonly peak: Time
  readonly overload: Time
}

const payGoalMs = 1_000
const kinds = ['read', 'create', 'pay', 'callback', 'poll'] as const

export function rowsOf(rounds: readonly Round[]): Row[] {
  const row = (what: string, atLeast: number, ratio: (round: Round) => number): Row => ({
    ...{ goal: 'S7', what, atLeast },
    ratios: rounds.map(ratio),
  })
  return [
    row('good reads a second, overload / peak', 0.9, ({ peak, overload }) =>
      ratio(overload.goodPerSecond, peak.goodPerSecond),
    ),
    row('the same of the processors that the load left', 0.9, ({ peak, overload }) =>
      ratio(ofWhatIsLeft(overload), ofWhatIsLeft(peak)),
    ),
    row('1 s / p99 of pay under overload', 1, ({ overload: { pay } }) => payGoalMs / pay.p99Ms),
    row('answers that are no failure or refusal', 1, ({ overload }) =>
      ratioWithoutFailure(overload),
    ),
  ]
}

const ratio = (one: number, other: number) => one / other

/**
 * Estimates the good reads a second if the services had the whole machine, because the load generator takes a part of
 * it.
 */
function ofWhatIsLeft({ goodPerSecond, used, seconds }: Time): number {
  return goodPerSecond / (1 - (used['generator'] ?? 0) / (cpus().length * seconds))
}

function ratioWithoutFailure(time: Time): number {
  const sum = (of: (answers: Answers) => number) =>
    kinds.reduce((total, kind) => total + of(time[kind]), 0)
  const bad = sum(({ refused, failed }) => refused + failed)
  return 1 - bad / sum(({ good, shed, refused, failed }) => good + shed + refused + failed)
}

/** Two tables of each period: the answers to each kind of request, and the processor time of each process. */
export function tableOfTimes(rounds: readonly Round[]): string {
  const times = rounds.flatMap(({ peak, overload }) => [
    ['peak', peak] as const,
    ['overload', overload] as const,
  ])
  const answers = times.flatMap(([name, time]) =>
    kinds.map((kind) => {
      const { good, shed, refused, failed, p50Ms, p99Ms } = time[kind]
      return [
        name,
        kind,
        ...[good, shed, refused, failed, p50Ms, p99Ms].map((number) => number.toFixed(0)),
      ]
    }),
  )
  const used = times.map(([name, { sent, seconds, used }]) => [
    name,
    (sent / seconds).toFixed(0),
    ...Object.values(used).map((value) => value.toFixed(1)),
  ])
  const names = Object.keys(rounds[0]?.peak.used ?? {})
  return [
    align([['', '', 'good', '503', '4xx', 'failed', 'p50 ms', 'p99 ms'], ...answers]),
    align([['', 'sent/s', ...names], ...used]),
  ].join('\n\n')
}
