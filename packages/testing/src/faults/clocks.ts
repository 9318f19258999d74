import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const clockShiftMs = 300_000

/** Sets the clock of a process forward or back, by its name; 0 ends it. */
export function openFaultClocks(dir: string): (process: string, shiftMs: number) => void {
  const shifts = new Map<string, number>()
  return (process, shiftMs) => {
    shifts.set(process, shiftMs)
    writeFileSync(join(dir, 'clock.json'), JSON.stringify(Object.fromEntries(shifts)))
  }
}
