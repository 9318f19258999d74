import { align, type Row } from '../table'
import { type Measured, sumOf } from './measure'
import type { ProcessorMs } from './processor-time'

export const unitNames = ['floorGet', 'floorPost', 'read', 'readPaid', 'create', 'payment'] as const
export type UnitName = (typeof unitNames)[number]

/** The figures of each kind of unit while this many of them are in flight. */
export type Level = Readonly<Record<UnitName, Measured>> & { readonly inFlight: number }

export interface Round {
  readonly levels: readonly Level[]
  /** TPC-B transactions a second, on the same server. */
  readonly tpcB: number
}

/**
 * Times at a steady pace of payments: half of the greatest pace for `bench -- services`, the given pace for `bench --
 * waiting`.
 */
export interface HalfPace {
  readonly paymentsPerSecond: number
  readonly completedP50Ms: number
  readonly completedP99Ms: number
  readonly createdP99Ms: number
}

export interface Result {
  readonly rounds: readonly Round[]
  readonly halfPace: HalfPace
  readonly restMb: number
  /** Milliseconds of a processor that the stack takes in a second of rest. */
  readonly restMs: ProcessorMs
  readonly secondStartSeconds: number
}

/** The goals are set for the figures at this number in flight. */
const goalInFlight = 16

export function rowsOf({ rounds, halfPace, restMb, secondStartSeconds }: Result): Row[] {
  const each = (ratio: (level: Level, round: Round) => number) =>
    rounds.flatMap((round) =>
      round.levels
        .filter(({ inFlight }) => inFlight === goalInFlight)
        .map((level) => ratio(level, round)),
    )
  const once = (what: string, atLeast: number, goal: string, ratio: number): Row => ({
    ...{ goal, what, atLeast },
    ratios: [ratio],
  })
  return [
    {
      ...{ goal: 'S1', what: 'bare GET / merchant read, processor time', atLeast: 1 / 6 },
      ratios: each(({ floorGet, read }) => msOf(floorGet) / msOf(read)),
    },
    {
      ...{ goal: 'S1', what: 'merchant read / bare GET, pace', atLeast: 0.15 },
      ratios: each(({ floorGet, read }) => read.pace / floorGet.pace),
    },
    {
      ...{ goal: 'S2', what: 'bare POST / create, processor time', atLeast: 1 / 7 },
      ratios: each(({ floorPost, create }) => msOf(floorPost) / msOf(create)),
    },
    {
      ...{ goal: 'S2', what: 'create / bare POST, pace', atLeast: 0.12 },
      ratios: each(({ floorPost, create }) => create.pace / floorPost.pace),
    },
    {
      ...{ goal: 'S3', what: '100 bare GETs / whole payment, processor time', atLeast: 1 },
      ratios: each(({ floorGet, payment }) => (msOf(floorGet) * 100) / msOf(payment)),
    },
    {
      ...{ goal: 'S3', what: 'whole payments / TPC-B, pace', atLeast: 0.06 },
      ratios: each(({ payment }, { tpcB }) => payment.pace / tpcB),
    },
    once('25 ms / callback to completed, p50', 1, 'S4', 25 / halfPace.completedP50Ms),
    once('150 ms / callback to completed, p99', 1, 'S4', 150 / halfPace.completedP99Ms),
    once('60 ms / create, p99', 1, 'S4', 60 / halfPace.createdP99Ms),
    once('900 MB / memory of all processes at rest', 1, 'S5', 900 / restMb),
    once('10 s / second npm start until ready', 1, 'S6', 10 / secondStartSeconds),
  ]
}

const msOf = ({ processorMs }: Measured) => sumOf(processorMs)

/** Lists the pace, times and processor time by process of each unit and number in flight: medians of the rounds. */
export function tableOfUnits({ rounds, restMs }: Pick<Result, 'rounds' | 'restMs'>): string {
  const lines = (rounds[0]?.levels ?? []).flatMap(({ inFlight }, index) =>
    unitNames.map((unit) => {
      const all = rounds.flatMap(({ levels }) => levels[index]?.[unit] ?? [])
      const middle = (value: (measured: Measured) => number) => median(all.map(value))
      const byProcess = columnsOf(rounds).map((name) =>
        middle(({ processorMs }) => processorMs[name] ?? 0).toFixed(2),
      )
      return [
        unit,
        String(inFlight),
        middle(({ pace }) => pace).toFixed(0),
        middle(({ p50Ms }) => p50Ms).toFixed(1),
        middle(({ p99Ms }) => p99Ms).toFixed(1),
        middle(msOf).toFixed(2),
        ...byProcess,
      ]
    }),
  )
  const head = ['unit', 'in flight', 'a second', 'p50 ms', 'p99 ms', 'all', ...columnsOf(rounds)]
  const rest = columnsOf(rounds).map((name) => (restMs[name] ?? 0).toFixed(2))
  return align([
    head,
    ...lines,
    ['second of rest', '', '', '', '', sumOf(restMs).toFixed(2), ...rest],
  ])
}

function columnsOf(rounds: readonly Round[]): readonly string[] {
  return Object.keys(rounds[0]?.levels[0]?.payment.processorMs ?? {})
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
