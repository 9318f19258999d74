import { lookup } from 'node:dns/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { countries, isCountry, type Rail as RailName } from '@malipo/kernel/countries'
import { type Check, checkHosts, type Environment, waitMs } from './check-hosts'
import { payBillUrls } from './mpesa/register-urls'
import { openOwnTurns } from './pace'
import type { AskableRail, PayBill, Prepared, Rail } from './rail'
import { openCardRail, openRails, type RailSettings, railVariables } from './registry'
import { settingProblems } from './setting-problems'

const minuteMs = 60_000

/**
 * Checks what this machine can see between us and the providers, with the environment of a worker: the settings, the
 * hosts with their certificates, our clock, our credentials and the address that providers call back. Moves no money
 * and prompts no phone.
 */
export async function checkProviders(
  environment: Environment,
  now: () => number,
): Promise<readonly Check[]> {
  const settings = checkSettings(environment)
  const isSound = settings.every(({ result }) => result === 'good')
  return [
    ...settings,
    ...(await checkHosts(environment, now)),
    ...(isSound ? await checkAtProviders(environment, now) : [unsent]),
    ...(await checkCallbacks(environment)),
    ...(await checkPayBillAddress(environment)),
    ...unseen(environment),
  ]
}

/** Replaces the checks that send credentials: with a wrong setting they might go to another host, or in clear text. */
const unsent: Check = {
  what: 'credentials',
  result: 'not seen',
  finding: 'not sent anywhere while a setting is wrong: fix it, and run this again',
}

const listedAddress =
  'MTN takes calls from listed addresses alone: ask your network for the address that calls leave from, and have it listed'

/** What only a person can check, listed as `not seen`. */
function unseen(environment: Environment): readonly Check[] {
  const notSeen = (what: string, finding: string): Check => ({ what, result: 'not seen', finding })
  const isSet = (variable: string) => (environment[variable] ?? '') !== ''
  return [
    ...(isSet('MTN_MOMO_BASE_URL') || isSet('MTN_MOMO_NEW_BASE_URL')
      ? [notSeen('our address', listedAddress)]
      : []),
    ...(isSet('MPESA_BASE_URL')
      ? [
          notSeen(
            'addresses at Safaricom',
            'Safaricom does not tell what is registered: run provider register once, and pay one shilling from the menu, whose confirmation proves it',
          ),
        ]
      : []),
  ]
}

function readRails(environment: Environment) {
  return railVariables.safeParse(environment, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  })
}

function checkSettings(environment: Environment): readonly Check[] {
  const read = readRails(environment)
  const wrong = (variable: string, finding: string): Check => ({
    what: variable,
    result: 'wrong',
    finding,
  })
  const malformed = read.success
    ? []
    : read.error.issues.map(({ path, message }) => wrong(String(path.at(-1)), message))
  const mistaken = settingProblems(environment).map(({ variable, message }) =>
    wrong(variable, message),
  )
  const isOff = read.success && Object.values(read.data).every((rail) => rail === undefined)
  const off = isOff
    ? [wrong('rails', 'no provider is set: give the environment of a worker, as MPESA_BASE_URL')]
    : []
  const { COUNTRY: country = '' } = environment
  const nowhere = isCountry(country.toLowerCase())
    ? []
    : [wrong('COUNTRY', 'must be ke or ug: that of the worker whose environment this is')]
  const found = [...malformed, ...mistaken, ...off, ...nowhere]
  return found.length > 0
    ? found
    : [{ what: 'settings', result: 'good', finding: 'well formed, and fit each other' }]
}

async function checkAtProviders(
  environment: Environment,
  now: () => number,
): Promise<readonly Check[]> {
  const read = readRails(environment)
  if (!read.success) return []
  const checked = await Promise.all(
    openAll(read.data, environment, now).map(async (rail): Promise<readonly Check[]> => {
      const credentials = await rail.checkCredentials()
      const { name, payBill } = rail
      // Without a token the provider refuses the question about the statement too.
      const isAsked = payBill !== undefined && credentials.kind === 'ready'
      return [
        credentialCheck(name, credentials),
        ...(isAsked ? [await checkStatement(name, payBill, now())] : []),
      ]
    }),
  )
  return checked.flat()
}

type Checkable = AskableRail & Pick<Rail, 'payBill'>

function openAll(
  settings: RailSettings,
  { COUNTRY: country = '' }: Environment,
  now: () => number,
): readonly Checkable[] {
  const wiring = { now, wait, takeTurn: openOwnTurns(now), countEvent: () => undefined }
  // With an unknown country no provider is called, so the rules of Kenya only satisfy the type here.
  const own = country.toLowerCase()
  const rules = countries[isCountry(own) ? own : 'ke']
  const card = openCardRail(settings, wiring)
  return [...openRails(settings, rules, wiring).values(), ...(card === undefined ? [] : [card])]
}

/** A reason, beside wrong credentials, for which a provider may refuse our calls. */
const otherwise: Partial<Record<RailName, string>> = { mtn_momo: listedAddress }

function credentialCheck(name: RailName, prepared: Prepared): Check {
  const what = `credentials of ${name}`
  if (prepared.kind === 'ready') return { what, result: 'good', finding: 'taken' }
  if (/\b(?:E[A-Z]{3,}|EAI_AGAIN|UND_ERR_\w+|TimeoutError)\b/.test(prepared.detail)) {
    const finding = `${prepared.detail}: the host was not reached; is the name right, and is it open from here?`
    return { what, result: 'wrong', finding }
  }
  const also = otherwise[name] === undefined ? '' : `; if they are right, ${otherwise[name]}`
  const finding = `${prepared.detail}: compare them with the provider's portal${also}`
  return { what, result: 'wrong', finding }
}

/** Checks whether the provider lets us read its statement, by the last minute of it. */
async function checkStatement(
  name: RailName,
  payBill: Pick<PayBill, 'listPayments' | 'shortCode'>,
  nowMs: number,
): Promise<Check> {
  const what = `statement of ${name}`
  const window = { from: new Date(nowMs - minuteMs), until: new Date(nowMs), rowOffset: 0 }
  const listed = await payBill.listPayments(window)
  switch (listed.kind) {
    case 'answered':
      return { what, result: 'good', finding: `that of ${payBill.shortCode} can be read` }
    case 'not_granted':
      return {
        what,
        result: 'wrong',
        finding: `${listed.detail}: not granted for ${payBill.shortCode}; run provider pull-register, and ask Safaricom's API support to grant Pull Transactions`,
      }
    case 'doubtful':
      return {
        what,
        result: 'not seen',
        finding: `${listed.detail}: not paid yet, or not granted for ${payBill.shortCode}; run provider pull-register, pay one shilling from the menu, and run this again`,
      }
    case 'unanswered':
      return { what, result: 'not seen', finding: `${listed.detail}: run this again` }
  }
}

/** Checks by an empty call, which changes nothing, that the address for payments from the menu is the gateway's. */
async function checkPayBillAddress(environment: Environment): Promise<readonly Check[]> {
  if ((environment['MPESA_BASE_URL'] ?? '') === '') return []
  const what = 'C2B_PATH_SECRET'
  const urls = payBillUrls(environment)
  if (urls === undefined) {
    const finding =
      'is not set, or CALLBACK_BASE_URL is not: payments from the menu are reported nowhere, and the statement is not read'
    return [{ what, result: 'wrong', finding }]
  }
  const status = await fetch(urls.validationUrl, {
    ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    signal: AbortSignal.timeout(waitMs),
  }).then(
    (answer) => answer.status,
    () => undefined,
  )
  if (status === undefined) {
    return [{ what, result: 'not seen', finding: 'the validation address does not answer' }]
  }
  const finding = `the validation address answers ${String(status)}: give gateway and worker the same C2B_PATH_SECRET, and let your proxy pass /callbacks/c2b`
  return status === 200
    ? [{ what, result: 'good', finding: 'the gateway has the same, and its address answers' }]
    : [{ what, result: 'wrong', finding }]
}

async function checkCallbacks({ CALLBACK_BASE_URL = '' }: Environment): Promise<readonly Check[]> {
  const what = 'CALLBACK_BASE_URL'
  if (!URL.canParse(CALLBACK_BASE_URL)) {
    return [{ what, result: 'wrong', finding: 'is not set: providers have nowhere to call back' }]
  }
  const { hostname } = new URL(CALLBACK_BASE_URL)
  const isFound = await lookup(hostname).then(
    () => true,
    () => false,
  )
  if (!isFound)
    return [{ what, result: 'wrong', finding: `${hostname} has no address: add it to your DNS` }]
  const status = await fetch(CALLBACK_BASE_URL, { signal: AbortSignal.timeout(waitMs) }).then(
    (answer) => answer.status,
    () => undefined,
  )
  return [
    status === undefined
      ? {
          what,
          result: 'wrong',
          finding: `${hostname} does not answer from here: is the gateway behind it?`,
        }
      : {
          what,
          result: 'good',
          finding: `${hostname} answers ${String(status)} from here; a provider may still be kept out`,
        },
  ]
}
