import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const clockShiftMs = 300_000

/** Returns a function that shifts the clock of a process by its name; a shift of 0 sets the clock right again. */
export function openFaultClocks(dir: string): (process: string, shiftMs: number) => void {
  const shifts = new Map<string, number>()
  return (process, shiftMs) => {
    shifts.set(process, shiftMs)
    writeFileSync(join(dir, 'clock.json'), JSON.stringify(Object.fromEntries(shifts)))
  }
}
