import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wholeMajorUp } from '@malipo/kernel/money'
import { readStackFile, type StackFile } from '@malipo/stack/stack-file'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { findBrowser, openBrowser } from '../browser'
import { openMerchant } from '../merchant'
import { startStack, wholeShillings } from '../running-stack'
import { playStory, secondsAllowed, type Played } from './play'
import { airtelStories, plays, type Play } from './plays'
import { openTester } from './tester'

const help = `Usage: npm run packs -- [OPTIONS]

Plays every ready story of the simulator in a browser as a tester would: chooses it on the simulator's page, opens a
checkout, pays, waits for the end, and finds in the inspector why it ended so. Prints a line for each: how long it took,
how the checkout ended, and what the inspector says. Ends with 1 when a story ends otherwise, takes more than
${String(secondsAllowed)} seconds, or is not explained.

  --only A,B       these stories alone
  --storms N       the storm goes by chance: so many times, each with another seed (5)
  --stack DIR      of a stack that runs, such as .stack; without, one is started
  --whole-shillings
                   as in production: the stack is started so, or the one of --stack was
  --airtel v1|v2   the stories that Airtel knows, in Uganda, over that version of its API: the stack is started so
  --pictures DIR   keeps what the tester sees at each step
  --help
`

/** The first price in Kenya has cents: with `--whole-shillings` the payer is asked for the next whole shilling. */
const firstAmountMinor = 10_056
/** UGX has no cents. */
const firstUgandanMinor = 500_000
/** The story that draws its faults at random. */
const storm = 'provider-storm'

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      storms: { type: 'string', default: '5' },
      stack: { type: 'string' },
      'whole-shillings': { type: 'boolean', default: false },
      airtel: { type: 'string' },
      pictures: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const { airtel } = values
  const all = airtel === undefined ? Object.keys(plays) : airtelStories
  const stories = storiesOf(values.only?.split(',') ?? all, values.storms)
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true })
  findBrowser()
  const isWhole = values['whole-shillings']
  const stack = await enterStack(values.stack, isWhole, airtel)
  const browser = await openBrowser()
  const failures = await playAll(stack.file, {
    browser,
    stories,
    isWhole,
    isAirtel: airtel !== undefined,
    picturesDir: values.pictures,
  })
  await browser.close()
  await stack.stop()
  return failures === 0 ? 0 : 1
}

interface Entered {
  readonly file: StackFile
  stop(): Promise<void>
}

async function enterStack(
  dir: string | undefined,
  isWhole: boolean,
  airtel: string | undefined,
): Promise<Entered> {
  if (dir === undefined) {
    process.stdout.write('Starting a stack\n')
    const environment = airtel === undefined ? {} : { AIRTEL_API_VERSION: airtel }
    return startStack(environment, isWhole ? [wholeShillings] : [])
  }
  const file = readStackFile(dir)
  if (file === undefined) throw new Error(`No stack is ready in ${dir}`)
  return { file, stop: () => Promise.resolve() }
}

function playOf(story: string): Play | undefined {
  return new Map<string, Play>(Object.entries(plays)).get(story)
}

/** Returns the stories to play, and repeats the storm as often as `--storms` says. */
function storiesOf(names: readonly string[], storms: string): readonly string[] {
  const unknown = names.filter((name) => playOf(name) === undefined)
  if (unknown.length > 0) throw new Error(`There is no story ${unknown.join(', ')}`)
  const times = z.coerce.number().int().min(1).parse(storms)
  return names.flatMap((name) => Array.from({ length: name === storm ? times : 1 }, () => name))
}

interface Playing {
  readonly browser: Browser
  readonly stories: readonly string[]
  /** M-PESA takes whole shillings only. */
  readonly isWhole: boolean
  readonly isAirtel: boolean
  readonly picturesDir: string | undefined
}

/** Plays all stories. Returns how many failed. */
async function playAll(file: StackFile, playing: Playing): Promise<number> {
  const { stories, ...windows } = playing
  const tester = await openTester({ ...windows, simulatorUrl: file.simulator.url })
  const merchant = openMerchant(file, playing.isAirtel ? 'ug' : 'ke')
  let failures = 0
  for (const [index, story] of stories.entries()) {
    const play = playOf(story)
    if (play === undefined) continue
    if (story === storm) process.stdout.write(`seed ${await tester.resetSeed()}\n`)
    const stage = { merchant, tester, ...pricesOf(index, playing) }
    const played = await playStory(story, play, stage).catch(async (error: unknown) => {
      await tester.picture(`${story}-failed`)
      return String(error)
    })
    const isGood = typeof played !== 'string' && played.seconds <= secondsAllowed
    if (!isGood) failures += 1
    const line = typeof played === 'string' ? `${story}: ${played}` : lineOf(played)
    process.stdout.write(`${isGood ? ' ' : '!'} ${line}\n`)
  }
  await tester.leave()
  const count = String(stories.length - failures)
  process.stdout.write(`${count} of ${String(stories.length)} stories ended and were explained\n`)
  return failures
}

/** Returns a different price for each story, and the amount that the payer is asked for. */
function pricesOf(index: number, { isWhole, isAirtel }: Playing) {
  const amountMinor = (isAirtel ? firstUgandanMinor : firstAmountMinor) + index * 1_000
  return {
    amountMinor,
    askedMinor: isWhole ? Number(wholeMajorUp(BigInt(amountMinor))) : amountMinor,
  }
}

function lineOf({ story, seconds, ended, badge, why }: Played): string {
  const time = seconds.toFixed(1).padStart(5)
  return `${story.padEnd(23)} ${time} s  ${ended}\n${' '.repeat(35)}${badge}: ${why.join(' ')}`
}
