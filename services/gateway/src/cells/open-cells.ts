import { type Cell, cellOf, cellPrefix, firstCell } from '@malipo/kernel/cells'
import { drawQrJob } from '@malipo/contracts/payment-qr'
import type { Country } from '@malipo/kernel/countries'
import { callsMax, type CallClass, eachClass } from '@malipo/runtime/call-classes'
import { openSlots, type Slots } from '@malipo/runtime/call-slots'
import { type Announce, type Changes, openAnnounce, openChanges } from '@malipo/runtime/changes'
import type { Log } from '@malipo/runtime/log'
import type { Opened } from '@malipo/runtime/process'
import { type JobQueue, openJobQueue } from '@malipo/runtime/queue'
import { openRedis } from '@malipo/runtime/redis'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import type { CellConfig } from '../config'
import { type CountryLedger, openCountryLedger } from './country-ledger'
import { openLedger } from './open-ledger'

type Enqueue = Pick<JobQueue, 'enqueue'>

/** Where a cell's worker takes questions for QR codes, and leaves the pictures. */
export interface QrPlace {
  readonly redis: ReturnType<typeof openRedis>
  readonly prefix: string
  readonly jobs: Enqueue
}

/** What a gateway calls of its country: one cell, or several as if they were one. */
export interface Cells {
  readonly ledger: CountryLedger
  /** For each class of calls: full when no cell has a free slot. */
  readonly slots: Readonly<Record<CallClass, Pick<Slots, 'isFull'>>>
  /** The Redis of the first cell, which counts the limits of the whole country. */
  readonly redis: ReturnType<typeof openRedis>
  readonly announce: Announce
  readonly changes: Changes
  /** Enqueues a job in the cell of its id. If the job is lost, the sweep of that cell finds its row. */
  readonly submitJobs: Enqueue
  readonly readJobs: Enqueue
  readonly qrOf: (cell: Cell) => QrPlace
  /** The Pay Bill number of a cell; undefined where there is no such menu. */
  readonly businessNumberOf: (cell: Cell) => string | undefined
}

export interface CellsOptions {
  readonly country: Country
  readonly identity: TlsIdentity
  readonly queuePrefix: string
  readonly isCardOn: boolean
  readonly cells: readonly [CellConfig, ...CellConfig[]]
  readonly log: Log
}

export function openCells(options: CellsOptions, opened: Opened): Cells {
  const [firstConfig, ...further] = options.cells
  const first = openCell(options, firstConfig, firstCell, opened)
  const others = further.map((config, index) => openCell(options, config, index + 1, opened))
  const all = [first, ...others]
  const atId = (queueOf: (cell: OpenCell) => Enqueue): Enqueue => ({
    enqueue: (id) => queueOf(all[cellOf(id) ?? firstCell] ?? first).enqueue(id),
  })
  return {
    ledger: openCountryLedger([first.ledger, ...others.map(({ ledger }) => ledger)]),
    slots: eachClass((callClass) => ({
      isFull: () => all.every(({ slots }) => slots[callClass].isFull()),
    })),
    redis: first.qr.redis,
    announce: first.announce,
    changes: mergeChanges(all.map(({ changes }) => changes)),
    submitJobs: atId(({ submitJobs }) => submitJobs),
    readJobs: atId(({ readJobs }) => readJobs),
    qrOf: (cell) => (all[cell] ?? first).qr,
    businessNumberOf: (cell) => options.cells[cell]?.businessNumber,
  }
}

/** Merges the announcements of all cells: a watch gets those of each cell. */
export function mergeChanges(cells: readonly Changes[]): Changes {
  return {
    watch(id, onChange) {
      const ends = cells.map(({ watch }) => watch(id, onChange))
      return () => {
        for (const end of ends) end()
      }
    },
    collect() {
      const collected = cells.map(({ collect }) => collect())
      return {
        has: (id) => collected.some(({ has }) => has(id)),
        end() {
          for (const { end } of collected) end()
        },
      }
    },
    close() {
      for (const { close } of cells) close()
    },
  }
}

type OpenCell = ReturnType<typeof openCell>

/** Each cell has its own slots, so that a cell that does not answer cannot use up those of another. */
function openCell(options: CellsOptions, config: CellConfig, cell: Cell, opened: Opened) {
  const { country, identity, isCardOn, log } = options
  const { redisUrl } = config
  const prefix = cellPrefix(options.queuePrefix, cell)
  const slots = eachClass((callClass) => openSlots(callsMax[callClass]))
  const ledger = openLedger({ country, address: config.ledgerAddress, identity, isCardOn, slots })
  opened.add('ledger', ledger.close)
  const redis = openRedis(redisUrl, log)
  opened.add('redis', () => {
    redis.disconnect()
  })
  const changes = openChanges({ redisUrl, prefix, log })
  opened.add('changes', changes.close)
  const queue = (name: string) => {
    const jobs = openJobQueue({ redisUrl, prefix, name, log })
    opened.add(`${name} queue`, () => jobs.close())
    return jobs
  }
  return {
    ledger,
    slots,
    announce: openAnnounce(redis, prefix),
    changes,
    submitJobs: queue('submit-prompt'),
    readJobs: queue('read-provider-message'),
    qr: { redis, prefix, jobs: queue(drawQrJob) },
  }
}
