import type { Clock } from '@malipo/runtime/clock'
import {
  changeTime,
  realUntil,
  timeAt,
  virtualNow,
  type TimeChange,
  type SimulatedTime,
} from './rules/clock'
import { openTimetable } from './rules/timetable'

export interface VirtualClock extends SimulatedTime {
  change(change: TimeChange): void
  read(): ClockReading
  /** Sets no real timer any more, so that what waits never runs. */
  stop(): void
}

export interface ClockReading {
  readonly nowMs: number
  readonly speed: number
  readonly paused: boolean
  /** Virtual milliseconds until the next timer; null when none waits. */
  readonly nextInMs: number | null
  readonly next: string | null
  readonly waiting: number
}

/** Node's longest timer; a longer wait fires, finds nothing due, and is set again. */
const longestWaitMs = 2 ** 31 - 1

/** Drives the virtual clock with one real timer, set for the earliest entry. */
export function openVirtualClock(clock: Clock): VirtualClock {
  const timetable = openTimetable()
  let time = timeAt(clock.now())
  let wake: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined
  let ringing: number | undefined
  let stopped = false

  const now = () => ringing ?? virtualNow(time, clock.now())

  const disarm = () => {
    clearTimeout(wake?.handle)
    wake = undefined
  }

  const arm = () => {
    const dueMs = timetable.next()?.dueMs
    if (stopped || dueMs === undefined || (wake !== undefined && wake.dueMs <= dueMs)) return
    disarm()
    const waitMs = realUntil(time, clock.now(), dueMs)
    if (waitMs === undefined) return
    wake = { dueMs, handle: setTimeout(ringDue, Math.min(waitMs, longestWaitMs)) }
  }

  /** Each timer runs at its own virtual instant, so a jump of an hour gives the same events as an hour of waiting. */
  const ringDue = () => {
    disarm()
    const untilMs = virtualNow(time, clock.now())
    for (let due = timetable.takeDue(untilMs); due; due = timetable.takeDue(untilMs)) {
      ringing = due.dueMs
      due.run()
    }
    ringing = undefined
    arm()
  }

  return {
    now,
    after(delayMs, run, what) {
      const entry = timetable.add(now() + delayMs, run, what)
      arm()
      return {
        cancel() {
          entry.cancel()
        },
      }
    },
    change(change) {
      time = changeTime(time, clock.now(), change)
      disarm()
      ringDue()
    },
    read() {
      const next = timetable.next()
      const nowMs = now()
      return {
        nowMs,
        speed: time.speed,
        paused: time.paused,
        nextInMs: next === undefined ? null : Math.max(0, next.dueMs - nowMs),
        next: next?.what ?? null,
        waiting: timetable.size(),
      }
    },
    stop() {
      stopped = true
      disarm()
    },
  }
}
