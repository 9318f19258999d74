import fc from 'fast-check'
import { openTimetable, type Entry, type Timetable } from './timetable'

const nothing = () => undefined

function takeAll(timetable: Timetable, nowMs: number): Entry[] {
  const taken: Entry[] = []
  for (let due = timetable.takeDue(nowMs); due; due = timetable.takeDue(nowMs)) taken.push(due)
  return taken
}

test('takes entries by time, and then by order of arrival', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (dueTimes) => {
      const timetable = openTimetable()
      const added = dueTimes.map((dueMs) => timetable.add(dueMs, nothing))
      const expected = [...added].sort((one, other) => one.dueMs - other.dueMs)
      expect(takeAll(timetable, 20)).toEqual(expected)
    }),
  )
})

test('leaves entries that are not due', () => {
  const timetable = openTimetable()
  timetable.add(10, nothing)
  expect(timetable.takeDue(9)).toBeUndefined()
  expect(timetable.next()?.dueMs).toBe(10)
})

test('takes every entry that is due but those that were cancelled', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.boolean())), (entries) => {
      const timetable = openTimetable()
      for (const [dueMs, isCancelled] of entries) {
        const entry = timetable.add(dueMs, nothing)
        if (isCancelled) entry.cancel()
      }
      const left = entries.filter(([, isCancelled]) => !isCancelled)
      expect(takeAll(timetable, 20)).toHaveLength(left.length)
      expect(timetable.size()).toBe(0)
    }),
  )
})
