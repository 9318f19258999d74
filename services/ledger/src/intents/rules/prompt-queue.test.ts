import { busySeconds, type Sample, nextPromptQueue, type PromptQueue } from './prompt-queue'

const start = Date.parse('2026-11-20T12:00:00Z') * 1_000
const second = 1_000_000

/** A simulated queue: `rate` prompts a second arrive and, from the second `opensAt` on, `pace` prompts a second leave. */
interface Course {
  readonly rate: number
  readonly pace: number
  readonly opensAt?: number
  /** The seconds between the groups in which prompts leave. Undefined: the prompts leave evenly. */
  readonly everySeconds?: number
  readonly lastsSeconds: number
}

/** The queue after so many seconds of a course. The prompts leave in the order in which they came. */
function waitingAt(seconds: number, { rate, pace, opensAt = 0, everySeconds }: Course): Sample {
  const arrived = rate * seconds
  const opened = Math.max(0, seconds - opensAt)
  const worked =
    everySeconds === undefined ? opened : Math.floor(opened / everySeconds) * everySeconds
  const left = Math.min(arrived, pace * worked)
  const slots = Array.from({ length: Math.ceil(seconds * 2) }, (_, slot) => {
    const [from, to] = [(rate * slot) / 2, Math.min(arrived, (rate * (slot + 1)) / 2)]
    return { since: start + (slot * second) / 2, count: Math.max(0, to - Math.max(from, left)) }
  })
  return { at: start + seconds * second, waiting: slots.filter(({ count }) => count > 0) }
}

function follow(samples: readonly Sample[]): PromptQueue | undefined {
  return samples.reduce<PromptQueue | undefined>(nextPromptQueue, undefined)
}

function courseOf(course: Course): PromptQueue | undefined {
  const seconds = Array.from({ length: course.lastsSeconds * 2 }, (_, at) => (at + 1) / 2)
  return follow(seconds.map((at) => waitingAt(at, course)))
}

test.each<[string, number | undefined, Course]>([
  ['no prompt waits', undefined, { rate: 0, pace: 0, lastsSeconds: 30 }],
  ['each prompt leaves at once', undefined, { rate: 64, pace: 64, lastsSeconds: 30 }],
  // After 1.5 s 864 prompts wait, which at 64 a second takes 13.5 s.
  ['ten times as many prompts come as can be sent', 4, { rate: 640, pace: 64, lastsSeconds: 2 }],
  [
    'twice as many prompts come as can be sent, for 9 s',
    undefined,
    { rate: 128, pace: 64, lastsSeconds: 9 },
  ],
  [
    'twice as many prompts come as can be sent, for 11 s',
    2,
    { rate: 128, pace: 64, lastsSeconds: 11 },
  ],
  // The provider is sent 32 prompts at once and takes 16 s for each.
  [
    'a slow provider keeps all calls of the worker waiting',
    15,
    { rate: 16, pace: 2, lastsSeconds: 4 },
  ],
  [
    'the prompts leave in groups, every 4 s',
    12,
    { rate: 45, pace: 16, everySeconds: 4, lastsSeconds: 9.5 },
  ],
  ['no worker runs for 10 s', undefined, { rate: 20, pace: 0, lastsSeconds: 10 }],
  ['no worker runs for 15 s', 5, { rate: 20, pace: 0, lastsSeconds: 15 }],
  ['no worker runs for 55 s', 20, { rate: 20, pace: 0, lastsSeconds: 55 }],
  [
    'a worker has been back for 0.1 s',
    undefined,
    { rate: 20, pace: 64, opensAt: 7.9, lastsSeconds: 8 },
  ],
  [
    'a worker has been back for 1.1 s',
    undefined,
    { rate: 20, pace: 64, opensAt: 7.9, lastsSeconds: 9 },
  ],
])('when %s, a prompt that may wait 10 s can be tried again after %p s', (_, expected, course) => {
  expect(busySeconds(courseOf(course), 10)).toBe(expected)
})

/** A sample of the queue, `seconds` after the start. Each slot has its age then and its number of prompts. */
const sampleAt = (
  seconds: number,
  ...slots: readonly (readonly [agoSeconds: number, count: number])[]
): Sample => {
  const at = start + seconds * second
  return { at, waiting: slots.map(([ago, count]) => ({ since: at - ago * second, count })) }
}

test.each<[string, readonly Sample[], number]>([
  ['nothing when one prompt alone has waited for long', [sampleAt(0, [50, 1])], 0],
  ['nothing when two prompts alone have waited for long', [sampleAt(0, [50, 2])], 0],
  ['the age of the third oldest prompt when three wait', [sampleAt(0, [50, 2], [20, 1])], 20],
  [
    'the age of the others when two prompts have waited for long',
    [sampleAt(0, [50, 2], [0.5, 30])],
    0.5,
  ],
  [
    'the age of the others, which leave at once, when two prompts have waited for long',
    [
      sampleAt(0, [50, 2], [0.5, 9]),
      sampleAt(0.5, [50.5, 2], [0.5, 40]),
      sampleAt(1, [51, 2], [0.5, 40]),
    ],
    0.5,
  ],
  [
    'the age of the oldest prompts when only one sample has shown a slow pace',
    [sampleAt(0, [1, 90]), sampleAt(0.5, [1.5, 85])],
    1.5,
  ],
  [
    'the time that the queue takes at its pace when two samples have shown that pace',
    [sampleAt(0, [1, 90]), sampleAt(0.5, [1.5, 85]), sampleAt(1, [2, 80])],
    // 80 prompts are before a new one, and 10 a second leave.
    8,
  ],
])('the estimated wait of a new prompt is %s', (_, samples, seconds) => {
  expect(follow(samples)?.waitSeconds).toBeCloseTo(seconds, 5)
})

test('a rail that was never looked at is not busy', () => {
  expect(busySeconds(undefined, 10)).toBeUndefined()
})
