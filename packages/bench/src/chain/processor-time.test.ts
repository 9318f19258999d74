import { spawnSync } from 'node:child_process'
import { parseStat, readMemoryMb, readProcessorMs } from './processor-time'

test('reads the parent, own time and time of ended children behind a process name with parentheses', () => {
  const fields = ['S', '7', ...Array.from({ length: 9 }, () => '1'), '20', '3', '400', '5', '0']
  expect(parseStat(`12 (a (b) c) ${fields.join(' ')}`)).toEqual({
    parent: 7,
    ticks: 23,
    endedTicks: 405,
  })
})

test('counts the processor time of an ended child', () => {
  const own = { test: process }
  const before = readProcessorMs(own)['test'] ?? 0
  spawnSync(process.execPath, [
    '-e',
    'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);',
  ])
  expect(readProcessorMs(own)['test']).toBeGreaterThanOrEqual(before + 300)
})

test('counts the memory of a process', () => {
  expect(readMemoryMb({ test: process })['test']).toBeGreaterThan(20)
})
